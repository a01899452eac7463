"""Arrow: an inverted V with the leader at its tip."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rmp3d.behaviors.formations.formation import FORMATIONS, check_abreast, widths
from rmp3d.geometry.arrays import Float


@FORMATIONS.register("arrow")
@dataclass(frozen=True)
class Arrow:
    """Travel as an inverted V, the leader at the tip (thesis, 4.4.1), or as several, nested.

    Attributes:
        angle_deg: Angle between the backward direction of the path and each arm [deg].
        abreast: Members of one V, the others in Vs behind it; 0: all in one.
    """

    angle_deg: float = 45.0
    abreast: int = 0

    def __post_init__(self) -> None:
        check_abreast(self.abreast)

    def slots(self, count: int, spacing: float) -> Float:
        """Return slots (count, 3), V by V, the tip first, then alternating left and right arm."""
        row = np.arange(count)
        nested = row // (self.abreast or max(count, 1))
        row = row - nested * self.abreast
        rank = (row + 1) // 2
        side = np.where(row % 2 == 1, 1.0, -1.0)
        angle = np.radians(self.angle_deg)
        # Both arms start at the tip; on narrow arrows the first two would be too near each other.
        step = spacing * max(1.0, 0.5 / np.sin(angle))
        # Arms of two Vs are parallel, a spacing apart.
        lag = step * rank * np.cos(angle) + spacing / np.sin(angle) * nested
        return np.stack([lag, step * rank * np.sin(angle) * side, np.zeros(count)], axis=1)

    def narrower(self, count: int) -> Iterator["Arrow"]:
        """Yield arrows of more and more Vs, as long as a V has no fewer members than there are."""
        for abreast in widths(count, self.abreast or count):
            yield replace(self, abreast=abreast)
