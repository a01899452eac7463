"""How far it is to what is beside an upright body: nothing below its feet or above its head.

The distance is measured in plan, from an axis to all that is in a layer between parallel planes,
level or tilted. Triangles that lie partly in the layer are cut by its two planes.
"""

from math import sqrt

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.borrowing import borrowed, held
from rmp3d.geometry.compiled import calls_of, compiled, inlined, released
from rmp3d.geometry.parallel import in_blocks
from rmp3d.geometry.place_order import by_place

STACK = 128
CORNERS = 5  # of a triangle cut by two planes, at most
THIN = 1e-9  # width of a polygon that counts as its edges, in plan, times its length


def distance_beside(
    mesh: tuple[Float, Index, Float, int], points: Float, low: Float, high: Float, cap: float,
    tilt: Float | None = None,
) -> Float:  # fmt: skip
    """Return the distance in plan (M,) [m] to what is in a layer of heights, at most ``cap``.

    It is zero where something in the layer is straight above or below a point.

    Args:
        mesh: ``arrays`` of a `rmp3d.geometry.query.MeshQuery`.
        points: (M, 3) [m]; their heights do not matter.
        low: (M,) heights at which the layers begin, at the points [m].
        high: (M,) heights at which they end there [m].
        cap: What is farther off does not matter [m].
        tilt: (M, 2) how much the layers rise along x and y, per meter; None: they are level.
    """
    points, low, high = (np.ascontiguousarray(each, np.float64) for each in (points, low, high))
    planes = np.zeros((len(points), 2)) if tilt is None else np.ascontiguousarray(tilt)
    found, order = np.empty(len(points)), by_place(points)

    def some(block: slice) -> None:
        for rows in calls_of(block):
            _distance_rows(*mesh, order[rows], points, low, high, planes, cap, found)

    in_blocks(some, len(points))
    return found


@released
def _distance_rows(boxes, ranges, triangles, first_leaf, rows, points, low, high, tilt, cap, found):
    room = np.empty(STACK, np.int64), np.empty((2, CORNERS, 3))
    stack, corners = borrowed(room)
    boxes, ranges, triangles = borrowed((boxes, ranges, triangles))
    for i in rows:
        x, y, bottom, top = points[i, 0], points[i, 1], low[i], high[i]
        east, north = tilt[i, 0], tilt[i, 1]
        best = cap * cap
        stack[0] = 0
        count = 1
        while count > 0:
            count -= 1
            node = stack[count]
            if _box_squared(x, y, bottom, top, east, north, boxes[node]) >= best:
                continue
            if node < first_leaf:
                stack[count] = 2 * node + 1
                stack[count + 1] = 2 * node + 2
                count += 2
                continue
            for k in range(ranges[node, 0], ranges[node, 1]):
                t = triangles[k]
                best = triangle_squared(x, y, bottom, top, east, north, t, corners, best)
        found[i] = sqrt(best)
    held(room)


@inlined
def _box_squared(x, y, low, high, east, north, box):
    """Return the squared distance in plan to a box; infinite if it is not in the layer."""
    # How much the layer rises to the box's sides.
    a, b = east * (box[0] - x), east * (box[3] - x)
    c, d = north * (box[1] - y), north * (box[4] - y)
    if box[2] - max(a, b) - max(c, d) > high:
        return np.inf
    if box[5] - min(a, b) - min(c, d) < low:
        return np.inf
    dx = max(0.0, max(box[0] - x, x - box[3]))
    dy = max(0.0, max(box[1] - y, y - box[4]))
    return dx * dx + dy * dy


@compiled
def triangle_squared(x, y, low, high, east, north, t, corners, most):
    """Return the squared distance in plan to what of a triangle is in a layer, at most ``most``.

    ``corners`` (2, 5, 3) is overwritten.
    """
    dx = max(0.0, max(min(t[0], min(t[3], t[6])) - x, x - max(t[0], max(t[3], t[6]))))
    dy = max(0.0, max(min(t[1], min(t[4], t[7])) - y, y - max(t[1], max(t[4], t[7]))))
    if dx * dx + dy * dy >= most:
        return most
    for k in range(3):
        a, b = t[3 * k], t[3 * k + 1]
        corners[0, k, 0], corners[0, k, 1] = a, b
        # Over the plane through (x, y) that the layer is parallel to.
        corners[0, k, 2] = t[3 * k + 2] - east * (a - x) - north * (b - y)
    if min(corners[0, 0, 2], min(corners[0, 1, 2], corners[0, 2, 2])) > high:
        return most
    if max(corners[0, 0, 2], max(corners[0, 1, 2], corners[0, 2, 2])) < low:
        return most
    count = _cut(corners[0], 3, corners[1], 1.0, low)
    count = _cut(corners[1], count, corners[0], -1.0, -high)
    return min(most, _polygon_squared(x, y, corners[0], count))


@inlined
def _cut(corners, count, kept, sign, least):
    """Write the part of a convex polygon where ``sign * z >= least``; return how many corners."""
    found = 0
    for k in range(count):
        a, b = corners[k], corners[(k + 1) % count]
        height, beyond = sign * a[2] - least, sign * b[2] - least
        if height >= 0.0:
            kept[found, 0], kept[found, 1], kept[found, 2] = a[0], a[1], a[2]
            found += 1
        if (height > 0.0 and beyond < 0.0) or (height < 0.0 and beyond > 0.0):
            share = height / (height - beyond)
            for axis in range(2):
                kept[found, axis] = a[axis] + share * (b[axis] - a[axis])
            kept[found, 2] = sign * least
            found += 1
    return found


@inlined
def _polygon_squared(x, y, corners, count):
    """Return the squared distance in plan from a point to a convex polygon (count, 3)."""
    best = np.inf
    left = right = False
    for k in range(count):
        a, b = corners[k], corners[(k + 1) % count]
        dx, dy, px, py = b[0] - a[0], b[1] - a[1], x - a[0], y - a[1]
        size = dx * dx + dy * dy
        share = min(1.0, max(0.0, (px * dx + py * dy) / size)) if size > 0.0 else 0.0
        best = min(best, (px - share * dx) ** 2 + (py - share * dy) ** 2)
        side = dx * py - dy * px
        left |= side > 0.0
        right |= side < 0.0
    # Inside, it is on the same side of all. What is seen edge on has no inside.
    return 0.0 if left != right and _is_wide(corners, count) else best


@inlined
def _is_wide(corners, count):
    """Return whether a convex polygon (count, 3) is more than a line in plan."""
    area, size = 0.0, 0.0
    for k in range(1, count - 1):
        a, b, c = corners[0], corners[k], corners[k + 1]
        ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]
        area += ux * vy - uy * vx
        size = max(size, max(ux * ux + uy * uy, vx * vx + vy * vy))
    return abs(area) > THIN * size
