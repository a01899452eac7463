"""Action selection: members choose by rules which steering they follow, each on its own."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rmp3d.behaviors.action.conditions import Condition, parse_condition
from rmp3d.behaviors.action.goals import GoalQueue
from rmp3d.behaviors.action.map import CharacterMap, MapOptions
from rmp3d.behaviors.action.mind import MentalVariable, Mind, Trigger
from rmp3d.behaviors.action.rules import Rule, RuleBase
from rmp3d.behaviors.action.state import (
    actor_values,
    goal_values,
    perceived_values,
    variable_names,
)
from rmp3d.behaviors.combining.combining import nothing
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.group_behavior import GROUP_BEHAVIORS, GroupEvent
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.steered.mixer import SteeringMixer, standing
from rmp3d.behaviors.groups.steered.perceiving import PerceivingGroup, PerceivingRun, unguided
from rmp3d.behaviors.groups.steered.spec import SteeringSpec
from rmp3d.behaviors.groups.task import Task
from rmp3d.behaviors.perception import Known, Sensors
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name


@dataclass(frozen=True, kw_only=True)
class Goal(SteeringSpec):
    """A goal: the steering that leads to it, and when it is reached.

    Attributes:
        until: Condition under which it leaves the queue; empty: none.
    """

    until: str = ""

    def __post_init__(self) -> None:
        """Leave the check to the behavior, which knows the goal's name."""
        self.name_weights()


@GROUP_BEHAVIORS.register("acting")
@dataclass(frozen=True, kw_only=True)
class Acting(PerceivingGroup):
    """Choose goals by rules over what is perceived and felt, and steer for them.

    In every step each member perceives; its mental variables change by their timers and
    triggers; of the rules that hold, the one of the highest priority puts its goal into the
    member's queue; the queue's first goal decides how it steers (thesis, chapter 2, "a generic
    model": state variables, rule base, memory). Goals can be added while it runs.

    Attributes:
        goals: By name: ``behaviors`` and the other keys of the behavior ``steering``, and
            ``until``, a condition under which the goal is reached.
        idle: Goal that is pursued when there is none in the queue; empty: stand still.
        mental: Mental variables by name: ``start``, ``rate`` [1/s], ``lower``, ``upper``,
            ``spread``.
        triggers: Changes of mental variables: ``variable``, ``when``, and ``rate`` [1/s],
            ``add`` or ``set``; ``every`` [s].
        rules: ``when``, ``goal``, ``priority``, ``timer`` [s] or ``forever``.
        map: Keeps a map of what each has seen: ``cell`` [m], ``every`` [s].
    """

    goals: dict[str, Goal]
    idle: str = ""
    mental: dict[str, MentalVariable] = field(default_factory=dict)
    triggers: list[Trigger] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    map: MapOptions | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for kind, names in (("goals", self.goals), ("mental", self.mental)):
            for name in names:
                if not name.isidentifier():
                    raise InputError(f"`{kind}.{name}`: must be one word of letters, digits and _")
        for name, goal in self.goals.items():
            with _blaming(name):
                goal.check()
        if self.idle and self.idle not in self.goals:
            raise InputError(f"`idle`: {unknown_name('goal', self.idle, list(self.goals))}")

    def begin(self, task: Task) -> "ActingRun":
        """Place the members, and read the rules."""
        return ActingRun(task, self)


@contextmanager
def _blaming(goal: str) -> Iterator[None]:
    """Name the goal in errors."""
    try:
        yield
    except InputError as error:
        raise InputError(f"`goals.{goal}`: {error}") from None


@dataclass(frozen=True, eq=False)
class _GoalRun:
    """A goal at work: its steering, and the condition under which it is reached."""

    mixer: SteeringMixer
    until: Condition | None


