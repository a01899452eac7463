"""Pairs of near bodies, by sorting into cells: all pairs within reach in time that grows as N + P.

Places are counted into the cells of a grid over their box and stored cell by cell, so that a
place is only compared with those in its own and in half of the adjacent cells. A cell is no
smaller than the reach; where the places are spread thin, cells are made larger, so that there
are never more than a few for each place.
"""

from math import floor

import numpy as np

from rmp3d.geometry.arrays import Float, Index, read_only
from rmp3d.geometry.borrowing import borrowed
from rmp3d.geometry.compiled import assign, compiled, released
from rmp3d.geometry.parallel import in_blocks

CELLS_PER_PLACE = 4
# Places whose neighbors a thread searches at a time, at least.
SEARCHED = 1024
MOST_ALONG_AXIS = 1 << 20


def near_pairs(position: Float, half_reach: Float) -> Index:
    """Return all pairs of rows (P, 2), i < j, sorted, whose distance is at most h_i + h_j.

    Args:
        position: (N, 3), finite [m].
        half_reach: (N,) h, not negative [m].

    Raises:
        ValueError: A coordinate is not finite.
    """
    position = read_only(np.ascontiguousarray(position, dtype=np.float64).reshape(-1, 3))
    if len(position) < 2:
        return np.zeros((0, 2), np.int64)
    if not np.isfinite(position).all():
        raise ValueError("`position` must be finite")
    half_reach = np.ascontiguousarray(half_reach, dtype=np.float64)
    order, start, *shape = _sorted_into_cells(position, half_reach)
    place = _in_cells(position, half_reach, order)
    columns = _columns(start, *shape)

    def some(block: slice) -> Index:
        first, last = np.searchsorted(columns, [block.start, block.stop])
        pairs: Index = _pairs(place, order, start, *shape, first, last)
        return pairs

    found = np.concatenate(in_blocks(some, len(position), SEARCHED))
    # In lexical order: sorted by the second row, then by the first, where equal ones keep theirs.
    turned = np.empty_like(found)
    _sort_by(found, 1, len(position), turned)
    _sort_by(turned, 0, len(position), found)
    return found.astype(np.int64)


def near_pairs_of(position: Float, rows: Index, reach: float) -> tuple[Index, Index]:
    """Return which of all are near to some rows: pairs (own, other) at most ``reach`` apart.

    Args:
        position: (N, 3), finite [m].
        rows: (n,) of them, each once: those that look around.
        reach: [m].

    Returns:
        Numbers in ``rows`` (P,) and rows of all (P,), sorted by the first, then the second.

    Raises:
        ValueError: A coordinate is not finite.
    """
    pairs = near_pairs(position, np.full(len(position), 0.5 * reach))
    place = np.full(len(position), -1)
    place[rows] = np.arange(len(rows))
    own, other = _seen(pairs, place, len(rows))
    return own, other


@compiled
def _sorted_into_cells(position, half_reach):
    """Return the rows cell by cell, where each cell begins, and the shape of the grid."""
    total = position.shape[0]
    reach = 0.0
    for i in range(total):
        reach = max(reach, 2.0 * half_reach[i])
    low, extent, scale = np.empty(3), np.empty(3), np.zeros(3)
    shape = np.empty(3, np.int64)
    for axis in range(3):
        least, most = position[0, axis], position[0, axis]
        for i in range(total):
            least, most = min(least, position[i, axis]), max(most, position[i, axis])
        low[axis], extent[axis], shape[axis] = least, most - least, 1
        if extent[axis] > 0.0:
            shape[axis] = int(min(max(extent[axis] / reach, 1.0), MOST_ALONG_AXIS))
    while float(shape[0]) * shape[1] * shape[2] > CELLS_PER_PLACE * total + 64:
        longest = 0
        for axis in range(1, 3):
            if shape[axis] > shape[longest]:
                longest = axis
        shape[longest] //= 2
    for axis in range(3):
        if extent[axis] > 0.0:
            # Rounding may put two places that are just within reach two cells apart; not with this.
            scale[axis] = (1.0 - 1e-9) * shape[axis] / extent[axis]
    cell = np.empty(total, np.int64)
    start = np.zeros(shape[0] * shape[1] * shape[2] + 1, np.int64)
    for i in range(total):
        place = 0
        for axis in range(3):
            at = floor((position[i, axis] - low[axis]) * scale[axis])
            place = place * shape[axis] + min(shape[axis] - 1, at)
        cell[i] = place
        start[place + 1] += 1
    for c in range(start.shape[0] - 1):
        start[c + 1] += start[c]
    fill = np.empty(start.shape[0], np.int64)
    assign(fill, start)
    order = np.empty(total, np.int64)
    for i in range(total):
        order[fill[cell[i]]] = i
        fill[cell[i]] += 1
    return order, start, shape[0], shape[1], shape[2]


