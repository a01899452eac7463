"""Self-guided: every member holds the list of subgoals and follows it on its own."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from behaviors.flock import Flock
from behaviors.groups.goal_area import GoalArea
from behaviors.groups.group_behavior import (
    BEHAVIORS,
    GroupEvent,
    GroupTask,
    Intent,
    RunState,
    default_spacing,
    heading_of,
)
from behaviors.groups.places import scattered
from behaviors.groups.pointers import Pointers
from behaviors.groups.ways_over import WaysTo, prices
from behaviors.steering import Arrive, LookAheadAvoidance, Separation
from geometry.arrays import Bool, Index
from geometry.errors import InputError
from geometry.vectors import length, unit
from models import Character

# Who has come no nearer by this way [m] for this time [s] looks for a way round, and looks again
# after half that time; a way longer by this [m] than the best is a new one.
NEARER, STUCK_AFTER, NEW_WAY = 0.3, 8.0, 2.0
# More than any way [m].
LAST_IN_ORDER = 1e6
# The way round is taken if it costs less than this share of the own one.
WORTH_IT = 0.8


@BEHAVIORS.register("self_guided")
@dataclass(frozen=True)
class SelfGuided:
    """Plan once; every member follows the path's subgoals, near its neighbors.

    The path is cut into subgoals at most a sensor range apart, each visible from the one before.
    A member goes on to the next subgoal when its own is within sensor range and the next one is
    visible (swept body); one that has lost sight of its subgoal asks the roadmap for a way of its
    own, and so does one that a jam has held up for long, where there is a way round. Those far
    ahead of the others slow down. At the goal everyone stays close to it (thesis,
    4.1; Bayazit, Lien, Amato 2002, "Roadmap-based flocking for complex environments").

    Attributes:
        sensor_range: [m].
        neighborhood: A member this far ahead of the group's middle slows down [m].
        spacing: Between places at start and goal [m]; 0 takes one that suits body and speed.
    """

    needs_goal: ClassVar[bool] = True

    sensor_range: float = 4.0
    neighborhood: float = 6.0
    spacing: float = 0.0

    def __post_init__(self) -> None:
        for name in ("sensor_range", "neighborhood"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")

    def clearance_wanted(self, count: int, character: Character) -> float:
        """Return room for two members side by side."""
        return 3.0 * character.body.radius

    def begin(self, task: GroupTask) -> "GuidedRun":
        """Cut the path into subgoals and place the members."""
        return GuidedRun(task, self)


class GuidedRun(RunState):
    """A group of members that guide themselves; see `SelfGuided`."""

    def __init__(self, task: GroupTask, parameters: SelfGuided) -> None:
        self._task = task
        self._parameters = parameters
        spacing = parameters.spacing or default_spacing(task.character)
        center = task.path.points[0]
        super().__init__(
            start=scattered(task.space, task.start, task.count, spacing, center, task.rng),
            heading=heading_of(task.path, task.count),
            steering=[(1.0, Arrive()), (0.6, Separation()), (0.5, LookAheadAvoidance())],
        )
        route = task.path.subgoals(parameters.sensor_range, task.space)
        self._pointers = Pointers(
            task.space, np.concatenate([center[None], route]), task.count,
            parameters.sensor_range, task.dt,
        )  # fmt: skip
        self._arrived = np.zeros(task.count, np.bool_)
        self._left = np.full(task.count, np.inf)
        self._since = np.zeros(task.count)
        self._area = GoalArea.of(
            task.space, task.goal, task.count, max(1.2 * spacing, 2.5 * task.radius),
            task.path.points[-1], 0.5 * task.cruise_speed,
        )  # fmt: skip

    def change(self, behavior: SelfGuided, flock: Flock) -> None:
        """See farther or less far, and wait for others sooner or later, from now on."""
        self._parameters = behavior

    def step(self, flock: Flock, time: float) -> Intent:
        """Advance every member's pointer and give out its subgoal."""
        lost = self._pointers.look(flock.position, self._area.taken >= 0)
        self._bring_back(lost, flock, time)
        self._arrive(flock, time)
        in_goal = self._area.taken >= 0
        self._leave_jam(flock, in_goal, time)
        place = self._area.place(flock.position, time)
        subgoal = np.where(in_goal[:, None], place, self._pointers.subgoal)
        direction = unit(subgoal - flock.position)
        to_place = length(place - flock.position)
        # Those who are there come after all who are still on the way.
        left = self._pointers.remaining(flock.position)
        remaining = np.where(in_goal, to_place + LAST_IN_ORDER, left)
        ahead = np.median(left) - left
        span = self._parameters.neighborhood
        ease = np.clip(1.0 - (ahead - span) / span, 0.3, 1.0)
        pace = np.where(in_goal, 0.0, ease * self._task.cruise_speed)
        # A subgoal on the way is passed at cruise speed: it keeps half a second ahead of the member
        # and moves on, such that `Arrive` (gain 1.5) asks for just the pace.
        carrot = flock.position + 0.5 * pace[:, None] * direction
        goal = np.where(in_goal[:, None], subgoal, carrot)
        velocity = np.where(in_goal[:, None], 0.0, 0.25 * pace[:, None] * direction)
        parked = in_goal & (to_place < 0.5 * flock.radius)
        return Intent(goal, velocity, remaining, parked)

    def _bring_back(self, lost: Index, flock: Flock, time: float) -> None:
        """Lead lost members back to their routes, or by the roadmap to the goal."""
        lost = lost[~self._pointers.rejoin(lost, flock.position)]
        if len(lost) == 0:
            return
        routes = self._ways.routes(flock.position[lost])
        for member, route in zip(lost.tolist(), routes, strict=True):
            self._pointers.unseen[member] = 0.0
            if route is not None:
                self._pointers.give(member, route)
                self.events.append(GroupEvent(time, "reroute", member, "lost sight of its subgoal"))

    def _leave_jam(self, flock: Flock, in_goal: Bool, time: float) -> None:
        """Lead who has come no nearer for long round the jam, where that is worth the way.

        Edges near members that stand are dearer; so is the rest of the own route.
        """
        left = self._pointers.remaining(flock.position)
        changed = in_goal | (left < self._left - NEARER) | (left > self._left + NEW_WAY)
        self._left[changed], self._since[changed] = left[changed], time
        stuck = np.flatnonzero(time - self._since > STUCK_AFTER)
        if len(stuck) == 0:
            return
        self._since[stuck] = time - 0.5 * STUCK_AFTER
        crowd = flock.position[time - self._since >= 0.5 * STUCK_AFTER]
        routes = self._ways.past(crowd).routes(flock.position[stuck])
        for member, route in zip(stuck.tolist(), routes, strict=True):
            here = flock.position[member, None]
            own = np.concatenate([here, self._pointers.ahead(member)])
            if route is None:
                continue
            other = np.concatenate([here, route])
            price, others = (prices(way[:-1], way[1:], crowd).sum() for way in (own, other))
            if others < WORTH_IT * price:
                self._pointers.give(member, route)
                text = f"no progress for {STUCK_AFTER:g} s; goes round the jam"
                self.events.append(GroupEvent(time, "reroute", member, text))

    @cached_property
    def _ways(self) -> WaysTo:
        return WaysTo(self._task.roadmap, self._task.path.points[-1])

    def _arrive(self, flock: Flock, time: float) -> None:
        inside = self._area.inside(flock.position)
        new = np.flatnonzero(inside & (self._area.taken < 0))
        if len(new):
            heading = self._task.path.frames(np.array([self._task.path.length]))[0, :, 0]
            entry = flock.position[new].mean(axis=0)
            self._area.admit(new, flock.position, entry, heading)
        for member in np.flatnonzero(inside & ~self._arrived):
            self._arrived[member] = True
            self.events.append(GroupEvent(time, "arrived", int(member), "in the goal region"))
