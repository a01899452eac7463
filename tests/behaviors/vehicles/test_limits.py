"""Thrust, braking, side force and turn radius."""

import numpy as np
import pytest

from rmp3d.behaviors.steering_behavior import RESPONSE_TIME
from rmp3d.behaviors.vehicles import attainable, fly


def reached(make, velocity, wanted, **limits):
    agents = make.flock(np.zeros((1, 3)), [velocity], **{k: [v] for k, v in limits.items()})
    return (attainable(agents, np.array([wanted], float), make.dt)[0] - velocity) / make.dt


def test_without_particular_limits_the_force_is_a_ball(make):
    rng = np.random.default_rng(0)
    agents = make.flock(np.zeros((50, 3)), rng.normal(size=(50, 3)))
    wanted = rng.normal(0, 2, (50, 3))
    change = (wanted - agents.velocity) / RESPONSE_TIME
    size = np.linalg.norm(change, axis=1, keepdims=True)
    change = np.where(size > 4.0, change * (4.0 / size), change)
    found = attainable(agents, wanted, make.dt)
    np.testing.assert_allclose(found, agents.velocity + change * make.dt, atol=1e-14)


def test_a_walker_on_a_slope_has_the_same_force_in_plan_as_on_level_ground(make):
    limits = {"grounded": True, "turn_radius": 3.0, "max_brake": 9.0, "max_acceleration": 2.0}
    flat = reached(make, [3.0, 0, 0], [2.0, 2.0, 0], **limits)
    climbs = reached(make, [3.0, 0, 1.0], [2.0, 2.0, 0], **limits)
    assert flat[1] > 0.5
    np.testing.assert_array_equal(climbs[:2], flat[:2])


def test_it_brakes_harder_than_it_thrusts(make):
    limits = {"max_brake": 9.0, "max_acceleration": 2.0, "max_side_acceleration": 3.0}
    np.testing.assert_allclose(reached(make, [3.0, 0, 0], [-50.0, 0, 0], **limits), [-9, 0, 0])
    np.testing.assert_allclose(reached(make, [3.0, 0, 0], [50.0, 0, 0], **limits), [2, 0, 0])
    np.testing.assert_allclose(reached(make, [3.0, 0, 0], [3.0, 50, 0], **limits), [0, 3, 0])


def test_thrust_and_side_force_share_an_ellipse(make):
    rng = np.random.default_rng(1)
    course = np.array([0.6, 0.8, 0.0])
    for _ in range(50):
        wanted = rng.normal(0, 20, 3)
        found = reached(make, 2.0 * course, wanted, max_brake=9.0, max_acceleration=2.0)
        along = found @ course
        across = np.linalg.norm(found - along * course)
        use = np.hypot(along / (9.0 if along < 0 else 2.0), across / 4.0)
        assert use == pytest.approx(1.0, abs=1e-9)
        asked = wanted - 2.0 * course
        np.testing.assert_allclose(np.cross(found, asked), 0.0, atol=1e-9)


def driven(make, wanted, seconds, speed=0.0, **changes):
    one = {"turn_radius": 3.0, "max_turn_rate": 3.0, **changes}
    agents = make.flock(
        np.zeros((1, 3)), [[speed, 0, 0]], **{key: [value] for key, value in one.items()}
    )
    for _ in range(round(seconds / make.dt)):
        goal = wanted(agents) if callable(wanted) else np.array([wanted], float)
        agents = fly(agents, attainable(agents, goal, make.dt), make.dt)
        yield agents


def test_wheels_never_slip_sideways_nor_turn_on_the_spot(make):
    rng = np.random.default_rng(2)
    wishes = rng.normal(0, 2, (12, 3)) * [1, 1, 0]
    heading = np.array([1.0, 0, 0])
    step = 0

    def wish(agents):
        return wishes[[min(step // 20, 11)]]

    for now in driven(make, wish, 8.0):
        speed = np.linalg.norm(now.velocity[0])
        turn = np.arccos(np.clip(now.heading[0] @ heading, -1, 1))
        assert turn <= speed / 3.0 * make.dt + 4.0 * make.dt**2 / 3.0 + 1e-6
        if speed > 1e-6:
            np.testing.assert_allclose(now.velocity[0] / speed, now.heading[0], atol=1e-6)
        heading = now.heading[0]
        step += 1


def test_a_vehicle_drives_a_circle_of_its_turn_radius(make):
    """Asked all the time for what is ahead on its left, it turns as tightly as it can."""

    def left(agents):
        return 1.4 * (agents.heading + np.cross([0.0, 0, 1], agents.heading))

    track = np.array([now.position[0] for now in driven(make, left, 24.0)])[-420:]
    middle = 0.5 * (track.max(axis=0) + track.min(axis=0))
    np.testing.assert_allclose(np.linalg.norm(track - middle, axis=1), 3.0, atol=0.05)


def test_a_vehicle_that_turns_and_brakes_at_once_keeps_within_the_ellipse(make):
    rng = np.random.default_rng(6)
    wishes = rng.normal(0, 4, (200, 3)) * [1, 1, 0]
    limits = {"max_brake": 3.0, "max_acceleration": 2.0, "max_side_acceleration": 1.0}
    limits["turn_radius"] = 1.0
    before, used = np.array([2.0, 0, 0]), []

    def wish(agents):
        return wishes[[len(used) // 4 % 200]]

    for now in driven(make, wish, 20.0, 2.0, **limits):
        change, speed = (now.velocity[0] - before) / make.dt, np.linalg.norm(before)
        if speed > 1e-6:
            along = change @ before / speed
            across = np.linalg.norm(change - along * before / speed)
            used.append(np.hypot(along / (3.0 if along < 0 else 2.0), across))
        before = now.velocity[0]
    assert max(used) == pytest.approx(1.0, abs=1e-9)


def test_it_gets_to_what_is_behind_by_driving_round(make):
    goal = np.array([[-20.0, 0, 0]])
    *_, now = driven(make, lambda agents: 0.075 * (goal - agents.position), 30.0)
    assert now.position[0, 0] < -5.0
    assert now.heading[0, 0] < -0.9


def test_at_speed_the_side_force_limits_the_turn(make):
    speed = 6.0
    *_, now = driven(make, [0.0, 6.0, 0], 0.5, speed, turn_radius=0.5, max_side_acceleration=4.0)
    angle = np.arctan2(now.heading[0, 1], now.heading[0, 0])
    assert 0.05 < angle <= 0.5 * 4.0 / (0.3 * speed)
    np.testing.assert_allclose(np.cross(now.heading[0], now.velocity[0]), 0.0, atol=1e-6)


def test_no_one_is_fine(make):
    agents = make.flock(np.zeros((0, 3)))
    assert attainable(agents, np.zeros((0, 3)), make.dt).shape == (0, 3)
