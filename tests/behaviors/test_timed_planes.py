"""Walkers that brake at the same time: planes in time, against brute force."""

import numpy as np
import pytest

from rmp3d.behaviors import Bodies, Flock
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.safety.timed import least_gap, limits_in_time, relative_normal
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface

DT = 1.0 / 30.0
LOSS = 4.0 * 0.8 * DT  # of speed in a step: 0.8 of the guaranteed brake


def stops(velocity, loss):
    """Places (K, N, 2) from now on of bodies that brake straight, four a step, step by step."""
    speed = np.linalg.norm(velocity, axis=1)
    course = velocity / np.maximum(speed, 1e-12)[:, None]
    place, places = np.zeros_like(velocity), [np.zeros_like(velocity)]
    for _ in range(int(speed.max() / loss) + 2):
        speed = np.where(speed >= loss, speed - loss, 0.0)
        for _ in range(4):
            place = place + 0.25 * DT * speed[:, None] * course
            places.append(place)
    return np.array(places)


def walkers(position, velocity, radius=0.3):
    half = 60.0
    corners = np.array([[-half, -half, 0], [half, -half, 0], [half, half, 0], [-half, half, 0]])
    surface = WalkableSurface(TriangleMesh(corners, np.array([[0, 1, 2], [0, 2, 3]])))
    position, face = surface.locate(np.column_stack([position, np.zeros(len(position))]))
    bodies = Bodies.alike(
        len(position), grounded=True, radius=radius, capsule_axis=[0.3, 1.4], max_speed=2.0,
        max_turn_rate=9.0,
    ).changed(force_time=0.0)  # fmt: skip
    flock = Flock.at_rest(bodies, position, face=face)
    motion = np.column_stack([velocity, np.zeros(len(position))])
    return surface, flock.moved(velocity=motion)


@pytest.mark.parametrize("seed", range(3))
def test_under_hostile_wishes_all_could_brake_at_once_without_a_contact_at_any_moment(seed):
    rng = np.random.default_rng(seed)
    line = 0.75 * np.arange(4)
    place = np.stack(np.meshgrid(line, line), -1).reshape(-1, 2)
    surface, flock = walkers(place, np.zeros((16, 2)))
    safety = SafetyConstraint(None, None, surface, None, DT)
    i, j = np.triu_indices(16, 1)
    moved_on = 0.0
    for step in range(120):
        if step % 20 == 0:  # they come into the queue and leave it
            queue = np.where(rng.random(16) < 0.7, 0, -1)
        if step % 30 == 0:
            common = rng.normal(size=3)  # a crowd that goes one way: each follows somebody
        wish = (2.0 * np.tanh(common) + 0.8 * rng.normal(size=(16, 3))) * [1, 1, 0]
        velocity = safety.velocity(flock, wish, wish, None, queue)
        moved, face, _ = surface.walk(flock.position, flock.face, velocity[:, :2] * DT)
        moved_on += np.linalg.norm(moved - flock.position, axis=1).mean()
        flock = flock.moved(position=moved, velocity=velocity, face=face)
        at = moved[:, :2] + stops(velocity[:, :2], LOSS)  # (K, N, 2)
        assert np.linalg.norm(at[:, j] - at[:, i], axis=2).min() > 0.6
    assert moved_on > 1.0
    assert safety.report.smallest_gap > -1e-9


def test_a_follower_keeps_its_pace_nearer_than_a_braking_distance():
    ahead = np.array([1.3, 0.0])
    surface, flock = walkers([[0.0, 0.0], [0.72, 0.0]], [ahead, ahead])
    safety = SafetyConstraint(None, None, surface, None, DT)
    wish, queue = np.array([[1.3, 0.0, 0.0]] * 2), np.zeros(2, np.intp)
    for _ in range(30):
        velocity = safety.velocity(flock, wish, wish, None, queue)
        moved, face, _ = surface.walk(flock.position, flock.face, velocity[:, :2] * DT)
        flock = flock.moved(position=moved, velocity=velocity, face=face)
    np.testing.assert_allclose(velocity, wish, atol=1e-9)
    gap = flock.position[1, 0] - flock.position[0, 0] - 0.6
    assert gap < stops(ahead[None], LOSS)[-1, 0, 0]  # swept braking capsules would overlap


