"""Vehicles that only move ahead: never asked back, never asked to circle for a place."""

from pathlib import Path as File

import numpy as np
import pytest

from rmp3d.behaviors import Flock
from rmp3d.behaviors.groups.driving.lanes import lane_velocity, queued
from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.models import load_character


@pytest.fixture(scope="module")
def motorbike():
    return load_character("motorbike", File())


def one(character, position, speed=0.0):
    flock = Flock.at_rest([character], np.array([position]), np.eye(3)[:1], np.array([-1]))
    return flock.moved(velocity=np.array([[speed, 0.0, 0.0]]))


def march_of(ways, station, left):
    room = ways.room(60.0, lambda s: 5.0 + 0 * s)
    start = np.array([[station, left, 0.0]])
    return FormationFrame.from_positions(ways.straight(60.0), room, 1.0, 4.0, 8.0, 5.0, True, start)


@pytest.mark.parametrize("ahead", [-3.0, 0.0, 1.0, 3.0, 6.0])
@pytest.mark.parametrize("left", [-4.0, 0.0, 2.0])
def test_a_vehicle_is_led_ahead_however_it_stands_to_its_place(ways, motorbike, ahead, left):
    frame = march_of(ways, 20.0, 0.0)
    asked = lane_velocity(frame, one(motorbike, [20.0 + ahead, left, 0.0]), np.array([[4.0, 0, 0]]))
    assert asked[0, 0] >= 0.0
    assert asked[0, 1] * left <= 0.0, "towards its lane"
    assert np.linalg.norm(asked) == pytest.approx(np.clip(4.0 - ahead, 0.0, 8.0))


def test_a_place_that_stands_stops_who_is_at_it_or_ahead(ways, motorbike):
    frame = march_of(ways, 20.0, 0.0)
    for ahead in (0.0, 2.0):
        flock = one(motorbike, [20.0 + ahead, 0.0, 0.0], 3.0)
        np.testing.assert_allclose(lane_velocity(frame, flock, np.zeros((1, 3))), 0.0)


def test_a_place_keeps_behind_the_vehicle_before_it_but_not_behind_one_that_left_the_lane(ways):
    room = ways.room(60.0, lambda s: 5.0 + 0 * s)
    start = np.array([[20.0, 0.0, 0.0], [10.0, 0.0, 0.0]])
    frame = FormationFrame.from_positions(
        ways.straight(60.0), room, 1.0, 4.0, 8.0, 5.0, True, start
    )
    slots = np.array([[0.0, 0.0, 0.0], [5.0, 0.0, 0.0]])
    behind = queued(frame, slots, start, 3.0, np.zeros(2, bool))
    np.testing.assert_allclose(behind, [np.inf, 17.0])
    free = queued(frame, slots, start, 3.0, np.array([True, False]))
    assert np.isinf(free).all()
