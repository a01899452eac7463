"""Codes of frames: whatever the values, they come back exactly."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from rmp3d.recording.coding import (
    KEY_INTERVAL,
    LARGEST,
    Decoder,
    Encoder,
    rounded_scalar,
    whole_steps,
)

INTEGERS = st.integers(-(2**63), 2**63 - 1)
SHAPES = array_shapes(min_dims=3, max_dims=3, max_side=6)  # frames, members, axes


ORDERS = st.integers(0, 4)


def codes(values, order):
    """Return the codes (axes, members, frames) of values (frames, members, axes)."""
    encoder = Encoder(order)
    return np.array([encoder.encode(frame) for frame in values]).T


def decoded(code, order):
    """Return the values (axes, members, frames) of codes that begin with a key frame."""
    values = np.empty(code.shape[::-1], np.int64)
    Decoder(order, code.shape[:2], 0).decode(code, values, 1)
    return values.T


@given(arrays(np.int64, SHAPES, elements=INTEGERS), ORDERS)
def test_any_integers_come_back(values, order):
    np.testing.assert_array_equal(decoded(codes(values, order), order).T, values)


@pytest.mark.parametrize("order", [0, 1, 2, 3])
@pytest.mark.parametrize("frames", [1, 2, 3, KEY_INTERVAL, KEY_INTERVAL + 1, 301])
def test_frames_come_back_from_their_key_frame_alone(frames, order):
    rng = np.random.default_rng(frames)
    values = rng.integers(-(2**62), 2**62, (frames, 3, 2))
    code = codes(values, order)
    for key in range(0, frames, KEY_INTERVAL):
        part = decoded(code[..., key : key + KEY_INTERVAL], order)
        np.testing.assert_array_equal(part.T, values[key : key + KEY_INTERVAL])


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_codes_are_zigzag_coded_differences_from_key_frame_to_key_frame(order):
    values = np.random.default_rng(0).integers(-1000, 1000, (2 * KEY_INTERVAL, 4, 3))
    code = codes(values, order).T

    def zigzag(value):
        return np.where(value < 0, -2 * value - 1, 2 * value)

    for key in (0, KEY_INTERVAL):
        part, coded = values[key : key + KEY_INTERVAL], code[key : key + KEY_INTERVAL]
        np.testing.assert_array_equal(coded[order:], zigzag(np.diff(part, order, axis=0)))
        for first in range(order):
            np.testing.assert_array_equal(coded[first], zigzag(np.diff(part, first, axis=0)[0]))


def test_steady_acceleration_leaves_zeros_only():
    time = np.arange(KEY_INTERVAL)[:, None, None]
    code = codes(7 * time**2 - 900 * time + np.arange(6).reshape(2, 3), 3)
    assert not code[..., 3:].any()


@given(
    arrays(np.float64, SHAPES, elements=st.floats(-(2.0**40), 2.0**40)),
    st.integers(-20, 0).map(lambda power: 2.0**power),
)
def test_values_are_rounded_to_the_nearest_step(values, step):
    whole = whole_steps("position", values, step)
    np.testing.assert_array_equal(whole * step, np.round(values / step) * step)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_the_largest_value_is_whole_and_anything_beyond_is_refused(sign):
    step = 2.0**-20
    assert whole_steps("position", sign * LARGEST * step, step) == sign * 2**62
    for value in (np.nextafter(LARGEST * step, np.inf), 1e300, np.inf, np.nan):
        with pytest.raises(ValueError, match="`position` of a frame is not finite, or beyond 4"):
            whole_steps("position", [0.0, sign * value], step)


@given(arrays(np.int64, (7, 3), elements=st.integers(-(2**16), 2**16)))
def test_the_scalar_part_is_the_nearest_whole_number_by_integer_arithmetic(vector):
    for (x, y, z), w in zip(vector.tolist(), rounded_scalar(vector, 2.0**-16), strict=True):
        rest = max(2**32 - x * x - y * y - z * z, 0)
        below = math.isqrt(rest)
        assert w == below + (rest > below * (below + 1))


def test_of_unit_quaternions_little_is_left_of_the_scalar_part():
    turns = np.random.default_rng(0).normal(size=(2000, 4))
    turns /= np.linalg.norm(turns, axis=1)[:, None]
    turns[turns[:, 0] < 0.0] *= -1.0
    whole = whole_steps("orientation_wxyz", turns, 2.0**-16)
    left = whole[:, 0] - rounded_scalar(whole[:, 1:], 2.0**-16)
    well = turns[:, 0] > 0.1
    assert np.abs(left[well]).max() <= 1 + 3**0.5 / 2 / 0.1
