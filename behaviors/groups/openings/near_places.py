"""Who is near to which of many places that stay where they are."""

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.compiled import compiled

LINES = 64
"""Cells in a row and in a column, at most."""


class NearPlaces:
    """Places in plan, found by the cells of a grid that they reach into.

    Args:
        middle: (Q, 3) the places [m].
        reach: (Q,) how far each reaches, in plan [m].
    """

    def __init__(self, middle: Float, reach: Float) -> None:
        self._middle = np.ascontiguousarray(middle[:, :2])
        self._reach = np.ascontiguousarray(reach, dtype=np.float64)
        if len(reach) == 0:
            return
        low = (self._middle - self._reach[:, None]).min(axis=0)
        high = (self._middle + self._reach[:, None]).max(axis=0)
        wide = float(max(2.0 * self._reach.min(), (high - low).max() / LINES, 1e-6))
        # A cell more on each side: rounding never leads out of them.
        self._low, self._wide = low - wide, wide
        shape = np.floor((high - self._low) / wide).astype(np.intp) + 2
        first, last = (
            np.floor((self._middle + side * (self._reach[:, None] + 1e-6) - self._low) / wide)
            for side in (-1.0, 1.0)
        )
        cells: list[list[int]] = [[] for _ in range(int(shape.prod()))]
        for q, (a, b) in enumerate(zip(first.astype(int), last.astype(int), strict=True)):
            for x in range(max(0, a[0]), min(b[0] + 1, int(shape[0]))):
                for y in range(max(0, a[1]), min(b[1] + 1, int(shape[1]))):
                    cells[x * int(shape[1]) + y].append(q)
        self._shape = shape
        self._begin = np.cumsum([0, *map(len, cells)])
        self._place = np.array([q for own in cells for q in own], np.intp)

    def rows(self, position: Float, free: Bool) -> list[Index]:
        """Return for each place the rows of free members (N,) less than its reach away, ascending.

        Args:
            position: (N, 3) [m].
            free: (N,).
        """
        if len(self._reach) == 0:
            return []
        end = np.zeros(len(self._reach) + 1, np.intp)
        rows = _rows_near(
            np.ascontiguousarray(position), free, self._middle, self._reach, self._low, self._wide,
            self._shape, self._begin, self._place, end,
        )  # fmt: skip
        return [rows[end[q] : end[q + 1]] for q in range(len(self._reach))]


@compiled
def _rows_near(position, free, middle, reach, low, wide, shape, begin, place, end):
    """Return the rows near all places, one after the other; those of q begin at ``end[q]``."""
    found, whose, count = np.empty(64, np.intp), np.empty(64, np.intp), 0
    for i in range(position.shape[0]):
        if not free[i]:
            continue
        x, y = (position[i, 0] - low[0]) / wide, (position[i, 1] - low[1]) / wide
        if not (0.0 <= x < shape[0] and 0.0 <= y < shape[1]):
            continue
        cell = int(x) * shape[1] + int(y)
        for k in range(begin[cell], begin[cell + 1]):
            q = place[k]
            dx, dy = position[i, 0] - middle[q, 0], position[i, 1] - middle[q, 1]
            if dx * dx + dy * dy < reach[q] * reach[q]:
                if count == found.shape[0]:
                    more, of = np.empty(2 * count, np.intp), np.empty(2 * count, np.intp)
                    more[:count], of[:count] = found, whose
                    found, whose = more, of
                found[count], whose[count] = i, q
                count += 1
    for k in range(count):
        end[whose[k] + 1] += 1
    for q in range(middle.shape[0]):
        end[q + 1] += end[q]
    rows, fill = np.empty(count, np.intp), end.copy()
    for k in range(count):
        rows[fill[whose[k]]] = found[k]
        fill[whose[k]] += 1
    return rows
