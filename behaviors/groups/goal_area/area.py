"""The goal area: members enter it one after another, and spread out in it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rmp3d.behaviors.groups.driving.right_of_way import GAP
from rmp3d.behaviors.groups.goal_area.place_graph import PlaceGraph
from rmp3d.behaviors.groups.goal_area.places import APART, NoRoomError, places_in
from rmp3d.behaviors.groups.goal_area.stalls import IN_STALL, Stalls, in_cells, places_or_stalls
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.assignment import least_cost_assignment
from rmp3d.geometry.vectors import length
from rmp3d.planner.spaces import Space
from rmp3d.scenes import Region

# Weight of filling the far end first against walking straight ahead.
DEPTH_WEIGHT = 3.0
# A vehicle that is nearer to its place than this share of its radius keeps it.
THERE = 0.5
# So far from the middle of the places [m] it is clear from where a member comes.
NOT_IN_MIDDLE = 0.5


@dataclass(eq=False)
class GoalArea:
    """Places in the goal region, given out to n members as they come.

    Attributes:
        space: Proves that motions within the region are free.
        region: The goal.
        places: (K, 3) places, K >= n, nearest to the center first; for vehicles the deepest first,
            so that no one stands in the way of those that come later [m].
        taken: (n,) place of each member, -1 before it has one.
        center: (3,) that the places lie around [m].
        stalls: How vehicles stand where there is no room to turn; None for others.
        angle: Of the heading of all stalls in plan [rad]; None without.
    """

    space: Space
    region: Region
    places: Float
    taken: Index
    center: Float
    stalls: Stalls | None = None
    angle: float | None = None

    @classmethod
    def of(
        cls, space: Space, region: Region, count: int, spacing: float, center: Float,
        expected: int = 0, stalls: Stalls | None = None,
    ) -> "GoalArea":  # fmt: skip
        """Lay out places for ``count`` members around ``center`` (3,), or stalls.

        Raises:
            NoRoomError: The region is too small for so many, or for the ``expected`` members of all
                groups that go there.
        """
        count_of_all = max(count, expected)
        places, angle = places_or_stalls(space, region, count_of_all, spacing, center, stalls)
        taken = np.full(count, -1)
        if stalls is None:
            return cls(space, region, places, taken, center)
        return cls(
            stalls.space.ground, region, stalls.deepest(places), taken, center, stalls, angle
        )

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now; newcomers have no place yet.

        Raises:
            NoRoomError: The region is too small for so many.
        """
        self.places, self.taken = self._laid_out(len(members))
        self.__dict__.pop("graph", None)
        self.taken = members.of(self.taken, -1)

    def check_room(self, count: int) -> None:
        """Refuse so many members.

        Raises:
            NoRoomError: The region is too small for them.
        """
        self._laid_out(count)

    def _laid_out(self, count: int) -> tuple[Float, Index]:
        """Return at least so many places, those that are taken among them, and who has which."""
        if count <= len(self.places):
            return self.places, self.taken
        radius = self.space.world.body.radius
        has = self.taken >= 0
        kept = self.places[self.taken[has]]
        if self.stalls is not None and self.angle is not None:
            more = self.stalls.places_at(self.region, self.center, self.angle)
            more = self.stalls.apart(more, kept, self.angle)
        else:
            tightest = 2.0 * radius + APART
            more = places_in(self.space, self.region, 1, tightest, self.center)
            more = more[(length(more[:, None] - kept) >= tightest).all(axis=1)]
        found = np.concatenate([kept, more])
        if len(found) < count:
            raise NoRoomError(self.region, len(found), count, radius)
        order = np.argsort(length(found - self.center), kind="stable")
        if self.stalls is not None:
            order = self.stalls.order(found)
        taken = np.full(len(self.taken), -1)
        taken[has] = np.argsort(order, kind="stable")[: len(kept)]
        return found[order], taken

    def admit(self, members: Index, position: Float, entry: Float, heading: Float) -> None:
        """Give places to members that have come, the far ones first, without crossings.

        Of all places only the n nearest to the center are given out so.

        Args:
            members: (m,) that have come, the first in front.
            position: (n, 3) of all members [m].
            entry: (3,) where the path enters [m].
            heading: (3,) unit, the path's direction there.
        """
        waiting = members[self.taken[members] < 0]
        if len(waiting) == 0:
            return
        free = np.setdiff1d(np.arange(len(self.taken)), self.taken)
        depth = (self.places[free] - entry) @ heading
        farthest = free[np.argsort(-depth, kind="stable")][: len(waiting)]
        offset = self.places[farthest][None] - position[waiting][:, None]
        across = offset - (offset @ heading)[..., None] * heading
        ahead = (offset @ heading).max() - offset @ heading
        cost = (across**2).sum(axis=2) + DEPTH_WEIGHT * ahead * np.linspace(1, 0, len(waiting))[
            :, None
        ]
        rows, columns = least_cost_assignment(cost)
        self.taken[waiting[rows]] = farthest[columns]

    def inward(self, entry: Float, heading: Float) -> Float:
        """Return the direction (3,) from where members enter (3,) to the middle of the places.

        Those that come another way than along the path, as searchers do, come from elsewhere. At
        the middle it is the ``heading`` (3,).
        """
        offset = (self.places[: len(self.taken)].mean(axis=0) - entry) * [1.0, 1.0, 0.0]
        far = float(length(offset))
        return offset / far if far > NOT_IN_MIDDLE else heading

    def admit_abreast(self, members: Index, position: Float, entry: Float) -> None:
        """Give places to vehicles (m,) that come abreast, those farthest from the entry first.

        They do not come past one another as walkers do. So whoever is still on the way to its place
        exchanges it, such that the sum of the squared distances is least: then no ways cross.

        Args:
            members: (m,) that have come.
            position: (n, 3) of all members [m].
            entry: (3,) where the path enters [m].
        """
        waiting = members[self.taken[members] < 0]
        if len(waiting) == 0:
            return
        there = length(self.subgoal(position) - position) < THERE * self.space.world.body.radius
        stands = there & (self.taken >= 0)
        moving = np.union1d(np.flatnonzero((self.taken >= 0) & ~stands), waiting)
        free = np.setdiff1d(np.arange(len(self.taken)), self.taken[stands])
        far = np.round(length(self.places[free] - entry), 6)
        farthest = free[np.argsort(-far, kind="stable")][: len(moving)]
        self._share_out(farthest, moving, position)

    def exchange(self, members: Index, position: Float) -> Index:
        """Let members (m,) of all (n, 3) exchange their places; return who has another.

        The sum of the squared distances is least then: of two that stand in each other's way, the
        one in front takes the place that is farther on.
        """
        before = self.taken.copy()
        self._share_out(before[members], members, position)
        return np.flatnonzero(self.taken != before)

    def _share_out(self, places: Index, members: Index, position: Float) -> None:
        """Give places to members such that the sum of the squared distances is least."""
        offset = self.places[places][None] - position[members][:, None]
        rows, columns = least_cost_assignment((offset**2).sum(axis=2))
        self.taken[members[rows]] = places[columns]

    @property
    def course(self) -> Float:
        """(n,) angle of the heading [rad] in which each member is to stand; nan: any."""
        angle = np.nan if self.angle is None else self.angle
        return np.where(self.taken >= 0, angle, np.nan)

    def near(self, reach: Float | float) -> Float | float:
        """Return how near (n,) [m] to its place a member is there: ``reach``, or less."""
        return reach if self.angle is None else np.minimum(reach, IN_STALL)

    def subgoal(self, position: Float) -> Float:
        """Return where members (n, 3) that have a place are to be; their own position else."""
        subgoal = position.copy()
        has = self.taken >= 0
        subgoal[has] = self.places[self.taken[has]]
        return subgoal

    def route(self, member: int, position: Float) -> Float:
        """Return the subgoals (K, 3) of a member at (3,) to its place, over other places."""
        place = self.taken[member]
        own = np.arange(len(self.places)) == place
        if self.space.connects(position[None], self.places[place, None])[0]:
            return self.places[place, None]
        seen = self.graph.seen_from(position)
        route = self.graph.route(int(seen[0]), own) if len(seen) else seen
        return self.places[route] if len(route) else self.places[place, None]

    def press_in(self, member: int, position: Float, reach: float) -> Index:
        """Give a member held up at (3,) the nearest place; return the members with a new place.

        The member that has that place moves on to the next one, and so do all on the shortest
        route to the nearest free place. None is returned if no place is in sight and within
        ``reach`` [m].
        """
        seen = self.graph.seen_from(position, reach)
        if len(seen) == 0:
            return np.zeros(0, np.intp)
        holder = np.full(len(self.places), -1)
        holder[self.taken[self.taken >= 0]] = np.flatnonzero(self.taken >= 0)
        if self.stalls is not None:
            passed = self._past_others(position, seen, np.delete(self.taken, member))
            if len(passed) and not (passed == self.taken[member]).any():
                self.taken[member] = passed.min()  # the deepest
                return np.array([member])
        route = self.graph.route(int(seen[0]), (holder < 0) | (holder == member))
        if len(route) == 0 or route[0] == self.taken[member]:
            return np.zeros(0, np.intp)
        moved = np.concatenate([[member], holder[route[:-1]]])
        self.taken[moved] = route
        return moved

    def _past_others(self, position: Float, seen: Index, taken: Index) -> Index:
        """Return those of places seen from a point (3,) that are free, as is the way to them.

        A vehicle does not come past others as walkers do.
        """
        free = np.setdiff1d(seen, taken)
        stand = self.places[taken[taken >= 0]]
        if len(stand) == 0 or len(free) == 0:
            return free
        way = self.places[free, None, :2] - position[:2]  # (F, 1, 2)
        offset = stand[:, :2] - position[:2]  # (T, 2)
        share = (way * offset).sum(axis=2) / np.maximum((way**2).sum(axis=2), 1e-12)
        nearest_on = np.clip(share, 0.0, 1.0)[..., None] * way
        apart = np.sqrt(((nearest_on - offset) ** 2).sum(axis=2)).min(axis=1)
        return free[apart > 2.0 * self.space.world.body.radius + GAP]

    @cached_property
    def graph(self) -> PlaceGraph:
        """The links between the places."""
        cells = None if self.angle is None else in_cells(self.places, self.angle)
        return PlaceGraph(self.space, self.places, self.center, cells)

    def inside(self, position: Float) -> Bool:
        """Return which members (n, 3) are in the goal region."""
        return self.region.contains(position)
