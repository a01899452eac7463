"""New trees: the first search has more patience than those after it, and half of the work."""

import numpy as np
import pytest

from rmp3d.planner import COSTS
from rmp3d.planner.optimizing import fresh_trees
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


def test_the_first_search_is_given_up_last(wall, monkeypatch):
    monkeypatch.setattr(fresh_trees, "PATIENCE", 300.0)
    monkeypatch.setattr(fresh_trees, "FIRST", 6000.0)
    begun = []
    trees = FreshTrees(wall, LENGTH, START, GOAL, np.random.default_rng(0))
    begin = trees._begun
    trees._begun = lambda limit: begun.append(begin(limit)) or begun[-1]
    too_short = 1.01 * float(wall.distance(START, GOAL))  # to get over the wall
    while len(begun) < 4:
        assert trees.advance(too_short) is None
    spent = [search.spent for search in begun[:3]]
    assert 6000.0 < spent[0] < 12000.0
    assert 300.0 < spent[1] < spent[0] / 3.0
    assert 600.0 < spent[2] < spent[0] / 3.0


def test_a_first_search_that_joins_is_over(wall):
    trees = FreshTrees(wall, LENGTH, START, GOAL, np.random.default_rng(0))
    found = None
    while found is None:
        assert trees.is_first
        found = trees.advance(40.0)
    assert not trees.is_first
    assert (found[[0, -1]] == [START, GOAL]).all()


def test_half_of_the_work_is_the_first_search_s_until_it_ends(wall):
    path = over(wall)
    optimizer = PathOptimizer(wall, LENGTH, path, np.random.default_rng(0))
    optimizer._trees._begun = lambda limit: fresh_trees.FreshTrees._begun(
        optimizer._trees, 1.01 * float(wall.distance(START, GOAL))
    )
    turns = []
    while optimizer.spent < 8000.0:
        before = optimizer.spent
        turns.append((optimizer.advance(), optimizer.spent - before))
    assert optimizer._trees.is_first
    by_trees = sum(work for name, work in turns if name == "trees")
    longest = max(work for _, work in turns)
    assert abs(by_trees - 0.5 * optimizer.spent) <= longest + 0.1 * optimizer.spent
