"""Self-guided: every member holds the list of subgoals and follows it on its own."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.goal_area.area import GoalArea
from rmp3d.behaviors.groups.goal_area.held_up import NEARER, NEW_TASK, PATIENCE
from rmp3d.behaviors.groups.group_behavior import (
    GROUP_BEHAVIORS,
    GroupBehavior,
    GroupRun,
    starting_heading,
    starting_places,
    starting_poses,
)
from rmp3d.behaviors.groups.guided.onward import onward
from rmp3d.behaviors.groups.guided.shortest_paths import ShortestPathTree, prices
from rmp3d.behaviors.groups.guided.waypoints import WaypointFollower
from rmp3d.behaviors.groups.intent import SOON, Guides, Intent, RouteAhead
from rmp3d.behaviors.groups.party import Party
from rmp3d.behaviors.groups.task import GroupTask, default_spacing
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length, unit
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.roadmap import Roadmap

# A member that has come no nearer for this time [s] searches for a path round the jam, and again
# after half that time. One search serves all members: it is made this often [s].
STUCK_AFTER, TOGETHER = 8.0, 1.0
# A member so near to its place is there, times its radius.
THERE = 0.5
# A member that is held up for this time [s] in the goal area, or before it within so many times the
# default spacing, is pressed in. Vehicles come no nearer while they maneuver: they have `PATIENCE`.
HELD_UP, BEFORE = 1.5, 1.5
# The path round is taken if it costs less than this share of the present route.
WORTH_IT = 0.8
# Vehicles get their places so many turn radii of driving before the goal: from there they come to
# those at its sides ahead.
OPENS = 2.0
# The points that guide vehicles are so far apart [m].
ON_CURVES = 1.2


@GROUP_BEHAVIORS.register("self_guided")
@dataclass(frozen=True)
class SelfGuided(GroupBehavior):
    """Plan once; every member follows the path's subgoals, near its neighbors.

    The path is cut into subgoals at most a sensor range apart, each visible from the one before.
    A member goes on to the next subgoal when its own is within sensor range and the next one is
    visible (swept body). A member that has lost sight of its subgoal asks the roadmap for a path
    of its own; so does a member that a jam has held up for long, if there is a path round. Members
    far ahead of the others slow down. At the goal each member has a place. A member that is held
    up before its place takes the next one, and all up to a free place move on by one (thesis,
    4.1; Bayazit, Lien, Amato 2002, "Roadmap-based flocking for complex environments").

    Attributes:
        sensor_range: How far a member sees the path's subgoals [m].
        neighborhood: A member this far ahead of the group's middle slows down [m].
        spacing: Distance between places at start and goal [m]; 0 takes one that suits body and
            speed.
    """

    sensor_range: float = 4.0
    neighborhood: float = 6.0
    spacing: float = 0.0

    def __post_init__(self) -> None:
        for name in ("sensor_range", "neighborhood"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")

    def begin(self, task: GroupTask) -> "SelfGuidedRun":
        """Cut the path into subgoals and place the members."""
        return SelfGuidedRun(task, self)

    def party(self, task: GroupTask) -> Party | None:
        """Return the members as a party of a crowd; vehicles are guided in a run of their own."""
        if task.character.parameters.turn_radius > 0.0:
            return None
        spacing = self.spacing or default_spacing(task.character)
        first, count = task.path.points[:1], task.count
        capsule = task.space.world.body.capsule_axis
        alone = count == 1 and bool(task.others.admit(first, task.radius, capsule).all())
        if not alone:
            route = np.concatenate([first, task.path.subgoals(self.sensor_range, task.space)])
        return Party(
            space=task.space, character=task.character,
            start=first.copy() if alone else starting_places(task, spacing),
            heading=task.path.points[1:2] - first if alone else starting_heading(task),
            regions=[task.goal], ends=[task.path.points[-1:]],
            legs=np.zeros((count, 1), np.intp), stays=np.zeros((count, 1)),
            leaves=np.zeros(count, np.bool_), pace=np.full(count, task.cruise_speed),
            departure=np.zeros(count), spacing=max(1.2 * spacing, default_spacing(task.character)),
            rng=task.rng, span=self.neighborhood, routes=None if alone else [route] * count,
            path=task.path, roadmap=task.roadmap,
        )  # fmt: skip


class SelfGuidedRun(GroupRun):
    """A group of members that guide themselves; see `SelfGuided`."""

    takes_turnover: ClassVar[bool] = True
    # Whether vehicles drive where they lose the least time; else rather ahead. See `Guides`.
    by_time: ClassVar[bool] = False

    def __init__(self, task: GroupTask, parameters: SelfGuided) -> None:
        self._task = task
        self._parameters = parameters
        spacing = parameters.spacing or default_spacing(task.character)
        center = task.path.points[0]
        start, heading = starting_poses(task, spacing)
        super().__init__(task, start=start, heading=heading)
        # A vehicle is guided along the curves of its path.
        self._drives = task.character.parameters.turn_radius > 0.0
        reach = parameters.sensor_range
        route = task.path.subgoals(min(reach, ON_CURVES) if self._drives else reach, task.space)
        points = np.concatenate([center[None], route])
        self._waypoints = WaypointFollower(task.space, points, task.count, reach, task.dt)
        self._left, self._was = np.full(task.count, np.inf), np.full(task.count, np.inf)
        self._since = np.zeros(task.count)
        self._pressed = np.zeros(task.count)
        self._looked = 0.0
        self._there = np.zeros(task.count, np.bool_)
        self._settled = np.zeros(task.count, np.bool_)
        self._area = GoalArea.of(
            task.space, task.goal, task.count, max(1.2 * spacing, default_spacing(task.character)),
            task.path.points[-1], task.expected, task.goal_stalls,
        )  # fmt: skip

    def reroute(
        self, path: CertifiedPath | None, roadmap: Roadmap, flock: Flock, time: float
    ) -> None:
        """Go on along another path; see `GroupRun.reroute`."""
        path = path or self._task.path
        self._task = replace(self._task, path=path, roadmap=roadmap)
        self.__dict__.pop("_paths", None)
        reach = min(self._parameters.sensor_range, self._farthest)
        self._waypoints.first = path.subgoals(reach, self._task.space)
        on_way = np.flatnonzero((self._area.taken < 0) & self._knows_path())
        for member in on_way.tolist():
            self._waypoints.give(member, self._waypoints.first)
        self._since[:], self._left[:] = time, np.inf
        lost = on_way[~self._waypoints.rejoin(on_way, flock.position)]
        routes = self._paths.routes(flock.position[lost]) if len(lost) else []
        for member, route in zip(lost.tolist(), routes, strict=True):
            if route is not None:
                self._waypoints.give(member, route)

    def _knows_path(self) -> Bool:
        """Return which members (n,) go along another path when there is one."""
        return np.ones(self._task.count, np.bool_)

    @property
    def _farthest(self) -> float:
        """How far apart the points are at most that guide members [m]."""
        return ON_CURVES if self._drives else np.inf

    def change(self, behavior: SelfGuided, flock: Flock) -> None:
        """See farther or less far, and wait for others sooner or later, from now on."""
        self._parameters = behavior

    def prepare(self, count: int, places: Float) -> None:
        """Refuse newcomers without a place in the goal, or without a way to it."""
        self._area.check_room(count)
        for place, route in zip(places, self._paths.routes(places), strict=True):
            if route is None:
                raise InputError(f"no way to the goal was found from {place.round(2).tolist()}")

    def turn_over(self, own: Turnover, everyone: Turnover, rows: Index) -> None:
        """Go on with the members that are there now; newcomers find the way by the roadmap."""
        super().turn_over(own, everyone, rows)
        self._task = self._task.with_count(len(own))
        self._waypoints.turn_over(own)
        self._area.turn_over(own)
        self._left, self._since = own.of(self._left, np.inf), own.of(self._since, 0.0)
        self._was = own.of(self._was, np.inf)
        self._pressed = own.of(self._pressed, 0.0)
        self._there, self._settled = own.of(self._there, False), own.of(self._settled, False)

    def step(self, flock: Flock, time: float) -> Intent:
        """Advance every member's pointer and give out its subgoal."""
        lost = self._waypoints.look(flock.position, self._there)
        self._bring_back(lost, flock, time)
        self._arrive(flock, time)
        in_goal = self._area.taken >= 0
        left = self._waypoints.remaining(flock.position)
        self._watch(left, time)
        self._press_in(flock, time)
        self._leave_jam(flock, in_goal, time)
        left = self._waypoints.remaining(flock.position)
        last = in_goal & self._waypoints.at_end
        subgoal = self._waypoints.subgoal
        direction = unit(subgoal - flock.position)
        ahead = np.median(left) - left
        span = self._parameters.neighborhood
        ease = np.where(in_goal, 1.0, np.clip(1.0 - (ahead - span) / span, 0.3, 1.0))
        pace = np.where(last, 0.0, ease * self._task.cruise_speed)
        # A subgoal before the last is passed at cruise speed: it keeps half a second ahead of the
        # member and moves on, such that `Arrive` (gain 1.5) asks for just the pace.
        carrot = flock.position + 0.5 * pace[:, None] * direction
        goal = np.where(last[:, None], subgoal, carrot)
        velocity = np.where(last[:, None], 0.0, 0.25 * pace[:, None] * direction)
        # A member that has been at its place stays parked when it is pushed off, as others that
        # pass go first. If it is pushed out of the goal it comes back as it came. A vehicle that
        # has come near its place, and is not in the goal yet, drives on.
        inside = self._area.inside(flock.position)
        self._there = last & (left < self._area.near(THERE * flock.bodies.radius))
        self._there &= inside | (not self._drives)
        self._settled = (self._settled & inside) | self._there
        guides = None
        if self._drives:
            onward = np.where(last, self._task.cruise_speed, pace)
            stops = np.ones(len(flock), np.bool_)
            guides = Guides(
                self._waypoints.ahead, onward, stops,
                course=self._area.course, by_time=self.by_time,
            )  # fmt: skip
        route = None
        if self._task.space.grounded and not self._drives:  # only walkers queue
            cruise = np.full(len(flock), self._task.cruise_speed)
            route = RouteAhead(self._waypoints.coming(SOON), cruise)
        return Intent(
            goal, velocity, left, self._settled, waypoint=subgoal, guides=guides, route=route
        )

    def steer(self, world: WorldState, rows: Index, intent: Intent) -> SteeringOutput:
        """Return the weighted sum of the steering behaviors, which never asks to stand or go back.

        In a dense crowd personal distance would balance the wish to go on; and no member gives way
        to another that does not want to move.
        """
        steering = super().steer(world, rows, intent)
        force = onward(world.flock.select(rows), steering.force, intent.subgoal)
        return steering._replace(force=force)

    def _bring_back(self, lost: Index, flock: Flock, time: float) -> None:
        """Lead lost members back to their routes, or by the roadmap to the goal."""
        lost = lost[~self._waypoints.rejoin(lost, flock.position)]
        in_goal = self._area.taken[lost] >= 0
        for member in lost[in_goal].tolist():
            self._waypoints.give(member, self._way_to_place(member, flock.position[member]))
        lost = lost[~in_goal]
        if len(lost) == 0:
            return
        routes = self._paths.routes(flock.position[lost])
        for member, route in zip(lost.tolist(), routes, strict=True):
            self._waypoints.unseen[member] = 0.0
            if route is not None:
                self._waypoints.give(member, route)
                self.tell(time, "reroute", "no longer sees the next point of its way", member)

    def _way_to_place(self, member: int, position: Float) -> Float:
        """Return subgoals (K, 3) from (3,) to the place of a member in the goal area [m].

        Who was pushed to where no place is in sight goes by the roadmap.
        """
        route = self._area.route(member, position)
        space = self._area.space
        if self._drives or space.connects(position[None], route[:1])[0]:
            return route
        around = self._paths.routes(position[None])[0]
        if around is None:
            return route
        return np.concatenate([around, self._area.route(member, around[-1])])

    def _watch(self, left: Float, time: float) -> None:
        """Note which members come nearer, by the distance (n,) that is left [m]."""
        # A vehicle that goes back for a while has no new task: then the distance leaps.
        before = self._was if self._drives else self._left
        changed = (left < self._left - NEARER) | (left > before + NEW_TASK) | self._there
        self._left[changed], self._since[changed] = left[changed], time
        self._was = left

    def _press_in(self, flock: Flock, time: float) -> None:
        """Give the nearest place to members that are held up in the goal area or just before it."""
        patience = PATIENCE if self._drives else HELD_UP
        held = time - np.maximum(self._since, self._pressed) > patience
        reach = BEFORE * default_spacing(self._task.character)
        for member in np.flatnonzero(held).tolist():
            self._pressed[member] = time
            moved = self._area.press_in(member, flock.position[member], reach)
            self._lead_to_places(moved, flock)
            # A member that cannot come nearer lets others by.
            self._settled[member] = self._area.taken[member] >= 0 and len(moved) == 0

    def _lead_to_places(self, members: Index, flock: Flock) -> None:
        for member in members.tolist():
            before = self._before_goal(member, flock.position[member])
            route = self._area.route(member, before[-1])
            self._waypoints.give(member, np.concatenate([before[1:], route]))
            self._left[member] = np.inf
            self._settled[member] = False

    def _leave_jam(self, flock: Flock, in_goal: Bool, time: float) -> None:
        """Lead members that have come no nearer for long round the jam, where that is worth it.

        Edges near members that stand are dearer; so is the rest of the own route.
        """
        stuck = np.flatnonzero(~in_goal & (time - self._since > STUCK_AFTER))
        if len(stuck) == 0 or time - self._looked < TOGETHER:
            return
        self._looked = time
        self._since[stuck] = time - 0.5 * STUCK_AFTER
        crowd = flock.position[time - self._since >= 0.5 * STUCK_AFTER]
        routes = self._paths.past(crowd).routes(flock.position[stuck])
        for member, route in zip(stuck.tolist(), routes, strict=True):
            here = flock.position[member, None]
            own = np.concatenate([here, self._waypoints.ahead(member)])
            if route is None:
                continue
            other = np.concatenate([here, route])
            price, others = (
                prices(points[:-1], points[1:], crowd).sum() for points in (own, other)
            )
            if others < WORTH_IT * price:
                self._waypoints.give(member, route)
                text = f"no progress for {STUCK_AFTER:g} s; goes round the jam"
                self.tell(time, "reroute", text, member)

    @cached_property
    def _paths(self) -> ShortestPathTree:
        return ShortestPathTree(self._task.roadmap, self._task.path.points[-1])

    def _may_arrive(self) -> Bool:
        """Return which members (n,) stay in the goal when they are in it."""
        return np.ones(self._task.count, np.bool_)

    def _before_goal(self, member: int, position: Float) -> Float:
        """Return the position (3,) of a member, and the points of its route before the goal."""
        points = np.concatenate([position[None], self._waypoints.ahead(member)])
        inside = self._area.inside(points)
        return points[: max(1, int(np.argmax(inside)))] if inside.any() else points[:1]

    def _comes(self, flock: Flock) -> Bool:
        """Return which members (n,) are vehicles that drive into the goal next."""
        if not self._drives:
            return np.zeros(len(flock), np.bool_)
        reach = OPENS * self._task.character.parameters.turn_radius
        comes = self._area.region.widened(reach).contains(flock.position) & self._may_arrive()
        comes &= self._knows_path() & (self._area.taken < 0)
        for member in np.flatnonzero(comes).tolist():
            points = np.concatenate([flock.position[member, None], self._waypoints.ahead(member)])
            first = int(np.argmax(self._area.inside(points)))
            way = float(length(np.diff(points[: first + 1], axis=0)).sum())
            comes[member] = self._area.inside(points).any() and way < reach
        return comes

    def _arrive(self, flock: Flock, time: float) -> None:
        inside = self._area.inside(flock.position) & self._may_arrive()
        new = np.flatnonzero((inside | self._comes(flock)) & (self._area.taken < 0))
        if len(new):
            heading = self._task.path.frames(np.array([self._task.path.length]))[0, :, 0]
            entry = flock.position[new].mean(axis=0)
            if self._area.angle is not None:  # the one before must not stand in the way of the next
                heading = self._area.inward(entry, heading)
            self._area.admit(new, flock.position, entry, heading)
            self._lead_to_places(new, flock)
        self.tell_arrivals(inside, time)
