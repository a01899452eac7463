"""The goal queue of every member: what it has been told or has decided to do, until when."""

from collections.abc import Sequence

import numpy as np

from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index

# Times that differ by less are the same [s].
ROUNDING = 1e-9


class GoalQueue:
    """Goals of n members, each at most once per member, vectorized over the members.

    A goal is put in with a priority and a time-out, by a rule or by hand. Arbitration: of those
    in the queue the one of the highest priority is pursued; of equals, the one that came first.
    A goal leaves when its time is over or when it is taken out, and what is then first is resumed.

    Attributes:
        names: G goals.
        active: (n,) goal that each member pursues, row in ``names``; -1 for none.
        since: (n,) time [s] since when it does.
    """

    def __init__(self, names: Sequence[str], count: int) -> None:
        self.names = list(names)
        self.active = np.full(count, -1, np.intp)
        self.since = np.zeros(count)
        self._priority = np.full((count, len(names)), -np.inf)
        self._expires = np.full((count, len(names)), -np.inf)
        self._entered = np.full((count, len(names)), np.inf)
        self._entries = 0

    @property
    def queued(self) -> Bool:
        """(n, G) which goals are in the queues."""
        return self._expires > -np.inf

    @property
    def expires(self) -> Float:
        """(n, G) until when [s] each goal stays; infinite without limit, -inf if not queued."""
        return self._expires.copy()

    def with_names(self, names: Sequence[str]) -> "GoalQueue":
        """Return the queue with other goals; those of the same name are queued as before."""
        found = GoalQueue(names, len(self.active))
        rows = {name: row for row, name in enumerate(self.names)}
        for row, name in enumerate(names):
            if name in rows:
                for field in ("_priority", "_expires", "_entered"):
                    getattr(found, field)[:, row] = getattr(self, field)[:, rows[name]]
        place = [found.names.index(name) if name in found.names else -1 for name in self.names]
        found.active = np.array([*place, -1], np.intp)[self.active]
        found.since, found._entries = self.since.copy(), self._entries
        return found

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now; the queues of newcomers are empty."""
        self.active = members.of(self.active, -1)
        self.since = members.of(self.since, 0.0)
        self._priority = members.of(self._priority, -np.inf)
        self._expires = members.of(self._expires, -np.inf)
        self._entered = members.of(self._entered, np.inf)

    def put(self, goal: int, members: Bool | Index, priority: float, expires: float) -> None:
        """Put a goal into the queues of some members, or renew it there.

        A goal that is already queued keeps its place among equals; the higher of the two
        priorities and the later of the two time-outs hold.

        Args:
            goal: Row in ``names``.
            members: Mask (n,) or rows.
            priority: Higher ones come first.
            expires: Until when [s]; infinite: until it is taken out.
        """
        rows = np.flatnonzero(members) if np.asarray(members).dtype == np.bool_ else members
        self._priority[rows, goal] = np.maximum(self._priority[rows, goal], priority)
        self._expires[rows, goal] = np.maximum(self._expires[rows, goal], expires)
        self._entered[rows, goal] = np.minimum(self._entered[rows, goal], self._entries)
        self._entries += 1

    def take_out(self, goal: int, members: Bool | Index) -> None:
        """Take a goal out of the queues of some members, a mask (n,) or rows."""
        self._priority[members, goal] = -np.inf
        self._expires[members, goal] = -np.inf
        self._entered[members, goal] = np.inf

    def arbitrate(self, time: float) -> Bool:
        """Let go of what is over, and choose; return which members changed their goal (n,)."""
        over = self.queued & (self._expires < time - ROUNDING)
        for goal in np.flatnonzero(over.any(axis=0)):
            self.take_out(int(goal), over[:, goal])
        chosen = np.full(len(self.active), -1, np.intp)
        if self.names and len(self.active):
            best = self._priority.max(axis=1, keepdims=True)
            first = np.where(self.queued & (self._priority == best), self._entered, np.inf)
            chosen = np.where(self.queued.any(axis=1), np.argmin(first, axis=1), -1)
        changed: Bool = chosen != self.active
        self.active = chosen
        self.since = np.where(changed, time, self.since)
        return changed
