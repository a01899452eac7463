"""What members of several groups see, each in the space of its own body, and who has a route."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.planner.spaces import GroundSpace


class Walkers:
    """The groups of a run, and whose each member is.

    Args:
        spaces: Where the members of each group walk; None for groups that do not queue: they have
            no routes, or do not walk.
    """

    def __init__(self, spaces: Sequence[GroundSpace | None]) -> None:
        self._spaces = spaces
        self._routed = np.array([space is not None for space in spaces], np.bool_)
        self.group_of: Index = np.zeros(0, np.intp)

    def routed(self, rows: Index) -> Index:
        """Return those of rows (m,) that have routes."""
        return rows[self._routed[self.group_of[rows]]]

    def others(self) -> Bool:
        """Return which members (N,) have no routes."""
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
