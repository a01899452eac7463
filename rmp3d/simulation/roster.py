"""The roster: which members there are at the moment, and which row each has in a recording."""

from collections.abc import Sequence

import numpy as np

from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Index
from rmp3d.geometry.errors import InputError


class Roster:
    """Who is there. A member is known by its group and its number in it, which stays its own.

    Args:
        at_start: (G,) members of each group that are there at the start.
        counts: (G,) members that each group may have in the course of the run.

    Attributes:
        counts: (G,) as given; more where nothing limits them.
        come: (G,) members of each group that have come so far.
        limited: Whether there can be no more than those of ``counts``, as in a recording.
        group_of: (N,) group of each member that is there, group by group.
        number: (N,) number of each in its group, counted from 0 in the order of coming.
    """

    def __init__(self, at_start: Sequence[int], counts: Sequence[int]) -> None:
        self.counts, self.come, self.limited = list(counts), list(at_start), False
        self._at_start = np.array(at_start)
        self.group_of: Index = np.repeat(np.arange(len(counts)), at_start)
        self.number: Index = np.concatenate([np.arange(count) for count in at_start])

    @property
    def member(self) -> Index:
        """(N,) row of each in a recording, whose rows are group by group."""
        return rows_of(self.group_of, self.number, self.counts)

    @property
    def chance(self) -> Index:
        """(N,) a number of each, by which its chance is drawn; newcomers change nobody else's."""
        first = np.cumsum(self._at_start) - self._at_start
        late = self.number - self._at_start[self.group_of]
        newcomers = self._at_start.sum() + late * len(self.counts) + self.group_of
        chance: Index = np.where(late < 0, first[self.group_of] + self.number, newcomers)
        return chance

    @property
    def rows(self) -> list[Index]:
        """Rows of the flock of each group."""
        return [np.flatnonzero(self.group_of == group) for group in range(len(self.counts))]

    def check_room(self, group: int, count: int) -> None:
        """Refuse more members than there is room for.

        Raises:
            InputError: There is no room for ``count`` more in a group.
        """
        room = self.counts[group] - self.come[group]
        if self.limited and count > room:
            raise InputError(
                f"{count} more cannot come: the recording has room for {room}; say with `reserve` "
                "of the group for how many it shall have room"
            )

    def add(self, group: int, count: int) -> Turnover:
        """Let ``count`` newcomers join a group, and return what that makes of the rows."""
        self.check_room(group, count)
        last = int(np.searchsorted(self.group_of, group, side="right"))
        before = np.insert(np.arange(len(self.group_of)), last, np.full(count, -1))
        numbers = self.come[group] + np.arange(count)
        self.group_of = np.insert(self.group_of, last, np.full(count, group))
        self.number = np.insert(self.number, last, numbers)
        self.come[group] += count
        self.counts[group] = max(self.counts[group], self.come[group])
        return Turnover(before, len(before) - count)

    def remove(self, leaving: Bool) -> Turnover:
        """Let members (N,) leave, and return what that makes of the rows."""
        before = np.flatnonzero(~leaving)
        self.group_of, self.number = self.group_of[before], self.number[before]
        return Turnover(before, len(leaving))


def rows_of(group_of: Index, number: Index, counts: Sequence[int]) -> Index:
    """Return the rows of members by their groups and numbers, if groups have so many members."""
    first = np.cumsum([0, *counts])
    rows: Index = first[group_of] + number
    return rows
