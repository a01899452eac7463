"""Compiled collision tests: does a body at many configurations touch the obstacles?

15 axes may separate two boxes (Gottschalk, Lin and Manocha 1996, "OBBTree"). A box of the body is
placed once for each configuration, at its first test.
"""

import numpy as np

from rmp3d.geometry.compiled import compiled, inlined
from rmp3d.geometry.pair_kernels import CLOSE, STACK, move, place
from rmp3d.geometry.triangle_pair import triangles_overlap


@inlined
def _entries(r):
    """Return the entries of a rotation, row by row, then their absolute values plus `CLOSE`."""
    return (
        r[0, 0], r[0, 1], r[0, 2], r[1, 0], r[1, 1], r[1, 2], r[2, 0], r[2, 1], r[2, 2],
        abs(r[0, 0]) + CLOSE, abs(r[0, 1]) + CLOSE, abs(r[0, 2]) + CLOSE,
        abs(r[1, 0]) + CLOSE, abs(r[1, 1]) + CLOSE, abs(r[1, 2]) + CLOSE,
        abs(r[2, 0]) + CLOSE, abs(r[2, 1]) + CLOSE, abs(r[2, 2]) + CLOSE,
    )  # fmt: skip


@inlined
def _place_box(b, j, rotation, position, aligned, placed):
    """Write the placed box of the body: its center, then half extents (aligned) or axes."""
    for k in range(3):
        u, v, w = rotation[k, 0], rotation[k, 1], rotation[k, 2]
        placed[j, k] = (u * b[j, 0] + v * b[j, 1] + w * b[j, 2]) + position[k]
        if aligned:
            u, v, w = abs(u) + CLOSE, abs(v) + CLOSE, abs(w) + CLOSE
            placed[j, 3 + k] = u * b[j, 3] + v * b[j, 4] + w * b[j, 5]
        else:
            for m in range(3):
                entry = u * b[j, 8 + m] + v * b[j, 11 + m] + w * b[j, 14 + m]
                placed[j, 3 + 3 * k + m] = entry


@inlined
def _separated(a, i, b, j, x, y, z, entries, edges):
    """Return whether an axis of box j, or if ``edges`` a product of axes, separates two boxes.

    ``x``, ``y``, ``z`` and ``entries`` place box j in the frame of box i.
    """
    r00, r01, r02, r10, r11, r12, r20, r21, r22 = entries[:9]
    s00, s01, s02, s10, s11, s12, s20, s21, s22 = entries[9:]
    ax, ay, az, bx, by, bz = a[i, 3], a[i, 4], a[i, 5], b[j, 3], b[j, 4], b[j, 5]
    if (
        abs(x * r00 + y * r10 + z * r20) > bx + s00 * ax + s10 * ay + s20 * az
        or abs(x * r01 + y * r11 + z * r21) > by + s01 * ax + s11 * ay + s21 * az
        or abs(x * r02 + y * r12 + z * r22) > bz + s02 * ax + s12 * ay + s22 * az
    ):
        return True
    return edges and (
        abs(z * r10 - y * r20) > ay * s20 + az * s10 + by * s02 + bz * s01
        or abs(z * r11 - y * r21) > ay * s21 + az * s11 + bx * s02 + bz * s00
        or abs(z * r12 - y * r22) > ay * s22 + az * s12 + bx * s01 + by * s00
        or abs(x * r20 - z * r00) > ax * s20 + az * s00 + by * s12 + bz * s11
        or abs(x * r21 - z * r01) > ax * s21 + az * s01 + bx * s12 + bz * s10
        or abs(x * r22 - z * r02) > ax * s22 + az * s02 + bx * s11 + by * s10
        or abs(y * r00 - x * r10) > ax * s10 + ay * s00 + by * s22 + bz * s21
        or abs(y * r01 - x * r11) > ax * s11 + ay * s01 + bx * s22 + bz * s20
        or abs(y * r02 - x * r12) > ax * s12 + ay * s02 + bx * s21 + by * s20
    )


