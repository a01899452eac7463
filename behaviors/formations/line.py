"""Line: abreast, across the path."""

from dataclasses import dataclass

import numpy as np

from behaviors.formations.formation import FORMATIONS
from geometry.arrays import Float


@FORMATIONS.register("line")
@dataclass(frozen=True)
class Line:
    """Travel abreast, in a row across the path (thesis, 4.4.1)."""

    def slots(self, count: int, spacing: float) -> Float:
        """Return slots (count, 3), the middle first, then alternating left and right."""
        place = np.arange(count) - (count - 1) / 2.0
        place = place[np.lexsort((-place, np.abs(place)))]
        return np.stack([np.zeros(count), spacing * place, np.zeros(count)], axis=1)
