"""The inner loop of `rmp3d.scenes.polygons`: ears are clipped, the sharpest first.

The candidates are in a heap. A candidate that holds a corner waits for that corner to go, so it is
not looked at again before. The corners are in the cells of a grid, so a test looks only at those
near the ear.

The same lines run as they are, for few corners, and compiled, for many: to compile them takes
seconds.
"""

import numpy as np
from numba.extending import register_jitable

from rmp3d.geometry.compiled import compiled

SHIFT = 0.25  # plain values of the sharpness, such as 0.5, are not on the border of two classes


@register_jitable
def clip_ears(flat, ends, faces, tie, budget):
    """Cut polygons into triangles.

    Args:
        flat: (C, 2) corners of all polygons, counter-clockwise.
        ends: (P,) where each polygon ends in ``flat``.
        faces: (C - 2 P, 3) rows of ``flat``; written.
        tie: Part of the size below which a difference is none: ears whose sharpness differs by less
            are equal, then the first corner counts; and a corner so near to a side is in the ear.
        budget: Most corners that are looked at in all tests together.

    Returns:
        What is left of the budget; below 0, and ``faces`` is not whole, if it was too small.
    """
    start = 0
    for polygon in range(len(ends)):
        end = ends[polygon]
        first = start - 2 * polygon
        budget = _clip(flat[start:end], faces[first : first + end - start - 2], start, tie, budget)
        if budget < 0:
            return budget
        start = end
    return budget


@register_jitable
def _clip(flat, faces, offset, tie, budget):
    count = len(flat)
    before, after = np.arange(count) - 1, np.arange(count) + 1
    before[0], after[count - 1] = count - 1, 0
    alive = np.ones(count, np.bool_)
    version = np.zeros(count, np.int64)
    # Lists of the candidates that wait for a corner: corner, its version, next entry of the list.
    waiting, entries, used = np.full(count, -1), np.empty((2 * count, 3), np.int64), 0
    grid = _grid(flat, np.arange(count))
    heap_key = np.empty(5 * count + 8)
    heap_item = np.empty((5 * count + 8, 2), np.int64)
    ring, heap, size = (before, after, alive, version), (heap_key, heap_item), 0
    for corner in range(count):
        key = _sharpness(flat, before[corner], corner, after[corner], tie)
        size = _push(heap_key, heap_item, size, key, corner, 0)
    lowest, left = 0, count
    for row in range(count - 3):
        ear = -1
        while size > 0:
            corner, made = heap_item[0, 0], heap_item[0, 1]
            size = _pop(heap_key, heap_item, size)
            if not alive[corner] or made != version[corner]:
                continue
            holder, looked = _held(flat, before, after, alive, grid, corner, tie)
            budget -= looked
            if budget < 0:
                return budget
            if holder < 0:
                ear = corner
                break
            version[corner] += 1
            if used == len(entries):
                entries = np.concatenate((entries, np.empty_like(entries)))
            entries[used, 0], entries[used, 1] = corner, version[corner]
            entries[used, 2], waiting[holder] = waiting[holder], used
            used += 1
        if ear < 0:  # not a simple polygon
            while not alive[lowest]:
                lowest += 1
            ear = lowest
        a, b = before[ear], after[ear]
        faces[row, 0], faces[row, 1], faces[row, 2] = a + offset, ear + offset, b + offset
        alive[ear] = False
        after[a], before[b] = b, a
        left -= 1
        for corner in (a, b):
            version[corner] += 1
            key = _sharpness(flat, before[corner], corner, after[corner], tie)
            size = _push(heap_key, heap_item, size, key, corner, version[corner])
        size = _released(flat, ring, heap, size, entries, waiting[ear], tie)
        if left > 8 and 2 * left < len(grid[2]):
            grid = _grid(flat, np.flatnonzero(alive))
    while not alive[lowest]:
        lowest += 1
    second = after[lowest]
    faces[count - 3, 0] = lowest + offset
    faces[count - 3, 1], faces[count - 3, 2] = second + offset, after[second] + offset
    return budget


@register_jitable
def _released(flat, ring, heap, size, entries, entry, tie):
    """Put the candidates of a list, which waited for a corner, into the heap; return its size."""
    (before, after, alive, version), (key_of, item_of) = ring, heap
    while entry >= 0:
        corner = entries[entry, 0]
        if alive[corner] and entries[entry, 1] == version[corner]:
            key = _sharpness(flat, before[corner], corner, after[corner], tie)
            if size + 3 > len(key_of):
                size = _without_old(key_of, item_of, size, alive, version)
            size = _push(key_of, item_of, size, key, corner, version[corner])
        entry = entries[entry, 2]
    if size + 3 > len(key_of):
        size = _without_old(key_of, item_of, size, alive, version)
    return size


@register_jitable
def _cross(flat, a, b, c):
    """Return twice the area of the triangle of three rows, positive if counter-clockwise."""
    return (flat[b, 0] - flat[a, 0]) * (flat[c, 1] - flat[b, 1]) - (flat[b, 1] - flat[a, 1]) * (
        flat[c, 0] - flat[b, 0]
    )


@register_jitable
def _sharpness(flat, before, corner, after, tie):
    """Return the height of an ear over its base, about; 0 or less if it turns the wrong way."""
    turn = _cross(flat, before, corner, after)
    dx, dy = flat[after, 0] - flat[before, 0], flat[after, 1] - flat[before, 1]
    ratio = turn / (dx * dx + dy * dy + 1e-300)
    if not ratio > tie:
        return -1.0
    return np.floor(min(ratio, 1e20) / tie + SHIFT)


