"""What a compiled loop needs to prove straight motions of an upright body free: arrays only."""

from typing import Any, NamedTuple

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.compiled import compiled, inlined
from rmp3d.geometry.query import sweep_one
from rmp3d.planner.collision.solids import cell_of


class SweptBody(NamedTuple):
    """An upright body and what it must not touch, as `CollisionWorld` asks about it.

    Attributes:
        mesh: Arrays of the obstacles' query.
        shape: Heights of the ends of its segment [m], and its radius [m].
        tolerance: What comes as near as this [m] counts as touching.
        overhead: Arrays of the query of the ground overhead; those of the obstacles without any.
        around: (2, 3) box in which the body can come to that ground [m].
        probes: (K, 3) what of it must keep clear of that: ends of the segment, and radius [m].
        middle: Height of its middle [m].
        boxes: (S, 2, 3) of the closed solids [m].
        grid: (2,) corner in plan of the grid that they are sorted into [m], (2,) cells a meter, and
            cells along an axis.
        cells: Where the solids of each cell begin, and the solids cell by cell.
    """

    mesh: Any
    shape: tuple[float, float, float]
    tolerance: float
    overhead: Any
    around: Float
    probes: Float
    middle: float
    boxes: Float
    grid: tuple[Float, Float, int]
    cells: tuple[Index, Index]


@compiled
def touches_nothing(body, start, end, stack, bound, out):
    """Return whether a straight motion touches no triangle, and how often was looked.

    ``start`` and ``end`` are (3,) [m]; the rest is room for traversals. Motions that begin in a
    closed solid are not found, see `is_in_box`.
    """
    boxes, ranges, triangles, first_leaf = body.mesh
    low, high, radius = body.shape
    ax, ay, az, bx, by, bz = start[0], start[1], start[2], end[0], end[1], end[2]
    row, looks = sweep_one(
        boxes, ranges, triangles, first_leaf, ax, ay, az, bx, by, bz, low, high, radius,
        body.tolerance, False, stack, bound, out,
    )  # fmt: skip
    if row >= 0:
        return False, looks
    for axis in range(3):
        if max(start[axis], end[axis]) < body.around[0, axis]:
            return True, looks
        if min(start[axis], end[axis]) > body.around[1, axis]:
            return True, looks
    boxes, ranges, triangles, first_leaf = body.overhead
    for k in range(body.probes.shape[0]):
        row, more = sweep_one(
            boxes, ranges, triangles, first_leaf, ax, ay, az, bx, by, bz, body.probes[k, 0],
            body.probes[k, 1], body.probes[k, 2], body.tolerance, False, stack, bound, out,
        )  # fmt: skip
        looks += more
        if row >= 0:
            return False, looks
    return True, looks


@inlined
def is_in_box(body, place):
    """Return whether the middle of a body at (3,) [m] is in the box of a closed solid."""
    boxes, (low, scale, side), (first, solids) = body.boxes, body.grid, body.cells
    if boxes.shape[0] == 0:
        return False
    x, y, z = place[0], place[1], place[2] + body.middle
    cell = cell_of(x, low[0], scale[0], side) * side + cell_of(y, low[1], scale[1], side)
    for k in range(first[cell], first[cell + 1]):
        box = boxes[solids[k]]
        if (
            box[0, 0] <= x <= box[1, 0]
            and box[0, 1] <= y <= box[1, 1]
            and box[0, 2] <= z <= box[1, 2]
        ):
            return True
    return False
