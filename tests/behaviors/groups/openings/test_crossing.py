"""Who comes through an opening by its own route, and what that means for queues."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.behaviors.groups.openings import NarrowOpening, Queues, passed_by_several
from rmp3d.behaviors.groups.openings.crossing import (
    AWAY,
    AWAY_BEFORE,
    BESIDE,
    Passers,
    crossings,
)
from rmp3d.behaviors.groups.openings.opening_queue import BothWays
from rmp3d.behaviors.groups.openings.passing import LOOK_EVERY
from rmp3d.behaviors.groups.openings.turns import Turns

DOOR = NarrowOpening(np.zeros(3), np.array([1.0, 0.0]), 0.3, 0.4)
WALLS = [([-0.2, -9, 0], [0.2, -0.6, 2]), ([-0.2, 0.6, 0], [0.2, 9, 2])]
NOWHERE = [np.nan] * 3


@pytest.mark.parametrize(
    ("here", "points", "way"),
    [
        ([-2, 0, 0], [[2, 0, 0]], 1),
        ([2, 0, 0], [[-2, 0, 0]], -1),
        ([-2, 0, 0], [[-1, 3, 0]], 0),
        ([-2, 3, 0], [[-1, 0, 0], [1, 0, 0]], 1),
        ([-2, 0, 0], [[2, 0, 0], [-2, 0, 0]], 1),
        ([-2, 2, 0], [[2, 2, 0]], 0),
        ([-2, 0.3 + 0.9 * BESIDE, 0], [[2, 0.3 + 0.9 * BESIDE, 0]], 1),
        ([-2, 0, 3], [[2, 0, 3]], 0),
        ([-2, 0, 0], [NOWHERE], 0),
    ],
)
def test_which_way_a_route_crosses_an_opening(here, points, way):
    found, left = crossings(DOOR, np.array([here], float), np.array([points], float))
    assert found.tolist() == [way]
    assert (left[0] > 0.0) == (way != 0)


def test_how_long_a_route_is_up_to_the_line():
    points = [[-2.0, 1.0, 0.0], [-2.0, -0.1, 0.0], [2.0, -0.1, 0.0], [9.0, 0.0, 0.0]]
    _, left = crossings(DOOR, np.array([[-5.0, 1.0, 0.0]]), np.array([points]))
    np.testing.assert_allclose(left, 3.0 + 1.1 + 2.0)


@pytest.fixture
def led(ways, make):
    """Return who is led of members at x, y that go on to x, y, before a door."""

    def found(places, goals, free=None):
        queues = Queues([(ways.space(walls=WALLS), [DOOR])])
        flock = make.flock(np.column_stack([places, np.zeros(len(places))]), grounded=True)
        count, ahead = len(places), None
        if goals is not None:
            ahead = np.column_stack([goals, np.zeros(count)])[:, None]
        free = np.ones(count, np.bool_) if free is None else np.array(free)
        for _ in range(LOOK_EVERY):
            rows, _, _ = queues.lead(flock, np.zeros(count, np.intp), np.ones(count), free, ahead)
        return rows.tolist()

    return found


@pytest.mark.parametrize(
    ("steps", "normals"),
    [([6], []), ([6, 6], [1]), ([6, -6], [1, -1]), ([-6, -6], [1, -1]), ([6, 0], [])],
)
def test_openings_count_that_several_ways_pass_each_direction_once(ways, steps, normals):
    space = ways.space(walls=WALLS)
    led = [np.array([[-0.5 * step, 0.1, 0.0], [0.5 * step, 0.1, 0.0]]) for step in steps]
    found = passed_by_several(space, [DOOR], led)
    assert [round(each.normal[0]) for each in found] == normals
    assert len(passed_by_several(space, found, led)) == len(found)


@pytest.mark.parametrize(
    ("way", "queues_up"),
    [
        ([[2.0, -9, 0], [2, 0, 0], [2, 9, 0]], False),
        ([[AWAY + 0.1, -9, 0], [AWAY + 0.1, 0, 0], [9, 9, 0]], True),
        ([[AWAY + 0.1, -9, 0], [AWAY - 0.1, 0, 0], [9, 9, 0]], False),
        ([[-9.0, 9, 0], [-9, -9, 0]], False),
        ([[-AWAY_BEFORE - 0.1, 0, 0], [-30, 0, 0]], True),
    ],
)
def test_nobody_queues_where_a_narrow_way_ends_and_others_come_by(ways, way, queues_up):
    """Near the line, or where those would stand who queue."""
    through, other = np.array([[-9.0, 0, 0], [9, 0, 0]]), np.array(way)
    for is_end in (True, False):
        opening = replace(DOOR, is_end=is_end)
        found = passed_by_several(ways.space(walls=WALLS), [opening], [through, through, other])
        assert bool(found) == (queues_up or not is_end)


@pytest.mark.parametrize(
    ("is_narrow", "aside", "turn"),
    [(False, 1.0, True), (False, 7.0, False), (True, 7.0, True)],
)
def test_sides_take_turns_where_it_is_narrow_or_others_are_near(is_narrow, aside, turn):
    pair = BothWays(1, Turns(DOOR, 0.1), is_narrow)
    places = np.array([[-1.0, 0.0, 0.0], [-1.0, aside, 0.0]])
    ahead = np.array([[[3.0, 0.0, 0.0]], [[-1.0, 9.0, 0.0]]])
    near = Passers(DOOR, places, ahead, np.arange(2), 12.0)
    assert (pair.turns_among(near) is pair.turns) == turn


def test_members_with_routes_of_their_own_queue_where_all_come_the_same_way(led):
    places = np.array([[-1.0, 0.0], [-1.8, 0.1], [3.0, 0.0], [-9.0, 0.0]])
    assert led(places, np.array([[3.0, 0], [3, 1], [6, 0], [3, 0]])) == [0, 1]


@pytest.mark.parametrize("other", [[-3.0, 0.0], [3.0, 9.0]])
def test_they_do_not_while_one_comes_the_other_way(led, other):
    places, goals = np.array([[-1.0, 0.0], [2.5, 0.0]]), np.array([[3.0, 0], other])
    assert led(places, goals) == ([] if other[0] < 0.0 else [0])


def test_they_do_not_while_one_in_it_goes_elsewhere_unless_it_stays_there(led):
    places, goals = np.array([[-1.5, 0.0], [-0.4, 0.3]]), np.array([[3.0, 0], [-0.2, 6.0]])
    assert led(places, goals) == []
    assert led(places, goals, [True, False]) == [0]
    beside = np.array([[-1.0, 0.0], [-1.5, 1.0]])
    assert led(beside, goals) == [0]


def test_nobody_queues_who_has_no_route_now(led):
    assert led(np.array([[-1.0, 0.0]]), None) == []


def test_who_comes_through_two_openings_lines_up_before_the_next_on_its_own_route(ways, make):
    """The other one is nearer as the crow flies: the route comes back to it."""
    next_ = NarrowOpening(np.array([0.0, 3.0, 0.0]), np.array([1.0, 0.0]), 0.3, 0.4)
    later = NarrowOpening(np.array([-1.0, 0.0, 0.0]), np.array([-1.0, 0.0]), 0.3, 0.4)
    queues = Queues([(ways.space(), [later, next_])])
    flock = make.flock([[-0.5, 0.5, 0.0]], grounded=True)
    route = np.array([[[-0.5, 3.0, 0.0], [2.0, 3.0, 0.0], [2.0, 0.0, 0.0], [-4.0, 0.0, 0.0]]])
    for _ in range(2 * LOOK_EVERY):
        _, _, number = queues.lead(
            flock, np.zeros(1, np.intp), np.ones(1), np.ones(1, np.bool_), route
        )
    assert number.tolist() == [1]
