"""Gaps in plan between long bodies: how near a vehicle on its route comes to others.

In plan a body is a core, the segment over which the capsules of its row lie, thickened by its half
width; the core of a round body is a point. A core is a row x, y, x, y, half width, z.
"""

from math import inf, sqrt

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import compiled, inlined

# Bodies whose reference points are farther apart than this in height [m] are on other levels.
OTHER_LEVEL = 2.0


def cores_of(flock: Flock, ahead: Float | None = None) -> Float:
    """Return the cores (N, 6) of all characters.

    Args:
        flock: All characters.
        ahead: (N, 3) [m] by which they are moved on; None: they are where they are.
    """
    place = flock.position if ahead is None else flock.position + ahead
    return cores_at(place, flock.heading[:, :2], flock.bodies.ends, flock.bodies.half_width)


def cores_at(point: Float, heading: Float, ends: Float, half_width: Float | float) -> Float:
    """Return the cores (K, 6) of bodies at points (K, 3), headings (K, 2), with row ends (K, 2)."""
    size = np.maximum(np.hypot(heading[:, 0], heading[:, 1]), 1e-9)
    heading = heading / size[:, None]
    cores = np.empty((len(point), 6))
    cores[:, :2] = point[:, :2] + ends[:, :1] * heading
    cores[:, 2:4] = point[:, :2] + ends[:, 1:] * heading
    cores[:, 4], cores[:, 5] = half_width, point[:, 2]
    return cores


@compiled
def gaps_between(cores, others):
    """Return the gaps (K, P) [m] between cores (K, 6) and others (P, 6); inf on other levels."""
    gaps = np.empty((cores.shape[0], others.shape[0]))
    for k in range(cores.shape[0]):
        a = cores[k]
        for p in range(others.shape[0]):
            b = others[p]
            if abs(a[5] - b[5]) > OTHER_LEVEL:
                gaps[k, p] = inf
                continue
            gaps[k, p] = _apart(a, b) - a[4] - b[4]
    return gaps


@inlined
def _apart(a, b):
    """Return the distance [m] of two segments in the plane."""
    ux, uy = a[2] - a[0], a[3] - a[1]
    vx, vy = b[2] - b[0], b[3] - b[1]
    wx, wy = b[0] - a[0], b[1] - a[1]
    cross = ux * vy - uy * vx
    if abs(cross) > 1e-12:
        s, t = (wx * vy - wy * vx) / cross, (wx * uy - wy * ux) / cross
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            return 0.0
    least = min(_to_point(a, b[0], b[1]), _to_point(a, b[2], b[3]))
    return sqrt(min(least, min(_to_point(b, a[0], a[1]), _to_point(b, a[2], a[3]))))


@inlined
def _to_point(a, x, y):
    """Return the squared distance of a segment to a point."""
    ux, uy = a[2] - a[0], a[3] - a[1]
    size = ux * ux + uy * uy
    share = 0.0
    if size > 1e-18:
        share = min(1.0, max(0.0, ((x - a[0]) * ux + (y - a[1]) * uy) / size))
    dx, dy = a[0] + share * ux - x, a[1] + share * uy - y
    return dx * dx + dy * dy