@compiled
def _in_cells(position, half_reach, order):
    """Return positions and reaches (N, 4) cell by cell."""
    place = np.empty((position.shape[0], 4))
    for a in range(position.shape[0]):
        i = order[a]
        place[a, 0], place[a, 1], place[a, 2] = position[i, 0], position[i, 1], position[i, 2]
        place[a, 3] = half_reach[i]
    return place


def _columns(start: Index, nx: int, ny: int, nz: int) -> Index:
    """Return where the cells of each x begin (nx + 1,)."""
    return start[:: ny * nz]


@released
def _pairs(place, order, start, nx, ny, nz, first_x, last_x):
    """Return the pairs (P, 2) of the cells from one x to another, cell by cell."""
    place, order, start = borrowed((place, order, start))
    begun = start[last_x * ny * nz] - start[first_x * ny * nz]
    found = np.empty((4 * begun + 64, 2), np.int32)
    count = 0
    for x in range(first_x, last_x):
        for y in range(ny):
            for z in range(nz):
                own = (x * ny + y) * nz + z
                if start[own] == start[own + 1]:
                    continue
                for column in range(5):
                    # The rest of the own column upward, and four of the eight adjacent columns.
                    begin, end = _range(column, x, y, z, nx, ny, nz, start)
                    for a in range(start[own], start[own + 1]):
                        first = a + 1 if column == 0 else begin
                        if count + end - first > found.shape[0]:
                            found = _grown(found, count, count + end - first)
                        count = _near(place, order, a, first, end, borrowed(found), count)
    return found[:count]


@compiled
def _range(column, x, y, z, nx, ny, nz, start):
    """Return the first and one past the last place in a column, up to one cell up and down."""
    if column == 0:
        base = (x * ny + y) * nz
        return start[base + z], start[base + min(nz, z + 2)]
    x += 0 if column == 1 else 1
    y += 1 if column == 1 else column - 3
    if x >= nx or y < 0 or y >= ny:
        return 0, 0
    base = (x * ny + y) * nz
    return start[base + max(0, z - 1)], start[base + min(nz, z + 2)]


@compiled
def _near(place, order, a, first, end, found, count):
    """Append the places from ``first`` to ``end`` in reach of place a; return the new count."""
    x, y, z, half = place[a, 0], place[a, 1], place[a, 2], place[a, 3]
    own = order[a]
    for b in range(first, end):
        dx, dy, dz = place[b, 0] - x, place[b, 1] - y, place[b, 2] - z
        reach = half + place[b, 3]
        # Written first and kept if near: without a branch.
        found[count, 0], found[count, 1] = min(own, order[b]), max(own, order[b])
        count += dx * dx + dy * dy + dz * dz <= reach * reach
    return count


@compiled
def _grown(found, count, needed):
    larger = np.empty((max(needed, 2 * found.shape[0]), 2), np.int32)
    for k in range(count):
        larger[k, 0], larger[k, 1] = found[k, 0], found[k, 1]
    return larger


@compiled
def _sort_by(pairs, side, total, target):
    """Write the pairs (P, 2) in the order of one side; equal ones stay in the order they are in."""
    fill = np.zeros(total + 1, np.int64)
    for k in range(pairs.shape[0]):
        fill[pairs[k, side] + 1] += 1
    for i in range(total):
        fill[i + 1] += fill[i]
    for k in range(pairs.shape[0]):
        row = fill[pairs[k, side]]
        target[row, 0], target[row, 1] = pairs[k, 0], pairs[k, 1]
        fill[pairs[k, side]] += 1


@compiled
def _seen(pairs, place, count):
    """Return the pairs, in both orders, whose first has a place, sorted by place and second."""
    begin = np.zeros(count + 1, np.int64)
    for k in range(pairs.shape[0]):
        for side in range(2):
            own = place[pairs[k, side]]
            if own >= 0:
                begin[own + 1] += 1
    for row in range(count):
        begin[row + 1] += begin[row]
    first, second = np.empty(begin[count], np.int64), np.empty(begin[count], np.int64)
    fill = np.empty(count + 1, np.int64)
    assign(fill, begin)
    # All lower ones come before all higher ones, and both in order: rows need no sorting.
    for side in (1, 0):
        for k in range(pairs.shape[0]):
            own = place[pairs[k, side]]
            if own >= 0:
                first[fill[own]], second[fill[own]] = own, pairs[k, 1 - side]
                fill[own] += 1
    return first, second
