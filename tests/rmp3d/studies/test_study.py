"""Studies are resumed, changed, killed; failures are rows; the report shows what there is."""

import csv
import threading
import time
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.studies import Study, design_of, run_study
from rmp3d.studies import study as module
from rmp3d.studies.figures import CRASHED, NO_PATH, failed
from rmp3d.studies.folder import LARGEST_ROW, StudyFolder
from rmp3d.studies.messages import Outcome
from rmp3d.studies.page import chart_of, write_page
from rmp3d.studies.points import Runs
from rmp3d.studies.processes import Processes, RunProcess


class MadeUp:
    """Does no run: gives rows that say which members a run has."""

    def __init__(self, outcome="complete"):
        self.names, self._outcome = [], outcome

    def __call__(self, processes, scheduler):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def outcomes(self, jobs):
        for name, job in jobs.items():
            self.names.append(name)
            members = job.table.groups[0].members
            job.recording.write_bytes(b"run")
            row = {"outcome": self._outcome, "members": members, "jams": members**2}
            yield name, Outcome(row, {"wall": 1.0})


@pytest.fixture
def made_up(monkeypatch):
    runs = MadeUp()
    monkeypatch.setattr(module, "_workers", runs)
    return runs


@pytest.fixture
def design(short_table):
    """Makes the study's design, with other values of its table."""
    return lambda **table: design_of({**short_table, **table}, "study")


