"""New trees: a patient search first, for a third of the work, beside those that begin again."""

import numpy as np
import pytest

from rmp3d.planner import COSTS
from rmp3d.planner.optimizing.fresh_trees import FreshTrees
from rmp3d.planner.optimizing.optimizer import PathOptimizer
from rmp3d.planner.paths.polyline import joined
from rmp3d.planner.spaces import make_space

LENGTH = COSTS["length"]()
UPRIGHT = [1.0, 0, 0, 0]
START, GOAL = (np.array([x, 0.0, 1.5, *UPRIGHT]) for x in (-2.0, 2.0))


@pytest.fixture
def wall(make, make_body):
    """A cube, and a wall that it has to go over."""
    wall = make.box("wall", (-0.1, -2, 0), (0.1, 2, 4))
    scene = make.scene(wall, bounds=((-3, -2, 0), (3, 2, 6)))
    return make_space("rigid", scene, make_body((0.4, 0.4, 0.4)))


def over(space):
    """A way high over the wall."""
    rows = [START[:3], [-2.0, 0.0, 5.5], [2.0, 0.0, 5.5], GOAL[:3]]
    vertices = np.array([[*row, *UPRIGHT] for row in rows])
    return joined(space.connect(vertices[:-1], vertices[1:]))


def test_searches_are_given_up_as_patience_says(wall):
    begun = []
    trees = FreshTrees(wall, LENGTH, START, GOAL, np.random.default_rng(0), 600.0)
    begin = trees._begun
    trees._begun = lambda limit: begun.append(begin(limit)) or begun[-1]
    too_short = 1.01 * float(wall.distance(START, GOAL))  # to get over the wall
    while len(begun) < 4:
        assert trees.advance(too_short) is None
    spent = [search.spent for search in begun[:3]]
    assert 600.0 < min(spent[0], spent[2])
    assert spent[1] > 1200.0


def test_a_search_that_joins_leaves_its_graph(wall):
    trees = FreshTrees(wall, LENGTH, START, GOAL, np.random.default_rng(0))
    while (found := trees.advance(40.0)) is None:
        pass
    assert trees.left.is_joined
    assert (found[[0, -1]] == [START, GOAL]).all()


def shares(wall, most, work):
    """Return what the patient search has spent, and all, and the longest turn."""
    optimizer = PathOptimizer(wall, LENGTH, over(wall), np.random.default_rng(0))
    search, longest = optimizer._patient, 0.0
    begin, too_short = search._begun, 1.01 * float(wall.distance(START, GOAL))
    search._begun, search._patience = lambda limit: begin(min(limit, too_short)), most
    while optimizer.spent < work:
        before = optimizer.spent
        optimizer.advance()
        longest = max(longest, optimizer.spent - before)
    return optimizer, longest


def test_a_third_of_the_work_is_the_patient_search_s(wall):
    optimizer, longest = shares(wall, np.inf, 8000.0)
    assert optimizer._patient is not None
    assert abs(optimizer._patiently - optimizer.spent / 3.0) <= longest


def test_once_it_is_given_up_the_others_have_all_of_it(wall):
    optimizer, longest = shares(wall, 1000.0, 30000.0)
    assert optimizer._patient is None
    assert 1000.0 < optimizer._patiently < 1000.0 + longest
    assert optimizer.total < 0.9 * LENGTH.least(wall, over(wall)[:-1], over(wall)[1:]).sum()


def test_who_begins_again_with_another_path_goes_on_with_the_patient_search(wall):
    optimizer, _ = shares(wall, np.inf, 3000.0)
    again = optimizer.restarted(over(wall))
    assert again._patient is optimizer._patient
    assert (again.spent, again._patiently) == (optimizer.spent, optimizer._patiently)
