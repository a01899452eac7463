"""Shortening of a rigid body's path by certified short cuts."""

from time import perf_counter

import numpy as np

from geometry import Float, Index
from planner.rigid.world import RigidWorld

BATCH = 24  # short cuts tried at a time
FRUITLESS = 3  # batches in a row without a gain before stopping
ROUNDS = 40
SPACING = 0.5  # of points between which short cuts are tried, times the reach
POINTS = 400  # at most, about
GAIN = 1e-3  # least gain of a short cut, times the spacing


def shortened(
    world: RigidWorld, points: Float, rng: np.random.Generator, deadline: float = np.inf
) -> Float:
    """Return a certified path, no longer than ``points`` (K, 7), with the same ends.

    Random pairs of points of the path are joined; of the proved short cuts of a batch the best
    that do not overlap are taken (Geraerts and Overmars 2007, "Creating high-quality paths for
    motion planning"). No new batch begins after ``deadline``, a time of `perf_counter` [s].
    """
    space = world.space
    points = straightened(world, points)
    total = float(space.distance(points[:-1], points[1:]).sum())
    spacing = max(SPACING * space.reach, total / POINTS)
    fruitless = 0
    for turn in range(ROUNDS):
        points = _densified(world, points, spacing)
        if len(points) < 3 or fruitless == FRUITLESS or perf_counter() > deadline:
            break
        pairs = np.sort(rng.integers(0, len(points), (BATCH, 2)), axis=1)
        if turn == 0:
            pairs[0] = 0, len(points) - 1
        pairs = pairs[pairs[:, 1] - pairs[:, 0] > 1]
        chosen = _best(world, points, pairs, GAIN * spacing)
        fruitless = 0 if chosen else fruitless + 1
        for first, last in reversed(chosen):
            points = np.concatenate([points[: first + 1], points[last:]])
    return straightened(world, points)


def straightened(world: RigidWorld, points: Float) -> Float:
    """Return the path (K, 7) with the farthest proved motion from each point that is kept.

    Of the points 1, 2, 4, ... further on and the last one, so that long slides cost few proofs.
    """
    kept = [0]
    while kept[-1] < len(points) - 1:
        here, left = kept[-1], len(points) - 1 - kept[-1]
        ahead = here + np.append(2 ** np.arange(1, max(1, left.bit_length())), left)
        ahead = np.unique(ahead[(ahead > here + 1) & (ahead <= here + left)])
        starts = np.repeat(points[here : here + 1], len(ahead), axis=0)
        free = ahead[world.motions_are_free(starts, points[ahead])]
        kept.append(int(free[-1]) if len(free) else here + 1)
    return points[kept]


def _densified(world: RigidWorld, points: Float, spacing: float) -> Float:
    """Return the path with points added so that none are farther apart than ``spacing`` [m].

    A piece of a certified motion is certified.
    """
    gaps = world.space.distance(points[:-1], points[1:])
    parts = np.maximum(np.ceil(gaps / spacing), 1).astype(np.intp)
    owner = np.repeat(np.arange(len(parts)), parts)
    share = (np.arange(len(owner)) - np.repeat(np.cumsum(parts) - parts, parts)) / parts[owner]
    dense = world.space.interpolated(points[owner], points[owner + 1], share)
    # Exactly the points that were proved, where they are kept.
    dense[share == 0.0] = points[owner[share == 0.0]]
    return np.concatenate([dense, points[-1:]])


def _best(world: RigidWorld, points: Float, pairs: Index, least: float) -> list[tuple[int, int]]:
    """Return non-overlapping proved short cuts (first, last) in path order, best gain first."""
    station = np.append(0.0, np.cumsum(world.space.distance(points[:-1], points[1:])))
    direct = world.space.distance(points[pairs[:, 0]], points[pairs[:, 1]])
    gain = station[pairs[:, 1]] - station[pairs[:, 0]] - direct
    pairs, gain = pairs[gain > least], gain[gain > least]
    if len(pairs) == 0:
        return []
    free = world.motions_are_free(points[pairs[:, 0]], points[pairs[:, 1]])
    pairs, gain = pairs[free], gain[free]
    chosen: list[tuple[int, int]] = []
    for row in np.argsort(-gain, kind="stable"):
        first, last = int(pairs[row, 0]), int(pairs[row, 1])
        if all(last <= other[0] or first >= other[1] for other in chosen):
            chosen.append((first, last))
    return sorted(chosen)
