"""Wedge: a filled triangle behind its tip."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rmp3d.behaviors.formations.formation import FORMATIONS, LEAST_ABREAST, check_abreast
from rmp3d.geometry.arrays import Float, Index


@FORMATIONS.register("wedge")
@dataclass(frozen=True)
class Wedge:
    """Travel as a filled triangle, the leader at its tip, one more in every rank behind.

    Attributes:
        abreast: Members in the widest rank; behind it, ranks have one less and as many in turn. 0:
            no limit.
    """

    abreast: int = 0

    def __post_init__(self) -> None:
        check_abreast(self.abreast)

    def slots(self, count: int, spacing: float) -> Float:
        """Return slots (count, 3), rank by rank, in each the middle first.

        Neighbors in a rank and between ranks are equally far from one another. The last rank may
        be short; where its members then stand straight behind others, it keeps a whole spacing.
        """
        sizes = self._ranks(count)
        staggered = np.diff(sizes) % 2 == 1
        lag = np.concatenate([[0.0], np.cumsum(np.where(staggered, np.sqrt(0.75), 1.0))])
        rank = np.repeat(np.arange(len(sizes)), sizes)
        first = np.cumsum(sizes) - sizes
        left = (sizes[rank] - 1.0) / 2.0 - (np.arange(count) - first[rank])
        order = np.lexsort((-left, np.abs(left), rank))
        return spacing * np.stack([lag[rank], left, np.zeros(count)], axis=1)[order]

    def narrower(self, count: int) -> Iterator["Wedge"]:
        """Yield wedges of fewer and fewer abreast."""
        for abreast in range(int(self._ranks(count).max()) - 1, LEAST_ABREAST - 1, -1):
            yield replace(self, abreast=abreast)

    def _ranks(self, count: int) -> Index:
        """Return the members of each rank."""
        sizes: list[int] = []
        while sum(sizes) < count:
            wide = len(sizes) + 1
            if 0 < self.abreast < wide:
                wide = self.abreast - (wide - self.abreast) % 2
            sizes.append(min(wide, count - sum(sizes)))
        return np.array(sizes or [0], np.intp)
