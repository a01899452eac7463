"""Shorter ways: which members of a crowd look whether there is a shorter way than their own."""

import numpy as np

from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.vectors import length

# So many members look at a time, or one of so many of all where that is more; and so many of those
# who cannot expect a shorter way.
LOOKING, ONE_OF, OTHERS = 120, 80, 20
# A way that is not shorter by this is none [m].
SHORTER = 0.3


class ShorterWays:
    """What n members know of the lengths of their ways.

    A member that has looked knows the length of the shortest way from there. From where it is now
    the shortest way is at most as much shorter as it has moved since; so who follows a shortest way
    cannot expect a shorter one, until others push it aside. Ways over a roadmap are only nearly
    the shortest: a few of the others look, too.

    Args:
        count: n.
    """

    def __init__(self, count: int) -> None:
        self._place = np.zeros((count, 3))
        self._shortest = np.full(count, -np.inf)  # from there [m]
        self._turn, self._others = 0, 0

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
        expects = left[members] - SHORTER > least
        most = max(LOOKING, len(self._shortest) // ONE_OF)
        first, self._turn = _in_turn(members[expects], most, self._turn)
        others, self._others = _in_turn(members[~expects], OTHERS, self._others)
        return np.sort(np.concatenate([first, others]))

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


def _in_turn(members: Index, most: int, turn: int) -> tuple[Index, int]:
    """Return up to so many members (m,), others each time, and the turn of the next time."""
    if len(members) <= most:
        return members, turn
    return np.roll(members, -turn)[:most], turn + most
