"""How much of the free width along a path a group used, along its length."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.vectors import length, unit

STEP = 0.25
"""Of arc length [m] between two rows."""
SAMPLES = 1500
"""Positions of each member that are looked at, at most."""


@dataclass(frozen=True, eq=False)
class WidthInUse:
    """The strip that the bodies of a group swept.

    Attributes:
        station: (J,) arc lengths [m].
        left: (J,) how far bodies reached to the left of the path [m]; NaN where nobody was.
        right: (J,) the same to the right, negative.
    """

    station: Float
    left: Float
    right: Float


def width_in_use(path: Float, position: Float, radius: float) -> WidthInUse:
    """Return what the members of a group used, seen from above.

    Args:
        path: (K, 3) their path [m], K at least 2.
        position: (T, n, 3) of its members [m].
        radius: Of their bodies [m].
    """
    start, piece = path[:-1, :2], np.diff(path[:, :2], axis=0)
    size = length(piece)
    kept = size > 1e-9
    start, piece, size = start[kept], piece[kept], size[kept]
    before = np.concatenate([[0.0], np.cumsum(size)])
    every = max(1, len(position) // SAMPLES)
    points = position[::every, :, :2].reshape(-1, 2)
    station, aside = np.empty(len(points)), np.empty(len(points))
    direction = unit(piece)
    for first in range(0, len(points), 4096):
        rows = slice(first, first + 4096)
        offset = points[rows, None] - start  # (M, K, 2)
        along = np.clip((offset * direction).sum(axis=2), 0.0, size)
        away = length(offset - along[..., None] * direction)
        near = away.argmin(axis=1)
        pick = np.arange(len(near))
        cross = direction[near, 0] * offset[pick, near, 1]
        cross -= direction[near, 1] * offset[pick, near, 0]
        station[rows] = before[near] + along[pick, near]
        aside[rows] = np.copysign(away[pick, near], cross)
    beyond = (station <= 0.0) | (station >= before[-1])
    cell = (station[~beyond] / STEP).astype(np.intp)
    count = int(before[-1] / STEP) + 1
    left, right = np.full(count, -np.inf), np.full(count, np.inf)
    np.maximum.at(left, cell, aside[~beyond] + radius)
    np.minimum.at(right, cell, aside[~beyond] - radius)
    return WidthInUse(
        frozen((np.arange(count) + 0.5) * STEP),
        np.where(np.isfinite(left), left, np.nan),
        np.where(np.isfinite(right), right, np.nan),
    )
