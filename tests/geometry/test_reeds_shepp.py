"""Shortest curves of vehicles against what must hold of them, and against brute force."""

import numpy as np
import pytest

from rmp3d.geometry.curves import drive, sampled_curves
from rmp3d.geometry.dubins import dubins_paths
from rmp3d.geometry.reeds_shepp import reeds_shepp_length, reeds_shepp_paths

RADIUS = 1.7


@pytest.fixture
def poses():
    rng = np.random.default_rng(0)
    low, high = [-6.0, -6.0, -np.pi], [6.0, 6.0, np.pi]
    return rng.uniform(low, high, (2000, 3)), rng.uniform(low, high, (2000, 3))


def ends_of(start, curvature, length):
    """Drive the pieces one after the other; nan where there is no such path."""
    pose = np.broadcast_to(start[:, None], (*curvature.shape[:2], 3))
    with np.errstate(invalid="ignore"):
        for piece in range(curvature.shape[2]):
            pose = drive(pose, curvature[..., piece], length[..., piece])
    return pose


def difference(pose, other):
    offset = pose - other
    offset[..., 2] = np.mod(offset[..., 2] + np.pi, 2.0 * np.pi) - np.pi
    return np.abs(offset).max(axis=-1)


@pytest.mark.parametrize("paths", [reeds_shepp_paths, dubins_paths])
def test_every_word_that_exists_ends_at_the_pose(poses, paths):
    start, end = poses
    curvature, length = paths(start, end, RADIUS)
    exists = np.isfinite(length).all(axis=2)
    off = difference(ends_of(start, curvature, length), end[:, None])
    assert off[exists].max() < 1e-8
    assert exists.any(axis=1).all()
    assert exists.any(axis=0).all()
    turns = np.abs(curvature) * RADIUS
    assert ((turns == 0.0) | np.isclose(turns, 1.0)).all()
    if paths is dubins_paths:
        assert (length >= 0.0).all()


def test_lengths_are_ordered_and_do_not_depend_on_the_direction(poses):
    start, end = poses
    shortest = reeds_shepp_length(start, end, RADIUS)
    forward = dubins_paths(start, end, RADIUS)[1].sum(axis=2).min(axis=1)
    straight = np.hypot(*(end - start)[:, :2].T)
    turn = np.abs(np.mod(end[:, 2] - start[:, 2] + np.pi, 2.0 * np.pi) - np.pi)
    assert (shortest <= forward + 1e-9).all()
    assert (shortest >= straight - 1e-9).all()
    assert (shortest >= RADIUS * turn - 1e-9).all()
    np.testing.assert_allclose(reeds_shepp_length(end, start, RADIUS), shortest, atol=1e-9)
    # What is mirrored is as far.
    mirror = np.array([1.0, -1.0, -1.0])
    mirrored = reeds_shepp_length(mirror * start, mirror * end, RADIUS)
    np.testing.assert_allclose(mirrored, shortest, atol=1e-9)


def test_lengths_obey_the_triangle_inequality(poses):
    start, end = poses
    between = np.roll(end, 1, axis=0)
    around = reeds_shepp_length(start, between, RADIUS) + reeds_shepp_length(between, end, RADIUS)
    assert (reeds_shepp_length(start, end, RADIUS) <= around + 1e-9).all()


@pytest.mark.parametrize(
    ("end", "length"),
    [((3, 0, 0), 3.0), ((-3, 0, 0), 3.0), ((0, 0, np.pi), np.pi), ((0, 2, np.pi), np.pi)],
)
def test_lengths_that_are_known(end, length):
    found = reeds_shepp_length(np.zeros((1, 3)), np.array([end], float), 1.0)
    assert found[0] == pytest.approx(length)


def test_no_random_drive_is_shorter():
    """Brute force: where up to five random pieces lead, the shortest path is no longer."""
    rng = np.random.default_rng(1)
    count = 20_000
    side = rng.integers(-1, 2, (count, 1, 5)) / RADIUS
    length = rng.uniform(-4.0, 4.0, (count, 1, 5)) * (rng.random((count, 1, 5)) < 0.7)
    start = np.zeros((count, 3))
    end = ends_of(start, side, length)[:, 0]
    driven = np.abs(length).sum(axis=2)[:, 0]
    assert (reeds_shepp_length(start, end, RADIUS) <= driven + 1e-7).all()  # a root of a rounding
    forward = dubins_paths(start, ends_of(start, side, np.abs(length))[:, 0], RADIUS)[1]
    assert (forward.sum(axis=2).min(axis=1) <= driven + 1e-7).all()  # a root of a rounding


def test_samples_are_close_together_and_have_all_ends(poses):
    start, end = poses[0][:50], poses[1][:50]
    curvature, length = dubins_paths(start, end, RADIUS)
    best = length.sum(axis=2).argmin(axis=1), np.arange(50)
    curvature, length = curvature[best[::-1]], length[best[::-1]]
    samples, first = sampled_curves(start, curvature, length, 0.5, 0.1)
    np.testing.assert_array_equal(samples[first[:-1]], start)
    assert difference(samples[first[1:] - 1], end).max() < 1e-8
    inner = np.setdiff1d(np.arange(1, len(samples)), first)
    step = samples[inner] - samples[inner - 1]
    assert np.hypot(step[:, 0], step[:, 1]).max() <= 0.5 + 1e-9
    assert np.abs(step[:, 2]).max() <= 0.1 + 1e-9
    still = sampled_curves(start[:1], curvature[:1], 0.0 * length[:1], 0.5, 0.1)[0]
    np.testing.assert_array_equal(still, np.repeat(start[:1], 2, axis=0))
