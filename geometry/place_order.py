"""Points in the order of their places: who is near is looked at soon after.

Members of a crowd are numbered in no order of place. A loop over thousands of them that asks the
tree of a scene about each reads another part of it every time; in the order of places it reads what
it has just read. The answers are the same.
"""

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.compiled import compiled

CELL = 4.0
"""Side of a cell in plan [m]."""
FEW = 512
"""So many points are not worth sorting."""


def by_place(points: Float, cell: float = CELL) -> Index:
    """Return the rows of points (M, 3) cell by cell in plan, in each cell in ascending order.

    Few points, and those that are not finite, stay as they are.
    """
    if len(points) < FEW:
        return np.arange(len(points))
    order = np.empty(len(points), np.intp)
    _sort(points, cell, order)
    return order


@compiled
def _sort(points, cell, order):
    total = points.shape[0]
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for i in range(total):
        for axis in range(2):
            value = points[i, axis]
            if not -1e12 < value < 1e12:
                low[axis], high[axis] = -np.inf, np.inf
            low[axis], high[axis] = min(low[axis], value), max(high[axis], value)
    if not (high[0] - low[0] < 1e12 and high[1] - low[1] < 1e12):
        for i in range(total):
            order[i] = i
        return
    while (high[0] - low[0]) / cell * ((high[1] - low[1]) / cell) > 4.0 * total:
        cell *= 2.0
    cell = max(cell, max(high[0] - low[0], high[1] - low[1]) / (4.0 * total))
    columns = int((high[1] - low[1]) / cell) + 1
    count = columns * (int((high[0] - low[0]) / cell) + 1)
    own, fill = np.empty(total, np.int64), np.zeros(count + 1, np.int64)
    for i in range(total):
        x, y = int((points[i, 0] - low[0]) / cell), int((points[i, 1] - low[1]) / cell)
        # There and back, so that the next row of cells begins beside where the last one ended.
        own[i] = x * columns + (y if x % 2 == 0 else columns - 1 - y)
        fill[own[i] + 1] += 1
    for k in range(count):
        fill[k + 1] += fill[k]
    for i in range(total):
        order[fill[own[i]]] = i
        fill[own[i]] += 1
