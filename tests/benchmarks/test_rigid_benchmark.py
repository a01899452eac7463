"""The problems that the benchmark makes are sound, and its independent check sees collisions."""

from pathlib import Path

import numpy as np
import pytest

from planner.problem_files import read_problem

ROOT = Path(__file__).parents[2]


@pytest.fixture
def made(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(ROOT)
    from benchmarks.rigid_problems import make_problems

    return {name: read_problem(path).problem for name, path in make_problems(tmp_path).items()}


def test_problems_have_free_ends_within_bounds(made):
    assert len(made) == 5
    for problem in made.values():  # python-fcl looked at the ends when they were made
        assert problem.is_within(problem.start)
        assert problem.is_within(problem.goal)
        assert problem.space == "rigid"


def test_the_check_sees_the_wall_that_a_straight_line_meets(made):
    from benchmarks.dense_check import DenseCheck

    problem = made["house"]
    straight = np.array([problem.start, problem.goal])
    assert DenseCheck(problem, finer=1).collides(straight)
    lifted = problem.start + np.array([0, 0, 0.3, 0, 0, 0, 0])
    assert not DenseCheck(problem, finer=1).collides(np.array([problem.start, lifted]))


def test_the_verb_runs_a_benchmark(capfd):
    from rmp3d import cli

    assert cli.main(["bench", "planner", "--help"]) == 0
    assert "--parasol FOLDER" in capfd.readouterr().out
    assert cli.main(["bench", "walkers"]) == 2
