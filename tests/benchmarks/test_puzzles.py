"""The puzzles of the ladder are fair: ends are free, and a screw passes through its thread."""

import numpy as np
import pytest

from benchmarks.ladder import problem_of
from benchmarks.puzzles import PUZZLES
from rmp3d.geometry.rotations import turned
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.following import followed


@pytest.mark.parametrize("family", PUZZLES)
def test_start_and_goal_are_free_however_tight(family):
    problem = problem_of(family, 0.005)
    space = RigidBodySpace.of_problem(problem)
    assert space.is_free(np.stack([problem.start, problem.goal])).all()


def test_the_motion_of_a_screw_leads_through_the_thread():
    space = RigidBodySpace.of_problem(problem_of("screw", 0.005))
    x = np.linspace(-2.6, 2.6, 53)
    rows = np.zeros((len(x), 7))
    rows[:, 0], rows[:, 3] = x, 1.0
    rows[:, 3:] = turned(rows[:, 3:], np.outer(x * np.pi / 2.4, [1.0, 0.0, 0.0]))
    assert space.world.motions_are_free(rows[:-1], rows[1:]).all()
    # Without the turn the rod does not get in.
    assert not space.world.is_free(np.insert(x[:, None], [1] * 6, [0, 0, 1, 0, 0, 0], axis=1)).all()


def test_a_thread_is_followed_from_a_shift_alone():
    """Nobody says that the rod has to turn: its contacts do."""
    space = RigidBodySpace.of_problem(problem_of("screw", 0.02))
    middle = np.array([0.9, 0, 0, np.cos(0.45 * np.pi / 2.4), np.sin(0.45 * np.pi / 2.4), 0, 0])
    turns = followed(space, middle, np.array([1.0, 0, 0, 0, 0, 0]))
    while True:
        try:
            next(turns)
        except StopIteration as done:
            passage, opens = done.value
            break
    assert opens
    assert passage[-1, 0] > 2.0
    assert space.world.motions_are_free(passage[:-1], passage[1:]).all()
