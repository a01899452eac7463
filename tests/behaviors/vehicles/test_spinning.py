"""Steered orientation and rotational inertia."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.vehicles import fly, hug
from rmp3d.behaviors.vehicles.spinning import rotation_between, rotation_to, spun
from rmp3d.geometry.rotations import frame
from rmp3d.geometry.surface import WalkableSurface


def oriented(turning):
    turning = np.asarray(turning, float)
    return SteeringOutput(np.zeros_like(turning), turning, np.ones(len(turning), bool))


def test_rotations_between_frames_agree_with_scipy():
    start, end = Rotation.random(40, random_state=0), Rotation.random(40, random_state=1)
    found = rotation_between(start.as_matrix(), end.as_matrix())
    np.testing.assert_allclose(found, (end * start.inv()).as_rotvec(), atol=1e-7)
    turned = Rotation.from_rotvec(found) * start
    np.testing.assert_allclose(turned.as_matrix(), end.as_matrix(), atol=1e-9)


def test_rotations_to_a_direction_are_the_shortest():
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 30, 3))
    a /= np.linalg.norm(a, axis=1, keepdims=True)
    b /= np.linalg.norm(b, axis=1, keepdims=True)
    found = rotation_to(a, b)
    np.testing.assert_allclose(Rotation.from_rotvec(found).apply(a), b, atol=1e-9)
    np.testing.assert_allclose((found * a).sum(axis=1), 0.0, atol=1e-9)
    half = rotation_to(a, -a)
    np.testing.assert_allclose(np.linalg.norm(half, axis=1), np.pi)
    np.testing.assert_allclose(Rotation.from_rotvec(half).apply(a), -a, atol=1e-9)
    np.testing.assert_array_equal(rotation_to(a, 0.0 * a), 0.0)


def test_a_constant_angular_acceleration_is_integrated_as_scipy_does(make):
    agents = make.flock(np.zeros((1, 3)), max_turn_rate=[50.0])
    axis = np.array([0.3, -0.5, 0.8])
    turn = Rotation.identity()
    spin = np.zeros(3)
    for _ in range(60):
        now = spun(agents, 0.7 * axis[None], make.dt)
        spin = spin + 0.7 * axis * make.dt
        turn = Rotation.from_rotvec(spin * make.dt) * turn
        agents = agents.moved(spin=now[0], heading=now[1], up=now[2])
        np.testing.assert_allclose(frame(now[1], now[2])[0], turn.as_matrix(), atol=1e-12)


def test_orientation_is_independent_of_the_motion(make):
    agents = make.flock(np.zeros((1, 3)), [[1.0, 0, 0]])
    velocity = np.array([[1.0, 0, 0]])
    for _ in range(30):
        agents = fly(agents, velocity, make.dt, oriented([[0.0, 0, 1.0]]))
    angle = np.arctan2(agents.heading[0, 1], agents.heading[0, 0])
    # The sum over 30 steps of k dt^2.
    assert angle == pytest.approx(0.5 * 30 * 31 * make.dt**2, abs=1e-9)
    np.testing.assert_allclose(agents.position[0], [1.0, 0, 0], atol=1e-12)


def test_only_those_who_are_oriented_stop_facing_their_motion(make):
    agents = make.flock(np.zeros((2, 3)), np.tile([0.0, 1.5, 0], (2, 1)))
    steering = oriented(np.zeros((2, 3)))._replace(oriented=np.array([True, False]))
    for _ in range(60):
        agents = fly(agents, agents.velocity, make.dt, steering)
    np.testing.assert_allclose(agents.heading, [[1, 0, 0], [0, 1, 0]], atol=1e-3)


def test_walkers_turn_about_the_vertical(make):
    line = np.linspace(-5, 5, 5)
    ground = WalkableSurface(make.grid(line, line, lambda x, y: 0.2 * x))
    position, face = ground.locate(np.array([[0.3, 0.2, 0.0]]))
    agents = make.flock(position, grounded=True, face=face)
    for _ in range(20):
        agents = hug(agents, np.zeros((1, 3)), ground, make.dt, oriented([[2.0, -1.0, 1.0]]))
    np.testing.assert_allclose(agents.heading[0, 2], 0.0, atol=1e-12)
    np.testing.assert_allclose(agents.up, [[0, 0, 1.0]], atol=1e-12)
    assert agents.heading[0, 1] > 0.1


def test_rotational_inertia_limits_how_fast_a_turn_begins_and_ends(make):
    velocity = np.array([[0.0, 2.0, 0.0]])
    agents = make.flock(np.zeros((1, 3)), velocity, max_turn_acceleration=[2.0])
    before, spin = agents.heading[0], 0.0
    for _ in range(150):
        agents = fly(agents, velocity, make.dt)
        rate = np.arccos(np.clip(agents.heading[0] @ before, -1, 1)) / make.dt
        assert abs(rate - spin) <= 2.0 * make.dt + 1e-6
        before, spin = agents.heading[0], rate
    np.testing.assert_allclose(agents.heading[0], [0, 1, 0], atol=1e-3)


def test_a_leaning_body_has_the_normal_of_its_slope_for_up(make):
    line = np.linspace(-20, 20, 5)
    ground = WalkableSurface(make.grid(line, line, lambda x, y: 0.3 * x))
    position, face = ground.locate(np.array([[0.3, 0.2, 0.0]]), 1.0, 1.0)
    for lean, expected in ((1.0, np.arctan(0.3)), (0.0, 0.0)):
        agents = make.flock(position, grounded=True, face=face, lean=[lean], max_roll=1.0)
        for _ in range(90):
            agents = hug(agents, np.array([[0.0, 1.2, 0.0]]), ground, make.dt)
        tilt = np.arccos(np.clip(agents.up[0, 2], -1, 1))
        assert tilt == pytest.approx(expected, abs=np.radians(0.5))
        np.testing.assert_allclose(agents.heading[0] @ agents.up[0], 0.0, atol=1e-9)
    uphill = make.flock(position, grounded=True, face=face, lean=[1.0])
    for _ in range(90):
        uphill = hug(uphill, np.array([[1.2, 0.0, 0.0]]), ground, make.dt)
    assert np.arcsin(uphill.heading[0, 2]) == pytest.approx(np.arctan(0.3), abs=np.radians(0.5))
