"""The compiled part of building a tree of triangles: their order by median splits."""

import numpy as np

from rmp3d.geometry.compiled import compiled


@compiled
def sort_all(center, order, depth):
    """Sort ``order`` (F,), and the rows of ``center`` (F, 3) with it, by median splits.

    On each level, a node's rows are divided at the median of its longest axis. Rows are compared
    by coordinate, and where these are equal, by their number; the rows of a leaf are in this order,
    too.
    """
    count = len(order)
    for level in range(depth):
        for node in range(1 << level):
            first, last = (node * count) >> level, ((node + 1) * count) >> level
            axis = _longest(center, first, last)
            if level == depth - 1:
                _insert(center, order, axis, first, last)
            else:
                _select(center, order, axis, first, last, ((2 * node + 1) * count) >> (level + 1))


@compiled
def _longest(center, first, last):
    """Return the axis along which the rows of a range extend farthest, the first of equal ones."""
    best, widest = 0, -1.0
    for axis in range(3):
        low = high = center[first, axis]
        for row in range(first + 1, last):
            value = center[row, axis]
            low, high = min(low, value), max(high, value)
        if high - low > widest:
            best, widest = axis, high - low
    return best


@compiled
def _select(center, order, axis, first, last, middle):
    """Put the smallest rows of a range before ``middle``, and the others after them.

    Hoare's selection; pivots are random, so that no input takes quadratic time.
    """
    last -= 1
    state = np.uint64(0x9E3779B97F4A7C15)
    while first < last:
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        pivot = first + np.int64((state >> np.uint64(33)) % np.uint64(last - first + 1))
        value, number = center[pivot, axis], order[pivot]
        i, j = first, last
        while i <= j:
            while center[i, axis] < value or (center[i, axis] == value and order[i] < number):
                i += 1
            while center[j, axis] > value or (center[j, axis] == value and order[j] > number):
                j -= 1
            if i <= j:
                _swap(center, order, i, j)
                i += 1
                j -= 1
        if middle <= j:
            last = j
        elif middle >= i:
            first = i
        else:
            return


@compiled
def _insert(center, order, axis, first, last):
    """Sort a few rows by insertion."""
    for row in range(first + 1, last):
        while row > first and _before(center, order, axis, row, row - 1):
            _swap(center, order, row, row - 1)
            row -= 1


@compiled
def _before(center, order, axis, a, b):
    x, y = center[a, axis], center[b, axis]
    return x < y or (x == y and order[a] < order[b])


@compiled
def _swap(center, order, a, b):
    order[a], order[b] = order[b], order[a]
    for axis in range(3):
        center[a, axis], center[b, axis] = center[b, axis], center[a, axis]
