"""The short form of the campaigns against faults, and what they rest on."""

import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.faults.damage import damages_for
from benchmarks.faults.forks import Ended, run_forked
from benchmarks.faults.judging import outcome
from benchmarks.faults.killer import _names_rmp3d
from benchmarks.faults.planter import BEFORE_NEXT, schedule
from benchmarks.faults.wholeness import is_whole

ROOT = Path(__file__).parents[2]


def campaign(*arguments):
    command = [sys.executable, "-m", "benchmarks.faults", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


@pytest.mark.slow
def test_damaged_files_are_read_or_refused_with_a_clear_error():
    kinds = "scenario,character,--set,mesh .ac,mesh .mtl"
    page = campaign("--only", "fuzz", "--cases", "25", "--seed", "1", "--kinds", kinds)
    assert "| all | 25 |" in page


@pytest.mark.slow
def test_commands_that_are_ended_leave_an_old_file_or_a_whole_one():
    page = campaign("--only", "kill", "--cases", "3", "--seed", "2", "--commands", "export .csv")
    assert "| export .csv | " in page


@pytest.mark.slow
def test_planted_faults_are_found():
    page = campaign("--only", "plant", "--cases", "6", "--seed", "0", "--runs", "mixed")
    assert re.search(r"^\| all \| (\d) \| (\d) \| \2 \|$", page, re.MULTILINE)


def test_plants_begin_with_the_first_run_and_each_pair_comes_once():
    faults, kinds = [f"fault {k}" for k in range(30)], ["quick", "longer", "longest"]
    order = schedule(faults, kinds, np.random.default_rng(4))
    assert len(order) == len(set(order)) == 90
    assert {kind for _, kind in order[:BEFORE_NEXT]} == {"quick"}
    assert {kind for _, kind in order[: 2 * BEFORE_NEXT]} == {"quick", "longer"}


@pytest.mark.slow
def test_a_study_without_its_duration_is_long_work_and_no_hang(tmp_path):
    # Seed 271199: the damage took `simulation.duration` away, and 180 s are asked for by default.
    (tmp_path / "small.toml").write_text(
        '[scene]\nname = "plain"\n[[groups]]\nmembers = 3\nstart = "plain"\n'
        'behavior = { name = "steering", behaviors = ["roam"] }\n'
    )
    (tmp_path / "study.toml").write_text(
        'scenario = "small.toml"\nseeds = [1]\nverify = false\n[set]\nsimulation = {}\n'
    )
    done = run_forked(("study", "study.toml", "-o", "out.study", "-q"), tmp_path, cpu=60)
    assert done.code == 0, done.stderr
    times = (tmp_path / "out.study" / "table.csv").read_text().splitlines()
    row = dict(zip(times[0].split(","), times[1].split(","), strict=True))
    assert 0 < float(row["simulated"]) < 10


def ended(code, stderr="", stdout="", cpu=0.1, memory=0):
    return Ended(code, stdout, stderr, cpu, cpu, memory, False)


@pytest.mark.parametrize(
    ("ended", "column"),
    [
        (ended(0), "fine"),
        (ended(1, "rmp3d plan: no path"), "finding"),
        (ended(2, "rmp3d inspect: a.obj: line 3: `x` is not a number"), "clear error"),
        (ended(2, "rmp3d inspect: line 3: `x` is not a number"), "unclear"),
        (ended(2, "rmp3d inspect: a.obj: KeyError: 'x'"), "unclear"),
        (ended(2, "rmp3d inspect: a.obj: \x1b[2J is not a number"), "unclear"),
        (ended(2, "rmp3d inspect: a.obj: " + "x" * 1000), "unclear"),
        (ended(2, "a.obj: `com\xffent https://x/m)kedh/trimesh` is not understood"), "clear error"),
        (ended(2, "a.obj: trimesh cannot read it"), "unclear"),
        (ended(3, "rmp3d inspect: a.obj: damaged"), "unclear"),
        (ended(2, "unexpected KeyError: 1\nthis is a bug of rmp3d"), "own fault"),
        (ended(1, "Traceback (most recent call last):\n..."), "traceback"),
        (ended(0, "a.py:3: RuntimeWarning: overflow"), "silent"),
        (ended(0, stdout='{"x": NaN}'), "silent"),
        (ended(0, cpu=11.0), "hang"),
        (ended(0, memory=2**31), "memory"),
        (ended(-11), "signal"),
    ],
)
def test_an_outcome_is_put_into_its_column(ended, column):
    assert outcome(ended, ("a.obj",))[0] == column


def test_equal_seeds_give_equal_damages(tmp_path):
    text = '[scene]\nname = "plain"\n[[groups]]\nmembers = 3\nstart = [0.0, 1.0, 2.0]\n'
    file, results = tmp_path / "a.toml", []
    for _ in range(2):
        rng = random.Random(5)
        for damage in damages_for("a.toml"):
            file.write_text(text)
            damage(file, rng)
            results.append(file.read_bytes())
    half = len(results) // 2
    assert results[:half] == results[half:]
    assert len(set(results)) > half // 2


def test_an_interrupt_of_python_before_rmp3d_is_told_from_one_of_rmp3d():
    start = 'Traceback\n  File "<frozen runpy>", line 189, in _run_module_as_main\n'
    assert not _names_rmp3d(f"{start}KeyboardInterrupt\n")
    own = '  File "/anywhere/rmp3d/cli.py", line 3, in <module>\n'
    assert _names_rmp3d(f"{start}{own}KeyboardInterrupt\n")
    assert _names_rmp3d("Exception ignored in: <function f>\n")


def test_half_files_are_not_whole(tmp_path):
    table = tmp_path / "a.csv"
    table.write_text("a,b\n1,2\n3,4\n")
    assert is_whole(table)
    table.write_text("a,b\n1,2\n3")
    assert not is_whole(table)
    (tmp_path / "a.rmp3d").write_bytes(b"\x89HDF")
    assert not is_whole(tmp_path / "a.rmp3d")
