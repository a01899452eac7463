"""Storeys: the heights that a floor has, and which sites are on which."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.storeys import LEAST_AREA, LEVEL, storey_at, storey_heights
from rmp3d.planner.obstruction.floor import Floor


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


def _heights(floor: Floor, walkable: Bool) -> Float:
    level = walkable & (floor.steepness < LEVEL)
    least = LEAST_AREA / floor.cell**2
    return storey_heights(floor.position[level, 2], floor.position[walkable, 2], least)
