"""Shorter ways: which members of a crowd look whether there is a shorter way than their own."""

import numpy as np

from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.vectors import length

# So many members look at a time, or one of so many of all where that is more.
LOOKING, ONE_OF = 24, 400
# A way that is not shorter by this is none [m].
SHORTER = 0.3


class ShorterWays:
    """What n members know of the lengths of their ways.

    A member that has looked knows the length of the shortest way from there. From where it is now
    the shortest way is at most as much shorter as it has moved since; who follows a shortest way
    need not look again, until others push it aside.

    Args:
        count: n.
    """

    def __init__(self, count: int) -> None:
        self._place = np.zeros((count, 3))
        self._shortest = np.full(count, -np.inf)  # from there [m]
        self._turn = 0

    def turn_over(self, own: Turnover) -> None:
        """Go on with the members that are there now."""
        self._place, self._shortest = own.of(self._place, 0.0), own.of(self._shortest, -np.inf)

    def know(self, members: Index, position: Float, left: Float) -> None:
        """Note that the ways of members (m,) are the shortest from where they are (n, 3) [m].

        Args:
            members: Rows.
            position: Of all members.
            left: (n,) lengths of their own ways [m].
        """
        self._place[members], self._shortest[members] = position[members], left[members]

    def whose_turn(self, members: Index, position: Float, left: Float) -> Index:
        """Return those of members (m,) that shall look now; there can be more next time.

        Args:
            members: Rows.
            position: (n, 3) of all members [m].
            left: (n,) lengths of their own ways [m].
        """
        least = self._shortest[members] - length(position[members] - self._place[members])
        members = members[left[members] - SHORTER > least]
        most = max(LOOKING, len(self._shortest) // ONE_OF)
        if len(members) > most:
            members = np.sort(np.roll(members, -self._turn)[:most])
            self._turn += most
        return members

    def found(self, members: Index, position: Float, left: Float, lengths: Float) -> Index:
        """Note the lengths (m,) of ways that members (m,) have found; return whose are shorter.

        Args:
            members: Rows.
            position: (n, 3) of all members [m].
            left: (n,) lengths of their own ways [m].
            lengths: Infinite where there is none [m].

        Returns:
            Rows (k,) in members.
        """
        own = left[members]
        self._place[members] = position[members]
        self._shortest[members] = np.minimum(own, lengths)
        return np.flatnonzero(lengths < own - SHORTER)