@register_jitable
def _grid(flat, rows):
    """Return a grid over some corners: its frame, where each cell starts in a list, and the list.

    The frame is the least x and y, and the cells for each unit of x and y; there are about as many
    cells as corners. A corner that is not finite is in the first cell.
    """
    side = max(int(np.sqrt(len(rows))), 1)
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for row in rows:
        for axis in range(2):
            low[axis], high[axis] = (
                min(low[axis], flat[row, axis]),
                max(high[axis], flat[row, axis]),
            )
    frame = np.zeros(5)
    for axis in range(2):
        frame[axis], frame[2 + axis] = low[axis], side / max(high[axis] - low[axis], 1e-300)
    frame[4] = side
    starts = np.zeros(side * side + 1, np.int64)
    for row in rows:
        starts[_cell(frame, flat[row, 0], 0) * side + _cell(frame, flat[row, 1], 1) + 1] += 1
    for cell in range(side * side):
        starts[cell + 1] += starts[cell]
    items, filled = np.empty(len(rows), np.int64), starts[:-1].copy()
    for row in rows:
        cell = _cell(frame, flat[row, 0], 0) * side + _cell(frame, flat[row, 1], 1)
        items[filled[cell]] = row
        filled[cell] += 1
    return frame, starts, items


@register_jitable
def _cell(frame, value, axis):
    """Return the row or column of a coordinate in a grid."""
    place = (value - frame[axis]) * frame[2 + axis]
    if not place > 0.0:
        return 0
    return int(min(place, frame[4] - 1.0))


@register_jitable
def _held(flat, before, after, alive, grid, corner, tie):
    """Return a corner that lies in the ear of a corner (-1: none), and how many were looked at."""
    (frame, starts, items), a, c = grid, before[corner], after[corner]
    side, looked = int(frame[4]), 16
    size = 0.0
    for axis in range(2):
        size = max(size, abs(flat[corner, axis] - flat[a, axis]))
        size = max(size, abs(flat[c, axis] - flat[corner, axis]))
        size = max(size, abs(flat[a, axis] - flat[c, axis]))
    near, border = tie * size, -tie * size * size
    x0 = _cell(frame, min(flat[a, 0], flat[corner, 0], flat[c, 0]) - near, 0)
    x1 = _cell(frame, max(flat[a, 0], flat[corner, 0], flat[c, 0]) + near, 0)
    y0 = _cell(frame, min(flat[a, 1], flat[corner, 1], flat[c, 1]) - near, 1)
    y1 = _cell(frame, max(flat[a, 1], flat[corner, 1], flat[c, 1]) + near, 1)
    for column in range(x0, x1 + 1):
        low, high = starts[column * side + y0], starts[column * side + y1 + 1]
        looked += 1 + high - low
        for position in range(low, high):
            point = items[position]
            if not alive[point] or point == a or point == corner or point == c:
                continue
            x, y = flat[point, 0], flat[point, 1]
            if not _is_inside(flat, a, corner, c, x, y, border):
                continue
            # A corner in the same place as one of the ear's (a bridge to a hole) does not count.
            same = False
            for own in (a, corner, c):
                same |= abs(flat[own, 0] - x) <= near and abs(flat[own, 1] - y) <= near
            if not same:
                return point, looked
    return -1, looked


@register_jitable
def _is_inside(flat, a, b, c, x, y, border):
    return (
        _side(flat, a, b, x, y) >= border
        and _side(flat, b, c, x, y) >= border
        and _side(flat, c, a, x, y) >= border
    )


@register_jitable
def _side(flat, a, b, x, y):
    return (flat[b, 0] - flat[a, 0]) * (y - flat[a, 1]) - (flat[b, 1] - flat[a, 1]) * (
        x - flat[a, 0]
    )


@register_jitable
def _is_before(key, item, one, other):
    """Whether an entry of the heap is sharper than another one, or as sharp and of a lower row."""
    return key[one] > key[other] or (key[one] == key[other] and item[one, 0] < item[other, 0])


@register_jitable
def _push(key, item, size, new_key, corner, made):
    """Put a candidate into the heap, unless it turns the wrong way; return the new size."""
    if new_key < 0.0:
        return size
    key[size], item[size, 0], item[size, 1] = new_key, corner, made
    place = size
    while place > 0 and _is_before(key, item, place, (place - 1) // 2):
        _swap(key, item, place, (place - 1) // 2)
        place = (place - 1) // 2
    return size + 1


@register_jitable
def _pop(key, item, size):
    """Take the first candidate out of the heap; return the new size."""
    size -= 1
    _swap(key, item, 0, size)
    place = 0
    while True:
        best = place
        for child in (2 * place + 1, 2 * place + 2):
            if child < size and _is_before(key, item, child, best):
                best = child
        if best == place:
            return size
        _swap(key, item, place, best)
        place = best


@register_jitable
def _swap(key, item, one, other):
    key[one], key[other] = key[other], key[one]
    item[one, 0], item[other, 0] = item[other, 0], item[one, 0]
    item[one, 1], item[other, 1] = item[other, 1], item[one, 1]


@register_jitable
def _without_old(key, item, size, alive, version):
    """Build the heap anew from the candidates that still count; return its size."""
    kept = 0
    for row in range(size):
        corner, made, own = item[row, 0], item[row, 1], key[row]
        if alive[corner] and made == version[corner]:
            kept = _push(key, item, kept, own, corner, made)
    return kept


clip_many_ears = compiled(clip_ears)
"""`clip_ears`, compiled."""
