"""What members of several groups see, each in the space of its own body, and who has a route."""

from collections.abc import Collection, Sequence

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.planner.spaces import GroundSpace


class Walkers:
    """The groups of a run, and whose each member is.

    Args:
        spaces: Where the members of each group walk; None for groups that do not queue.
        routed: Groups whose members have routes of their own.
    """

    def __init__(self, spaces: Sequence[GroundSpace | None], routed: Collection[int]) -> None:
        self._spaces = spaces
        self._routed = np.isin(np.arange(len(spaces)), list(routed))
        self.group_of: Index = np.zeros(0, np.intp)

    @property
    def any_routed(self) -> bool:
        """Whether there are members with routes of their own."""
        return bool(self._routed.any())

    def routed(self, rows: Index) -> Index:
        """Return those of rows (m,) that have routes of their own."""
        return rows[self._routed[self.group_of[rows]]]

    def others(self) -> Bool:
        """Return which members (N,) have no routes of their own."""
        found: Bool = ~self._routed[self.group_of]
        return found

    def connects(self, rows: Index, begin: Float, end: Float) -> Bool:
        """Return which members (m,) could go straight from points (m, 3) to others [m]."""
        found, group = np.zeros(len(rows), np.bool_), self.group_of[rows]
        for space in {id(self._spaces[g]): self._spaces[g] for g in np.unique(group)}.values():
            own = np.flatnonzero([self._spaces[g] is space for g in group])
            if space is not None:
                found[own] = space.connects(begin[own], end[own])
        return found
