import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rmp3d.geometry import frozen
from rmp3d.geometry.vectors import clip_length, length, unit

# Squares of what is smaller underflow: not a length of this world.
coordinate = st.just(0.0) | st.floats(1e-9, 1e6) | st.floats(-1e6, -1e-9)
rows = arrays(float, st.tuples(st.integers(0, 6), st.just(3)), elements=coordinate)


def test_frozen_is_a_read_only_copy():
    source = np.arange(6.0).reshape(2, 3)
    copy = frozen(source.T)
    assert copy.flags.c_contiguous
    assert not copy.flags.writeable
    source[:] = -1.0
    np.testing.assert_array_equal(copy, np.arange(6.0).reshape(2, 3).T)
    with pytest.raises(ValueError, match="read-only"):
        copy[0, 0] = 1.0


def test_what_is_frozen_is_not_copied_again_but_a_locked_view_is():
    once = frozen(np.arange(6.0))
    assert frozen(once) is once
    source = np.arange(6.0)
    view = source[:]
    view.setflags(write=False)
    copy = frozen(view)
    source[:] = -1.0
    np.testing.assert_array_equal(copy, np.arange(6.0))
    assert frozen(once, np.float32).dtype == np.float32


@given(rows)
def test_length_is_the_euclidean_norm(vectors):
    np.testing.assert_allclose(length(vectors), np.linalg.norm(vectors, axis=1), rtol=1e-14)


@given(rows)
def test_unit_has_length_one_and_the_same_direction_or_is_zero(vectors):
    size = length(vectors)
    result = unit(vectors)
    np.testing.assert_allclose(length(result), np.where(size > 0.0, 1.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(result * size[:, None], vectors, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("size", [1e-145, 1e-155, 3e-161])
def test_unit_vectors_of_what_fades_away_have_length_one(size):
    vectors = np.array([[0.6, 0.8, 0], [0, 0, 0]]) * size
    np.testing.assert_allclose(unit(vectors), [[0.6, 0.8, 0], [0, 0, 0]], atol=0.01)
    np.testing.assert_allclose(length(unit(vectors)), [1.0, 0.0], rtol=1e-12)


@given(rows, st.just(0.0) | st.floats(1e-9, 1e6))
def test_clip_length_cuts_only_what_is_longer(vectors, limit):
    result = clip_length(vectors, limit)
    short = length(vectors) <= limit
    np.testing.assert_array_equal(result[short], vectors[short])
    np.testing.assert_allclose(length(result[~short]), limit, rtol=1e-12)
    np.testing.assert_allclose(
        unit(result[~short]) * (limit > 0), unit(vectors[~short]) * (limit > 0), atol=1e-9
    )


def test_clip_length_takes_a_limit_per_row():
    vectors = np.array([[3.0, 4, 0], [3, 4, 0], [0, 0, 0]])
    np.testing.assert_allclose(
        clip_length(vectors, np.array([1.0, 10, 0])), [[0.6, 0.8, 0], [3, 4, 0], [0, 0, 0]]
    )


def test_leading_axes_are_kept():
    vectors = np.random.default_rng(0).normal(size=(2, 5, 3))
    assert length(vectors).shape == (2, 5)
    assert unit(vectors).shape == clip_length(vectors, 0.5).shape == (2, 5, 3)
