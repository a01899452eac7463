"""Line of sight: which bodies can be seen through the triangles of a scene."""

from math import sqrt

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.primitives import ray_triangle
from rmp3d.geometry.query import STACK, MeshQuery

# A hit nearer to the end of a line than this share of it is the seen body's own place.
GRAZE = 1e-9
# Boxes count as so much larger [m], for rounding.
SLACK = 1e-9


def lines_are_clear(scene: MeshQuery, start: Float, end: Float) -> Bool:
    """Return which straight lines (M, 3) to (M, 3) [m] cross no triangle of the scene."""
    start = np.ascontiguousarray(np.broadcast_to(start, np.shape(end)), np.float64)
    clear = np.empty(len(start), np.bool_)
    _line_rows(*scene.arrays, start, np.ascontiguousarray(end, np.float64), clear)
    return clear


def bodies_are_seen(
    scene: MeshQuery, eye: Float, foot: Float, head: Float, i: Index, j: Index
) -> Bool:
    """Return for which pairs (P,) body j can be seen from the eye of i.

    A body is seen if a line from the eye to its head, its middle or its foot crosses nothing.

    Args:
        scene: What blocks the view.
        eye: (N, 3) [m].
        foot: (N, 3) lower end of each body's segment [m].
        head: (N, 3) upper end [m].
        i: (P,) members that look.
        j: (P,) members that they look at.
    """
    seen = np.empty(len(i), np.bool_)
    _body_rows(*scene.arrays, eye, foot, head, i, j, seen)
    return seen


@compiled
def _misses_box(box, mx, my, mz, hx, hy, hz):
    """Whether a segment, with its middle m and half h, misses a box for certain.

    No plane parts the two if none of these does: across the box's axes, or along an axis and the
    segment (Gottschalk, Lin, Manocha 1996, "OBBTree", for a box without width).
    """
    cx, cy, cz = 0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5])
    ex, ey, ez = box[3] - cx + SLACK, box[4] - cy + SLACK, box[5] - cz + SLACK
    mx, my, mz = mx - cx, my - cy, mz - cz
    ax, ay, az = abs(hx), abs(hy), abs(hz)
    if abs(mx) > ex + ax or abs(my) > ey + ay or abs(mz) > ez + az:
        return True
    if abs(my * hz - mz * hy) > ey * az + ez * ay + SLACK:
        return True
    if abs(mz * hx - mx * hz) > ex * az + ez * ax + SLACK:
        return True
    return abs(mx * hy - my * hx) > ex * ay + ey * ax + SLACK


@compiled
def _line_is_clear(boxes, ranges, triangles, first_leaf, ax, ay, az, bx, by, bz, stack, blocker):
    """Whether a line crosses no triangle.

    ``blocker`` (1,) is the one that the last line crossed, or -1: what hides a body from an eye
    hides most of what is near it, so that one is tried first.
    """
    dx, dy, dz = bx - ax, by - ay, bz - az
    total = sqrt(dx * dx + dy * dy + dz * dz)
    if total == 0.0:
        return True
    hx, hy, hz = 0.5 * dx, 0.5 * dy, 0.5 * dz
    dx, dy, dz = dx / total, dy / total, dz / total
    limit = total * (1.0 - GRAZE)
    if blocker[0] >= 0:
        distance, side = ray_triangle(ax, ay, az, dx, dy, dz, triangles[blocker[0]])
        if side != 0 and distance <= limit:
            return False
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        if _misses_box(boxes[node], ax + hx, ay + hy, az + hz, hx, hy, hz):
            continue
        if node < first_leaf:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node + 2
            top += 2
            continue
        for k in range(ranges[node, 0], ranges[node, 1]):
            distance, side = ray_triangle(ax, ay, az, dx, dy, dz, triangles[k])
            if side != 0 and distance <= limit:
                blocker[0] = k
                return False
    blocker[0] = -1
    return True


@compiled
def _line_rows(boxes, ranges, triangles, first_leaf, start, end, clear):
    stack, blocker = np.empty(STACK, np.int64), np.full(1, -1)
    for m in range(start.shape[0]):
        clear[m] = _line_is_clear(
            boxes, ranges, triangles, first_leaf, start[m, 0], start[m, 1], start[m, 2],
            end[m, 0], end[m, 1], end[m, 2], stack, blocker,
        )  # fmt: skip


@compiled
def _body_rows(boxes, ranges, triangles, first_leaf, eye, foot, head, i, j, seen):
    stack, blocker = np.empty(STACK, np.int64), np.full(1, -1)
    for p in range(i.shape[0]):
        x, y, z = eye[i[p], 0], eye[i[p], 1], eye[i[p], 2]
        k = j[p]
        seen[p] = False
        for step in range(3):
            share = 1.0 - 0.5 * step
            bx = foot[k, 0] + share * (head[k, 0] - foot[k, 0])
            by = foot[k, 1] + share * (head[k, 1] - foot[k, 1])
            bz = foot[k, 2] + share * (head[k, 2] - foot[k, 2])
            if _line_is_clear(
                boxes, ranges, triangles, first_leaf, x, y, z, bx, by, bz, stack, blocker
            ):
                seen[p] = True
                break
