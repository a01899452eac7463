"""Exact storage of smooth motions in few bytes: differences over time.

Values are rounded to whole steps. A key frame, one in `KEY_INTERVAL`, stores the values. The next
frame stores their differences to the frame before, the third frame the differences of differences,
and so on up to the order of the array; the other frames up to the next key frame store differences
of that order. Smooth motions give small differences of either sign. Zigzag coding turns 0, -1, 1,
-2, 2, ... into 0, 1, 2, 3, 4, ..., so their upper bytes are zero; shuffling and gzip remove most of
these. The integers have 64 bits and wrap around, so no difference overflows.

In a unit quaternion (w, x, y, z), w follows from the other parts, except for rounding and its sign:
only that rest is stored (`rounded_scalar`).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.parallel import in_blocks
from rmp3d.geometry.vectors import length

KEY_INTERVAL = 120
"""Frames from one key frame to the next: at most so many are read to decode one frame."""
DECODED = 1 << 18
"""Numbers that a thread decodes at a time, at least."""
UNIT_TOLERANCE = 1e-3
"""By how much a unit quaternion that was read may be longer or shorter."""
LARGEST = 2.0**62
"""Largest absolute value in steps; for positions this is 4e12 m."""

Whole = NDArray[np.int64]
Code = NDArray[np.uint64]


def whole_steps(name: str, value: ArrayLike, step: float) -> Whole:
    """Return values rounded to whole steps; an error calls them ``name``.

    Raises:
        ValueError: A value is not finite, or more than `LARGEST` steps.
    """
    value = np.asarray(value, np.float64)
    if not (np.abs(value) <= LARGEST * step).all():
        raise ValueError(f"`{name}` of a frame is not finite, or beyond {LARGEST * step:.1e}")
    return np.round(value / step).astype(np.int64)


def rounded_scalar(vector: Whole | Float, step: float) -> Whole:
    """Return w >= 0 (...) beside x, y, z (..., 3) of unit quaternions, all in whole steps.

    Squares of whole steps and their sums are exact, and square roots are rounded correctly. So
    writer and reader get the same number on every machine.
    """
    x, y, z = np.moveaxis(vector * step, -1, 0)
    return np.round(np.sqrt(np.maximum(1.0 - (x * x + y * y + z * z), 0.0)) / step).astype(np.int64)


def quaternions(rest: Float, vector: Float, step: float) -> tuple[Float, float]:
    """Return unit quaternions (T, N, 4), and by how much one of them was longer or shorter.

    Args:
        rest: (T, N, 1) w beside what `rounded_scalar` says, in whole steps.
        vector: (T, N, 3) x, y, z in whole steps.
        step: One of these.
    """
    found = np.empty((*vector.shape[:2], 4))

    def some(block: slice) -> float:
        scalar = rounded_scalar(vector[block], step)[..., None]
        own = np.concatenate([rest[block] + scalar, vector[block]], axis=-1)
        size = length(own)[..., None]
        np.divide(own, size, out=found[block])
        return float(np.abs(size * step - 1.0).max(initial=0.0))

    return found, max(in_blocks(some, len(found), frames_at_a_time(found)))


def frames_at_a_time(rows: Float) -> int:
    """Return how many frames of an array (T, N, axes) a thread decodes at a time, at least."""
    return -(-DECODED // max(1, rows[:1].size))


class Encoder:
    """Encodes frames one after another, from frame 0 on.

    Args:
        order: Order of the stored differences; 0: the values themselves.
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
    """Return the values of codes (..., K): a key frame and K - 1 frames before the next one."""
    value = (code >> 1).view(np.int64) ^ -(code & 1).view(np.int64)
    for first in reversed(range(order)):
        np.cumsum(value[..., first:], axis=-1, out=value[..., first:])
    return value
