"""Gentle stops: bodies slow down in time before what is in the way, with forces that grow."""

import numpy as np
import pytest

from rmp3d.behaviors.safety import SafetyConstraint, moving
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME
from rmp3d.behaviors.vehicles import attainable, fly
from rmp3d.geometry.query import MeshQuery

LIMITS = {"force_time": 0.125, "max_speed": 2.0}


def flown(make, agents, wanted, seconds):
    """Velocities (T, N, 3) of flyers that want the same all the time, and the last state."""
    safety, seen = SafetyConstraint(dt=make.dt), []
    wanted = np.asarray(wanted, float)
    for _ in range(round(seconds / make.dt)):
        velocity = safety.velocity(agents, attainable(agents, wanted, make.dt), wanted)
        before, agents = agents, fly(agents, velocity, make.dt)
        agents = agents.moved(acceleration=(velocity - before.velocity) / make.dt)
        seen.append(velocity)
    assert safety.report.smallest_gap >= -1e-12
    return np.array(seen), agents


def jerk(velocity, dt):
    return np.sqrt((np.diff(velocity, n=2, axis=0) ** 2).sum(axis=-1).mean()) / dt**2


def test_who_comes_to_somebody_slows_down_in_time(make, monkeypatch):
    # Without, the force jumps to all that guaranteed braking has, once the other is so near.
    place, motion = [[0.0, 0, 0], [2.8, 0, 0]], [[1.5, 0, 0], [0.0, 0, 0]]
    found = {}
    for share in (moving.GENTLE, 1.0):
        monkeypatch.setattr(moving, "GENTLE", share)
        agents = make.flock(place, motion, **LIMITS)
        seen, end = flown(make, agents, motion, 5.0)
        brake = -np.diff(seen[:, 0, 0]).min() / make.dt / agents.bodies.max_brake[0]
        assert end.position[0, 0] == pytest.approx(2.8 - 0.6, abs=0.05)  # it comes as near
        found[share] = brake, jerk(seen[:, 0], make.dt)
    gentle, hard = found.values()
    assert gentle[0] < 0.55 < 0.75 < hard[0]
    assert gentle[1] < 0.5 * hard[1]


def test_who_follows_somebody_as_fast_is_not_slowed_down(make):
    motion = np.full((2, 3), [1.5, 0.0, 0.0])
    seen, _ = flown(make, make.flock([[0.0, 0, 0], [1.1, 0, 0]], motion, **LIMITS), motion, 2.0)
    np.testing.assert_allclose(seen, np.broadcast_to(motion, seen.shape), atol=1e-9)


def test_crowds_with_forces_that_grow_never_touch(make):
    rng = np.random.default_rng(4)
    agents = make.flock(
        3.0 * rng.permutation(np.indices((3, 3, 3)).reshape(3, -1).T)[:12], **LIMITS
    )
    for _ in range(8):
        wanted = 2.0 * (rng.uniform(0, 6, 3) - agents.position) + rng.normal(size=(12, 3))
        _, agents = flown(make, agents, np.clip(wanted, -1.5, 1.5), 0.8)


def test_forces_grow_as_without_anything_in_the_way(make):
    agents = make.flock([[0.0, 0, 0]], **LIMITS)
    seen, _ = flown(make, agents, [[1.0, 0, 0]], 2.0)
    share, velocity, force = -np.expm1(-make.dt / 0.125), 0.0, 0.0
    for row in seen:
        force += share * ((1.0 - velocity) / RESPONSE_TIME - force)
        velocity += force * make.dt
        assert row[0, 0] == pytest.approx(velocity, abs=1e-9)


def test_who_comes_to_a_slower_one_right_ahead_brakes_and_keeps_its_course(make):
    """It would else slip aside long before, and a file of flyers would be abreast."""
    motion = np.array([[1.5, 0.0, 0.0], [0.4, 0.0, 0.0]])
    agents = make.flock([[0.0, 0, 0], [2.5, 0.25, 0.1]], motion, **LIMITS)
    seen, end = flown(make, agents, motion, 1.5)
    aside = np.hypot(*end.position[0, 1:])
    assert aside < 0.05
    assert seen[-1, 0, 0] < 1.2


def test_who_runs_past_a_corner_that_it_clears_is_not_slowed_down(make):
    # A plane to the corner, across the line to it, would cut the way that the body needs to stop.
    corner = make.box([2.0, 0.4, -1.0], [9.0, 9.0, 3.0])
    motion = np.array([[5.0, 0.0, 0.0]])
    agents = make.flock([[0.0, 0, 1.0]], motion, force_time=0.125, max_speed=6.0)
    safety = SafetyConstraint(flying=MeshQuery(corner), dt=make.dt)
    for _ in range(30):
        velocity = safety.velocity(agents, attainable(agents, motion, make.dt), motion)
        np.testing.assert_allclose(velocity, motion, atol=1e-9)
        agents = fly(agents, velocity, make.dt)
    assert agents.position[0, 0] > 4.5
