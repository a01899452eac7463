"""Straight walks over a surface as polylines, many at once."""

from typing import NamedTuple

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.walking import walk_one
from rmp3d.planner.polyline import straighten

SEAM = 1e-6  # [m] between where a walk ends and the configuration it was meant to reach


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
    return Walks(*_walked(surface.arrays, found, face, start, end))


@compiled
def _walked(ground, found, face, start, end):
    total = start.shape[0]
    first = np.zeros(total + 1, np.int64)
    points = np.empty((4 * total + 64, 3))
    one, passed = np.empty((64, 3)), np.empty(64, np.int64)
    used = 0
    for i in range(total):
        dx, dy = end[i, 0] - start[i, 0], end[i, 1] - start[i, 1]
        while True:
            x, y, z, _, arrived, count = walk_one(  # type: ignore[call-arg]
                *ground, found[i, 0], found[i, 1], found[i, 2], face[i], dx, dy, one, passed
            )
            if count <= one.shape[0]:
                break
            one, passed = np.empty((count, 3)), np.empty(count, np.int64)
        off = (x - end[i, 0]) ** 2 + (y - end[i, 1]) ** 2 + (z - end[i, 2]) ** 2
        if arrived and off <= SEAM * SEAM:
            count = max(count, 2)
            one[0], one[count - 1] = start[i], end[i]
            count = straighten(one, count)
            if used + count > points.shape[0]:
                larger = np.empty((2 * (used + count), 3))
                larger[:used] = points[:used]
                points = larger
            points[used : used + count] = one[:count]
            used += count
        first[i + 1] = used
    return points[:used], first
