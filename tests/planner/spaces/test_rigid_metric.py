"""Spaces with locked degrees of freedom."""

import numpy as np
import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import rotate, uniform_rotations
from rmp3d.planner.spaces.rigid_metric import FREEDOM, RigidMetric

BOUNDS = np.array([[-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]])
ORIGIN = np.array([0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.5])


@pytest.fixture(params=sorted(FREEDOM))
def space(request):
    return RigidMetric(request.param, BOUNDS, ORIGIN, 2.0)


def test_samples_keep_bounds_and_locked_coordinates(space):
    rng = np.random.default_rng(0)
    rows = space.sample(500, rng)
    for found in (rows, space.near(rows, 0.7, rng)):
        assert (found[:, :3] >= space.bounds[0]).all()
        assert (found[:, :3] <= space.bounds[1]).all()
        np.testing.assert_allclose(np.linalg.norm(found[:, 3:], axis=1), 1.0)
        locked = np.array(FREEDOM[space.kind]) == 0
        assert (found[:, :3] == ORIGIN[:3])[:, locked[:3]].all()
        if not space.turns:
            assert np.abs(found[:, 3:] - ORIGIN[3:]).max() < 1e-12
        if space.kind == "planar_rotation":
            up = rotate(ORIGIN[3:], np.array([0.0, 0, 1]))
            turned = rotate(found[:, 3:], np.tile([0.0, 0, 1], (len(found), 1)))
            np.testing.assert_allclose(turned[:, 2], up[2], atol=1e-12)


def test_samples_repeat_with_the_seed(space):
    one, two = (space.sample(10, np.random.default_rng(5)) for _ in range(2))
    assert one.tobytes() == two.tobytes()


def test_embedding_orders_as_position_and_angle(space):
    rows = space.sample(200, np.random.default_rng(1))
    a, b = rows[:100], rows[100:]
    chord = np.linalg.norm(space.embedded(a) - space.embedded(b), axis=1)
    dot = np.einsum("ij,ij->i", a[:, 3:], b[:, 3:])
    square = np.einsum("ij,ij->i", (a - b)[:, :3], (a - b)[:, :3])
    np.testing.assert_allclose(chord**2, square + 8.0 * space.lever**2 * (1.0 - dot))


def test_distance_adds_reach_times_angle():
    space = RigidMetric("rigid", BOUNDS, ORIGIN, 2.0)
    a = np.array([0.0, 0, 0, 1, 0, 0, 0])
    b = np.array([3.0, 4, 0, np.cos(0.25), np.sin(0.25), 0, 0])
    assert space.distance(a, b) == pytest.approx(5.0 + 2.0 * 0.5)
    assert space.distance(a, -b * [-1, -1, -1, 1, 1, 1, 1]) == pytest.approx(6.0)


def test_rotations_are_uniform():
    # Of uniform rotations the image of an axis is uniform on the sphere: z uniform in [-1, 1].
    values = np.random.default_rng(2).random((20_000, 3))
    z = rotate(uniform_rotations(values), np.tile([0.0, 0, 1], (20_000, 1)))[:, 2]
    share = np.sort(0.5 * (z + 1.0))
    assert np.abs(share - (np.arange(20_000) + 0.5) / 20_000).max() < 0.014


def test_wrong_names_and_bounds_are_refused():
    with pytest.raises(InputError, match="no rigid space"):
        RigidMetric("cube", BOUNDS, ORIGIN, 1.0)
    with pytest.raises(InputError, match="lower and upper"):
        RigidMetric("rigid", BOUNDS[::-1], ORIGIN, 1.0)
