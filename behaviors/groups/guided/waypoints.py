"""Waypoints: which subgoal of its route each member is going to, and when it goes on.

A member goes on to the next subgoal when its own is within sensor range, or behind it, and the next
one is visible: the straight motion there is proved free for the swept body. Members look in turn,
every one each `LOOK_EVERY` steps, so that all steps cost the same. Who saw its own subgoal looks
for that one again each `OWN_EVERY` times.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index, read_only
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.vectors import length
from rmp3d.planner.spaces import GroundSpace, Space

LOOK_EVERY, OWN_EVERY = 5, 3
# Without sight of its subgoal for so long [s] a member is lost.
LOST_AFTER = 1.0
# A lost member looks for so many of the nearest subgoals of its route.
REJOINS = 8


class _Asked(NamedTuple):
    """Members that look.

    Attributes:
        members: (m,) whose turn it is.
        passed: (m,) those beyond their subgoals.
        may: (a,) of them that may go on.
        own: (b,) of them that look for their own subgoals.
        seen: Gives whether the next subgoals and the own ones are seen (a + b,).
        place: (a + b, 3) from where [m].
    """

    members: Index
    passed: Bool
    may: Index
    own: Index
    seen: Callable[[], Bool]
    place: Float


class WaypointFollower:
    """The routes of n members, all the same at first, and where on them each member is.

    Args:
        space: Proves motions free.
        route: (K, 3) subgoals [m], K >= 1.
        count: n.
        sensor_range: How far a member sees the path's subgoals [m].
        dt: Time step [s].

    Attributes:
        first: (K, 3) the route that newcomers get [m].
        unseen: (n,) how long each member has not seen its subgoal [s].
        turned_back: (m,) members that are beyond their subgoals and do not see the next ones, of
            those that have looked in this step: their routes lead them back.
    """

    def __init__(
        self,
        space: Space,
        route: Float,
        count: int,
        sensor_range: float,
        dt: float,
    ) -> None:
        self._space = space
        self._range = sensor_range
        self._dt = dt
        # Rows are filled up with the last subgoal.
        self._points = np.tile(route, (count, 1, 1))  # (n, K, 3)
        self._rest = np.tile(_distance_left(route), (count, 1))  # (n, K)
        self._last = np.full(count, len(route) - 1)
        self._next = np.zeros(count, np.intp)
        self._members = np.arange(count)
        self.first = route
        self._steps = 0
        # A member that does not see its route from where it starts is lost at once.
        self.unseen = np.full(count, LOST_AFTER)
        # Where each was when it saw its subgoal last [m].
        self._saw = np.full((count, 3), np.nan)
        # What is known of the routes as they are, and members for whom it is so no more.
        self._known: dict[int, tuple[Float, Float]] = {}
        self._stale: dict[int, list[Index]] = {}
        self.turned_back: Index = np.zeros(0, np.intp)
        # Who looks now, and which members have the route that they had when that began.
        self._looking: _Asked | None = None
        self._is_old = np.ones(count, np.bool_)
        self._found: list[tuple[Index, Index]] = []

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now; newcomers have the first route."""
        self._members, self._known = np.arange(len(members)), {}
        self._points = members.of(self._points, 0.0)
        self._rest = members.of(self._rest, 0.0)
        self._last, self._next = members.of(self._last, 0), members.of(self._next, 0)
        self.unseen = members.of(self.unseen, LOST_AFTER)
        self._saw = members.of(self._saw, np.nan)
        self._looking, self._is_old = None, np.ones(len(members), np.bool_)
        self._found.clear()  # they look again soon
        for member in np.flatnonzero(members.new).tolist():
            self.give(member, self.first)
            self.unseen[member] = LOST_AFTER

    @property
    def subgoal(self) -> Float:
        """(n, 3) where each member is going [m]."""
        return self._now[0]

    @property
    def _now(self) -> tuple[Float, Float]:
        """The subgoals (n, 3) [m], and the distance (n,) from each to the end [m]."""
        points, rest = self._coming(1)
        return points[:, 0], rest

    def _coming(self, count: int) -> tuple[Float, Float]:
        """Return the next subgoals (n, count, 3) and the distances (n,) from the first to the end.

        Few members go on in a step; what is known of the others is kept.
        """
        known = self._known.get(count)
        stale = self._stale.pop(count, [])
        if known is None:
            found = self._looked_up(self._members, count)
        elif not stale:
            return known
        else:
            found = known[0].copy(), known[1].copy()
            rows = np.concatenate(stale)
            found[0][rows], found[1][rows] = self._looked_up(rows, count)
        self._known[count] = read_only(found[0]), read_only(found[1])
        return self._known[count]

    def _looked_up(self, members: Index, count: int) -> tuple[Float, Float]:
        """Return what `_coming` does of members (m,)."""
        each = self._points.shape[1]
        first = self._next[members]
        rows = np.minimum(first[:, None] + np.arange(count), self._last[members, None])
        points = self._points.reshape(-1, 3).take(rows + (members * each)[:, None], axis=0)
        return points, self._rest.reshape(-1).take(members * each + first)

    def _forget(self, members: Index) -> None:
        """Note that members (m,) have another subgoal, or another route."""
        for count in self._known:
            self._stale.setdefault(count, []).append(members)

    @property
    def at_end(self) -> Bool:
        """(n,) members on their way to the last subgoal of their routes."""
        at_end: Bool = self._next == self._last
        return at_end

    def remaining(self, position: Float) -> Float:
        """Return the distance (n,) [m] from positions (n, 3) by the subgoals to the end."""
        subgoal, rest = self._now
        return length(subgoal - position) + rest

    def ahead(self, member: int) -> Float:
        """Return the subgoals (K, 3) [m] that a member has still to go to."""
        ahead: Float = self._points[member, self._next[member] : self._last[member] + 1]
        return ahead

    def coming(self, count: int) -> Float:
        """Return the next subgoals (n, count, 3) [m] of all members, filled up with the last."""
        return self._coming(count)[0]

    def look(self, position: Float, busy: Bool) -> Index:
        """Let the members whose turn it is look, and go on; return those that are lost.

        Args:
            position: (n, 3) of all members [m].
            busy: (n,) members that do not follow their routes now.
        """
        self.begin_look(position, busy)
        return self.end_look()

    def begin_look(self, position: Float, busy: Bool) -> None:
        """Begin what `look` does: other threads look, until `end_look` asks for what was seen."""
        members = self._members[self._steps % LOOK_EVERY :: LOOK_EVERY]
        look = self._steps // LOOK_EVERY
        self._steps += 1
        self.unseen[busy] = 0.0
        members = members[~busy[members]]
        following = self._next[members] + 1
        near = length(self.subgoal[members] - position[members]) < self._range
        passed = self._passed(members, position) & (following <= self._last[members])
        may = members[(near & (following <= self._last[members])) | passed]
        own = members[(self.unseen[members] > 0.0) | ((members + look) % OWN_EVERY == 0)]
        # One question for all: whether they see the next subgoal, and whether their own.
        looking = np.concatenate([may, own])
        wanted = np.concatenate([self._next[may] + 1, self._next[own]])
        asked = position[looking], self._points[looking, wanted]
        seen = (
            self._space.connects_later(*asked) if isinstance(self._space, GroundSpace)
            else partial(self._space.connects, *asked)
        )  # fmt: skip
        self._looking = _Asked(members, passed, may, own, seen, asked[0])
        self._is_old[:] = True

    def end_look(self) -> Index:
        """Let those go on that have seen the next subgoal; return the members that are lost.

        Those that have another route since they began to look have not looked; nobody has after
        a `turn_over`.
        """
        looked, self._looking = self._looking, None
        if looked is None:
            self.turned_back = np.zeros(0, np.intp)
            return self.turned_back
        members, passed, may, own, _, place = looked
        seen, old = looked.seen(), self._is_old
        goes_on = np.zeros(len(self._members), np.bool_)
        goes_on[may] = seen[: len(may)] & old[may]
        self._next += goes_on
        self._forget(np.flatnonzero(goes_on))
        self.turned_back = members[passed & ~goes_on[members] & old[members]]
        unseen = self.unseen[own] + LOOK_EVERY * self._dt
        sees = goes_on[own] | seen[len(may) :] | ~old[own]
        self.unseen[own] = np.where(sees, 0.0, unseen)
        self.unseen[may[goes_on[may]]] = 0.0
        new = np.concatenate([goes_on[may], seen[len(may) :] & old[own] & ~goes_on[own]])
        self._saw[np.concatenate([may, own])[new]] = place[new]
        return members[self.unseen[members] > LOST_AFTER]

    def end_looks(self) -> tuple[Index, Index]:
        """Do as `end_look`; return who is lost, and who turned back, when all have looked.

        Until then nobody is returned: to find ways for many at once costs little more than for one.
        """
        self._found.append((self.end_look(), self.turned_back))
        if len(self._found) < LOOK_EVERY:
            return np.zeros(0, np.intp), np.zeros(0, np.intp)
        lost, back = (np.concatenate(rows) for rows in zip(*self._found, strict=True))
        self._found.clear()
        return lost[self.unseen[lost] > 0.0], back

    def _passed(self, members: Index, position: Float) -> Bool:
        """Return which members (m,) are beyond their subgoals, as seen from the next ones."""
        found = np.empty(len(members), np.bool_)
        _are_beyond(self._points, self._next, self._last, members, position, found)
        return found

    def rejoin(self, members: Index, position: Float) -> Bool:
        """Send members (m,) to the subgoal in sight that is nearest to the end; return which can.

        Args:
            members: Rows.
            position: (n, 3) of all members [m].
        """
        if len(members) == 0:
            return np.zeros(0, np.bool_)
        apart = length(self._points[members] - position[members, None])  # (m, K)
        near = np.argsort(apart, axis=1, kind="stable")[:, :REJOINS]
        rows = np.repeat(members, near.shape[1])
        seen = self._space.connects(position[rows], self._points[rows, near.ravel()])
        own = members[:, None]
        distance = np.take_along_axis(apart, near, axis=1) + self._rest[own, near]
        distance[~seen.reshape(near.shape)] = np.inf
        best = np.argmin(distance, axis=1)
        chosen = np.arange(len(members))
        found: Bool = np.isfinite(distance[chosen, best])
        self._next[members[found]] = np.minimum(
            near[chosen, best][found], self._last[members[found]]
        )
        self.unseen[members[found]], self._saw[members[found]] = 0.0, position[members[found]]
        self._is_old[members[found]] = False
        self._forget(members[found])
        return found

    def ways_back(self, members: Index, position: Float) -> list[Float | None]:
        """Return routes (K, 3) [m] of members (m,) by where they saw their subgoals last.

        None for those that do not see that place, or have not seen their subgoals.

        Args:
            members: Rows.
            position: (n, 3) of all members [m].
        """
        saw = self._saw[members]
        known = np.flatnonzero(np.isfinite(saw[:, 0]))
        known = known[self._space.connects(position[members[known]], saw[known])]
        found: list[Float | None] = [None] * len(members)
        for row in known.tolist():
            found[row] = np.concatenate([saw[row : row + 1], self.ahead(int(members[row]))])
        return found

    def give(self, member: int, route: Float) -> None:
        """Give a member a route (K, 3) [m] of its own, to be followed from its first subgoal."""
        more = len(route) - self._points.shape[1]
        if more > 0:
            self._points = np.pad(self._points, [(0, 0), (0, more), (0, 0)], mode="edge")
            self._rest = np.pad(self._rest, [(0, 0), (0, more)])
        self._points[member, : len(route)] = route
        self._points[member, len(route) :] = route[-1]
        self._rest[member] = 0.0
        self._rest[member, : len(route)] = _distance_left(route)
        self._last[member] = len(route) - 1
        self._next[member] = 0
        self._saw[member] = np.nan
        self._is_old[member] = False
        self._forget(np.array([member]))
        self.unseen[member] = 0.0


@compiled
def _are_beyond(points, next_one, last, members, position, found):
    for row in range(members.shape[0]):
        i = members[row]
        own, onward = next_one[i], min(next_one[i] + 1, last[i])
        total = 0.0
        for k in range(3):
            left = points[i, own, k] - position[i, k]
            total += left * (points[i, onward, k] - points[i, own, k])
        found[row] = total < 0.0


def _distance_left(route: Float) -> Float:
    """Return the distance (K,) [m] from each subgoal to the last."""
    steps = length(np.diff(route, axis=0))
    return np.concatenate([np.cumsum(steps[::-1])[::-1], [0.0]])
