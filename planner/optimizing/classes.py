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
from rmp3d.planner.spaces.directions import random_directions

POINTS = 24  # of each path that are compared first
MOST = 240  # that are compared then
DIRECTIONS = 48  # in which points aside are tried
ASIDE = (0.35, 0.7, 1.4)  # how far, times the greatest distance of partners that do not see
TRIED = 24  # pairs that are tried, times the number of points, before it is given up


def same_class(space: Space, one: Float, other: Float, thorough: bool = False) -> bool:
    """Return whether one certified path can be moved onto another by straight motions.

    Args:
        space: What both are in.
        one: (K, W) from start to goal.
        other: (L, W) with the same ends.
        thorough: Whether they may move over places aside, too; see `moves_over`.
    """
    if thorough and moves_over(space, one, other):
        return True
    if not _sees(space, one, other, POINTS):
        return False
    longest = max(total_length(one, space), total_length(other, space))
    count = min(ceil(longest / space.world.body.radius), MOST)
    return count <= POINTS or _sees(space, one, other, count)


def moves_over(space: Space, one: Float, other: Float) -> bool:
    """Return whether a path moves onto another over places aside, where it does not directly.

    Two short ways round a block in the air lie close to it, one beside it, one over it; none sees
    the other through its edge. So points at equal shares are compared, and where a run of them
    does not see its partners, it goes over points aside of the middle between them: in one of a
    few directions by one of a few distances. All motions to these points, from them, and from
    each of them to the next are proved.
    """
    longest = max(total_length(one, space), total_length(other, space))
    count = max(3, min(ceil(longest / space.world.body.radius) + 1, MOST))
    first, second = _along(space, one, count), _along(space, other, count)
    blind = np.concatenate([[False], ~space.connects(first[1:-1], second[1:-1]), [False]])
    edges = np.diff(blind.astype(np.intp))
    runs = zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) + 1, strict=True)
    return all(_is_bridged(space, first[a : b + 1], second[a : b + 1]) for a, b in runs)


def _is_bridged(space: Space, first: Float, second: Float) -> bool:
    """Return whether points (K, W) of two paths meet aside; the end pairs see each other."""
    rng = np.random.default_rng(0)  # equal paths are compared alike
    middle = space.interpolated(first, second, np.full(len(first), 0.5))
    apart = float(space.distance(first, second).max())
    inner = len(first) - 2
    aside = random_directions(space, DIRECTIONS, rng)
    for size in np.outer(np.array(ASIDE), aside).reshape(-1, aside.shape[1]) * apart:
        moved, arrived = space.move(middle[1:-1], np.broadcast_to(size, (inner, len(size))))
        if not (arrived.all() and space.is_free(moved).all()):
            continue
        line = np.concatenate([middle[:1], moved, middle[-1:]])
        start = np.concatenate([first[1:-1], second[1:-1], line[:-1]])
        if space.connects(start, np.concatenate([moved, moved, line[1:]])).all():
            return True
    return False


def slides_onto(space: Space, one: Float, other: Float) -> bool:
    """Return whether one polyline moves onto another along straight motions, point by point.

    The points lie at equal shares of the lengths, a radius of the body apart or less. It is sooner
    refused than `same_class`, and takes one motion a point.

    Args:
        space: What both are in.
        one: (K, W) certified.
        other: (L, W) certified, with the same ends.
    """
    longest = max(total_length(one, space), total_length(other, space))
    count = max(3, min(ceil(longest / space.world.body.radius) + 1, MOST))
    first, second = _along(space, one, count), _along(space, other, count)
    return bool(space.connects(first[1:-1], second[1:-1]).all())


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
