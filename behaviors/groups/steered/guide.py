"""The guide of members that act: where those go whose goals say where, and by which ways."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.guided.navigation import Navigator
from rmp3d.behaviors.groups.guided.roadmap_routes import RoadmapRoutes, covering_roadmap
from rmp3d.behaviors.groups.intent import Guides, Intent
from rmp3d.behaviors.groups.steered.goal import GoalRun
from rmp3d.behaviors.groups.task import Task
from rmp3d.behaviors.perception import Known
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length
from rmp3d.planner.roadmap.roadmap import Roadmap


class GoalGuide:
    """Leads the n members of a group to the places of their goals.

    Args:
        task: Of the group.
        start: (3,) where its first member starts [m].
        rng: Source of the randomness of the roadmap.

    Attributes:
        led: (n,) members that are led somewhere now.
        there: (n,) members at the places of their goals.
        destination: (n, 3) where each is led to [m].
        left: (n,) length of the way still to go [m]; infinite where there is none.
        astray: (n,) members that are led, and have just found that no way leads there; once
            for each goal that they pursue.
        roadmap: Of the routes; None: nobody has been led yet.
        on_way: (n,) members that are led and whose way is not straight yet.
        driven: (n,) members that only go to their places, and have a way: vehicles drive there.
    """

    def __init__(self, task: Task, start: Float, rng: np.random.Generator) -> None:
        count = task.count
        self._task, self._start, self._rng = task, start, rng
        self._goals: Sequence[GoalRun] = ()
        self._nodes = 0
        self.roadmap: Roadmap | None = None
        self._drives = task.character.parameters.turn_radius > 0.0
        self._pace = np.full(count, task.cruise_speed)
        self._before = np.full(count, -1, np.intp)
        self.led: Bool = np.zeros(count, np.bool_)
        self.there: Bool = np.zeros(count, np.bool_)
        self.on_way: Bool = np.zeros(count, np.bool_)
        self.driven: Bool = np.zeros(count, np.bool_)
        self.destination: Float = np.full((count, 3), np.nan)
        self.left: Float = np.full(count, np.inf)
        self.astray: Bool = np.zeros(count, np.bool_)
        self._without: Bool = np.zeros(count, np.bool_)

    def pursue(self, goals: Sequence[GoalRun], nodes: int) -> None:
        """Lead to these goals from now on; a roadmap that is made from now on has ``nodes``."""
        self._goals, self._nodes = goals, nodes

    @cached_property
    def routes(self) -> RoadmapRoutes:
        """Routes over a roadmap that joins the start and the places of all goals."""
        itineraries = [goal.itinerary for goal in self._goals if goal.itinerary is not None]
        places = [stop.places for itinerary in itineraries for stop in itinerary.stops]
        ends = [self._start, *(each[0] for each in places if len(each))]
        self.roadmap = covering_roadmap(self._task.space, self._nodes, ends, self._rng)
        return RoadmapRoutes(self.roadmap)

    def take(self, roadmap: Roadmap) -> None:
        """Lead over another roadmap from now on."""
        self.roadmap, self.routes = roadmap, RoadmapRoutes(roadmap)
        if "_navigator" in self.__dict__:
            self._navigator.take(self.routes)

    @cached_property
    def _navigator(self) -> Navigator:
        return Navigator(self.routes, len(self.left), self._task.dt)

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now."""
        count = len(members)
        self._pace = np.full(count, self._task.cruise_speed)
        self._before = members.of(self._before, -1)
        self.led, self.there = members.of(self.led, False), members.of(self.there, False)
        self.on_way = members.of(self.on_way, False)
        self.driven = members.of(self.driven, False)
        self.destination = members.of(self.destination, np.nan)
        self.left = members.of(self.left, np.inf)
        self.astray = members.of(self.astray, False)
        self._without = members.of(self._without, False)
        if "_navigator" in self.__dict__:
            self._navigator.turn_over(members)

    def lead(
        self, pursued: Index, world: WorldState, rows: Index, flock: Flock, known: Known
    ) -> None:
        """Lead members to the places of their goals, and tell the goals' steering the ways.

        Args:
            pursued: (n,) goal of each member, -1 for none.
            world: Everything.
            rows: (n,) of the members in its flock.
            flock: The n members.
            known: What they know of others.
        """
        count = len(rows)
        self.astray = np.zeros(count, np.bool_)
        self.led, self.there = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        self.driven = np.zeros(count, np.bool_)
        point, motion = flock.position.copy(), np.zeros((count, 3))
        changed, self._before = pursued != self._before, pursued
        for row, goal in enumerate(self._goals):
            if goal.itinerary is None:
                continue
            mine = pursued == row
            goal.itinerary.forget(changed)
            goal.itinerary.arrive(world, rows, flock, mine)
            self.there[mine] = goal.itinerary.there[mine]
            if mine.any():
                goal.itinerary.decide(world, rows, flock, known, mine, self._distances)
                found = goal.itinerary.destinations(world, rows, flock, known)
                able = mine & found.able
                point[able], motion[able] = found.point[able], found.motion[able]
                self.led |= able
                self.driven |= able & goal.is_usual
        self.destination = point
        if not self.led.any() and "_navigator" not in self.__dict__:
            return  # nobody has been led yet, so there need be no roadmap
        way = self._navigator.lead(flock.position, point, motion, self.led, self._pace, world.time)
        self.left = np.where(self.led, way.left, np.inf)
        without = self.led & np.isinf(self.left)
        self._without &= ~changed
        self.astray = without & ~self._without
        self._without |= without
        self.on_way = self.led & ~way.last & np.isfinite(self.left)
        self.driven &= np.isfinite(self.left)
        for row, goal in enumerate(self._goals):
            if goal.itinerary is not None:
                goal.take(way, self.led & (pursued == row))

    def _distances(self, point: Float, places: Float) -> Float:
        """Return the lengths (K,) [m] of the ways from a point (3,) to places (K, 3)."""
        direct = length(places - point)
        straight = self._task.space.connects(np.tile(point, (len(places), 1)), places)
        far = np.where(straight, direct, np.inf)
        if not straight.all():
            entries = self.routes.entries(point[None])
            for row in np.flatnonzero(~straight).tolist():
                far[row] = self.routes.distances(entries, places[row])[0]
        return far

    def intent(self, intent: Intent) -> Intent:
        """Return an intent of members by which traffic rules lead those that are led."""
        if not self.led.any():
            return intent
        return replace(
            intent,
            remaining=np.where(self.led, np.nan_to_num(self.left, posinf=0.0), 0.0),
            parked=~self.led | self.there | np.isinf(self.left),
            guided=self.led,
            guides=self._guides() if self._drives else None,
        )

    def _guides(self) -> Guides:
        """Return along which points vehicles drive to the places of their goals."""

        def points(member: int) -> Float:
            return np.concatenate([
                self._navigator.ahead(member)[:-1], self.destination[member, None]
            ])  # fmt: skip

        return Guides(points, self._pace, np.ones(len(self.led), np.bool_), self.driven)
