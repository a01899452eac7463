"""Openings that people come through both ways: who waits makes room for who comes out."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from rmp3d.behaviors.groups.openings import NarrowOpening
from rmp3d.behaviors.groups.openings.order import LOOSE
from rmp3d.behaviors.groups.openings.two_ways import (
    COMES,
    HOLD,
    ZONE,
    comes_from,
    in_the_way,
    lane,
    leaving,
    waiting,
)

RADIUS = 0.2
DOOR = NarrowOpening(np.zeros(3), np.array([1.0, 0.0]), 0.3, 0.4)


@pytest.mark.parametrize("count", [1, 10, 60])
def test_who_waits_leaves_the_lane_free_and_stands_to_the_right(count):
    rng = np.random.default_rng(count)
    position = np.column_stack([-4 * rng.random(count), rng.uniform(-2, 2, count), np.zeros(count)])
    for _ in range(300):
        velocity = waiting(DOOR, position, np.ones(count), RADIUS)
        position[:, :2] += 0.1 * velocity
    assert (np.hypot(*velocity.T) == 0.0).all()
    assert (position[:, 1] < -lane(DOOR, RADIUS)).all()  # to their right
    assert (np.hypot(*position[:, :2].T) > HOLD - 0.2).all()
    assert not in_the_way(DOOR, position, RADIUS).any()


@pytest.mark.parametrize("loose", [False, True])
def test_those_who_wait_leave_room_between_them_where_others_come_out_in_turns(loose):
    places = -2.5 - 0.2 * np.arange(6) - 2.0 * RADIUS * np.arange(6)
    position = np.column_stack([places, -1.5 * np.ones(6), np.zeros(6)])
    for _ in range(600):
        position[:, :2] += 0.05 * waiting(DOOR, position, np.ones(6), RADIUS, loose=loose)
    gaps = pdist(position) - 2.0 * RADIUS
    assert gaps.min() > LOOSE - 0.05 if loose else gaps.min() < 0.2


def test_more_members_come_from_farther_away_within_limits():
    far = [comes_from(count) for count in (0, 10, 60, 10_000)]
    assert far[0] == COMES < far[2] < far[3] == ZONE
    assert far == sorted(far)


def test_who_comes_out_goes_straight_past_those_who_wait_and_then_its_own_way():
    position = np.array([[1.0, -0.5, 0.0], [1.0, 0.0, 0.0], [4.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    point = np.array([[6.0, 3.0, 0.0], [6.0, -3.0, 0.0], [6.0, 3.0, 0.0], [6.0, 3.0, 0.0]])
    waits = np.array([[2.5, 1.2, 0.0], [3.0, 1.5, 0.0]])  # on their left
    beside, straight, course = leaving(DOOR, position, point, waits, RADIUS)
    assert beside.tolist() == [True, True, False, False]
    assert straight.tolist() == [True, False, False, False]  # the second turns away from them
    assert course[0] @ [1.0, 0.0] > 0.9
    assert course[0, 1] > 0.0
    np.testing.assert_allclose(np.hypot(*course.T), 1.0)
    assert not leaving(DOOR, position, point, waits[:0], RADIUS)[0].any()
