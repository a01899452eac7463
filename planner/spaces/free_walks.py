"""Which straight walks over a surface are proved free, each in one go by a compiled loop.

What `GroundSpace.connect` proves in arrays, piece by piece of all walks, this proves walk by walk,
with the same answers and counts: it ends a walk at the first contact, and makes no arrays. So many
small questions cost little.
"""

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.geometry.borrowing import borrowed, held
from rmp3d.geometry.compiled import ROWS, assign, compiled, released
from rmp3d.geometry.parallel import in_blocks, stopped
from rmp3d.geometry.place_order import by_place
from rmp3d.geometry.query import LOOKS_OF_A_CALL, STACK
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.walking import locate_one, walk_one
from rmp3d.planner.collision.sweeping import SweptBody, is_in_box, touches_nothing
from rmp3d.planner.spaces.bounds import SLACK
from rmp3d.planner.spaces.walks import SEAM, SHEET, straighten

CORNERS = 64
"""Room for the corners of a walk at first."""
LEAST = 32
"""Walks of a block that a thread proves, at least."""


def free_walks(
    surface: WalkableSurface, body: SweptBody, bounds: Float, start: Float, end: Float
) -> tuple[Bool, int, Float, Index]:
    """Return which straight walks between surface points start[i] and end[i] touch nothing.

    Args:
        surface: Walked on.
        body: Walks, and must touch nothing.
        bounds: (2, 3) that walks stay in [m].
        start: (M, 3) [m].
        end: (M, 3) [m].

    Returns:
        Whether each walk is free (M,); how many pieces were tested; points (K, 3) [m] of the free
        walks that are in the boxes of closed solids, and the walks (K,) that they are of: who is
        inside is not free.
    """
    # Writable, too: what may not be written is of another type, and all would compile once more.
    start, end = (np.require(points, np.float64, ("C", "W")) for points in (start, end))
    free = np.empty(len(start), np.bool_)
    ground, order = surface.arrays, by_place(start)

    def some(block: slice) -> list[tuple[int, Float, Index]]:
        found, done = [], block.start
        while done < block.stop and not stopped():
            last = min(block.stop, done + ROWS)
            done, *more = _prove(ground, body, bounds, order, start, end, free, done, last)
            found.append(tuple(more))
        return found

    parts = [part for parts in in_blocks(some, len(start), LEAST) for part in parts]
    if not parts:
        return free, 0, np.empty((0, 3)), np.empty(0, np.intp)
    counts, boxed, row = zip(*parts, strict=True)
    return free, sum(counts), np.concatenate(boxed), np.concatenate(row)


@released
def _prove(ground, body, bounds, order, start, end, free, begin, last):
    """Prove walks, those of ``order`` from ``begin`` on; return where the next call begins.

    The rest is what `free_walks` returns.
    """
    stack, bound, out = np.empty(STACK, np.int64), np.empty(STACK), np.empty(4)
    room = stack, bound, out
    points, passed = np.empty((CORNERS, 3)), np.empty(CORNERS, np.int64)
    boxed, row, kept = np.empty((8, 3)), np.empty(8, np.int64), 0
    ground, body, bounds, start, end, free = borrowed((ground, body, bounds, start, end, free))
    stack, bound, out = borrowed(room)
    order = borrowed(order)
    tested, left, n = 0, LOOKS_OF_A_CALL, begin
    while n < last and left >= 0:
        i = order[n]
        free[i] = False
        count = _walk(ground, start[i], end[i], borrowed(points), borrowed(passed), stack)
        if count > points.shape[0]:
            points, passed = np.empty((2 * count, 3)), np.empty(2 * count, np.int64)
            continue
        n += 1
        if count == 0:
            continue
        walk, good = borrowed(points), True
        for k in range(count - 1):
            if not (_is_within(walk[k], bounds) and _is_within(walk[k + 1], bounds)):
                good = False
                continue
            tested += 1
            if good:
                good, looks = touches_nothing(body, walk[k], walk[k + 1], stack, bound, out)
                left -= looks
        free[i] = good
        if good:
            for k in range(count - 1):
                if is_in_box(body, walk[k]):
                    if kept == row.shape[0]:
                        boxed, row = _doubled(boxed, row)
                    assign(borrowed(boxed)[kept], walk[k])
                    row[kept] = i
                    kept += 1
    held((room, points, passed, boxed))
    return n, tested, boxed[:kept], row[:kept]


@compiled
def _walk(ground, start, end, points, passed, stack):
    """Write the corners of a walk; return how many, 0 if it does not arrive.

    If there is no room for them, it returns how many there may be.
    """
    boxes, ranges, triangles, order, first_leaf = ground[:5]
    z, face = locate_one(
        boxes, ranges, triangles, order, first_leaf, start[0], start[1], start[2], SEAM, SEAM, stack
    )
    dx, dy = end[0] - start[0], end[1] - start[1]
    x, y, z, _, arrived, count = walk_one(
        *ground, start[0], start[1], z, face, dx, dy, points, passed
    )
    count = max(count, 2)
    off = (x - end[0]) ** 2 + (y - end[1]) ** 2
    if not (arrived and off <= SEAM * SEAM and abs(z - end[2]) <= SHEET):
        return 0
    if count > points.shape[0]:
        return count
    assign(points[0], start)
    assign(points[count - 1], end)
    return straighten(points, count)


@compiled
def _is_within(point, bounds):
    """Return whether a point is in a box, up to rounding."""
    for axis in range(3):
        if not bounds[0, axis] - SLACK <= point[axis] <= bounds[1, axis] + SLACK:
            return False
    return True


@compiled
def _doubled(boxed, row):
    more, rows = np.empty((2 * boxed.shape[0], 3)), np.empty(2 * row.shape[0], np.int64)
    for k in range(row.shape[0]):
        assign(more[k], boxed[k])
        rows[k] = row[k]
    return more, rows
