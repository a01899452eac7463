"""Column: one behind the other."""

from dataclasses import dataclass

import numpy as np

from behaviors.formations.formation import FORMATIONS
from geometry.arrays import Float


@FORMATIONS.register("column")
@dataclass(frozen=True)
class Column:
    """Travel in file, one behind the other along the path (thesis, 4.4.1)."""

    def slots(self, count: int, spacing: float) -> Float:
        """Return slots (count, 3), front to back."""
        return np.stack([spacing * np.arange(count), np.zeros(count), np.zeros(count)], axis=1)
