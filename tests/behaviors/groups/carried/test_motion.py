"""Timed motions: within all limits, on the path, and free of the scene between poses."""

import numpy as np
import pytest

from rmp3d.behaviors.groups.carried.motion import Limits, timed
from rmp3d.geometry.meshpair import MeshPair
from rmp3d.geometry.rotations import angle_between, uniform_rotations
from rmp3d.planner.collision.rigid_judge import RigidJudge
from rmp3d.scenes.build.shapes import box

DT = 1 / 30
CRATE = box((-0.6, -0.25, -0.2), (0.6, 0.25, 0.2))
FAR = box((90.0, 90.0, 90.0), (91.0, 91.0, 91.0))
POST = box((-0.2, -0.2, -3.0), (0.2, 0.2, 3.0))


@pytest.fixture
def limits():
    return Limits(speed=1.2, acceleration=1.0, turn_rate=1.0, reach=MeshPair(CRATE, FAR).reach)


def random_path(seed, count=7):
    rng = np.random.default_rng(seed)
    place = np.cumsum(rng.normal(0.0, 1.5, (count, 3)), axis=0)
    return np.hstack([place, uniform_rotations(rng.random((count, 3)))])


@pytest.mark.parametrize("seed", range(6))
def test_speed_acceleration_and_turn_rate_keep_their_limits(limits, seed):
    path = random_path(seed)
    poses = timed(MeshPair(CRATE, FAR), path, limits, DT)
    np.testing.assert_allclose(poses[0], path[0])
    np.testing.assert_allclose(poses[-1], path[-1])
    velocity = np.diff(poses[:, :3], axis=0, prepend=poses[:1, :3], append=poses[-1:, :3]) / DT
    force = np.linalg.norm(np.diff(velocity, axis=0), axis=1) / DT
    turn = angle_between(poses[:-1, 3:], poses[1:, 3:]) / DT
    assert np.linalg.norm(velocity, axis=1).max() <= limits.speed * (1 + 1e-6)
    assert turn.max() <= limits.turn_rate * (1 + 1e-3)
    assert force.max() <= limits.acceleration * (1 + 1e-6)


def test_a_straight_motion_takes_the_time_of_a_trapezoid(limits):
    path = np.tile([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], (2, 1))
    path[1, 0] = 12.0
    poses = timed(MeshPair(CRATE, FAR), path, limits, DT)
    push = 0.45 * limits.acceleration
    best = 12.0 / limits.speed + limits.speed / push
    assert (len(poses) - 1) * DT == pytest.approx(best, abs=0.02 * best)


def test_a_corner_at_a_post_is_cut_only_as_far_as_python_fcl_agrees(limits):
    still = [1.0, 0.0, 0.0, 0.0]
    path = np.array([[-3.0, -0.5, 0.0, *still], [0.85, -0.5, 0.0, *still], [0.85, 3.0, 0, *still]])
    judge = RigidJudge(CRATE, POST, None, np.zeros((0, 3)))
    assert judge.first_refused(path) == -1
    widest = timed(MeshPair(CRATE, FAR), path, limits, DT)
    assert judge.first_refused(widest) >= 0
    poses = timed(MeshPair(CRATE, POST), path, limits, DT)
    assert judge.first_refused(poses) == -1
    assert len(poses) > len(widest)
