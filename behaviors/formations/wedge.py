"""Wedge: a filled triangle behind its tip."""

from dataclasses import dataclass

import numpy as np

from behaviors.formations.formation import FORMATIONS
from geometry.arrays import Float


@FORMATIONS.register("wedge")
@dataclass(frozen=True)
class Wedge:
    """Travel as a filled triangle, the leader at its tip, one more in every rank behind."""

    def slots(self, count: int, spacing: float) -> Float:
        """Return slots (count, 3), rank by rank, in each the middle first.

        Neighbors in a rank and between ranks are equally far from one another. The last rank may
        be short; where its members then stand straight behind others, it keeps a whole spacing.
        """
        row = np.arange(count)
        rank = np.floor((np.sqrt(8.0 * row + 1.0) - 1.0) / 2.0)
        first = rank * (rank + 1.0) / 2.0
        members = np.minimum(rank + 1.0, count - first)
        left = (members - 1.0) / 2.0 - (row - first)
        straight_behind = (rank + 1.0 - members) % 2.0 == 1.0
        lag = np.where(straight_behind, np.sqrt(0.75) * (rank - 1.0) + 1.0, np.sqrt(0.75) * rank)
        order = np.lexsort((-left, np.abs(left), rank))
        return spacing * np.stack([lag, left, np.zeros(count)], axis=1)[order]
