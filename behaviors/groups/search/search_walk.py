"""The walk of a searcher from one place of the search map to the next."""

from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import length

# The start of a walk that begins at no place of the map.
NOWHERE = -1


class SearchWalk(NamedTuple):
    """Where a searcher is going: from a place to another, along points (K, 3)."""

    start: int
    end: int
    points: Float

    @property
    def length(self) -> float:
        """How long it is [m]."""
        return float(length(np.diff(self.points, axis=0)).sum())
