"""Storeys: the heights that a floor has, and which sites are on which."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.planner.obstruction.floor import Floor

LAYER = 0.25  # [m] of heights that are counted together
APART = 1.8  # [m] between two storeys, at least
LEAST_SHARE, LEAST_AREA = 0.04, 4.0  # of a storey: share of all level floor, and [m^2]
NEAR = 0.3  # [m] about a storey's height that count as on it
STOREYED = 0.6  # share of the floor that is near a storey, else the scene is one terrain
BELOW = 0.6  # [m] under a storey's height that belong to it


@dataclass(frozen=True)
class Storey:
    """A level of a scene.

    Attributes:
        number: 1, 2, ... from below.
        height: [m].
        low: Lowest place that can be walked on it [m].
        high: Highest [m].
        area: That can be walked [m^2].
    """

    number: int
    height: float
    low: float
    high: float
    area: float


def storeys_of(floor: Floor, walkable: Bool) -> tuple[list[Storey], Index]:
    """Return the storeys, from below, and the row (N,) of each site's storey; -1 for none.

    A storey is a height at which there is much level floor. A site is on the highest storey that
    is not above it. Hilly ground is one storey.

    Args:
        floor: The floor.
        walkable: (N,) sites that count.
    """
    heights = _heights(floor, walkable)
    place = floor.position[:, 2]
    row = np.where(walkable, storey_at(heights, place), -1)
    storeys: list[Storey] = []
    for number, height in enumerate(heights.tolist()):
        own = place[row == number]
        if len(own):
            low, high = float(own.min()), float(own.max())
            area = len(own) * floor.cell**2
            storeys.append(Storey(len(storeys) + 1, height, low, high, area))
        row[row == number] = len(storeys) - 1 if len(own) else -1
    return storeys, row


def storey_at(heights: Sequence[float] | Float, place: Float) -> Index:
    """Return the rows (M,) of the highest storeys that are not above heights (M,) [m]."""
    below = np.asarray(heights) - BELOW
    return np.maximum(np.searchsorted(below, place, side="right") - 1, 0)


def _heights(floor: Floor, walkable: Bool) -> Float:
    level = walkable & (floor.steepness < 0.1)
    place = np.sort(floor.position[level, 2])
    every = floor.position[walkable, 2]
    if len(place) == 0:
        return np.array([float(np.median(every))]) if len(every) else np.zeros(1)
    layer = np.floor((place - place[0]) / LAYER).astype(int)
    count = np.bincount(layer)
    count = np.convolve(count, [1, 1, 1], mode="same")
    least = max(LEAST_SHARE * len(place), LEAST_AREA / floor.cell**2)
    heights: list[float] = []
    for peak in np.argsort(-count, kind="stable").tolist():
        if count[peak] < least:
            break
        middle = place[0] + (peak + 0.5) * LAYER
        near = place[np.abs(place - middle) <= 1.5 * LAYER]
        height = float(np.median(near)) if len(near) else float(middle)
        if all(abs(height - other) >= APART for other in heights):
            heights.append(height)
    on = np.zeros(len(place), bool)
    for height in heights:
        on |= np.abs(place - height) <= NEAR
    if len(heights) > 1 and on.sum() > STOREYED * len(every):
        return np.sort(heights)
    return np.array([float(np.median(every))])
