"""New trees: patient searches, a third of the work each, beside those that begin again."""

import numpy as np
import pytest

from rmp3d.planner import COSTS
from rmp3d.planner.optimizing import patient
from rmp3d.planner.optimizing.fresh_trees import FreshTrees
from rmp3d.planner.optimizing.optimizer import PathOptimizer
from rmp3d.planner.optimizing.patient import PatientSearches
from rmp3d.planner.paths.polyline import joined
from rmp3d.planner.spaces import make_space
from rmp3d.planner.trees.guide import Guide
from rmp3d.planner.trees.turns import work_of

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


def patiently(wall, limit, work):
    """Return an optimizer whose patient trees look for too short a path, and its longest turn."""
    optimizer, longest = PathOptimizer(wall, LENGTH, over(wall), np.random.default_rng(0)), 0.0
    advance = optimizer._patient.advance
    optimizer._patient.advance = lambda most, spent: advance(min(limit, most), spent)
    while optimizer.spent < work:
        before = optimizer.spent
        optimizer.advance()
        longest = max(longest, optimizer.spent - before)
    return optimizer, longest


TOO_SHORT = 1.01 * 4.0  # to get over the wall


def test_a_third_of_the_work_is_the_patient_search_s(wall):
    optimizer, longest = patiently(wall, TOO_SHORT, 8000.0)
    assert optimizer._patient.ended == 0
    assert abs(optimizer._patient.work - optimizer.spent / 3.0) <= longest


def test_the_next_begins_when_twice_as_much_is_spent_and_shrinks_the_body(wall, monkeypatch):
    monkeypatch.setattr(patient, "PATIENT", 1000.0)
    searches = PatientSearches(wall, LENGTH, START, GOAL, np.random.default_rng(0))
    spent, kinds, ends = 0.0, [], []
    while searches.ended < 3:
        if not searches.is_due(spent):
            spent += 50.0
            continue
        before, ended = work_of(wall.world.counts), searches.ended
        if searches._search is None:
            assert spent >= 2.0 * max(ends, default=0.0)
        searches.advance(TOO_SHORT, spent)
        work = work_of(wall.world.counts) - before
        searches.work, spent = searches.work + work, spent + work
        kinds.append(type(searches._search))
        if searches.ended > ended:
            ends.append(spent - work)
    assert FreshTrees in kinds
    assert Guide in kinds


def test_a_path_of_a_shrunk_body_is_one_of_the_body_itself(wall):
    searches = PatientSearches(wall, LENGTH, START, GOAL, np.random.default_rng(0))
    searches.ended = 1
    while (found := searches.advance(40.0, 0.0)) is None:
        assert searches.ended == 1
    assert (found[[0, -1]] == [START, GOAL]).all()
    assert wall.connects(found[:-1], found[1:]).all()


def test_who_begins_again_with_another_path_goes_on_with_the_patient_search(wall):
    optimizer, _ = patiently(wall, TOO_SHORT, 3000.0)
    again = optimizer.restarted(over(wall))
    assert again._patient is optimizer._patient
    assert again.spent == optimizer.spent