class ActingRun(PerceivingRun):
    """A group whose members choose; see `Acting`.

    Attributes:
        queue: The goals of every member.
        mind: The mental variables.
        map: What each has seen of the scene, or None.
        known: What each knows of others.
    """

    def __init__(self, task: Task, parameters: Acting) -> None:
        super().__init__(task, parameters)
        self._idle = parameters.idle
        self.queue = GoalQueue(list(parameters.goals), task.count)
        sensors = self._senses.sensors if isinstance(self._senses, Sensors) else ()
        self._sensor_names = [sensor.name for sensor in sensors]
        self._maps = parameters.map is not None
        known = self._variables(parameters.mental)
        self.mind = Mind(parameters.mental, parameters.triggers, known, task.count, task.rng)
        self._rules = RuleBase(parameters.rules, list(parameters.goals), known)
        self._mental = tuple(parameters.mental)
        self._goals = [self._goal_run(name, goal) for name, goal in parameters.goals.items()]
        options = parameters.map
        self.map = None if options is None else CharacterMap(options, task.space, task.count)
        self.known: Known | None = None
        self._aim = np.full((task.count, 3), np.nan)
        self._time = 0.0
        self._begun = False

    def add_goal(
        self,
        goal: str,
        members: Sequence[int] | Index | None = None,
        *,
        priority: float = 0.0,
        seconds: float = np.inf,
        target: Sequence[float] | None = None,
    ) -> None:
        """Put a goal into members' queues by hand, while the group acts.

        Args:
            goal: Its name; see `define_goal` for a new one.
            members: Rows 0 to n - 1 of the group; None: all.
            priority: Against those of the rules.
            seconds: How long it stays in the queue; by default until its ``until`` holds or
                `remove_goal` is called.
            target: Point [m] to use for these members instead of the goal's own target.

        Raises:
            InputError: No such goal or member.
        """
        row = self._row(goal)
        rows = self._members(members)
        if target is not None:
            self._goals[row].mixer.points[rows] = np.asarray(target, np.float64)
        self.queue.put(row, rows, priority, self._time + seconds)

    def remove_goal(self, goal: str, members: Sequence[int] | Index | None = None) -> None:
        """Take a goal out of members' queues (None: of all).

        Raises:
            InputError: No such goal or member.
        """
        self.queue.take_out(self._row(goal), self._members(members))

    def define_goal(self, name: str, table: Mapping[str, Any]) -> None:
        """Add a goal to those that there are, from a table as in a scenario file.

        Raises:
            InputError: The name is taken or no word, or the table is wrong.
        """
        if name in self.queue.names or not name.isidentifier():
            raise InputError(f"`{name}`: a new goal needs a name of its own, one word")
        goal = self._goal_run(name, checked(table, Goal, f"`goals.{name}`"))
        self.queue.add_name(name)
        self._goals.append(goal)

    def set_mental(
        self, variable: str, value: float, members: Sequence[int] | Index | None = None
    ) -> None:
        """Set a mental variable of members (None: of all), such as to make them hungry.

        Raises:
            InputError: No such variable or member.
        """
        self.mind.set(variable, value, self._members(members))

    def look(self, world: WorldState, rows: Index) -> None:
        """Perceive, feel, decide, and work out the steering."""
        flock = world.flock.select(rows)
        self._time = world.time
        self.known = self.memory(rows).look(world)
        if self.map is not None:
            self.map.look(self._senses, world, rows)
        values = self._values(world, rows, flock, self.known)
        if self._begun:
            self.mind.step(values, world.time, world.dt)
            values |= self.mind.values
        before = self.queue.active
        self._decide(values, world.time, len(rows))
        self._note_changes(before, world.time)
        self._begun = True
        self._steering = self._steer(world, rows, flock, self.known)

    def step(self, flock: Flock, time: float) -> Intent:
        """Return what the members' goals are about."""
        return unguided(flock, self._aim)

    def _decide(self, values: Mapping[str, Float], time: float, count: int) -> None:
        for row, goal in enumerate(self._goals):
            if goal.until is not None:
                self.queue.take_out(row, goal.until.holds(values, count))
        chosen = self._rules.chosen(values, count)
        for row, rule in enumerate(self._rules.rules):
            mask = chosen == row
            if mask.any():
                self.queue.put(self._row(rule.goal), mask, rule.priority, time + rule.lasts)
        self.queue.arbitrate(time)

    def _steer(self, world: WorldState, rows: Index, flock: Flock, known: Known) -> SteeringOutput:
        """Return each member's steering for its own goal; a member without one brakes."""
        pursued = self._pursued()
        force, turning, oriented = nothing(len(rows))
        self._aim = np.full((len(rows), 3), np.nan)
        idle = pursued < 0
        force[idle] = standing(flock).force[idle]
        for row, goal in enumerate(self._goals):
            mask = pursued == row
            if not mask.any():
                goal.mixer.forget()
                continue
            if world.log is not None:
                world.log.listen_to(rows, rows[mask])
            asked = goal.mixer.steer(world, rows, known)
            force[mask], turning[mask] = asked.force[mask], asked.turning[mask]
            oriented[mask] = asked.oriented[mask]
            self._aim[mask] = goal.mixer.aim[mask]
        return SteeringOutput(force, turning, oriented)

    def _pursued(self) -> Index:
        """Return the goal (n,) that each member steers for, -1 for none."""
        if not self._idle:
            return self.queue.active
        return np.where(self.queue.active < 0, self._row(self._idle), self.queue.active)

    def _values(
        self, world: WorldState, rows: Index, flock: Flock, known: Known
    ) -> dict[str, Float]:
        wanted = self._wanted()
        values = perceived_values(wanted, world, flock, known)
        if isinstance(self._senses, Sensors):
            values |= self._senses.readings(world, rows)
        values |= actor_values(wanted, world, rows, flock, self.queue.since, self._aim)
        if self.map is not None and "map_share" in wanted:
            values["map_share"] = self.map.share
        values |= goal_values(self.queue.names, self._pursued())
        return values | self.mind.values

    def _wanted(self) -> set[str]:
        conditions = [*self._rules.conditions, *self.mind.conditions]
        conditions += [goal.until for goal in self._goals if goal.until is not None]
        return {name for condition in conditions for name in condition.names}

    def _note_changes(self, before: Index, time: float) -> None:
        names = [*self.queue.names, self._idle or "nothing"]
        changed: Bool = self.queue.active != before
        for member in np.flatnonzero(changed):
            text = names[self.queue.active[member]]
            if self._begun:
                text = f"{names[before[member]]} -> {text}"
            self.events.append(GroupEvent(time, "goal", int(member), text))

    def _goal_run(self, name: str, goal: Goal) -> "_GoalRun":
        task = self._task
        regions = task.space.world.scene.regions
        known = self._variables(self._mental)
        with _blaming(name):
            mixer = SteeringMixer(goal, task.groups, task.own, regions, task.count)
            until = parse_condition(goal.until, known, "`until`") if goal.until else None
        return _GoalRun(mixer, until)

    def _variables(self, mental: Collection[str]) -> tuple[str, ...]:
        """Return the names of all state variables.

        Raises:
            InputError: A mental variable or a sensor has the name of another one.
        """
        others = [*self._sensor_names, *(["map_share"] if self._maps else [])]
        names = variable_names(self._task.groups, self.queue.names, mental, others)
        twice = sorted(name for name in {*mental, *others} if names.count(name) > 1)
        if twice:
            raise InputError(f"`{twice[0]}`: two state variables have this name; choose another")
        return names

    def _row(self, goal: str) -> int:
        if goal not in self.queue.names:
            raise InputError(unknown_name("goal", goal, self.queue.names))
        return self.queue.names.index(goal)

    def _members(self, members: Sequence[int] | Index | None) -> Index:
        count = self._task.count
        rows = np.arange(count) if members is None else np.asarray(members, np.intp)
        if ((rows < 0) | (rows >= count)).any():
            raise InputError(f"members are counted from 0 to {count - 1}, got {rows.tolist()}")
        return rows
