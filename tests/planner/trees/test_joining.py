"""Passages are joined to start and goal, and to one another, by what a search finds."""

import numpy as np
import pytest

from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.joining import Joining
from rmp3d.scenes.build.shapes import box
from rmp3d.scenes.problems.rigid_problem import RigidProblem
from tests.planner.trees.turning import result_of


def at(*x):
    return np.array([[each, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0] for each in x])


@pytest.fixture
def space():
    """A cube, and a wall at x = 0 that no motion along x passes."""
    limits = np.array([[-20.0] * 3, [20.0] * 3])
    body, wall = box((-0.1,) * 3, (0.1,) * 3), box((-0.5, -2, -2), (0.5, 2, 2))
    problem = RigidProblem("p", body, wall, True, limits, False, "rigid", *at(-8.0, 8.0))
    return RigidBodySpace.of_problem(problem)


class Found:
    """A search that finds what it is told to, and notes what it was asked."""

    def __init__(self, paths=()):
        self.paths, self.asked = paths, []

    def between(self, space, ends, patience, guide):
        self.asked.append((ends[0, 0], ends[1, 0], patience))
        yield
        for path in self.paths:
            for way in (path, path[::-1]):
                if np.array_equal(way[[0, -1]], ends):
                    return way
        return np.zeros((0, 7))


def test_a_passage_makes_the_path_whole_whichever_way_it_leads(space):
    passage = at(2.0, 0.0, -2.0)  # through the wall, as if it were proved
    joining = Joining(space, at(-8.0, 8.0), Found().between)
    joining.add(passage)
    path = result_of(joining.advance(6))
    np.testing.assert_array_equal(path[:, 0], [-8.0, -2.0, 0.0, 2.0, 8.0])


def test_two_passages_in_a_row_are_joined_to_each_other(space):
    behind = at(-2.0, 2.0)
    between = at(2.0, 3.0, 4.0)
    between[1, 1] = 9.0
    search = Found([between])
    joining = Joining(space, at(-8.0, 8.0), search.between)
    joining.add(behind)
    joining.add(at(4.0, 6.0))
    path = result_of(joining.advance(20))
    np.testing.assert_array_equal(path[[0, -1]], at(-8.0, 8.0))
    assert len(path) >= 4


def test_what_has_been_tried_less_is_tried_first_and_then_for_longer(space):
    search = Found()
    joining = Joining(space, at(-8.0, 8.0), search.between)
    joining.add(np.vstack([at(-0.5), at(0.5)]))  # in the wall: nothing is free from there
    assert len(result_of(joining.advance(8))) == 0
    patience = [each for *_, each in search.asked]
    assert len({pair[:2] for pair in search.asked[:4]}) == 4
    assert patience[4:8] == [2 * each for each in patience[:4]]
