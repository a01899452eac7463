"""The smallest circle or ball around points, against brute force."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rmp3d.behaviors.groups.herding.circle import smallest_ball


def around(corners):
    """The ball with its center in the affine hull of the corners and all of them on its border."""
    edges = corners[1:] - corners[0]
    weights = np.linalg.lstsq(2.0 * edges @ edges.T, (edges**2).sum(axis=1), rcond=None)[0]
    offset = weights @ edges if len(edges) else np.zeros(3)
    return corners[0] + offset, np.linalg.norm(offset)


def brute_force(points):
    """The smallest of all balls through up to four of the points that hold them all."""
    best = np.inf
    for size in range(1, 5):
        for rows in combinations(range(len(points)), size):
            center, radius = around(points[list(rows)])
            if np.linalg.norm(points - center, axis=1).max() <= radius + 1e-9:
                best = min(best, radius)
    return best


@pytest.mark.parametrize("axes", [2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_the_ball_is_the_smallest_that_holds_all(axes, seed):
    points = np.zeros((7, 3))
    points[:, :axes] = np.random.default_rng(seed).normal(0.0, 5.0, (7, axes))
    center, radius = smallest_ball(points)
    assert np.linalg.norm(points - center, axis=1).max() <= radius * (1.0 + 1e-9)
    assert radius == pytest.approx(brute_force(points), rel=1e-9)


@settings(max_examples=150, deadline=None)
@given(arrays(np.int8, st.tuples(st.integers(1, 12), st.just(3)), elements=st.integers(-3, 3)))
def test_points_on_a_lattice_with_repeats_lines_and_planes_are_no_exception(points):
    points = points.astype(float)
    center, radius = smallest_ball(points)
    far = np.linalg.norm(points - center, axis=1)
    assert far.max() <= radius + 1e-8
    # The center is the middle of those on the border: no direction leads nearer to them all.
    border = points[far >= radius - 1e-7] - center
    for direction in np.random.default_rng(0).normal(size=(200, 3)):
        assert (border @ direction).min() <= 1e-6 * np.linalg.norm(direction)


def test_points_of_one_height_keep_it():
    center, radius = smallest_ball(np.array([[0.0, 0, 2.5], [4, 0, 2.5], [1, 1, 2.5]]))
    np.testing.assert_allclose(center, [2, 0, 2.5], atol=1e-12)
    assert radius == pytest.approx(2.0)
