"""The members of all groups: what they perceive, what they want, and how they steer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rmp3d.behaviors.awake import EVERYONE, Awake, Resting
from rmp3d.behaviors.combining.combining import nothing
from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.force_log import ForceLog
from rmp3d.behaviors.groups import GroupRun, Intent
from rmp3d.behaviors.groups.crowd.crowd_run import CrowdRun
from rmp3d.behaviors.groups.driving.driver import Driver
from rmp3d.behaviors.groups.intent import convoys, gears, intended, lanes_of, ruled
from rmp3d.behaviors.groups.openings import Queued, Queues
from rmp3d.behaviors.steering_behavior import SteeringOutput, force_towards
from rmp3d.behaviors.step import Wishes
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Float
from rmp3d.simulation.roster import Roster

NO_DRIVERS: Mapping[int, Driver] = MappingProxyType({})


class GroupMembers:
    """The members of groups at work, for `rmp3d.behaviors.step.step`.

    Each moment is perceived and decided on once, however often it is asked for: a moment is a
    flock.

    Args:
        runs: Behaviors at work, one for each group.
        names: Of the groups.
        environment: What the scene is for them.
        roster: Who is there; see `turn_over`.
        speed_limit: Of each group [m/s].
        dt: Time step [s].
        seed: Of all randomness.
        drivers: Of the groups of vehicles, by group; they maneuver where they are held up.
        records_forces: Whether to note what each steering behavior asks for.
        queues: Before the openings on their ways; None: there are none.
        may_rest: Whether those that stay somewhere may be left out of steps; not where parts move.

    Attributes:
        rows: Rows of the flock of each group.
        group_of: (N,) group of each member.
        log: Forces asked for in the step from the moment perceived last, or None.
        intents: What they wanted at the moment perceived last, unit by unit.
    """

    def __init__(
        self,
        runs: Sequence[GroupRun],
        names: tuple[str, ...],
        environment: Environment,
        roster: Roster,
        *,
        speed_limit: Sequence[float],
        dt: float,
        seed: int,
        drivers: Mapping[int, Driver] = NO_DRIVERS,
        records_forces: bool = False,
        queues: Queues | None = None,
        may_rest: bool = True,
    ) -> None:
        self._roster = roster
        self.rows, self.group_of = roster.rows, roster.group_of
        self.intents: list[Intent] = []
        self._runs, self._names, self._environment = runs, names, environment
        self._units = units_of(runs)
        self._has_crowd = any(isinstance(unit.run, CrowdRun) for unit in self._units)
        self._see_rows()
        self._limits = np.array(speed_limit, float)
        self._dt, self._seed, self._drivers = dt, seed, drivers
        self._resting = Resting(dt) if may_rest else None
        self._records_forces = records_forces
        self.log = ForceLog(len(self.group_of)) if records_forces else None
        self._queues = queues
        self._queued = Queued.nobody()
        self._world: WorldState | None = None
        self._wishes: Wishes | None = None

    def limit_speed(self, group: int, limit: float) -> None:
        """Let the members of a group go no faster than so [m/s] from the next moment on."""
        self._limits[group] = limit

    def turn_over(self, everyone: Turnover, time: float) -> None:
        """Go on with those whom the roster has now, at a time [s]."""
        if self._queues is not None:
            self._queues.turn_over(everyone)
        before, self.rows, self.group_of = self.rows, self._roster.rows, self._roster.group_of
        units_before = self._unit_rows
        self._see_rows()
        self._world = self._wishes = None
        for unit, rows, old in zip(self._units, self._unit_rows, units_before, strict=True):
            if isinstance(unit.run, CrowdRun):
                was = everyone.before[rows]
                own = Turnover(np.where(was < 0, -1, np.searchsorted(old, was)), len(old))
                party = np.searchsorted(unit.groups, self.group_of[rows])
                unit.run.turn_over(own, party, self._roster.number[rows], time)
        for group, (run, rows) in enumerate(zip(self._runs, self.rows, strict=True)):
            was = everyone.before[rows]
            first = int(before[group][0]) if len(before[group]) else 0
            own = Turnover(np.where(was < 0, -1, was - first), len(before[group]))
            run.turn_over(own, everyone, rows)
            if group in self._drivers:
                self._drivers[group].turn_over(own, rows)

    def perceive(self, flock: Flock, time: float) -> WorldState:
        """Return the world at a time [s]; see `WorldState`."""
        if self._world is None or self._world.flock is not flock:
            self.log = ForceLog(len(flock)) if self._records_forces else None
            around = self._environment
            self._world = WorldState(
                flock,
                self.group_of,
                self._names,
                solid=around.flying,
                walking=around.walking,
                surface=around.surface,
                bounds=around.bounds,
                time=time,
                dt=self._dt,
                seed=self._seed,
                others=around.others,
                chance=self._roster.chance,
                number=self._roster.number,
                log=self.log,
                awake=self._awake(flock, time),
            )
            self._wishes = None
        return self._world

    def _awake(self, flock: Flock, time: float) -> Awake:
        """Return who is awake; nobody rests while vehicles ask walkers to leave their lanes."""
        if self._resting is None or not self._has_crowd:
            return EVERYONE
        parts = [
            unit.run.calm(time) if isinstance(unit.run, CrowdRun) else np.zeros(len(rows), np.bool_)
            for unit, rows in zip(self._units, self._unit_rows, strict=True)
        ]
        asked = lanes_of(self.intents) is not None
        return self._resting.look(flock, None if asked else self._in_order(parts))

    def desire(self, world: WorldState) -> Wishes:
        """Let every group look and decide; return what the members want."""
        if self._wishes is None or world is not self._world:
            self.intents = []
            for unit, rows in zip(self._units, self._unit_rows, strict=True):
                members = world.flock.select(rows)
                if len(rows) == 0:  # all have left
                    self.intents.append(Intent.towards(members, members.position))
                    continue
                unit.run.look(world, rows)
                intent = intended(unit.run, members, world.time)
                if unit.groups[0] in self._drivers:
                    driver = self._drivers[unit.groups[0]]
                    intent = driver.completed(intent, members, world.flock)
                self.intents.append(intent)
            self._wishes = self._wishes_of(self.intents, world.time)
            if self._queues is not None:
                self._wishes = self._lined_up(self._queues, world.flock, self._wishes)
        return self._wishes

    def _wishes_of(self, intents: list[Intent], time: float) -> Wishes:
        return Wishes(
            remaining=self._in_order([intent.remaining for intent in intents]),
            parked=self._in_order([intent.parked for intent in intents]),
            ruled=self._in_order([ruled(intents)]),
            gear=self._in_order([gears(intents)]),
            convoy=self._in_order([convoys(intents)]),
            speed_limit=self._limits[self.group_of],
            pose=self.pose(time + self._dt),
            lanes=lanes_of(intents),
            waypoint=self._in_order([intent.destination for intent in intents]),
        )

    def _lined_up(self, queues: Queues, flock: Flock, wishes: Wishes) -> Wishes:
        """Let members queue before openings; traffic rules do not apply to those in a queue."""
        groups = [group for unit in self._units for group in unit.groups]
        arrived = self._in_order([self._runs[group].arrived for group in groups])
        pace, ahead = self._routes(flock)
        pace = np.minimum(pace, wishes.speed_limit)
        free = wishes.ruled & (wishes.gear == 0) & ~wishes.parked & ~arrived
        self._queued = queues.lead(flock, self.group_of, pace, free, ahead)
        ruled, queue = wishes.ruled.copy(), np.full(len(flock), -1)
        ruled[self._queued.rows], queue[self._queued.rows] = False, self._queued.queue
        return replace(wishes, ruled=ruled, queue=queue)

    def _routes(self, flock: Flock) -> tuple[Float, Float | None]:
        """Return the paces (N,) [m/s] of all members, and the next points of routes (N, A, 3) [m].

        The points are nan for those that have no route of their own, None if nobody has one.
        """
        pace, ahead = flock.bodies.cruise_speed, None
        for rows, intent in zip(self._unit_rows, self.intents, strict=True):
            if intent.route is not None and len(rows):
                if len(rows) == len(flock) and self._order is None:  # there is one unit
                    return intent.route.pace, intent.route.points
                if ahead is None:
                    shape = (len(flock), *intent.route.points.shape[1:])
                    pace, ahead = pace.copy(), np.full(shape, np.nan)
                pace[rows], ahead[rows] = intent.route.pace, intent.route.points
        return pace, ahead

    @property
    def subgoal(self) -> Float:
        """(N, 3) where the members wanted to go at the moment perceived last [m]."""
        return self._in_order([intent.subgoal for intent in self.intents])

    @property
    def formations(self) -> tuple[str, ...]:
        """Formation of each group at the moment perceived last; empty for none."""
        if not any(unit.run.formations for unit in self._units):
            return self._no_formations
        found = [""] * len(self._runs)
        for unit, intent in zip(self._units, self.intents, strict=True):
            if intent.formation >= 0:
                found[unit.groups[0]] = unit.run.formations[intent.formation]
        return tuple(found)

    def _see_rows(self) -> None:
        """Note the rows of each unit, and in which order all are those of the flock."""
        self._no_formations = ("",) * len(self._runs)
        alone = len(self._units) == 1
        self._unit_rows = [
            np.arange(len(self.group_of)) if alone
            else np.concatenate([self.rows[group] for group in unit.groups])
            for unit in self._units
        ]  # fmt: skip
        rows = np.concatenate(self._unit_rows)
        self._order = None if (np.diff(rows) > 0).all() else np.argsort(rows, kind="stable")

    def _in_order(self, parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """Return the values of the units' members in the order of the flock."""
        values = np.concatenate(parts)
        return values if self._order is None else values[self._order]

    def pose(self, time: float) -> tuple[Float, Float] | None:
        """Return where a schedule has the members at a time [s]; None: they move by themselves.

        Such a group has the scene to itself; see `rmp3d.simulation.group_checks.check_carried`.
        """
        return self._runs[0].pose(time) if len(self._runs) == 1 else None

    def combine(self, world: WorldState, wishes: Wishes) -> SteeringOutput:
        """Return the steering of all groups, one after the other."""
        parts = [
            unit.run.steer(world, rows, intent) if len(rows) else SteeringOutput(*nothing(0))
            for unit, rows, intent in zip(self._units, self._unit_rows, self.intents, strict=True)
        ]
        for row, unit in enumerate(self._units):
            if unit.groups[0] in self._drivers:
                members = world.flock.select(self._unit_rows[row])
                driver = self._drivers[unit.groups[0]]
                parts[row] = driver.steered(parts[row], members, self.intents[row])
        force = self._in_order([part.force for part in parts])
        rows, velocity, _ = self._queued
        if len(rows):
            force = force.copy()
            force[rows] = force_towards(world.flock.select(rows), velocity)
        return SteeringOutput(
            force,
            self._in_order([part.turning for part in parts]),
            self._in_order([part.oriented for part in parts]),
        )


class Unit(NamedTuple):
    """What is stepped at once: the run of one group, or a crowd of several.

    Attributes:
        run: Looks, steps and steers.
        groups: Rows of the groups, in ascending order.
    """

    run: Any
    groups: tuple[int, ...]


def units_of(runs: Sequence[GroupRun]) -> list[Unit]:
    """Return what is stepped at once, in the order of the first groups."""
    groups: dict[int, list[int]] = {}
    for row, run in enumerate(runs):
        groups.setdefault(id(run.unit), []).append(row)
    return [Unit(runs[rows[0]].unit, tuple(rows)) for rows in groups.values()]
