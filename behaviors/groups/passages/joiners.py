"""Joiners: members that go to their places in a formation by the roadmap."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.guided.navigation import Guidance, Navigator
from rmp3d.behaviors.groups.guided.roadmap_routes import RoadmapRoutes
from rmp3d.behaviors.groups.intent import Guides, Intent
from rmp3d.behaviors.groups.task import GroupTask
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length
from rmp3d.planner.spaces import GroundSpace

# A member has strayed if, at so many looks, so far apart [s], it did not see its place, nor had
# come nearer to it by so much [m] than at the look before.
LOOKS, APART, NEARER = 4, 0.5, 0.1
# Places beside a path have its height; the ground there is so much higher or lower at most [m].
SLOPE = 5.0


class Joiners:
    """Members that have come to a group on its way, and those that have strayed.

    Their places wait for them on the path, or in the goal. They go there by the roadmap until they
    can go straight. Others can push a member past a turn of the path, as a hatch, behind which its
    place is.

    Args:
        task: Of the group.

    Attributes:
        late: (n,) members that have come on the way.
    """

    def __init__(self, task: GroupTask) -> None:
        self._task = task
        self.late: Bool = np.zeros(task.count, np.bool_)
        self._joining: Bool = np.zeros(task.count, np.bool_)
        self._unseen: Index = np.zeros(task.count, np.intp)
        self._apart: Float = np.full(task.count, np.inf)
        self._look_at = 0.0

    def on(self, task: GroupTask, joining: Bool | None = None) -> "Joiners":
        """Return the same members on another path, which some (n,) of them join from beside it."""
        found = Joiners(task)
        found.late = self.late
        found._joining = (self._joining if joining is None else joining).copy()
        return found

    def check(self, places: Float) -> None:
        """Refuse newcomers at places (m, 3) [m] without a way to the path.

        Raises:
            InputError: Says so.
        """
        end = self._task.path.points[-1]
        for place in places:
            straight = self._task.space.connects(place[None], end[None])[0]
            if not straight and self._routes.route(place, end) is None:
                raise InputError(
                    f"no way to the group's path was found from {place.round(2).tolist()}"
                )

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now."""
        if "_navigator" in self.__dict__:
            self._navigator.turn_over(members)
        self.late = members.of(self.late, True)
        self._joining = members.of(self._joining, True)
        self._unseen, self._apart = members.of(self._unseen, 0), members.of(self._apart, np.inf)

    def look(
        self, position: Float, place: Float, follows: Bool, time: float,
        comes_to: Callable[[int, Callable[[Float], bool]], bool] | None = None,
    ) -> None:  # fmt: skip
        """Find those of the members (n,) that follow their places, and have strayed from them.

        Args:
            position: (n, 3) of the members [m].
            place: (n, 3) their places on the path, or in the goal [m].
            follows: (n,) members that are to be there, and can step aside.
            time: Now [s].
            comes_to: Lets the place of a member come to it instead, to a point (3,) [m] that it
                sees, and returns whether it does; None: places wait.
        """
        if time < self._look_at - 1e-9:
            return
        self._look_at = time + APART
        place, there = self._on_ground(place)
        apart = length(place - position)
        late = np.flatnonzero(follows & there & ~self._joining & (apart > self._apart - NEARER))
        unseen = late[~self._task.space.connects(position[late], place[late])]
        self._apart, before = apart, self._unseen[unseen]
        self._unseen[:] = 0
        self._unseen[unseen] = before + 1
        strayed = unseen[before + 1 >= LOOKS]
        for member in np.union1d(strayed, np.flatnonzero(self._joining & ~self.late)).tolist():
            if comes_to is not None and comes_to(member, self._seeing(position[member])):
                self._joining[member], self._unseen[member] = False, 0
            elif self._joining[member]:
                continue
            else:
                route = self._routes.route(position[member], place[member])
                self._joining[member] = route is not None

    def _seeing(self, position: Float) -> Callable[[Float], bool]:
        """Return whether one comes straight from a position (3,) to places (3,) [m]."""

        def sees(place: Float) -> bool:
            found, there = self._on_ground(place[None])
            return bool(there[0] and self._task.space.connects(position[None], found)[0])

        return sees

    def _on_ground(self, place: Float) -> tuple[Float, Bool]:
        """Return places (n, 3) [m] of walkers on the ground under them; where there is any (n,)."""
        space = self._task.space
        if not isinstance(space, GroundSpace):
            return place, np.ones(len(place), np.bool_)
        found, face = space.surface.locate(place, SLOPE, SLOPE)
        return found, face >= 0

    def led(self, intent: Intent, flock: Flock, place: Float, motion: Float, time: float) -> Intent:
        """Return the intent, in which members that join the others go to their places.

        Args:
            intent: Of the members in formation.
            flock: The n members.
            place: (n, 3) their places on the path, or in the goal [m].
            motion: (n, 3) of these [m/s].
            time: Now [s].
        """
        joining = np.flatnonzero(self._joining)
        if len(joining) == 0:
            return intent
        place, _ = self._on_ground(place)
        seen = self._task.space.connects(flock.position[joining], place[joining])
        self._joining[joining[seen]] = False
        pace = flock.bodies.cruise_speed
        way = self._navigator.lead(flock.position, place, motion, self._joining, pace, time)
        own = (self._joining & np.isfinite(way.left))[:, None]
        return replace(
            intent,
            subgoal=np.where(own, way.subgoal, intent.subgoal),
            subgoal_velocity=np.where(own, way.motion, intent.subgoal_velocity),
            guides=None if intent.guides is None else self._guides(intent.guides, way, pace),
        )

    def _guides(self, guides: Guides, way: Guidance, pace: Float) -> Guides:
        """Return the guides of vehicles, those that join others by the waypoints of their ways."""
        joins = self._joining.copy()

        def points(member: int) -> Float:
            return way.waypoint[member, None] if joins[member] else guides.points(member)

        return Guides(points, np.where(joins, pace, guides.pace), guides.stops & ~joins)

    @cached_property
    def _routes(self) -> RoadmapRoutes:
        return RoadmapRoutes(self._task.roadmap)

    @cached_property
    def _navigator(self) -> Navigator:
        return Navigator(self._routes, len(self.late), self._task.dt)
