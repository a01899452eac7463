"""Circle: a ring that travels."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.formations.formation import FORMATIONS, arranged
from rmp3d.geometry.arrays import Float


@FORMATIONS.register("circle")
@dataclass(frozen=True)
class Circle:
    """Travel as a ring, the leader at its foremost point."""

    def slots(self, count: int, spacing: float) -> Float:
        """Return slots (count, 3), front to back, neighbors on the ring ``spacing`` apart."""
        angle = 2.0 * np.pi * np.arange(count) / max(count, 1)
        ring = np.stack([-np.cos(angle), np.sin(angle), np.zeros(count)], axis=1)
        return arranged(ring, spacing)
