"""Half-spaces n.w <= h for the displacement w until the next stop: of pairs, bounds and scene.

Those of pairs and bounds must hold. Those of the scene only guide: they lead the projection
along walls, while the certificate decides.
"""

from math import sqrt

import numpy as np

from rmp3d.behaviors.safety.pairs import SKIN
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.overhead import CLEARED
from rmp3d.geometry.primitives import upright_box_squared, upright_hull_squared, upright_triangle

MAX_PLANES = 160
MAX_TRIANGLES = 24
# A body is kept this far from the scene [m]; guiding planes keep twice as far.
SCENE_MARGIN = 1e-3
# Instead of a cone: triangles guide wherever they are.
ANYWHERE = -1.0


@compiled
def _append(x, y, z, h, flat, reach, normal, bound, count):
    """Add the half-space n.w <= h; for a walker the one it leaves in the plane z = 0."""
    if flat:
        size = sqrt(x * x + y * y)
        if size < 1e-6:
            return count
        x, y, z, h = x / size, y / size, 0.0, h / size
    if h >= reach or count == MAX_PLANES:
        return count
    normal[count, 0], normal[count, 1], normal[count, 2] = x, y, z
    bound[count] = h
    return count + 1


@compiled
def pair_rows(i, pair_normal, pair_bound, start, entry, reach, flat, normal, bound):
    """Fill in body i's side of its pair planes; return their number, -1 if there are too many."""
    count = 0
    for e in range(start[i], start[i + 1]):
        k = entry[e] // 2
        side = entry[e] % 2
        if pair_bound[k, side] >= reach:
            continue
        if count >= MAX_PLANES - MAX_TRIANGLES * 2 - 6:
            return -1
        sign = 1.0 - 2.0 * side
        count = _append(
            sign * pair_normal[k, 0], sign * pair_normal[k, 1], sign * pair_normal[k, 2],
            pair_bound[k, side], flat, reach, normal, bound, count,
        )  # fmt: skip
    return count


@compiled
def bound_rows(i, position, bounds, braking, radius, reach, flat, normal, bound, count):
    """Add the walls of the box (2, 3) that a body must stay in; return the number of planes."""
    for axis in range(2 if flat else 3):
        for side in range(2):
            sign = 2.0 * side - 1.0
            room = sign * (bounds[side, axis] - position[i, axis]) - radius[i] - SKIN
            room = max(room, max(0.0, sign * braking[i, axis]))
            count = _append(
                sign if axis == 0 else 0.0,
                sign if axis == 1 else 0.0,
                sign if axis == 2 else 0.0,
                room, flat, reach, normal, bound, count,
            )  # fmt: skip
    return count


@compiled
def scene_rows(
    i, position, braking, radius, low, high, reach, flat, scene, cone, normal, bound, count,
    stack, out,
):  # fmt: skip
    """Add guiding planes for the nearest triangles, each across its nearest point.

    With a ``cone`` (its slope, or `ANYWHERE`) only points above it count: the others may be of the
    ground stood on, and a plane there would keep a walker from going uphill.
    """
    boxes, ranges, triangles, first_leaf = scene
    x, y = position[i, 0], position[i, 1]
    bottom, top_height = position[i, 2] + low, position[i, 2] + high
    cap = radius + reach + 2.0 * SCENE_MARGIN
    capped = cap * cap
    if upright_box_squared(x, y, bottom, top_height, boxes[0]) >= capped:
        return count
    distance = np.empty(MAX_TRIANGLES)
    plane = np.empty((MAX_TRIANGLES, 3))
    kept = 0
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        if upright_box_squared(x, y, bottom, top_height, boxes[node]) >= capped:
            continue
        if node < first_leaf:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node + 2
            top += 2
            continue
        for k in range(ranges[node, 0], ranges[node, 1]):
            if upright_hull_squared(x, y, bottom, top_height, triangles[k]) >= capped:
                continue
            d, h, px, py, pz = upright_triangle(x, y, bottom, top_height, triangles[k])
            if d >= capped or d <= 0.0:
                continue
            if cone >= 0.0:
                aside = sqrt((px - x) ** 2 + (py - y) ** 2)
                if pz - position[i, 2] <= cone * aside + CLEARED:
                    continue
            d = sqrt(d)
            nx, ny, nz = (px - x) / d, (py - y) / d, (pz - h) / d
            same = False
            for q in range(kept):
                cosine = nx * plane[q, 0] + ny * plane[q, 1] + nz * plane[q, 2]
                if cosine > 1.0 - 1e-9:
                    distance[q] = min(distance[q], d)
                    same = True
                    break
            if same:
                continue
            if kept == MAX_TRIANGLES:
                # Full: the farthest makes place for a nearer one.
                worst = 0
                for q in range(1, kept):
                    if distance[q] > distance[worst]:
                        worst = q
                if distance[worst] <= d:
                    continue
                kept -= 1
                distance[worst] = distance[kept]
                plane[worst, 0], plane[worst, 1], plane[worst, 2] = (
                    plane[kept, 0], plane[kept, 1], plane[kept, 2],
                )  # fmt: skip
            distance[kept] = d
            plane[kept, 0], plane[kept, 1], plane[kept, 2] = nx, ny, nz
            kept += 1
    for q in range(kept):
        nx, ny, nz = plane[q, 0], plane[q, 1], plane[q, 2]
        if flat and abs(nz) > 0.9:
            continue
        # Braking must stay possible; the certificate, not this plane, says whether it is free.
        stop = nx * braking[i, 0] + ny * braking[i, 1] + nz * braking[i, 2]
        room = max(distance[q] - radius - 2.0 * SCENE_MARGIN, max(0.0, stop))
        count = _append(nx, ny, nz, room, flat, reach, normal, bound, count)
    return count