@inlined
def _aligned_apart(a, i, b, j, placed, entries, edges):
    """Return whether two boxes are apart; each is aligned with the axes of its own mesh."""
    x, y, z = placed[j, 0] - a[i, 0], placed[j, 1] - a[i, 1], placed[j, 2] - a[i, 2]
    if (
        abs(x) > a[i, 3] + placed[j, 3]
        or abs(y) > a[i, 4] + placed[j, 4]
        or abs(z) > a[i, 5] + placed[j, 5]
    ):
        return True
    return _separated(a, i, b, j, x, y, z, entries, edges)


@inlined
def _oriented_apart(a, i, b, j, placed, relative, edges):
    """Return whether two oriented boxes are apart."""
    u, v, w = placed[j, 0] - a[i, 0], placed[j, 1] - a[i, 1], placed[j, 2] - a[i, 2]
    touch = a[i, 6] + b[j, 6]
    if u * u + v * v + w * w > touch * touch:
        return True
    for k in range(3):
        e, f, g = a[i, 8 + k], a[i, 11 + k], a[i, 14 + k]
        for m in range(3):
            relative[k, m] = e * placed[j, 3 + m] + f * placed[j, 6 + m] + g * placed[j, 9 + m]
    entries = _entries(relative)
    bx, by, bz = b[j, 3], b[j, 4], b[j, 5]
    x = a[i, 8] * u + a[i, 11] * v + a[i, 14] * w
    if abs(x) > a[i, 3] + entries[9] * bx + entries[10] * by + entries[11] * bz:
        return True
    y = a[i, 9] * u + a[i, 12] * v + a[i, 15] * w
    if abs(y) > a[i, 4] + entries[12] * bx + entries[13] * by + entries[14] * bz:
        return True
    z = a[i, 10] * u + a[i, 13] * v + a[i, 16] * w
    if abs(z) > a[i, 5] + entries[15] * bx + entries[16] * by + entries[17] * bz:
        return True
    return _separated(a, i, b, j, x, y, z, entries, edges)


@inlined
def _center_distance(a, i, placed, j):
    """Return how far apart the centers of two boxes are, along the axes."""
    return abs(placed[j, 0] - a[i, 0]) + abs(placed[j, 1] - a[i, 1]) + abs(placed[j, 2] - a[i, 2])


@compiled
def touching_rows(trees, rows, touching):
    """Fill ``touching`` (M,): whether the body at ``rows`` (M, 7) touches the obstacles.

    ``trees``: see `rmp3d.geometry.pair_kernels`.
    """
    nodes_a, children_a, triangles_a, nodes_b, children_b, triangles_b, aligned = trees
    placed, seen = np.empty((len(nodes_b), 12)), np.full(len(nodes_b), -1)
    stack, rotation, relative = np.empty((STACK, 2), np.int64), np.empty((3, 3)), np.empty((3, 3))
    moved, work = np.empty(9), np.empty((2, 9))
    for row in range(rows.shape[0]):
        position = rows[row]
        place(position, rotation)
        entries = _entries(rotation)
        touching[row] = False
        stack[0, 0], stack[0, 1] = 0, 0
        top = 1
        while top > 0:
            top -= 1
            i, j = stack[top, 0], stack[top, 1]
            if seen[j] != row:
                seen[j] = row
                _place_box(nodes_b, j, rotation, position, aligned, placed)
            first, second = children_a[i], children_b[j]
            # Products of axes seldom separate inner boxes, which are opened soon anyway.
            edges = first < 0 or second < 0
            if aligned:
                if _aligned_apart(nodes_a, i, nodes_b, j, placed, entries, edges):
                    continue
            elif _oriented_apart(nodes_a, i, nodes_b, j, placed, relative, edges):
                continue
            if first < 0 and second < 0:
                move(triangles_b[-1 - second], rotation, position, moved)
                if triangles_overlap(triangles_a[-1 - first], moved, work):
                    touching[row] = True
                    break
            elif second < 0 or (first >= 0 and nodes_a[i, 6] > nodes_b[j, 6]):
                # The nearer child last, so that it is tested first: a contact ends the search.
                near = _center_distance(nodes_a, first, placed, j) > _center_distance(
                    nodes_a, first + 1, placed, j
                )
                stack[top, 0], stack[top, 1] = first + 1 - near, j
                stack[top + 1, 0], stack[top + 1, 1] = first + near, j
                top += 2
            else:
                stack[top, 0], stack[top, 1] = i, second
                stack[top + 1, 0], stack[top + 1, 1] = i, second + 1
                top += 2
