"""Arrow: an inverted V with the leader at its tip."""

from dataclasses import dataclass

import numpy as np

from behaviors.formations.formation import FORMATIONS
from geometry.arrays import Float


@FORMATIONS.register("arrow")
@dataclass(frozen=True)
class Arrow:
    """Travel as an inverted V, the leader at the tip (thesis, 4.4.1).

    Attributes:
        angle_deg: Between the path backwards and each arm [deg].
    """

    angle_deg: float = 45.0

    def slots(self, count: int, spacing: float) -> Float:
        """Return slots (count, 3), the tip first, then alternating left and right arm."""
        rank = (np.arange(count) + 1) // 2
        side = np.where(np.arange(count) % 2 == 1, 1.0, -1.0)
        angle = np.radians(self.angle_deg)
        # Both arms start at the tip; on narrow arrows the first two would be too near each other.
        step = spacing * max(1.0, 0.5 / np.sin(angle))
        return np.stack(
            [
                step * rank * np.cos(angle),
                step * rank * np.sin(angle) * side,
                np.zeros(count),
            ],
            axis=1,
        )
