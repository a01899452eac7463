"""Shortening of a rigid body's path by certified short cuts."""

from time import perf_counter

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.planner.spaces import RigidBodySpace

BATCH = 24  # short cuts tried at a time
FRUITLESS = 3  # batches in a row without a gain before stopping
SPACING = 0.5  # of points between which short cuts are tried, times the reach
POINTS = 400  # at most, about
GAIN = 1e-3  # least gain of a short cut, times the spacing


def shortened(
    space: RigidBodySpace,
    points: Float,
    rng: np.random.Generator,
    work: int,
    deadline: float = np.inf,
) -> Float:
    """Return a certified path, no longer than ``points`` (K, 7), with the same ends.

    Random pairs of points of the path are joined; of the proved short cuts of a batch the best
    that do not overlap are taken (Geraerts and Overmars 2007, "Creating high-quality paths for
    motion planning").

    Args:
        space: Its world counts the queries.
        points: A certified path.
        rng: Source of randomness.
        work: No new batch begins after so many queries.
        deadline: Nor after this time of `perf_counter` [s].
    """
    limit = space.world.counts.collision + work
    points = straightened(space, points)
    total = float(space.distance(points[:-1], points[1:]).sum())
    spacing = max(SPACING * space.reach, total / POINTS)
    fruitless = 0
    while (
        fruitless < FRUITLESS and space.world.counts.collision < limit and perf_counter() < deadline
    ):
        dense, is_corner = _densified(space, points, spacing)
        if len(points) < 3:
            break
        pairs = np.sort(rng.integers(0, len(dense), (BATCH, 2)), axis=1)
        pairs = pairs[pairs[:, 1] - pairs[:, 0] > 1]
        chosen = _best(space, dense, pairs, GAIN * spacing)
        fruitless = 0 if chosen else fruitless + 1
        kept = np.ones(len(dense), np.bool_)
        for first, last in chosen:
            kept[first + 1 : last] = False
            is_corner[[first, last]] = True
        # A piece of a proved motion is proved: points between corners need not stay.
        points = dense[kept & is_corner]
    return points


def straightened(space: RigidBodySpace, points: Float) -> Float:
    """Return the path (K, 7) without the points between which a proved motion goes straight.

    First the motion between the ends is tried; where one is refused, its two halves are.
    """
    kept = np.zeros(len(points), np.bool_)
    kept[[0, -1]] = True
    ranges = np.array([[0, len(points) - 1]])
    while len(ranges) > 0:
        # Motions of the path itself are proved already.
        ranges = ranges[ranges[:, 1] - ranges[:, 0] > 1]
        free = space.world.touch_nothing(points[ranges[:, 0]], points[ranges[:, 1]])
        ranges = ranges[~free]
        middle = ranges.sum(axis=1) // 2
        kept[middle] = True
        ranges = np.stack([ranges[:, 0], middle, middle, ranges[:, 1]], axis=1).reshape(-1, 2)
    return points[kept]


def _densified(space: RigidBodySpace, points: Float, spacing: float) -> tuple[Float, Bool]:
    """Return the path with points added so that none are farther apart than ``spacing`` [m].

    Also returns which (M,) of them were there before.
    """
    gaps = space.distance(points[:-1], points[1:])
    parts = np.maximum(np.ceil(gaps / spacing), 1).astype(np.intp)
    owner = np.repeat(np.arange(len(parts)), parts)
    share = (np.arange(len(owner)) - np.repeat(np.cumsum(parts) - parts, parts)) / parts[owner]
    dense = space.interpolated(points[owner], points[owner + 1], share)
    # Exactly the points that were proved, where they are kept.
    dense[share == 0.0] = points[owner[share == 0.0]]
    return np.concatenate([dense, points[-1:]]), np.append(share == 0.0, True)


def _best(
    space: RigidBodySpace, points: Float, pairs: Index, least: float
) -> list[tuple[int, int]]:
    """Return non-overlapping proved short cuts (first, last), best gain first."""
    station = np.append(0.0, np.cumsum(space.distance(points[:-1], points[1:])))
    direct = space.distance(points[pairs[:, 0]], points[pairs[:, 1]])
    gain = station[pairs[:, 1]] - station[pairs[:, 0]] - direct
    pairs, gain = pairs[gain > least], gain[gain > least]
    if len(pairs) == 0:
        return []
    free = space.world.touch_nothing(points[pairs[:, 0]], points[pairs[:, 1]])
    pairs, gain = pairs[free], gain[free]
    chosen: list[tuple[int, int]] = []
    for row in np.argsort(-gain, kind="stable"):
        first, last = int(pairs[row, 0]), int(pairs[row, 1])
        if all(last <= other[0] or first >= other[1] for other in chosen):
            chosen.append((first, last))
    return chosen
