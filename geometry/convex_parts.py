"""Convex polygons in space that are cut by planes, compiled."""

import numpy as np

from rmp3d.geometry.compiled import compiled

ROUNDING = 1e-6
"""Parts that are narrower than this [m] are rounding; those so far [m] over ground are level."""


@compiled
def copy_corners(source, count, target):
    """Copy corners; cheaper to compile than an assignment of arrays."""
    for k in range(count):
        for axis in range(3):
            target[k, axis] = source[k, axis]


@compiled
def cut(corners, count, w, plane, inside, outside):
    """Write the parts of a convex polygon on both sides of a plane; return how many corners."""
    kept, other = 0, 0
    for k in range(count):
        a, b = corners[k], corners[(k + 1) % count]
        over_a, over_b = _over(a, w, plane), _over(b, w, plane)
        if over_a <= 0.0:
            _set(inside, kept, a)
            kept += 1
        if over_a >= 0.0:
            _set(outside, other, a)
            other += 1
        if over_a * over_b < 0.0:
            share = over_a / (over_a - over_b)
            for axis in range(3):
                inside[kept, axis] = a[axis] + share * (b[axis] - a[axis])
            _set(outside, other, inside[kept])
            kept += 1
            other += 1
    return kept, other


@compiled
def _set(corners, k, point):
    corners[k, 0], corners[k, 1], corners[k, 2] = point[0], point[1], point[2]


@compiled
def _over(point, w, plane):
    x, y, z = point[0] - w[0], point[1] - w[1], point[2] - w[2]
    return plane[0] * x + plane[1] * y + plane[2] * z - plane[3]


@compiled
def is_thin(corners, count):
    """Return whether a convex polygon is narrower than `ROUNDING`."""
    if count < 3:
        return True
    nx, ny, nz, around = 0.0, 0.0, 0.0, 0.0
    for k in range(count):
        o, a, b = corners[0], corners[k], corners[(k + 1) % count]
        ux, uy, uz = a[0] - o[0], a[1] - o[1], a[2] - o[2]
        vx, vy, vz = b[0] - o[0], b[1] - o[1], b[2] - o[2]
        nx += uy * vz - uz * vy
        ny += uz * vx - ux * vz
        nz += ux * vy - uy * vx
        around += ((vx - ux) ** 2 + (vy - uy) ** 2 + (vz - uz) ** 2) ** 0.5
    return (nx * nx + ny * ny + nz * nz) ** 0.5 <= 2.0 * ROUNDING * around


@compiled
def is_thin_triangle(a, b, c):
    """Return whether a triangle is narrower than `ROUNDING`."""
    corners = np.empty((3, 3))
    _set(corners, 0, a)
    _set(corners, 1, b)
    _set(corners, 2, c)
    return is_thin(corners, 3)
