"""Tracking: a vehicle gets to the end of every piece of its route, and goes back on its trail."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.driving.route import Route
from rmp3d.behaviors.groups.driving.tracking import (
    FIRM,
    LAG,
    Tracked,
    driven_brake,
    pace_before,
    pace_on_route,
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


def before_stop(rest, brake):
    return float(pace_before(np.zeros(1), np.array([rest]), brake)[0])


@pytest.mark.parametrize("brake", [2.0, 7.0, 100.0, 1e9])
def test_a_driver_with_strong_brakes_does_not_creep_to_where_it_stops(make, brake):
    """The lag was priced by the braking: at 100 m/s^2 the last meter was driven at 0.12 m/s."""
    bodies = make.flock([[0.0, 0, 0]], max_brake=brake).bodies
    counted = driven_brake(bodies, 0)
    assert counted == min(brake, FIRM)
    assert before_stop(1.0, counted) >= before_stop(1.0, 2.0)


@pytest.mark.parametrize("speed", [1.5, 4.0])
def test_a_vehicle_that_lags_behind_its_pace_comes_to_rest_at_the_end(speed):
    left, dt, brake = 8.0, 1.0 / 30.0, 3.0
    for _ in range(400):
        pace = min(speed, before_stop(left, brake)) if left > 0.05 else 0.0
        slower = max(speed + (pace - speed) * dt / LAG, 0.0)
        assert slower >= speed - brake * dt
        left, speed = left - slower * dt, slower
    assert abs(left) < 0.06


def arc(straight, length, radius, clearance=2.5):
    """A route ahead that goes straight, then turns to the left for a length."""
    station = np.arange(0.0, straight + length + 5.0, 0.05)
    angle = np.clip(station - straight, 0.0, length) / radius
    point = np.zeros((len(station), 3))
    point[1:, 0] = np.cumsum(0.05 * np.cos(angle[:-1]))
    point[1:, 1] = np.cumsum(0.05 * np.sin(angle[:-1]))
    free = np.full(len(station), clearance)
    return Route(point, angle, np.ones(len(station), np.intp), station, free)


def drive_on(route, bodies, speed, dt=1.0 / 30.0, response=0.1):
    """Speeds along a route of a vehicle that follows the pace it is asked for, and its places."""
    at, gone = [], 0.0
    while gone < route.station[-1] - 1.0:
        pose = int(np.searchsorted(route.station, gone, side="right")) - 1
        where = Tracked(pose, gone - route.station[pose], 0.0, 0.0)
        pace = min(pace_on_route(route, where, bodies, 0, speed, False), 8.0)
        speed += np.clip((pace - speed) / response, -bodies.max_brake[0], 2.9) * dt
        gone += speed * dt
        at.append((gone, speed))
    return np.array(at)


@pytest.fixture
def car(make):
    return make.flock(
        [[0.0, 0, 0]], max_brake=7.0, max_side_acceleration=6.0, turn_radius=3.5
    ).bodies


def test_a_vehicle_slows_down_gently_for_a_bend_ahead_and_not_before(car):
    """It braked with all force as soon as the bend was within its way to a stop."""
    bend = arc(40.0, 6.0, 3.5)
    gone, speed = drive_on(bend, car, 8.0).T
    in_bend = (gone > 40.3) & (gone < 44.0)
    fastest = np.sqrt(0.8 * 6.0 * 3.5)
    assert speed[in_bend].max() < 1.05 * fastest
    assert speed[gone < 30.0].min() > 7.5, "it is as fast as it was until the bend is near"
    slowing = -np.diff(speed) * 30.0
    assert slowing.max() < 0.6 * 7.0, "half of the brake, and a little to catch up"


def test_a_turn_by_two_degrees_slows_nothing_down(car):
    """Routes begin with such arcs, as tight as can be, where the course is a little off."""
    speed = drive_on(arc(10.0, 0.12, 3.5), car, 5.0)[:, 1]
    assert speed.min() > 4.99
    assert arc(10.0, 0.12, 3.5).bend.max() < 0.036


def test_beside_a_wall_a_bend_is_driven_slowly(car):
    far = drive_on(arc(20.0, 6.0, 3.5, clearance=2.5), car, 4.0)
    near = drive_on(arc(20.0, 6.0, 3.5, clearance=0.1), car, 4.0)
    assert near[:, 1].min() < 0.7 * far[:, 1].min()


def test_a_vehicle_turns_into_a_bend_gradually_and_as_far_as_it_leads():
    """Each route began with the tightest arc of some centimeters, which turned the wheel about."""
    bend = arc(10.0, 0.15, 3.5)
    at = np.arange(8.0, 12.0, 0.01)
    turns = np.array([bend.bend_around(station, 1.0) for station in at])
    assert turns.max() < 0.16 / 3.5, "spread over a meter"
    assert turns.sum() * 0.01 == pytest.approx(bend.angle[-1], rel=0.01), "and as far in all"
    slow = np.array([bend.bend_around(station, 0.0) for station in at])
    assert slow.max() > 0.9 / 3.5, "a slow one, such as in a door, keeps to the route"
