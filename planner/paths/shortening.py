"""Shortening: certified short cuts between points of a path."""

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.planner.paths.polyline import densified, stations, total_length
from rmp3d.planner.spaces import Space

BATCH = 48  # short cuts tried at a time
FRUITLESS = 4  # batches in a row without a gain before stopping
ROUNDS = 60
GAIN = 1e-3  # least gain of a short cut, times the spacing


def shortened(space: Space, points: Float, rng: np.random.Generator, spacing: float) -> Float:
    """Return a certified polyline, no longer than ``points`` (K, W), with the same ends.

    Points of the polyline at most ``spacing`` [m] apart are joined in random pairs; of the
    certified short cuts of a batch the best that do not overlap are taken (Geraerts and Overmars
    2007, "Creating high-quality paths for motion planning", with a proof for each).
    """
    points = densified(points, spacing, space)
    fruitless = 0
    for round_ in range(ROUNDS):
        if len(points) < 3 or fruitless == FRUITLESS:
            break
        pairs = np.sort(rng.integers(0, len(points), (BATCH, 2)), axis=1)
        if round_ == 0:
            pairs[0] = 0, len(points) - 1
        pairs = pairs[_may_gain(space, points, pairs, GAIN * spacing)]
        cuts = space.connect(points[pairs[:, 0]], points[pairs[:, 1]])
        chosen = _best(space, points, pairs, cuts, GAIN * spacing)
        fruitless = 0 if chosen else fruitless + 1
        for first, last, cut in reversed(chosen):
            cut = densified(cut, spacing, space)
            points = np.concatenate([points[:first], cut, points[last + 1 :]])
    return points


def _may_gain(space: Space, points: Float, pairs: Index, least: float) -> Bool:
    """Return which pairs (P, 2) are nearer by more than ``least`` [m] than along the path.

    No short cut is shorter than the straight line, so only these need be proved.
    """
    first, last = pairs.T
    station = stations(points, space)
    straight = space.distance(points[first], points[last])
    gains: Bool = station[last] - station[first] - straight > least
    return gains


def _best(
    space: Space, points: Float, pairs: Index, cuts: list[Float | None], least: float
) -> list[tuple[int, int, Float]]:
    """Return non-overlapping short cuts (first, last, points) in path order, best gain first."""
    station = stations(points, space)
    offers = []
    for (first, last), cut in zip(pairs.tolist(), cuts, strict=True):
        if cut is not None:
            gain = station[last] - station[first] - total_length(cut, space)
            if gain > least:
                offers.append((-float(gain), first, last, cut))
    offers.sort(key=lambda offer: offer[:3])
    chosen: list[tuple[int, int, Float]] = []
    for _, first, last, cut in offers:
        if all(last <= other[0] or first >= other[1] for other in chosen):
            chosen.append((first, last, cut))
    return sorted(chosen, key=lambda cut: cut[0])
