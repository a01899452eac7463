"""Pairs within reach, against all pairs and against scipy's tree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

from rmp3d.behaviors.proximity.cells import near_pairs, near_pairs_of


def all_pairs(position, half_reach):
    i, j = np.triu_indices(len(position), 1)
    apart = ((position[j] - position[i]) ** 2).sum(axis=1)
    near = apart <= (half_reach[i] + half_reach[j]) ** 2
    return np.stack([i[near], j[near]], axis=1)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 60), st.sampled_from([0.0, 0.05, 0.4, 3.0, 50.0]))
def test_pairs_are_those_of_brute_force_in_order(seed, count, reach):
    rng = np.random.default_rng(seed)
    # Lattice points have distances exactly at the reach, coincide, and lie on cell borders.
    position = rng.integers(-4, 5, (count, 3)) * rng.choice([0.1, 0.25, 1.0], 3)
    position += rng.choice([0.0, 0.3], (count, 1)) * rng.normal(size=(count, 3))
    half_reach = 0.5 * reach * rng.choice([1.0, 0.5, 0.0], count)
    np.testing.assert_array_equal(near_pairs(position, half_reach), all_pairs(position, half_reach))


@pytest.mark.parametrize("spread", [[1, 1, 1], [30, 30, 0], [1e6, 0.1, 0.1], [1e9, 1e9, 1e9]])
def test_pairs_in_flat_long_and_empty_spaces_are_those_of_a_tree(spread):
    position = np.random.default_rng(3).uniform(-1, 1, (3000, 3)) * spread
    for reach in (0.2, 1.0):
        found = cKDTree(position).query_pairs(reach, output_type="ndarray")
        found = found[np.lexsort((found[:, 1], found[:, 0]))]
        np.testing.assert_array_equal(near_pairs(position, np.full(3000, reach / 2)), found)


def test_everybody_in_one_place_is_near_everybody():
    position = np.tile([[3.0, -2.0, 1e7]], (80, 1))
    pairs = near_pairs(position, np.zeros(80))
    np.testing.assert_array_equal(pairs, np.stack(np.triu_indices(80, 1), axis=1))


def test_one_that_reaches_far_finds_all_and_none_is_found_twice():
    position = np.random.default_rng(5).uniform(-50, 50, (200, 3))
    half_reach = np.full(200, 0.1)
    half_reach[117] = 300.0
    pairs = near_pairs(position, half_reach)
    np.testing.assert_array_equal(pairs, all_pairs(position, half_reach))
    assert (pairs == 117).sum() == 199


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_places_that_are_nowhere_are_refused(bad):
    with pytest.raises(ValueError, match="must be finite"):
        near_pairs(np.array([[0.0, 0, 0], [bad, 0, 0]]), np.ones(2))


@pytest.mark.parametrize("rows", [[], [7], [30, 2, 11], list(range(40))[::-1]])
def test_those_who_look_around_see_all_near_ones_in_order(rows):
    position = np.random.default_rng(8).uniform(-2, 2, (40, 3))
    own, other = near_pairs_of(position, np.array(rows, np.intp), 1.5)
    expected = [
        (k, j)
        for k, i in enumerate(rows)
        for j in range(40)
        if j != i and np.linalg.norm(position[j] - position[i]) <= 1.5
    ]
    assert list(zip(own.tolist(), other.tolist(), strict=True)) == expected
