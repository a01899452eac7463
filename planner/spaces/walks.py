"""Straight walks over a surface as polylines, many at once."""

from math import sqrt
from typing import NamedTuple

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.geometry.arrays import read_only
from rmp3d.geometry.borrowing import borrowed, held
from rmp3d.geometry.compiled import assign, calls_of, compiled, released
from rmp3d.geometry.parallel import in_blocks
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.walking import walk_one

SEAM = 1e-6  # [m] between where a walk ends and the configuration it was meant to reach
SHEET = 1e-4
"""Distance [m] over or under the configuration at which a walk may end: on another sheet of a floor
that is drawn twice. Proofs and `verify` allow for as much."""
COLLINEAR = 1e-9  # [m] by which a dropped point may lie off the line of its neighbors


class Walks(NamedTuple):
    """M walks; walk i is ``points[first[i] : first[i + 1]]``, without rows if it does not arrive.

    Attributes:
        points: (T, 3) where the walks begin, bend and end [m].
        first: (M + 1,).
    """

    points: Float
    first: Index

    @property
    def arrived(self) -> Bool:
        """(M,) which walks come to their ends."""
        return np.diff(self.first) > 0

    @property
    def pieces(self) -> tuple[Index, Index]:
        """The rows (Q,) of ``points`` that straight pieces begin at, and their walks (Q,)."""
        walk = np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))
        begins = np.flatnonzero(walk[1:] == walk[:-1])
        return begins, walk[begins]


def straight_walks(surface: WalkableSurface, start: Float, end: Float) -> Walks:
    """Return the walks, straight in plan, between surface points start[i] and end[i], (M, 3)."""
    start = np.ascontiguousarray(start, dtype=np.float64)
    end = np.ascontiguousarray(end, dtype=np.float64)
    found, face = surface.locate(start, SEAM, SEAM)
    ground = surface.arrays

    def some(block: slice) -> list[tuple[Float, Index]]:
        return [
            _walked(ground, found[rows], face[rows], read_only(start[rows]), read_only(end[rows]))
            for rows in calls_of(block)
        ]

    walked = [part for parts in in_blocks(some, len(start)) for part in parts]
    points = np.concatenate([np.empty((0, 3)), *(part for part, _ in walked)])
    sizes = np.concatenate([np.zeros(1, np.int64), *(part for _, part in walked)])
    return Walks(points, np.cumsum(sizes))


@released
def _walked(ground, found, face, start, end):
    """Return the points of all walks, one behind another, and how many each has (M,)."""
    total = start.shape[0]
    ground, found, face, start, end = borrowed((ground, found, face, start, end))
    sizes = np.zeros(total, np.int64)
    points, passed = np.empty((4 * total + 64, 3)), np.empty(64, np.int64)
    used = 0
    for i in range(total):
        dx, dy = end[i, 0] - start[i, 0], end[i, 1] - start[i, 1]
        while True:
            room = min(points.shape[0] - used, passed.shape[0])
            x, y, z, _, arrived, count = walk_one(
                *ground, found[i, 0], found[i, 1], found[i, 2], face[i], dx, dy,
                borrowed(points)[used : used + room], borrowed(passed),
            )  # fmt: skip
            if max(count, 2) <= room:
                break
            points = _grown(points, used, used + 2 * max(count, 32))
            passed = np.empty(points.shape[0], np.int64)
        off = (x - end[i, 0]) ** 2 + (y - end[i, 1]) ** 2
        if arrived and off <= SEAM * SEAM and abs(z - end[i, 2]) <= SHEET:
            count = max(count, 2)
            own = borrowed(points)[used : used + count]
            assign(own[0], start[i])
            assign(own[count - 1], end[i])
            sizes[i] = straighten(own, count)
            used += sizes[i]
    held((points, passed))
    return points[:used], sizes


@compiled
def _grown(points, used, needed):
    """Return the first ``used`` points (K, 3), with room for ``needed`` or more."""
    larger = np.empty((max(needed, 2 * points.shape[0]), 3))
    for k in range(used):
        assign(larger[k], points[k])
    return larger


@compiled
def straighten(points, count):
    """Drop from the first ``count`` points (K, 3) those on the straight line of their neighbors.

    A walk over a finely meshed plane crosses an edge every few centimeters and bends at none.
    The rest move up, in place; the first and the last point stay, even if they are equal.

    Returns:
        How many are left.
    """
    if count < 3:
        return count
    size = 1
    for k in range(1, count - 1):
        if _differ(points, k, size - 1) and _differ(points, k, count - 1):
            assign(points[size], points[k])
            size += 1
    assign(points[size], points[count - 1])
    size += 1
    kept = 1
    px, py, pz, _ = _piece(points, 0, 1)
    for k in range(1, size - 1):
        x, y, z, far = _piece(points, k, k + 1)
        cx, cy, cz = py * z - pz * y, pz * x - px * z, px * y - py * x
        turn = sqrt(cx * cx + cy * cy + cz * cz) * far
        if turn > COLLINEAR or px * x + py * y + pz * z <= 0.0:
            assign(points[kept], points[k])
            kept += 1
        # A piece of hardly any length may have any direction: that since the last bend counts.
        px, py, pz, _ = _piece(points, kept - 1, k + 1)
    assign(points[kept], points[size - 1])
    return kept + 1


@compiled
def _differ(points, i, k):
    p, q = points[i], points[k]
    return p[0] != q[0] or p[1] != q[1] or p[2] != q[2]


@compiled
def _piece(points, i, k):
    """Return the unit direction from point i to point k, zero if none, and the distance."""
    start, end = points[i], points[k]
    x, y, z = end[0] - start[0], end[1] - start[1], end[2] - start[2]
    size = sqrt(x * x + y * y + z * z)
    if size == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    return x / size, y / size, z / size, size
