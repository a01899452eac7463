"""Whether two paths are of one class: one can be moved onto the other without a collision.

Two points see each other if the space's straight motion between them is proved free. Paths whose
points see each other, pair by pair in order from start to goal, are taken for one class (Jaillet
and Simeon 2008, "Path deformation roadmaps: compact graphs with useful cycles for motion
planning"). Paths are made short first, so that those of one class are near each other. What is
found so are classes of *visibility*: two paths that could be moved onto each other by a detour only
count as different.

Points that are far apart see each other before and behind a pillar that stands between them. So
paths that agree in a few points are compared again in points that are a radius of the body apart.
"""

from heapq import heappop, heappush
from math import ceil

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.paths.polyline import points_at, total_length
from rmp3d.planner.spaces import Space

POINTS = 24  # of each path that are compared first
MOST = 240  # that are compared then
TRIED = 24  # pairs that are tried, times the number of points, before it is given up


def same_class(space: Space, one: Float, other: Float) -> bool:
    """Return whether one certified path can be moved onto another by straight motions.

    Args:
        space: What both are in.
        one: (K, W) from start to goal.
        other: (L, W) with the same ends.
    """
    if not _sees(space, one, other, POINTS):
        return False
    longest = max(total_length(one, space), total_length(other, space))
    count = min(ceil(longest / space.world.body.radius), MOST)
    return count <= POINTS or _sees(space, one, other, count)


def _sees(space: Space, one: Float, other: Float, count: int) -> bool:
    """Return whether so many points of two paths see each other in order; see `same_class`."""
    first, second = _along(space, one, count), _along(space, other, count)
    if space.connects(first[1:-1], second[1:-1]).all():
        return True
    tried = {(0, 0)}
    # Pairs that see each other; those farthest along come first, so most are never looked at.
    heap = [(0, 0, 0, 0)]
    while heap and len(tried) < count * TRIED:
        _, _, row, column = heappop(heap)
        if row == column == count - 1:
            return True
        ahead = [(row + 1, column + 1), (row, column + 1), (row + 1, column)]
        ahead = [pair for pair in ahead if max(pair) < count and pair not in tried]
        tried.update(ahead)
        rows = np.array(ahead, np.intp).reshape(-1, 2)
        seen = space.connects(first[rows[:, 0]], second[rows[:, 1]])
        for (i, j), free in zip(ahead, np.asarray(seen).tolist(), strict=True):
            if free or i == j == count - 1:
                heappush(heap, (-i - j, abs(i - j), i, j))
    return False


def _along(space: Space, path: Float, count: int) -> Float:
    """Return points (count, W) of a path at equal parts of its length."""
    points = points_at(path, space, np.linspace(0.0, 1.0, count))
    points[[0, -1]] = path[[0, -1]]
    return points
