"""Compiled traversal of two box trees: a body that moves rigidly, and what stands around it.

``trees`` is (nodes, ranges, triangles) of the obstacles, then of the body; ``shape`` is the first
leaf of either and whether the boxes are aligned with the axes of their own frames. ``rotation``
(3, 3) and ``position`` (3,) place the body. ``scratch`` comes from `make_scratch`.
"""

from math import sqrt

import numpy as np

from geometry.compiled import compiled
from geometry.triangle_pair import triangle_gap, triangles_overlap

STACK = 256
CLOSE = 1e-9  # added to entries of a rotation before boxes are parted along products of axes
MERGED = 1e-2  # contact rows that differ less are one contact


@compiled
def make_scratch():
    """Return the work arrays of one thread of queries."""
    return (
        np.empty((STACK, 2), np.int64),  # pairs of nodes to look at
        np.empty(STACK),  # lower bounds of their distances
        np.empty((4, 3)),  # rotation and offset between two boxes
        np.empty((2, 9)),  # two triangles near the origin
        np.empty(9),  # a triangle of the body in place
        np.empty(6),  # nearest points of two triangles
        np.empty((3, 3)),  # rotation of the body
        np.empty(7),  # a configuration
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


@compiled
def _move(triangle, rotation, position, moved):
    for k in range(3):
        x, y, z = triangle[3 * k], triangle[3 * k + 1], triangle[3 * k + 2]
        for axis in range(3):
            moved[3 * k + axis] = (
                rotation[axis, 0] * x + rotation[axis, 1] * y + rotation[axis, 2] * z
            ) + position[axis]


@compiled
def _relate(a, i, b, j, rotation, position, aligned, reach, relative):
    """Write how box j of the body lies in the frame of box i; False if farther than ``reach``."""
    x, y, z = b[j, 0], b[j, 1], b[j, 2]
    dx = rotation[0, 0] * x + rotation[0, 1] * y + rotation[0, 2] * z + position[0] - a[i, 0]
    dy = rotation[1, 0] * x + rotation[1, 1] * y + rotation[1, 2] * z + position[1] - a[i, 1]
    dz = rotation[2, 0] * x + rotation[2, 1] * y + rotation[2, 2] * z + position[2] - a[i, 2]
    touch = a[i, 15] + b[j, 15] + reach
    if dx * dx + dy * dy + dz * dz > touch * touch:
        return False
    if aligned:
        for k in range(3):
            relative[k, 0], relative[k, 1] = rotation[k, 0], rotation[k, 1]
            relative[k, 2] = rotation[k, 2]
        relative[3, 0], relative[3, 1], relative[3, 2] = dx, dy, dz
        return True
    for k in range(3):
        ex, ey, ez = a[i, 3 + k], a[i, 6 + k], a[i, 9 + k]
        relative[3, k] = ex * dx + ey * dy + ez * dz
        gx = ex * rotation[0, 0] + ey * rotation[1, 0] + ez * rotation[2, 0]
        gy = ex * rotation[0, 1] + ey * rotation[1, 1] + ez * rotation[2, 1]
        gz = ex * rotation[0, 2] + ey * rotation[1, 2] + ez * rotation[2, 2]
        for m in range(3):
            relative[k, m] = gx * b[j, 3 + m] + gy * b[j, 6 + m] + gz * b[j, 9 + m]
    return True


@compiled
def _boxes_apart(a, i, b, j, rotation, position, aligned, r):
    """Return whether two boxes are apart, by the 15 axes of Gottschalk, Lin and Manocha."""
    if not _relate(a, i, b, j, rotation, position, aligned, 0.0, r):
        return True
    x, y, z = r[3, 0], r[3, 1], r[3, 2]
    ax, ay, az, bx, by, bz = a[i, 12], a[i, 13], a[i, 14], b[j, 12], b[j, 13], b[j, 14]
    r00, r01, r02 = abs(r[0, 0]) + CLOSE, abs(r[0, 1]) + CLOSE, abs(r[0, 2]) + CLOSE
    if abs(x) > ax + r00 * bx + r01 * by + r02 * bz:
        return True
    r10, r11, r12 = abs(r[1, 0]) + CLOSE, abs(r[1, 1]) + CLOSE, abs(r[1, 2]) + CLOSE
    if abs(y) > ay + r10 * bx + r11 * by + r12 * bz:
        return True
    r20, r21, r22 = abs(r[2, 0]) + CLOSE, abs(r[2, 1]) + CLOSE, abs(r[2, 2]) + CLOSE
    if abs(z) > az + r20 * bx + r21 * by + r22 * bz:
        return True
    if abs(x * r[0, 0] + y * r[1, 0] + z * r[2, 0]) > bx + r00 * ax + r10 * ay + r20 * az:
        return True
    if abs(x * r[0, 1] + y * r[1, 1] + z * r[2, 1]) > by + r01 * ax + r11 * ay + r21 * az:
        return True
    if abs(x * r[0, 2] + y * r[1, 2] + z * r[2, 2]) > bz + r02 * ax + r12 * ay + r22 * az:
        return True
    return (
        abs(z * r[1, 0] - y * r[2, 0]) > ay * r20 + az * r10 + by * r02 + bz * r01
        or abs(z * r[1, 1] - y * r[2, 1]) > ay * r21 + az * r11 + bx * r02 + bz * r00
        or abs(z * r[1, 2] - y * r[2, 2]) > ay * r22 + az * r12 + bx * r01 + by * r00
        or abs(x * r[2, 0] - z * r[0, 0]) > ax * r20 + az * r00 + by * r12 + bz * r11
        or abs(x * r[2, 1] - z * r[0, 1]) > ax * r21 + az * r01 + bx * r12 + bz * r10
        or abs(x * r[2, 2] - z * r[0, 2]) > ax * r22 + az * r02 + bx * r11 + by * r10
        or abs(y * r[0, 0] - x * r[1, 0]) > ax * r10 + ay * r00 + by * r22 + bz * r21
        or abs(y * r[0, 1] - x * r[1, 1]) > ax * r11 + ay * r01 + bx * r22 + bz * r20
        or abs(y * r[0, 2] - x * r[1, 2]) > ax * r12 + ay * r02 + bx * r21 + by * r20
    )


@compiled
def _gap_bound(a, i, b, j, rotation, position, aligned, reach, r):
    """Return a lower bound of the distance of two boxes, cheaply 1e300 if above ``reach``.

    The largest of: the gap of a to the box around b in a's frame, the other way round, and that
    of a to the sphere around b.
    """
    if not _relate(a, i, b, j, rotation, position, aligned, reach, r):
        return 1e300
    first, second, ball = 0.0, 0.0, 0.0
    for k in range(3):
        offset = abs(r[3, k])
        extent = abs(r[k, 0]) * b[j, 12] + abs(r[k, 1]) * b[j, 13] + abs(r[k, 2]) * b[j, 14]
        gap = offset - a[i, 12 + k]
        ball += max(0.0, gap) ** 2
        first += max(0.0, gap - extent) ** 2
        offset = abs(r[3, 0] * r[0, k] + r[3, 1] * r[1, k] + r[3, 2] * r[2, k])
        extent = abs(r[0, k]) * a[i, 12] + abs(r[1, k]) * a[i, 13] + abs(r[2, k]) * a[i, 14]
        second += max(0.0, offset - b[j, 12 + k] - extent) ** 2
    bound = max(sqrt(max(first, second)), sqrt(ball) - b[j, 15])
    # Rounding in the frames' products must not make the bound too large.
    return bound - 1e-13 * (a[i, 15] + b[j, 15] + bound + abs(position[0]) + abs(position[1]))


@compiled
def overlaps_one(trees, shape, rotation, position, scratch):
    """Return whether the placed body touches the obstacles."""
    nodes_a, ranges_a, triangles_a, nodes_b, ranges_b, triangles_b = trees
    leaf_a, leaf_b, aligned = shape
    stack, _, relative, work, moved, _, _, _ = scratch
    stack[0, 0], stack[0, 1] = 0, 0
    top = 1
    while top > 0:
        top -= 1
        i, j = stack[top, 0], stack[top, 1]
        if _boxes_apart(nodes_a, i, nodes_b, j, rotation, position, aligned, relative):
            continue
        if i >= leaf_a and j >= leaf_b:
            for k in range(ranges_b[j, 0], ranges_b[j, 1]):
                _move(triangles_b[k], rotation, position, moved)
                for m in range(ranges_a[i, 0], ranges_a[i, 1]):
                    if triangles_overlap(triangles_a[m], moved, work):
                        return True
        elif j >= leaf_b or (i < leaf_a and nodes_a[i, 15] > nodes_b[j, 15]):
            stack[top, 0], stack[top, 1] = 2 * i + 1, j
            stack[top + 1, 0], stack[top + 1, 1] = 2 * i + 2, j
            top += 2
        else:
            stack[top, 0], stack[top, 1] = i, 2 * j + 1
            stack[top + 1, 0], stack[top + 1, 1] = i, 2 * j + 2
            top += 2
    return False


@compiled
def gap_one(trees, shape, rotation, position, base, spin, nearest, scratch):
    """Return the gap between body and obstacles, or whether a motion's bound keeps it positive.

    A pair of triangles counts if it is nearer than ``base + spin * reach`` (reach: largest
    distance of the body's leaf from its reference point).

    Args:
        trees: See the module.
        shape: See the module.
        rotation: See the module.
        position: See the module.
        base: [m].
        spin: [rad].
        nearest: Whether to look for the nearest pair (``spin`` zero) and not for any.
        scratch: See the module.

    Returns:
        Nearest: the distance, at most ``base``. Else: -1 if no pair counts, or the distance of
        the first pair found that does (zero: contact).
    """
    nodes_a, ranges_a, triangles_a, nodes_b, ranges_b, triangles_b = trees
    leaf_a, leaf_b, aligned = shape
    stack, bounds, relative, work, moved, points, _, _ = scratch
    stack[0, 0], stack[0, 1], bounds[0] = 0, 0, 0.0
    top = 1
    while top > 0:
        top -= 1
        i, j = stack[top, 0], stack[top, 1]
        if bounds[top] > base + spin * nodes_b[j, 16]:
            continue
        if i >= leaf_a and j >= leaf_b:
            for k in range(ranges_b[j, 0], ranges_b[j, 1]):
                _move(triangles_b[k], rotation, position, moved)
                for m in range(ranges_a[i, 0], ranges_a[i, 1]):
                    limit = base + spin * nodes_b[j, 16]
                    square = limit * limit
                    gap = triangle_gap(triangles_a[m], moved, square, points, work)
                    if gap < square or gap == 0.0:
                        if not nearest or gap == 0.0:
                            return sqrt(gap)
                        base = sqrt(gap)
            continue
        if j >= leaf_b or (i < leaf_a and nodes_a[i, 15] > nodes_b[j, 15]):
            i1, i2, j1, j2 = 2 * i + 1, 2 * i + 2, j, j
        else:
            i1, i2, j1, j2 = i, i, 2 * j + 1, 2 * j + 2
        reach1 = base + spin * nodes_b[j1, 16]
        reach2 = base + spin * nodes_b[j2, 16]
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
def contacts_one(trees, shape, rotation, position, reach, lever, rows, scratch):
    """Write the nearest contacts closer than ``reach``; return how many.

    A row of ``rows`` (C, 10) is the unit normal n (from obstacle to body), (r x n) / lever with
    r the contact's offset from the reference point, the gap, and r. Rows that are nearly alike
    are one. When all are taken, nearer ones replace the farthest. Overlapping pairs give none.
    """
    nodes_a, ranges_a, triangles_a, nodes_b, ranges_b, triangles_b = trees
    leaf_a, leaf_b, aligned = shape
    stack, bounds, relative, work, moved, points, _, _ = scratch
    stack[0, 0], stack[0, 1], bounds[0] = 0, 0, 0.0
    top, count = 1, 0
    while top > 0:
        top -= 1
        i, j = stack[top, 0], stack[top, 1]
        if bounds[top] > reach:
            continue
        if i >= leaf_a and j >= leaf_b:
            for k in range(ranges_b[j, 0], ranges_b[j, 1]):
                _move(triangles_b[k], rotation, position, moved)
                for m in range(ranges_a[i, 0], ranges_a[i, 1]):
                    square = reach * reach
                    gap = triangle_gap(triangles_a[m], moved, square, points, work)
                    if 0.0 < gap < square:
                        count, reach = _add_contact(
                            points, sqrt(gap), position, lever, rows, count, reach
                        )
            continue
        if j >= leaf_b or (i < leaf_a and nodes_a[i, 15] > nodes_b[j, 15]):
            i1, i2, j1, j2 = 2 * i + 1, 2 * i + 2, j, j
        else:
            i1, i2, j1, j2 = i, i, 2 * j + 1, 2 * j + 2
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


@compiled
def work_of(trees, shape, rows, margin):
    """Return the box tests and triangle pairs that finding all pairs within ``margin`` takes."""
    nodes_a, ranges_a, _, nodes_b, ranges_b, _ = trees
    leaf_a, leaf_b, aligned = shape
    scratch = make_scratch()
    stack, relative, rotation = scratch[0], scratch[2], scratch[6]
    tests, pairs = 0, 0
    for row in range(rows.shape[0]):
        place(rows[row], rotation)
        stack[0, 0], stack[0, 1] = 0, 0
        top = 1
        while top > 0:
            top -= 1
            i, j = stack[top, 0], stack[top, 1]
            tests += 1
            if (
                _gap_bound(nodes_a, i, nodes_b, j, rotation, rows[row], aligned, margin, relative)
                > margin
            ):
                continue
            if i >= leaf_a and j >= leaf_b:
                pairs += (ranges_a[i, 1] - ranges_a[i, 0]) * (ranges_b[j, 1] - ranges_b[j, 0])
            elif j >= leaf_b or (i < leaf_a and nodes_a[i, 15] > nodes_b[j, 15]):
                stack[top, 0], stack[top, 1] = 2 * i + 1, j
                stack[top + 1, 0], stack[top + 1, 1] = 2 * i + 2, j
                top += 2
            else:
                stack[top, 0], stack[top, 1] = i, 2 * j + 1
                stack[top + 1, 0], stack[top + 1, 1] = i, 2 * j + 2
                top += 2
    return tests, pairs
