"""Turnover: which of the present members were there before, when some come or leave."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rmp3d.geometry.arrays import Bool, Index

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Turnover:
    """What becomes of the rows of n members.

    Attributes:
        before: (n,) row that each member had until now; -1 for newcomers.
        count_before: How many members there were.
    """

    before: Index
    count_before: int

    @classmethod
    def none(cls, count: int) -> "Turnover":
        """Return that of members all of whom stay."""
        return cls(np.arange(count), count)

    def __len__(self) -> int:
        return len(self.before)

    @property
    def is_none(self) -> bool:
        """Whether nobody comes or leaves."""
        return np.array_equal(self.before, np.arange(self.count_before))

    @property
    def new(self) -> Bool:
        """(n,) newcomers."""
        new: Bool = self.before < 0
        return new

    def of(self, values: NDArray[Any], fresh: ArrayLike) -> NDArray[Any]:
        """Return the values (n, ...) of all members: those that they had, ``fresh`` ones if new.

        Args:
            values: (count_before, ...) until now.
            fresh: What newcomers have: one value for all, or (n, ...).
        """
        shape = (len(self.before), *values.shape[1:])
        found = np.array(np.broadcast_to(np.asarray(fresh, values.dtype), shape), order="C")
        stay = ~self.new
        found[stay] = values[self.before[stay]]
        return found

    def keyed(self, memory: Mapping[int, T]) -> dict[int, T]:
        """Return what is known of members by their rows now; negative keys stay as they are."""
        keys = np.array(list(memory), np.intp)
        now = np.where(keys < 0, keys, self.rows(keys))
        kept = (keys < 0) | (now >= 0)
        values = list(memory.values())
        return {int(now[k]): values[k] for k in np.flatnonzero(kept).tolist()}

    def rows(self, before: Index) -> Index:
        """Return the rows (...) of members by those that they had; -1 for who has left, or -1."""
        now = np.full(self.count_before + 1, -1, np.intp)
        now[self.before[~self.new]] = np.flatnonzero(~self.new)
        found: Index = now[np.where(before < 0, self.count_before, before)]
        return found
