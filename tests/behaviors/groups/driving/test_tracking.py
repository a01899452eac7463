"""Tracking: a vehicle gets to the end of every piece of its route, and goes back on its trail."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.driving.route import Route
from rmp3d.behaviors.groups.driving.tracking import (
    FIRM,
    LAG,
    driven_brake,
    pace_before_end,
    tracked,
)
from rmp3d.behaviors.groups.driving.trail import Trail

EAST = np.array([1.0, 0.0, 0.0])


def route(x, gear):
    point = np.column_stack([x, np.zeros((len(x), 2))])
    station = np.append(0.0, np.cumsum(np.abs(np.diff(x))))
    return Route(point, np.zeros(len(x)), np.array(gear), station, np.zeros(len(x)))


def test_a_route_that_ends_where_it_begins_is_done_and_leads_nowhere():
    turn = route([0.0, 0.0], [-1, -1])
    assert tracked(turn, 0, np.zeros(3), EAST).at == 1
    assert not turn.leads_on
    assert route([0.0, 0.5], [1, 1]).leads_on


@pytest.mark.parametrize(("x", "at"), [(-0.45, 2), (-0.55, 4), (-0.9, 4)])
def test_a_change_of_gear_is_passed_at_its_pose_and_beyond(x, at):
    back_and_on = route([0.0, -0.2, -0.4, -0.6, 0.4, 1.4], [-1, -1, -1, -1, 1, 1])
    assert tracked(back_and_on, 1, np.array([x, 0.0, 0.0]), EAST).at == at


def test_what_is_left_of_a_trail_ends_where_the_vehicle_has_gone_back_to():
    trail = Trail()
    for x in np.arange(0.0, 5.0, 0.1):
        trail.add(np.array([x, 0.0, 0.0]), EAST, EAST)
    for x in np.arange(4.9, 2.0, -0.03):
        trail.cut(np.array([x, 0.0, 0.0]))
    here = np.array([2.0, 0.0, 0.0])
    steps = np.abs(np.diff(trail.back(here, EAST).point[:, 0]))
    assert steps.max() < 0.2, "it does not begin with a leap"


@pytest.mark.parametrize("brake", [2.0, 7.0, 100.0, 1e9])
def test_a_driver_with_strong_brakes_does_not_creep_to_where_it_stops(make, brake):
    """The lag was priced by the braking: at 100 m/s^2 the last meter was driven at 0.12 m/s."""
    bodies = make.flock([[0.0, 0, 0]], max_brake=brake).bodies
    counted = driven_brake(bodies, 0)
    assert counted == min(brake, FIRM)
    assert pace_before_end(1.0, counted) >= pace_before_end(1.0, 2.0)


@pytest.mark.parametrize("speed", [1.5, 4.0])
def test_a_vehicle_that_lags_behind_its_pace_comes_to_rest_at_the_end(speed):
    left, dt, brake = 8.0, 1.0 / 30.0, 3.0
    for _ in range(400):
        pace = min(speed, pace_before_end(left, brake)) if left > 0.05 else 0.0
        slower = max(speed + (pace - speed) * dt / LAG, 0.0)
        assert slower >= speed - brake * dt
        left, speed = left - slower * dt, slower
    assert abs(left) < 0.06
