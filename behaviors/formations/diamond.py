"""Diamond: around a square that stands on its corner."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.formations.formation import FORMATIONS, arranged
from rmp3d.geometry.arrays import Float


@FORMATIONS.register("diamond")
@dataclass(frozen=True)
class Diamond:
    """Travel on the sides of a square that points ahead (Balch and Arkin 1999, for four).

    The members are equally far from one another along the sides, the leader at the corner ahead.
    """

    def slots(self, count: int, spacing: float) -> Float:
        """Return slots (count, 3), front to back."""
        share = 4.0 * np.arange(count) / max(count, 1)  # of the way round, in sides
        corner = [0.0, 1.0, 2.0, 3.0, 4.0]
        lag = np.interp(share, corner, [0.0, 1.0, 2.0, 1.0, 0.0])
        left = np.interp(share, corner, [0.0, 1.0, 0.0, -1.0, 0.0])
        return arranged(np.stack([lag, left, np.zeros(count)], axis=1), spacing)
