"""Whether two paths are of one class: one can be moved onto the other without a collision.

Two points see each other if the space's straight motion between them is proved free. Paths whose
points see each other, pair by pair in order from start to goal, are taken for one class (Jaillet
and Simeon 2008, "Path deformation roadmaps: compact graphs with useful cycles for motion
planning"). Paths are made short first, so that those of one class are near each other. What is
found so are classes of *visibility*: two paths that could be moved onto each other by a detour only
count as different.
"""

from heapq import heappop, heappush

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.paths.polyline import points_at
from rmp3d.planner.spaces import Space

POINTS = 24  # of each path that are compared


def same_class(space: Space, one: Float, other: Float) -> bool:
    """Return whether one certified path can be moved onto another by straight motions.

    Args:
        space: What both are in.
        one: (K, W) from start to goal.
        other: (L, W) with the same ends.
    """
    first, second = _along(space, one), _along(space, other)
    tried = {(0, 0)}
    # Pairs that see each other; those farthest along come first, so most are never looked at.
    heap = [(0, 0, 0, 0)]
    while heap:
        _, _, row, column = heappop(heap)
        if row == column == POINTS - 1:
            return True
        ahead = [(row + 1, column + 1), (row, column + 1), (row + 1, column)]
        ahead = [pair for pair in ahead if max(pair) < POINTS and pair not in tried]
        tried.update(ahead)
        rows = np.array(ahead, np.intp).reshape(-1, 2)
        seen = space.connects(first[rows[:, 0]], second[rows[:, 1]])
        for (i, j), free in zip(ahead, np.asarray(seen).tolist(), strict=True):
            if free or i == j == POINTS - 1:
                heappush(heap, (-i - j, abs(i - j), i, j))
    return False


def _along(space: Space, path: Float) -> Float:
    """Return points (POINTS, W) of a path at equal parts of its length."""
    points = points_at(path, space, np.linspace(0.0, 1.0, POINTS))
    points[[0, -1]] = path[[0, -1]]
    return points
