"""Compiled traversal of two box trees: of a rigid body that moves, and of the obstacles.

``trees`` is (nodes, children, triangles) of the obstacles, then of the body
(`rmp3d.geometry.boxtree`), and whether the boxes are aligned with the axes of their own frames.
``rotation`` (3, 3) and ``position`` (3,) place the body. ``scratch`` comes from `make_scratch`.
"""

from math import sqrt

import numpy as np

from rmp3d.geometry.compiled import compiled, inlined
from rmp3d.geometry.triangle_pair import triangle_gap

STACK = 256
LEVELS = 32  # of nested intervals of a motion; the placement of each level is stored
CLOSE = 1e-9  # added to entries of a rotation: products of nearly parallel axes are rounding error
MERGED = 1e-2  # contact rows that differ less are one contact


@compiled
def make_scratch():
    """Return the work arrays for the queries of one thread."""
    return (
        np.empty((STACK, 3), np.int64),  # pairs of nodes to test, level of their interval
        np.empty(STACK),  # lower bounds of their distances
        np.empty((3, 3)),  # rotation between two boxes
        np.empty((2, 9)),  # two triangles near the origin
        np.empty(9),  # a placed triangle of the body
        np.empty(6),  # nearest points of two triangles
        np.empty((3, 3)),  # rotation of the body
        np.empty(7),  # a configuration
        np.empty((STACK, 2)),  # intervals of a motion
        np.empty(LEVELS),  # for each level, the time of its placement
        np.empty((LEVELS, 3, 3)),  # its rotation
        np.empty((LEVELS, 7)),  # its configuration
        np.empty(17),  # a motion
    )