def test_a_follower_stops_behind_one_that_brakes_as_hard_as_it_can_be_counted_on():
    surface, flock = walkers([[0.0, 0.0], [0.66, 0.0]], [[1.3, 0.0]] * 2)
    safety = SafetyConstraint(None, None, surface, None, DT)
    queue = np.zeros(2, np.intp)
    for _ in range(30):
        slower = np.maximum(0.0, flock.velocity[1, 0] - LOSS)
        wish = np.array([[1.8, 0.0, 0.0], [slower, 0.0, 0.0]])
        velocity = safety.velocity(flock, wish, wish, None, queue)
        moved, face, _ = surface.walk(flock.position, flock.face, velocity[:, :2] * DT)
        flock = flock.moved(position=moved, velocity=velocity, face=face)
        assert flock.position[1, 0] - flock.position[0, 0] > 0.6
    assert np.abs(flock.velocity).max() < 0.02


def test_the_normal_parts_at_all_moments_at_least_as_far_as_any_other():
    rng = np.random.default_rng(7)
    angle = np.linspace(0.0, 2.0 * np.pi, 721)
    normals = np.column_stack([np.cos(angle), np.sin(angle)])
    for _ in range(60):
        offset, velocity = rng.normal(size=2), 1.5 * rng.normal(size=(2, 2))
        loss = rng.uniform(0.05, 0.2, 2)
        each = [stops(velocity[[k]], loss[k])[::4, 0] for k in range(2)]
        longest = max(map(len, each))
        one, other = (np.pad(row, [(0, longest - len(row)), (0, 0)], mode="edge") for row in each)
        least = (normals @ (offset + other - one).T).min(axis=1).max()
        motion = []
        for row, lost in zip(velocity, loss, strict=True):
            speed = np.hypot(*row)
            motion.append((*(row / speed), speed, lost))
        nearest = np.array(relative_normal(*offset, *motion, DT))
        size = np.hypot(*nearest)
        if least < 1e-3:
            assert size < 0.05  # the two cannot be parted
            continue
        normal = nearest / size
        own, its = ((normal @ row[:2], row[2], row[3]) for row in motion)
        found = least_gap(normal @ offset, own, its, DT)
        assert found == pytest.approx(size, abs=1e-9)
        assert found >= least - 1e-9


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_what_two_bodies_may_use_is_the_gap_between_them_and_who_brakes_has_it(share):
    own, other = (0.8, 1.4, 0.11), (-0.3, 0.9, 0.15)
    mine, _ = limits_in_time(1.0, own, other, share, DT)
    its, _ = limits_in_time(1.0, (0.3, 0.9, 0.15), (-0.8, 1.4, 0.11), 1.0 - share, DT)
    assert mine + its <= 1.0 + 1e-12
    assert mine >= own[0] * (own[1] - own[2]) * DT - 1e-12


def test_in_a_queue_the_corner_of_a_jamb_slows_nobody_down_who_clears_it(make):
    wall = make.box([1.0, 0.34, 0.0], [1.4, 3.0, 2.0])
    speeds = []
    for number in (0, -1):
        surface, flock = walkers([[-1.0, 0.0]], [[1.3, 0.0]])
        safety = SafetyConstraint(MeshQuery(wall), None, surface, None, DT)
        wish, slowest = np.array([[1.3, 0.0, 0.0]]), np.inf
        for _ in range(80):
            velocity = safety.velocity(flock, wish, wish, None, np.array([number]))
            moved, face, _ = surface.walk(flock.position, flock.face, velocity[:, :2] * DT)
            flock = flock.moved(position=moved, velocity=velocity, face=face)
            slowest = min(slowest, velocity[0, 0])
            aside = np.clip(moved[0, 0], 1.0, 1.4) - moved[0, 0], 0.34 - moved[0, 1]
            assert np.hypot(*aside) > 0.3
        assert moved[0, 0] > 1.5
        speeds.append(slowest)
    assert speeds[0] == pytest.approx(1.3)
    assert speeds[1] < 1.25
