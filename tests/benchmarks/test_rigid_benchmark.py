"""The problems that the benchmark makes are sound, and its independent check sees collisions."""

from pathlib import Path

import numpy as np
import pytest

from rmp3d.planner.problems.files import read_problem

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def root_is_found(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)


def make(folder, names):
    from benchmarks.rigid_problems import make_problems

    return {name: read_problem(path).problem for name, path in make_problems(folder, names).items()}


def test_problems_have_free_ends_within_bounds(tmp_path):
    from benchmarks.rigid_problems import HARDER, MAKERS

    names = [name for name in MAKERS if name != "fine_house"]  # is slow to write, else a house
    assert set(HARDER) < set(MAKERS)
    for problem in make(tmp_path, names).values():  # python-fcl looked at the ends
        assert problem.is_within(problem.start)
        assert problem.is_within(problem.goal)
        assert problem.space == "rigid"


def test_the_check_sees_the_wall_that_a_straight_line_meets(tmp_path):
    from benchmarks.dense_check import DenseCheck

    problem = make(tmp_path, ["house"])["house"]
    straight = np.array([problem.start, problem.goal])
    assert DenseCheck(problem, finer=1).collides(straight)
    lifted = problem.start + np.array([0, 0, 0.3, 0, 0, 0, 0])
    assert not DenseCheck(problem, finer=1).collides(np.array([problem.start, lifted]))


def test_the_verb_runs_a_benchmark(capfd):
    from rmp3d import cli

    assert cli.main(["bench", "planner", "--help"]) == 0
    assert "--parasol FOLDER" in capfd.readouterr().out
    assert cli.main(["bench", "walkers"]) == 2


def test_no_contact_is_missed_by_the_kernels(tmp_path):
    from benchmarks.judges import compared

    problem = make(tmp_path, ["plate"])["plate"]
    proved, refused, missed, alone, _alarms = compared(problem, count=16, seed=1)
    assert proved + refused == 16
    assert min(proved, refused) > 2
    assert missed == 0
    assert alone == 0
