"""Whether an upright body passes everything at a distance: one traversal for a whole motion.

Most motions touch nothing and come near to little. A sweep that looks for the nearest triangle
again and again on its way needs many looks beside a wall; this asks every triangle once.
"""

from math import sqrt

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.borrowing import borrowed, held
from rmp3d.geometry.compiled import compiled, inlined, released
from rmp3d.geometry.parallel import in_blocks
from rmp3d.geometry.place_order import by_place
from rmp3d.geometry.primitives import upright_triangle

STACK = 128
STRIDES = 8
"""Past one triangle, at most; then it is not known whether the motion keeps off."""


@compiled
def keeps_off(boxes, ranges, triangles, first_leaf, start, end, low, high, far, stack):
    """Return whether an upright segment on a straight motion is proved farther than ``far`` off.

    If it is not proved, the motion may keep off or not. ``start`` and ``end`` are x, y, z of the
    reference point [m], ``low`` and ``high`` the heights of the segment's ends over it [m].
    """
    row, _ = in_the_way(boxes, ranges, triangles, first_leaf, start, end, low, high, far, stack)
    return row < 0


@inlined
def in_the_way(boxes, ranges, triangles, first_leaf, start, end, low, high, far, stack):
    """Return the row of a triangle that an upright segment may come to, -1 if there is none.

    The other number is the share of the motion up to which it is proved farther than ``far`` off
    that triangle. Arguments as of `keeps_off`.
    """
    ax, ay, az = start
    dx, dy, dz = end[0] - ax, end[1] - ay, end[2] - az
    step = (dx, dy, dz)
    slack = 1e-9 + 1e-14 * (abs(ax) + abs(ay) + abs(az) + abs(dx) + abs(dy) + abs(dz))
    wide = far + slack
    below, above = wide + high, wide - low
    # What is outside of the box around the whole motion, rounding included, is not on its way.
    x0, x1 = min(ax, end[0]) - (wide + slack), max(ax, end[0]) + (wide + slack)
    y0, y1 = min(ay, end[1]) - (wide + slack), max(ay, end[1]) + (wide + slack)
    z0, z1 = min(az, end[2]) - (above + slack), max(az, end[2]) + (below + slack)
    is_short = abs(dx) + abs(dy) + abs(dz) < 4.0 * wide
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        box = boxes[node]
        if box[0] > x1 or box[3] < x0 or box[1] > y1 or box[4] < y0 or box[2] > z1 or box[5] < z0:
            continue
        if is_short and node < first_leaf:  # the box around it is not much larger
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node + 2
            top += 2
            continue
        enter, leave = _within(box[0] - wide, box[3] + wide, ax, dx, 0.0, 1.0)
        enter, leave = _within(box[1] - wide, box[4] + wide, ay, dy, enter, leave)
        enter, leave = _within(box[2] - below, box[5] + above, az, dz, enter, leave)
        if enter > leave:
            continue
        if node < first_leaf:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node + 2
            top += 2
            continue
        for k in range(ranges[node, 0], ranges[node, 1]):
            t = triangles[k]
            low_x, high_x = min(t[0], min(t[3], t[6])), max(t[0], max(t[3], t[6]))
            low_y, high_y = min(t[1], min(t[4], t[7])), max(t[1], max(t[4], t[7]))
            low_z, high_z = min(t[2], min(t[5], t[8])), max(t[2], max(t[5], t[8]))
            if low_x > x1 or high_x < x0 or low_y > y1 or high_y < y0 or low_z > z1 or high_z < z0:
                continue
            enter, leave = _within(low_x - wide, high_x + wide, ax, dx, 0.0, 1.0)
            enter, leave = _within(low_y - wide, high_y + wide, ay, dy, enter, leave)
            enter, leave = _within(low_z - below, high_z + above, az, dz, enter, leave)
            if enter <= leave:
                share = _passes(t, start, step, low, high, far)
                if not share >= 1.0:  # nor a number
                    return k, share
    return -1, 1.0


@inlined
def is_met(triangle, start, end, low, high, near, share):
    """Return whether an upright segment is seen to come within ``near`` [m] of a triangle.

    It is looked for at ``share`` of its motion, and a little beyond. Where it is not seen, it may
    come there or not.
    """
    ax, ay, az = start
    dx, dy, dz = end[0] - ax, end[1] - ay, end[2] - az
    total = sqrt(dx * dx + dy * dy + dz * dz)
    stride = near / total if total > 0.0 else 1.0
    for beyond in (0.0, 0.01, 0.1, 0.5):
        at = min(1.0, share + beyond * stride)
        z = az + at * dz
        squared, _, _, _, _ = upright_triangle(
            ax + at * dx, ay + at * dy, z + low, z + high, triangle
        )
        if squared <= near * near:
            return True
    return False


def keep_off(
    mesh: tuple[Float, Index, Float, int],
    start: Float,
    end: Float,
    capsule_axis: tuple[float, float],
    far: float,
) -> Bool:
    """Return which straight motions (M,) of upright segments `keeps_off` proves to keep off.

    Args:
        mesh: ``arrays`` of a `rmp3d.geometry.query.MeshQuery`.
        start: (M, 3) reference points [m].
        end: (M, 3) reference points [m].
        capsule_axis: Heights of the ends of the segments over the reference points [m].
        far: From every triangle [m].
    """
    start, end = (np.ascontiguousarray(points, dtype=np.float64) for points in (start, end))
    found, order = np.empty(len(start), np.bool_), by_place(start)

    def some(block: slice) -> None:
        _keep_off_rows(*mesh, order[block], start, end, *capsule_axis, far, found)

    in_blocks(some, len(start))
    return found


@released
def _keep_off_rows(boxes, ranges, triangles, first_leaf, rows, start, end, low, high, far, found):
    room = np.empty(STACK, np.int64)
    stack = borrowed(room)
    boxes, ranges, triangles = borrowed((boxes, ranges, triangles))
    for i in rows:
        found[i] = keeps_off(
            boxes, ranges, triangles, first_leaf, (start[i, 0], start[i, 1], start[i, 2]),
            (end[i, 0], end[i, 1], end[i, 2]), low, high, far, stack,
        )  # fmt: skip
    held(room)


@inlined
def _within(low, high, origin, step, enter, leave):
    """Return the shares of a motion, of those from ``enter`` to ``leave``, within a layer."""
    if abs(step) < 1e-200:
        return (enter, leave) if low <= origin <= high else (1.0, 0.0)
    a, b = (low - origin) / step, (high - origin) / step
    return max(enter, min(a, b)), min(leave, max(a, b))


@inlined
def _passes(triangle, start, step, low, high, far):
    """Return up to which share of its motion an upright segment is proved farther than ``far`` off.

    With n from the segment's nearest point to the triangle's, the plane across n at the triangle's
    has the whole triangle behind it. So the body may go on until it is ``far`` before that plane.
    """
    share = 0.0
    dx, dy, dz = step
    for _ in range(STRIDES):
        x, y, z = start[0] + share * dx, start[1] + share * dy, start[2] + share * dz
        squared, height, px, py, pz = upright_triangle(x, y, z + low, z + high, triangle)
        distance = sqrt(squared)
        if distance <= far:
            return share
        closing = (px - x) * dx + (py - y) * dy + (pz - height) * dz
        if closing <= 0.0:
            return 1.0
        stride = (distance - far) * distance / closing
        if share + stride >= 1.0:
            return 1.0
        share += stride
    return share
