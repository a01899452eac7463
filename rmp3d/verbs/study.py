"""Run a scenario many times with some of its keys varied, and make one table of the figures.

STUDY is a file (.toml) that names the scenario and its axes:

  scenario = "parking"
  seeds = 10
  [axes]
  groups.0.members = [5, 10, 20]
  groups.0.behavior = ["narrow_passages", "self_guided"]

Each run is simulated, verified and measured. The folder gets table.csv (and .parquet), report.html
and the recordings, named by their content: a study that was stopped or killed goes on where it
was, and one that was changed runs only what is new. A run that fails is a row with its reason.

The exit code is 1 if a run did not end well.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rmp3d.terminal.output import say, say_if_compiling, show
from rmp3d.verbs.options import add_output_options

if TYPE_CHECKING:
    from rmp3d.studies import Design, Study
    from rmp3d.studies.minimizing import Best

SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add target and options."""
    parser.add_argument("study", type=Path, metavar="STUDY", help="a study file (.toml)")
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="default: NAME.study")
    parser.add_argument(
        "--processes", type=int, default=0, metavar="N", help="runs at a time; 0: one for each core"
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="of a Dask scheduler, whose workers do the runs; such as tcp://10.0.0.5:8786",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="check and list the runs, and run none"
    )
    goal = parser.add_mutually_exclusive_group()
    goal.add_argument("--minimize", metavar="FIGURE", help="search the axes for its least value")
    goal.add_argument("--maximize", metavar="FIGURE", help="search the axes for its largest value")
    parser.add_argument(
        "--trials", type=int, metavar="N", help="points that a search tries; default: 40"
    )
    parser.add_argument(
        "--plot",
        action="append",
        default=[],
        metavar="FIGURE",
        help="draw this column in the report, instead of those that tell most",
    )
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Run and report."""
    from rmp3d.geometry.errors import InputError
    from rmp3d.geometry.printable import file_stem
    from rmp3d.studies import read_study, run_study
    from rmp3d.terminal.progress import progress_bar

    if options.study.suffix != ".toml":
        raise InputError(f"{options.study}: not a study file (.toml)")
    figure = options.minimize or options.maximize
    if options.trials is not None and not figure:
        raise InputError("--trials: only with --minimize or --maximize")
    design = read_study(options.study)
    folder = options.output or Path(f"{file_stem(design.table.name, 'study')}.study")
    if options.dry_run:
        return _list_runs(options, design)
    say_if_compiling(options)
    quiet = options.quiet or options.json
    with (
        progress_bar("check", "values", quiet=quiet) as checking,
        progress_bar("study", "trials" if figure else "runs", quiet=quiet) as progress,
    ):
        where = {"processes": options.processes, "scheduler": options.scheduler}
        try:
            if not figure:
                study = run_study(design, folder, progress=progress, checking=checking, **where)
                best = None
            else:
                best = _search(options, design, folder, figure, progress)
                study = best.study
        except KeyboardInterrupt:
            say(options, f"stopped; {folder} keeps what is done, the same command goes on")
            raise
    page = _report(options, study)
    facts = _facts(study, best) | {"report": str(page)}
    show(options, facts, _text(study, best, page))
    return 0 if study.ok or (best is not None and best.point is not None) else 1


def _search(
    options: argparse.Namespace, design: "Design", folder: Path, figure: str, progress: Any
) -> "Best":
    from rmp3d.studies.minimizing import minimize

    return minimize(
        design,
        folder,
        figure,
        trials=40 if options.trials is None else options.trials,
        maximize=options.maximize is not None,
        processes=options.processes,
        scheduler=options.scheduler,
        progress=progress,
    )


def _list_runs(options: argparse.Namespace, design: "Design") -> int:
    """Check and print the runs."""
    from rmp3d.studies.points import Runs
    from rmp3d.terminal.progress import progress_bar
    from rmp3d.terminal.text_table import table

    with progress_bar("check", "values", quiet=options.quiet or options.json) as progress:
        runs = Runs(design).of(design.points(), progress)
    facts = {
        "study": design.table.name,
        "runs": [{"run": run.name, "point": run.point} for run in runs],
    }
    rows = [[run.name, *(str(run.point[key]) for key in design.keys)] for run in runs[:SHOWN]]
    more = f"\n... and {len(runs) - SHOWN} more" if len(runs) > SHOWN else ""
    show(options, facts, f"{table(rows, ('run', *design.keys))}{more}\n{len(runs)} runs")
    return 0


def _report(options: argparse.Namespace, study: "Study") -> Path:
    from rmp3d.front.writing import export
    from rmp3d.studies.design import check_figure
    from rmp3d.studies.page import write_page

    for figure in options.plot:
        check_figure(figure, list(study.figures))

    def replay(recording: Path, page: Path) -> None:
        export(recording, page)

    path = study.folder / "report.html"
    return write_page(study, path, figures=options.plot, replay=replay)


def _facts(study: "Study", best: "Best | None") -> dict[str, Any]:
    facts: dict[str, Any] = {
        "study": study.name,
        "folder": str(study.folder),
        "runs": len(study.rows),
        "new": study.new,
        "failed": len(study.failures),
        "rows": list(study.rows),
    }
    if best is not None:
        facts["best"] = {"point": best.point, "value": best.value}
        facts["trials"] = {"count": best.trials, "failed": best.failed}
    return facts


def _text(study: "Study", best: "Best | None", page: Path) -> str:
    from rmp3d.terminal.text_table import table

    keys = [*study.axes, "outcome", "arrived", "last_arrival", "jams", "findings"]
    rows = [[row.get(key) for key in keys] for row in study.rows[:SHOWN]]
    lines = [table(rows, keys)]
    if len(study.rows) > SHOWN:
        lines.append(f"... and {len(study.rows) - SHOWN} more")
    failed = len(study.failures)
    lines.append(
        f"{len(study.rows)} runs, {study.new} of them new; "
        + (f"{failed} did not end well" if failed else "all ended well")
    )
    if best is not None and best.point is not None:
        point = ", ".join(f"{key} = {value}" for key, value in best.point.items())
        lines.append(f"best of {best.trials} trials: {best.value:g} with {point}")
    elif best is not None:
        lines.append(f"none of {best.trials} trials ended well")
    lines.append(f"tables: {study.folder / 'table.csv'}; report: {page}")
    return "\n".join(lines)
