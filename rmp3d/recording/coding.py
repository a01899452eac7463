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
from rmp3d.geometry.compiled import released

KEY_INTERVAL = 120
"""Frames from one key frame to the next: at most so many are read to decode one frame."""
UNIT_TOLERANCE = 1e-4
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


class Decoder:
    """Decodes frames one after another, from a key frame on; compiled, without Python's lock.

    Args:
        order: Order of the stored differences; 0: the values themselves.
        shape: Axes and members of the array.
        frame: The key frame.

    Attributes:
        frame: The frame that is decoded next.
    """

    def __init__(self, order: int, shape: tuple[int, int], frame: int) -> None:
        self.frame = frame
        self._before = np.zeros((order, *shape), np.int64)

    def decode(self, code: Code, rows: Float | Whole, step: float) -> float:
        """Decode K more frames, and write the last T' of them; return the largest absolute value.

        Args:
            code: (axes, N, K) codes.
            rows: (T', N, axes) gets the values, times ``step``; T' is at most K.
            step: Of the values.
        """
        skipped = code.shape[-1] - len(rows)
        place, self.frame = self.frame % KEY_INTERVAL, self.frame + code.shape[-1]
        return float(_decode(code, self._before, place, skipped, rows, step))


@released
def _decode(code, before, place, skipped, rows, step):
    """Undo `Encoder`; ``before`` has the differences of each order at the last frame."""
    largest = 0.0
    order = len(before)
    for a in range(code.shape[0]):
        for n in range(code.shape[1]):
            for k in range(code.shape[2]):
                own = code[a, n, k]
                value = np.int64(own >> np.uint64(1)) ^ -np.int64(own & np.uint64(1))
                behind = (place + k) % KEY_INTERVAL
                if behind < order:
                    before[behind, a, n] = value
                for j in range(min(behind, order) - 1, -1, -1):
                    value += before[j, a, n]
                    before[j, a, n] = value
                if k >= skipped:
                    found = value * step
                    rows[k - skipped, n, a] = found
                    largest = max(largest, abs(found))
    return largest


@released
def unit_quaternions(rest, vector, step, found):
    """Write unit quaternions; return by how much one of them was longer or shorter.

    Args:
        rest: (T, N, 1) w beside what `rounded_scalar` says, in whole steps.
        vector: (T, N, 3) x, y, z in whole steps.
        step: One of these.
        found: (T, N, 4) gets the quaternions.
    """
    most = 0.0
    for t in range(len(rest)):
        for n in range(rest.shape[1]):
            own = vector[t, n]
            x, y, z = own[0] * step, own[1] * step, own[2] * step
            inside = max(1.0 - (x * x + y * y + z * z), 0.0)
            w = rest[t, n, 0] + np.rint(np.sqrt(inside) / step)
            # Squares of whole steps and their sums are exact: any order gives the same bits.
            size = np.sqrt(w * w + own[0] * own[0] + own[1] * own[1] + own[2] * own[2])
            row = found[t, n]
            row[0], row[1], row[2], row[3] = w / size, own[0] / size, own[1] / size, own[2] / size
            most = max(most, abs(size * step - 1.0))
    return most
