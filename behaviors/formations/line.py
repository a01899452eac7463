"""Line: abreast, across the path."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rmp3d.behaviors.formations.formation import FORMATIONS, check_abreast, widths
from rmp3d.geometry.arrays import Float


@FORMATIONS.register("line")
@dataclass(frozen=True)
class Line:
    """Travel abreast, in a row across the path (thesis, 4.4.1), or in several rows.

    Attributes:
        abreast: How many members go side by side, the others in ranks behind them; 0: all in one
            rank.
    """

    abreast: int = 0

    def __post_init__(self) -> None:
        check_abreast(self.abreast)

    def slots(self, count: int, spacing: float) -> Float:
        """Return slots (count, 3), rank by rank, in each the middle first, then left and right."""
        row = np.arange(count)
        rank = row // (self.abreast or max(count, 1))
        first = rank * self.abreast
        place = row - first - (np.bincount(rank)[rank] - 1) / 2.0
        order = np.lexsort((-place, np.abs(place), rank))
        return spacing * np.stack([rank, place, np.zeros(count)], axis=1)[order]

    def narrower(self, count: int) -> Iterator["Line"]:
        """Yield lines of more and more ranks, as long as they are no deeper than wide."""
        for abreast in widths(count, self.abreast or count):
            yield replace(self, abreast=abreast)
