"""Storing what moves smoothly in few bytes, and exactly: differences over time.

Values are rounded to whole steps. A key frame, one in `KEY_INTERVAL`, holds each as it is, the next
frame its difference to the frame before, the third the difference of the differences, and so on up
to the order of the array; then all frames up to the next key frame hold differences of that order.
What is steady or smooth leaves small numbers, of either sign; zigzag coding makes 0, -1, 1, -2, 2,
... into 0, 1, 2, 3, 4, ..., so their upper bytes are zero, which shuffling and gzip all but remove.
The integers have 64 bits and wrap around, so no value is too large for its differences.

Of a unit quaternion (w, x, y, z) the part w follows from the others, up to the rounding and its
sign: only what is left is stored (`rounded_scalar`).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rmp3d.geometry.arrays import Float

KEY_INTERVAL = 120
"""Frames from one key frame to the next: the most that have to be read for one of them."""
LARGEST = 2.0**62
"""Steps that a value may be away from zero: for positions, 4e12 m."""

Whole = NDArray[np.int64]
Code = NDArray[np.uint64]


def whole_steps(name: str, value: ArrayLike, step: float) -> Whole:
    """Return values rounded to whole steps; ``name`` is for the error.

    Raises:
        ValueError: A value is not finite, or more than `LARGEST` steps.
    """
    value = np.asarray(value, np.float64)
    if not (np.abs(value) <= LARGEST * step).all():
        raise ValueError(f"`{name}` of a frame is not finite, or beyond {LARGEST * step:.1e}")
    return np.round(value / step).astype(np.int64)


def rounded_scalar(vector: Whole | Float, step: float) -> Whole:
    """Return w >= 0 (...) beside x, y, z (..., 3) of unit quaternions, all in whole steps.

    Squares of whole steps and their sums are exact and square roots correctly rounded, so writer
    and reader have the same number on every machine.
    """
    x, y, z = np.moveaxis(vector * step, -1, 0)
    return np.round(np.sqrt(np.maximum(1.0 - (x * x + y * y + z * z), 0.0)) / step).astype(np.int64)


class Encoder:
    """Turns frames into codes, one after the other from frame 0.

    Args:
        order: Of the differences that are stored; 0 for the values as they are.
    """

    def __init__(self, order: int) -> None:
        self._order = order
        self._place = 0
        self._before: list[Whole] = [np.zeros(0, np.int64)] * order

    def encode(self, value: Whole) -> Code:
        """Return the codes of the next frame, of the shape of its values."""
        for order in range(min(self._place, self._order)):
            value, self._before[order] = value - self._before[order], value
        if self._place < self._order:
            self._before[self._place] = value
        self._place = (self._place + 1) % KEY_INTERVAL
        return ((value << 1) ^ (value >> 63)).view(np.uint64)


def decoded(code: Code, order: int) -> Whole:
    """Return the values of codes (..., K), frames from a key frame on, before the next one."""
    value = (code >> 1).view(np.int64) ^ -(code & 1).view(np.int64)
    for first in reversed(range(order)):
        np.cumsum(value[..., first:], axis=-1, out=value[..., first:])
    return value