@pytest.mark.slow
def test_a_study_has_a_row_for_each_run_with_its_figures(short_study):
    one, two = short_study.rows
    assert (one["groups.0.members"], two["groups.0.members"]) == (1, 2)
    assert (one["members"], two["members"]) == (1, 2)
    assert one["outcome"] == two["outcome"] == "complete"
    assert one["findings"] == 0
    assert one["simulated"] == pytest.approx(0.3)
    assert two["clearance_members"] > 0
    assert one["clearance_members"] is None
    assert {"members", "jams", "jerk"} <= set(short_study.figures)
    assert short_study.recording(0).exists()
    with (short_study.folder / "table.csv").open(encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert [row["members"] for row in table] == ["1", "2"]


def test_what_is_known_is_not_run_again_and_the_table_is_the_same(design, short_study, made_up):
    before = (short_study.folder / "table.csv").read_bytes()
    again = run_study(design(), short_study.folder)
    assert (again.new, made_up.names) == (0, [])
    assert (short_study.folder / "table.csv").read_bytes() == before


@pytest.mark.parametrize("value", ["18446744073709551616", "NaN", "[1]", "1" * 400])
def test_a_row_out_of_all_sense_is_run_again(tmp_path, value):
    folder = StudyFolder(tmp_path)
    folder.keep("a", Outcome({"outcome": "complete", "jams": 7}, {}), with_recording=False)
    assert folder.kept("a", with_recording=False) is not None
    row = tmp_path / "runs" / "a" / "row.json"
    row.write_text(row.read_text().replace("7", value))
    assert folder.kept("a", with_recording=False) is None


def test_a_row_that_no_run_leaves_is_not_read(tmp_path):
    folder = StudyFolder(tmp_path)
    folder.keep("a", Outcome({"outcome": "complete"}, {}), with_recording=False)
    row = tmp_path / "runs" / "a" / "row.json"
    content = row.read_bytes()
    row.write_bytes(content + b" " * LARGEST_ROW)
    assert folder.kept("a", with_recording=False) is None
    row.unlink()
    row.mkdir()  # as a pipe, which would be waited for
    assert folder.kept("a", with_recording=False) is None


def test_a_changed_axis_runs_only_what_is_new(design, tmp_path, made_up):
    assert run_study(design(), tmp_path).new == 2
    grown = run_study(design(axes={"groups.0.members": [3, 2, 1]}), tmp_path)
    assert grown.new == 1
    assert grown.column("jams") == [9, 4, 1]


def test_a_study_that_was_stopped_goes_on_where_it_was(design, tmp_path, made_up, monkeypatch):
    whole = run_study(design(), tmp_path / "whole")

    def until_stopped(jobs):
        for name, outcome in MadeUp.outcomes(made_up, jobs):
            yield name, outcome
            raise KeyboardInterrupt

    monkeypatch.setattr(made_up, "outcomes", until_stopped)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            run_study(design(), tmp_path / "cut")
    monkeypatch.undo()
    cut = run_study(design(), tmp_path / "cut")
    assert (cut.new, len(cut.rows)) == (0, 2)
    tables = [(each / "table.csv").read_bytes() for each in (whole.folder, cut.folder)]
    assert tables[0] == tables[1]


def test_a_study_that_is_stopped_before_its_first_run_ends_writes_no_table(
    design, tmp_path, made_up, monkeypatch
):
    def stopped(jobs):
        raise KeyboardInterrupt

    monkeypatch.setattr(made_up, "outcomes", stopped)
    with pytest.raises(KeyboardInterrupt):
        run_study(design(), tmp_path)
    assert not list(tmp_path.glob("*.csv"))


def test_damaged_rows_lost_recordings_and_crashes_are_run_again(design, tmp_path, made_up):
    study = run_study(design(), tmp_path)
    store = StudyFolder(tmp_path)
    first, second = (str(row["run"]) for row in study.rows)
    (store.run_folder(first) / "row.json").write_text("{", encoding="utf-8")
    store.recording(second).unlink()
    assert run_study(design(), tmp_path).new == 2
    store.keep(first, Outcome(failed(CRASHED, "gone"), {}), with_recording=True)
    assert run_study(design(), tmp_path).new == 1
    store.keep(first, Outcome(failed(NO_PATH, "none"), {}), with_recording=True)
    assert run_study(design(), tmp_path).new == 0


@pytest.mark.parametrize(("keep", "kept"), [("all", 2), ("none", 0), ("failures", 0)])
def test_recordings_are_kept_as_the_study_says(design, tmp_path, made_up, keep, kept):
    study = run_study(design(keep=keep), tmp_path)
    assert sum(study.recording(row).exists() for row in range(2)) == kept
    assert run_study(design(keep=keep), tmp_path).new == 0


def test_no_path_and_refusals_are_rows_with_their_reason(design, tmp_path):
    runs = Runs(design(axes={"groups.0.members": [1]}))
    (run,) = runs.of([{"groups.0.members": 1, "seed": 0}])
    store = StudyFolder(tmp_path)
    job = module._job(run, store, design())
    table = job.table
    groups = [msgspec.structs.replace(table.groups[0], start=(1e4, 0.0, 0.0))]
    lost = replace(job, table=msgspec.structs.replace(table, groups=groups))
    with Processes(1) as processes:
        ((_, outcome),) = processes.outcomes({"lost": lost})
    assert outcome.row["outcome"] in ("no path", "refused")
    assert outcome.row["reason"]


@pytest.mark.slow
def test_a_process_that_is_killed_costs_no_run(design, tmp_path):
    (run,) = Runs(design()).of([{"groups.0.members": 1, "seed": 0}])
    job = module._job(run, StudyFolder(tmp_path), design())
    slot, found = RunProcess(), []
    thread = threading.Thread(target=lambda: found.append(slot.run(job)))
    thread.start()
    while slot._process is None:
        time.sleep(0.01)
    slot._process.kill()
    thread.join()
    slot.end()
    assert found[0].row["outcome"] == "complete"


def test_a_process_that_nobody_ends_ends_with_what_began_it():
    slot = RunProcess()
    process = slot._running()
    del slot
    assert process.poll() is not None
    assert process.stdin.closed
    assert process.stdout.closed


def test_a_process_that_always_dies_is_a_row(design, tmp_path, monkeypatch):
    monkeypatch.setattr("rmp3d.studies.processes.sys.executable", "/bin/false")
    (run,) = Runs(design()).of([{"groups.0.members": 1, "seed": 0}])
    outcome = RunProcess().run(module._job(run, StudyFolder(tmp_path), design()))
    assert outcome.row["outcome"] == CRASHED
    assert "exit code 1" in str(outcome.row["reason"])


def study_of(rows, axes=("a", "b", "seed")):
    return Study("made up", Path("nowhere"), axes, tuple(rows), 0)


def rows(figure):
    return [
        {"a": a, "b": b, "seed": seed, "run": f"{a}{b}{seed}", "outcome": "complete",
         "jams": figure(a, seed)}
        for a in (1, 2, 3) for b in ("x", "y") for seed in (0, 1)
    ]  # fmt: skip


def test_the_page_ranks_the_worst_runs_and_draws_what_differs(tmp_path):
    study = study_of(rows(lambda a, seed: 10 * a + seed))
    assert chart_of(study, "jams").count("<svg") == 1
    text = write_page(study, tmp_path / "report.html").read_text(encoding="utf-8")
    worst = text[text.index("<h2>Worst runs") : text.index("<h2>All runs")]
    assert worst.index("3x1") < worst.index("3x0")
    assert "1x0" not in worst
    alike = write_page(study_of(rows(lambda a, seed: 1)), tmp_path / "alike.html")
    assert "No figure differs" in alike.read_text(encoding="utf-8")


def test_names_that_could_be_markup_are_text(tmp_path):
    study = study_of([{**row, "b": "<script>"} for row in rows(lambda a, seed: a)])
    assert "<script>" not in write_page(study, tmp_path / "a.html").read_text(encoding="utf-8")


def test_a_folder_that_is_a_file_is_refused(design, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file"):
        run_study(design(), tmp_path / "file")
