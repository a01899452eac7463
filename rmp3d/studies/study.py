"""A study: runs what is not known yet, and has one table of all runs."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rmp3d.extensions import loaded_extensions
from rmp3d.studies.cluster import Cluster, file_digest, files_of
from rmp3d.studies.design import Design, Point
from rmp3d.studies.figures import COMPLETE, Row, Value
from rmp3d.studies.folder import StudyFolder, check_folder
from rmp3d.studies.messages import Job, Outcome
from rmp3d.studies.points import PlannedRun, Runs
from rmp3d.studies.processes import Processes, check_processes
from rmp3d.studies.rows import StudyRows

Progress = Callable[[int, int], None] | None
TABLE, TIMINGS = "table", "timings"


class Study(StudyRows):
    """What came of a study; it can be shown."""

    def report(self, path: Path | str | None = None) -> Path:
        """Write a page with plots of the figures over the axes; return its path."""
        from rmp3d.studies.page import write_page

        return write_page(self, Path(path) if path else self.folder / "report.html")

    def _repr_html_(self) -> str:
        from rmp3d.studies.page import table_of_study

        return table_of_study(self)


def run_study(
    design: Design,
    folder: Path,
    *,
    processes: int = 0,
    scheduler: str | None = None,
    points: Sequence[Point] | None = None,
    progress: Progress = None,
    checking: Progress = None,
) -> Study:
    """Do all runs that the folder does not have, and write the tables.

    A run that fails is a row with its reason. After Ctrl-C the tables have what is done.

    Args:
        design: Of the study.
        folder: Is made, or goes on with what it has.
        processes: At a time; 0: one for each core.
        scheduler: Address of a Dask scheduler, whose workers do the runs instead.
        points: Values of the axes; by default all of the design.
        progress: Called with runs done and runs in all.
        checking: Called with checks done and checks in all, before the first run.

    Raises:
        InputError: An axis or a value is refused, before the first run; or the folder cannot be
            written, or the scheduler is out of reach.
    """
    processes = check_processes(processes)
    store = StudyFolder(check_folder(folder))
    runs = Runs(design).of(design.points() if points is None else points, checking)
    whole = design.table.keep == "all"
    known = {
        run.name: outcome
        for run in {run.name: run for run in runs}.values()
        if (outcome := store.kept(run.name, with_recording=whole)) is not None
    }
    missing = {run.name: run for run in runs if run.name not in known}
    jobs = {name: _job(run, store, design) for name, run in missing.items()}
    total = len(known) + len(jobs)
    if progress is not None:
        progress(len(known), total)
    try:
        if jobs:
            with _workers(processes, scheduler) as workers:
                if isinstance(workers, Cluster):
                    workers.check(_files(list(missing.values())))
                for name, outcome in workers.outcomes(jobs):
                    kept = whole or (
                        design.table.keep == "failures" and outcome.row["outcome"] != COMPLETE
                    )
                    store.keep(name, outcome, with_recording=kept)
                    known[name] = outcome
                    if progress is not None:
                        progress(len(known), total)
    finally:
        study = _study(design, store, runs, known, len(jobs))
    return study


def _workers(processes: int, scheduler: str | None) -> "Processes | Cluster":
    return Processes(processes) if scheduler is None else Cluster(scheduler)


def _files(runs: Sequence[PlannedRun]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for scenario in {run.scenario.table.scene.mesh: run.scenario for run in runs}.values():
        found |= files_of(scenario)
    return found | {path: file_digest(path) for path in loaded_extensions()}


def _job(run: PlannedRun, store: StudyFolder, design: Design) -> Job:
    scenario = run.scenario
    return Job(
        scenario.table,
        scenario.held,
        store.recording(run.name),
        design.table.verify,
        loaded_extensions(),
        tuple(design.table.figures),
    )


def _study(
    design: Design,
    store: StudyFolder,
    runs: Sequence[PlannedRun],
    known: dict[str, Outcome],
    new: int,
) -> Study:
    """Write the tables of the runs that are done; none if none is."""
    done = [run for run in runs if run.name in known]
    rows = [_axes(run, design) | {"run": run.name} | known[run.name].row for run in done]
    timings = [
        _axes(run, design) | {"run": run.name} | dict(known[run.name].seconds) for run in done
    ]
    if rows:
        store.write_table(TABLE, rows)
        store.write_table(TIMINGS, timings)
    return Study(
        design.table.name or "study", store.path, design.keys, tuple(rows), new, tuple(timings)
    )  # fmt: skip


def _axes(run: PlannedRun, design: Design) -> Row:
    return {key: _plain(run.point.get(key)) for key in design.keys}


def _plain(value: Any) -> Value:
    """Return a value as a cell: a table's name if it has no options, else its text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, dict) and set(value) == {"name"}:
        return str(value["name"])
    return repr(value)