@compiled
def place(configuration, rotation):
    """Write the rotation matrix of a configuration (x y z, qw qx qy qz)."""
    w, x, y, z = configuration[3], configuration[4], configuration[5], configuration[6]
    rotation[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    rotation[0, 1] = 2.0 * (x * y - w * z)
    rotation[0, 2] = 2.0 * (x * z + w * y)
    rotation[1, 0] = 2.0 * (x * y + w * z)
    rotation[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    rotation[1, 2] = 2.0 * (y * z - w * x)
    rotation[2, 0] = 2.0 * (x * z - w * y)
    rotation[2, 1] = 2.0 * (y * z + w * x)
    rotation[2, 2] = 1.0 - 2.0 * (x * x + y * y)


@inlined
def move(triangle, rotation, position, moved):
    """Write the placed triangle of the body."""
    for k in range(3):
        x, y, z = triangle[3 * k], triangle[3 * k + 1], triangle[3 * k + 2]
        for axis in range(3):
            moved[3 * k + axis] = (
                rotation[axis, 0] * x + rotation[axis, 1] * y + rotation[axis, 2] * z
            ) + position[axis]


@inlined
def relate(a, i, b, j, rotation, position, aligned, reach, relative):
    """Return whether two boxes may be as near as ``reach``, and the offset in the frame of box i.

    The rotation between the boxes goes to ``relative``; for aligned boxes it is the body's.
    """
    x, y, z = b[j, 0], b[j, 1], b[j, 2]
    dx = rotation[0, 0] * x + rotation[0, 1] * y + rotation[0, 2] * z + position[0] - a[i, 0]
    dy = rotation[1, 0] * x + rotation[1, 1] * y + rotation[1, 2] * z + position[1] - a[i, 1]
    dz = rotation[2, 0] * x + rotation[2, 1] * y + rotation[2, 2] * z + position[2] - a[i, 2]
    touch = a[i, 6] + b[j, 6] + reach
    if dx * dx + dy * dy + dz * dz > touch * touch:
        return False, dx, dy, dz
    if aligned:
        return True, dx, dy, dz
    for k in range(3):
        ex, ey, ez = a[i, 8 + k], a[i, 11 + k], a[i, 14 + k]
        gx = ex * rotation[0, 0] + ey * rotation[1, 0] + ez * rotation[2, 0]
        gy = ex * rotation[0, 1] + ey * rotation[1, 1] + ez * rotation[2, 1]
        gz = ex * rotation[0, 2] + ey * rotation[1, 2] + ez * rotation[2, 2]
        for m in range(3):
            relative[k, m] = gx * b[j, 8 + m] + gy * b[j, 11 + m] + gz * b[j, 14 + m]
    return (
        True,
        a[i, 8] * dx + a[i, 11] * dy + a[i, 14] * dz,
        a[i, 9] * dx + a[i, 12] * dy + a[i, 15] * dz,
        a[i, 10] * dx + a[i, 13] * dy + a[i, 16] * dz,
    )


@inlined
def _gap_bound(a, i, b, j, rotation, position, aligned, reach, relative):
    """Return a lower bound of the distance of two boxes, cheaply 1e300 if above ``reach``.

    The bound is the largest of three: the gap of a to the box around b in a's frame, the gap of b
    to the box around a in b's frame, and the gap of a to the sphere around b.
    """
    near, x, y, z = relate(a, i, b, j, rotation, position, aligned, reach, relative)
    if not near:
        return 1e300
    r = rotation if aligned else relative
    ax, ay, az, bx, by, bz = a[i, 3], a[i, 4], a[i, 5], b[j, 3], b[j, 4], b[j, 5]
    first, second, ball = 0.0, 0.0, 0.0
    for k in range(3):
        offset = abs(x) if k == 0 else (abs(y) if k == 1 else abs(z))
        gap = offset - a[i, 3 + k]
        if gap > 0.0:
            ball += gap * gap
            gap -= abs(r[k, 0]) * bx + abs(r[k, 1]) * by + abs(r[k, 2]) * bz
            if gap > 0.0:
                first += gap * gap
        gap = abs(x * r[0, k] + y * r[1, k] + z * r[2, k]) - b[j, 3 + k]
        gap -= abs(r[0, k]) * ax + abs(r[1, k]) * ay + abs(r[2, k]) * az
        if gap > 0.0:
            second += gap * gap
    bound = max(sqrt(max(first, second)), sqrt(ball) - b[j, 6])
    # Rounding in the products of frames must not make the bound too large.
    return bound - 1e-13 * (a[i, 6] + b[j, 6] + bound + abs(position[0]) + abs(position[1]))


@compiled
def gap_one(trees, rotation, position, base, spin, nearest, scratch):
    """Return the gap between body and obstacles, or whether a motion's bound keeps it positive.

    A pair of triangles counts if it is nearer than ``base + spin * reach`` (reach: largest
    distance of the body's leaf from its reference point).

    Args:
        trees: See the module.
        rotation: See the module.
        position: See the module.
        base: [m].
        spin: [rad].
        nearest: Whether to find the nearest pair (``spin`` zero), not just any pair.
        scratch: See the module.

    Returns:
        With ``nearest``: the distance, at most ``base``. Else: -1 if no pair counts, or the
        distance of the first counting pair found (zero: contact).
    """
    nodes_a, children_a, triangles_a, nodes_b, children_b, triangles_b, aligned = trees
    stack, bounds, relative, work, moved, points = scratch[:6]
    stack[0, 0], stack[0, 1], bounds[0] = 0, 0, 0.0
    top = 1
    while top > 0:
        top -= 1
        i, j = stack[top, 0], stack[top, 1]
        if bounds[top] > base + spin * nodes_b[j, 7]:
            continue
        a, b = children_a[i], children_b[j]
        if a < 0 and b < 0:
            move(triangles_b[-1 - b], rotation, position, moved)
            limit = base + spin * nodes_b[j, 7]
            square = limit * limit
            gap = triangle_gap(triangles_a[-1 - a], moved, square, points, work)
            if gap < square or gap == 0.0:
                if not nearest or gap == 0.0:
                    return sqrt(gap)
                base = sqrt(gap)
            continue
        if b < 0 or (a >= 0 and nodes_a[i, 6] > nodes_b[j, 6]):
            i1, i2, j1, j2 = a, a + 1, j, j
        else:
            i1, i2, j1, j2 = i, i, b, b + 1
        reach1 = base + spin * nodes_b[j1, 7]
        reach2 = base + spin * nodes_b[j2, 7]
        one = _gap_bound(nodes_a, i1, nodes_b, j1, rotation, position, aligned, reach1, relative)
        two = _gap_bound(nodes_a, i2, nodes_b, j2, rotation, position, aligned, reach2, relative)
        if one < two:
            i1, i2, j1, j2 = i2, i1, j2, j1
            one, two, reach1, reach2 = two, one, reach2, reach1
        if one <= reach1:
            stack[top, 0], stack[top, 1], bounds[top] = i1, j1, one
            top += 1
        if two <= reach2:
            stack[top, 0], stack[top, 1], bounds[top] = i2, j2, two
            top += 1
    return base if nearest else -1.0


@compiled
def contacts_one(trees, rotation, position, reach, lever, rows, scratch):
    """Write the nearest contacts closer than ``reach``; return how many.

    A row of ``rows`` (C, 10) is the unit normal n (from obstacle to body), (r x n) / lever with
    r the contact's offset from the reference point, the gap, and r. Nearly equal contacts become
    one row. When the rows are full, a nearer contact replaces the farthest. Overlapping triangles
    give no contact.
    """
    nodes_a, children_a, triangles_a, nodes_b, children_b, triangles_b, aligned = trees
    stack, bounds, relative, work, moved, points = scratch[:6]
    stack[0, 0], stack[0, 1], bounds[0] = 0, 0, 0.0
    top, count = 1, 0
    while top > 0:
        top -= 1
        i, j = stack[top, 0], stack[top, 1]
        if bounds[top] > reach:
            continue
        a, b = children_a[i], children_b[j]
        if a < 0 and b < 0:
            move(triangles_b[-1 - b], rotation, position, moved)
            square = reach * reach
            gap = triangle_gap(triangles_a[-1 - a], moved, square, points, work)
            if 0.0 < gap < square:
                count, reach = _add_contact(points, sqrt(gap), position, lever, rows, count, reach)
            continue
        if b < 0 or (a >= 0 and nodes_a[i, 6] > nodes_b[j, 6]):
            i1, i2, j1, j2 = a, a + 1, j, j
        else:
            i1, i2, j1, j2 = i, i, b, b + 1
        one = _gap_bound(nodes_a, i1, nodes_b, j1, rotation, position, aligned, reach, relative)
        two = _gap_bound(nodes_a, i2, nodes_b, j2, rotation, position, aligned, reach, relative)
        if one < two:
            i1, i2, j1, j2 = i2, i1, j2, j1
            one, two = two, one
        if one <= reach:
            stack[top, 0], stack[top, 1], bounds[top] = i1, j1, one
            top += 1
        if two <= reach:
            stack[top, 0], stack[top, 1], bounds[top] = i2, j2, two
            top += 1
    return count


@compiled
def _add_contact(points, gap, position, lever, rows, count, reach):
    """Merge one contact into the rows; return their new count and the new reach."""
    nx, ny, nz = points[3] - points[0], points[4] - points[1], points[5] - points[2]
    nx, ny, nz = nx / gap, ny / gap, nz / gap
    x, y, z = points[3] - position[0], points[4] - position[1], points[5] - position[2]
    tx, ty, tz = (y * nz - z * ny) / lever, (z * nx - x * nz) / lever, (x * ny - y * nx) / lever
    for k in range(count):
        row = rows[k]
        unlike = abs(row[0] - nx) + abs(row[1] - ny) + abs(row[2] - nz)
        unlike += abs(row[3] - tx) + abs(row[4] - ty) + abs(row[5] - tz)
        if unlike < MERGED:
            row[6] = min(row[6], gap)
            return count, reach
    if count < rows.shape[0]:
        row = rows[count]
        count += 1
    else:
        worst = 0
        for k in range(1, count):
            if rows[k, 6] > rows[worst, 6]:
                worst = k
        row = rows[worst]
    row[0], row[1], row[2], row[3], row[4], row[5], row[6] = nx, ny, nz, tx, ty, tz, gap
    row[7], row[8], row[9] = x, y, z
    if count == rows.shape[0]:
        reach = 0.0
        for k in range(count):
            reach = max(reach, rows[k, 6])
    return count, reach
