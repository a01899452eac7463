"""A group whose members choose what they do, at work."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rmp3d.behaviors.action.goals import GoalQueue
from rmp3d.behaviors.action.map import CharacterMap
from rmp3d.behaviors.action.mind import Mind
from rmp3d.behaviors.action.rules import Rule, RuleBase
from rmp3d.behaviors.action.state import (
    actor_values,
    goal_values,
    perceived_values,
    variable_names,
)
from rmp3d.behaviors.action.switches import Switches
from rmp3d.behaviors.combining.combining import nothing
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.group_behavior import GroupEvent
from rmp3d.behaviors.groups.guided.onward import onward
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.steered.acting_options import ActingOptions
from rmp3d.behaviors.groups.steered.goal import Goal, GoalRun
from rmp3d.behaviors.groups.steered.guide import GoalGuide
from rmp3d.behaviors.groups.steered.itinerary import way_values
from rmp3d.behaviors.groups.steered.map_values import MapVariables
from rmp3d.behaviors.groups.steered.mixer import standing
from rmp3d.behaviors.groups.steered.perceiving import PerceivingRun, unguided
from rmp3d.behaviors.groups.task import Task
from rmp3d.behaviors.perception import Known, Sensors
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.scenes.presence import ASKED

# The goal of members that are sent to a point by hand.
SENT = "sent"


class ActingRun(PerceivingRun):
    """A group whose members choose; see `Acting`.

    Attributes:
        queue: The goals of every member.
        mind: The mental variables.
        map: What each has seen of the scene, or None.
        known: What each knows of others.
    """

    def __init__(self, task: Task, parameters: ActingOptions) -> None:
        super().__init__(task, parameters)
        # Of routes and places; a generator of its own leaves the task's as it is.
        self._rng = task.rng.spawn(1)[0]
        self._guide = GoalGuide(task, self.start[0], self._rng)
        self.map: CharacterMap | None = None
        self.known: Known | None = None
        self._aim = np.full((task.count, 3), np.nan)
        self._shown = self._aim
        self._time = 0.0
        self._begun = False
        self._goals: list[GoalRun] = []
        self.queue = GoalQueue((), task.count)
        self.mind = Mind({}, (), (), task.count, np.random.default_rng(0))
        self._switches = Switches((), (), (), task.count)
        self._set(parameters, None)
        if any(goal.itinerary is not None for goal in self._goals):
            routes = self._guide.routes
            self.plan = {"nodes": routes.nodes, "edges": routes.edges}

    def change(self, behavior: ActingOptions, flock: Flock) -> None:
        """Go on with other goals, rules, mental variables and perception from now on.

        Goals that stay as they are go on where they are; mental variables of the same name keep
        their values.
        """
        self._set(behavior, self._parameters)

    @property
    def ways(self) -> Roadmap | None:
        """The roadmap over which members are led, once somebody is."""
        return self._guide.roadmap

    def take_ways(self, roadmap: Roadmap, flock: Flock, time: float) -> None:
        """Lead members over another roadmap from now on."""
        self._guide.take(roadmap)

    def _set(self, parameters: ActingOptions, before: ActingOptions | None) -> None:
        """Take parameters; make everything first, so that nothing has changed after an error."""
        task = replace(self._task, count=len(self.queue.active))
        senses = parameters.senses()
        sensors = senses.sensors if isinstance(senses, Sensors) else ()
        variables = MapVariables(task.space, task.groups, lambda: self._guide.routes)
        # Chance is drawn for goals and variables by name: recordings do not keep their order.
        named = sorted(parameters.goals.items())
        names = [name for name, _ in named]
        more = [sensor.name for sensor in sensors]
        more += ["map_share"] if parameters.map is not None else []
        known = _variables(task, names, parameters.mental, more, variables.names)
        mind = Mind(parameters.mental, parameters.triggers, known, task.count, task.rng)
        rules = RuleBase(parameters.rules, names, known)
        parts = task.space.world.scene.parts
        switches = Switches(parameters.switches, known, parts, task.count)
        goals = []
        for name, goal in named:
            if before is not None and before.goals.get(name) == goal:
                kept = self._goals[self.queue.names.index(name)]
                goals.append(kept.with_names(known))
            else:
                goals.append(GoalRun.of(name, goal, task, known, self._rng))
        if before is None or parameters.map != before.map:
            options = parameters.map
            self.map = None if options is None else CharacterMap(options, task.space, task.count)
        mind.take_over(self.mind)
        switches.take_over(self._switches)
        self.queue = self.queue.with_names(names)
        if senses != self._senses:
            self._senses, self._memory = senses, None
        self._parameters, self._variables = parameters, variables
        self.mind, self._rules, self._goals = mind, rules, goals
        self._switches = switches
        self._guide.pursue(goals, parameters.nodes)

    def turn_over(self, own: Turnover, everyone: Turnover, rows: Index) -> None:
        """Go on with the members that are there now; newcomers begin as others began."""
        super().turn_over(own, everyone, rows)
        self.queue.turn_over(own)
        self.mind.turn_over(own)
        self._switches.turn_over(own)
        self._variables.turn_over()
        self._guide.turn_over(own)
        for goal in self._goals:
            goal.mixer.turn_over(own, everyone)
            if goal.itinerary is not None:
                goal.itinerary.turn_over(own)
        if self.map is not None:
            self.map.turn_over(own)
        self._aim, self._shown = own.of(self._aim, np.nan), own.of(self._shown, np.nan)

    def send(self, point: Float | None) -> None:
        """Let the members go to a point (3,) [m] by the roadmap, before all other goals."""
        if point is None:
            if SENT in self.queue.names:
                self.remove_goal(SENT)
            return
        sent = Goal(go_to=tuple(float(x) for x in point))
        self._replace(goals={**self._parameters.goals, SENT: sent})
        self.add_goal(SENT, priority=np.inf)

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
        if target is not None and self._goals[row].itinerary is not None:
            raise InputError(f"`target`: `{goal}` says with `go_to` where to go; leave it out")
        if target is not None:
            self._goals[row].mixer.points[rows] = np.asarray(target, np.float64)
        self.queue.put(row, rows, priority, self._time + seconds)

    def remove_goal(self, goal: str, members: Sequence[int] | Index | None = None) -> None:
        """Take a goal out of members' queues (None: of all).

        Raises:
            InputError: No such goal or member.
        """
        self.queue.take_out(self._row(goal), self._members(members))

    def define_goal(self, name: str, goal: Goal | Mapping[str, Any]) -> None:
        """Add a goal to those that there are: a `Goal`, or a table as in a scenario file.

        Raises:
            InputError: The name is taken or no word, or the table is wrong.
        """
        if name in self.queue.names or not name.isidentifier():
            raise InputError(f"`{name}`: a new goal needs a name of its own, one word")
        made = goal if isinstance(goal, Goal) else checked(goal, Goal, f"`goals.{name}`")
        self._replace(goals={**self._parameters.goals, name: made})

    def drop_goal(self, name: str) -> None:
        """Take a goal out of those that there are, and out of all queues.

        Raises:
            InputError: There is no such goal, or a rule needs it.
        """
        self._row(name)
        goals = self._parameters.goals
        self._replace(goals={key: goal for key, goal in goals.items() if key != name})

    def add_rule(self, rule: Rule | Mapping[str, Any]) -> int:
        """Add a rule, a `Rule` or a table as in a scenario file; return its row.

        Raises:
            InputError: Its condition or goal is wrong.
        """
        made = rule if isinstance(rule, Rule) else checked(rule, Rule, "`rules`")
        self._replace(rules=[*self._parameters.rules, made])
        return len(self._parameters.rules) - 1

    def drop_rule(self, row: int) -> None:
        """Take out the rule of a row; those behind it move up.

        Raises:
            InputError: There is no such rule.
        """
        rules = list(self._parameters.rules)
        if not 0 <= row < len(rules):
            raise InputError(f"there are {len(rules)} rules, counted from 0; got {row}")
        self._replace(rules=rules[:row] + rules[row + 1 :])

    def _replace(self, **changed: Any) -> None:
        self._set(replace(self._parameters, **changed), self._parameters)

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
        for member, part, there in self._switches.step(values):
            self.events.append(GroupEvent(world.time, ASKED[not there], member, part))
        self._begun = True
        self._guide.lead(self._pursued(), world, rows, flock, self.known)
        for member in np.flatnonzero(self._guide.astray).tolist():
            place = np.round(self._guide.destination[member], 2).tolist()
            self.tell(world.time, "no_way", f"no way leads to {place}", member)
        self._steering = self._steer(world, rows, flock, self.known)

    def step(self, flock: Flock, time: float) -> Intent:
        """Return what the members' goals are about; traffic rules lead those with a route."""
        return self._guide.intent(unguided(flock, self._shown))

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
        stops = pursued < 0
        for row, goal in enumerate(self._goals):
            mask = pursued == row
            if goal.itinerary is not None:
                stops |= mask & ~self._guide.led  # nobody knows where to go
                mask = mask & self._guide.led
            if not mask.any():
                goal.mixer.forget()
                continue
            if world.log is not None:
                world.log.listen_to(rows, rows[mask])
            asked = goal.mixer.steer(world, rows, known)
            force[mask], turning[mask] = asked.force[mask], asked.turning[mask]
            oriented[mask] = asked.oriented[mask]
            self._aim[mask] = goal.mixer.aim[mask]
            if goal.is_usual:
                on_way = mask & self._guide.on_way
                force[on_way] = onward(flock, force, self._aim)[on_way]
        self._shown = self._aim
        self._aim = np.where(self._guide.led[:, None], self._guide.destination, self._aim)
        force[stops] = standing(flock).force[stops]
        return SteeringOutput(force, turning, oriented)

    def _pursued(self) -> Index:
        """Return the goal (n,) that each member steers for, -1 for none."""
        idle = self._parameters.idle
        if not idle:
            return self.queue.active
        return np.where(self.queue.active < 0, self._row(idle), self.queue.active)

    def _values(
        self, world: WorldState, rows: Index, flock: Flock, known: Known
    ) -> dict[str, Float]:
        wanted = self._wanted()
        values = perceived_values(wanted, world, flock, known)
        values |= self._variables.values(wanted, world, rows, flock, known)
        if isinstance(self._senses, Sensors):
            values |= self._senses.readings(world, rows)
        values |= actor_values(wanted, world, rows, flock, self.queue.since, self._aim)
        if self.map is not None and "map_share" in wanted:
            values["map_share"] = self.map.share
        pursued = self._pursued()
        values |= goal_values(self.queue.names, pursued)
        values |= way_values(
            [goal.itinerary for goal in self._goals], pursued, self._guide.left, world.time
        )
        return values | self.mind.values

    def _wanted(self) -> set[str]:
        conditions = [*self._rules.conditions, *self.mind.conditions, *self._switches.conditions]
        conditions += [goal.until for goal in self._goals if goal.until is not None]
        return {name for condition in conditions for name in condition.names}

    def _note_changes(self, before: Index, time: float) -> None:
        names = [*self.queue.names, self._parameters.idle or "nothing"]
        changed: Bool = self.queue.active != before
        for member in np.flatnonzero(changed):
            text = names[self.queue.active[member]]
            if self._begun:
                text = f"{names[before[member]]} -> {text}"
            self.events.append(GroupEvent(time, "goal", int(member), text))

    def _row(self, goal: str) -> int:
        if goal not in self.queue.names:
            raise InputError(unknown_name("goal", goal, self.queue.names))
        return self.queue.names.index(goal)

    def _members(self, members: Sequence[int] | Index | None) -> Index:
        count = len(self.queue.active)
        rows = np.arange(count) if members is None else np.asarray(members, np.intp)
        if ((rows < 0) | (rows >= count)).any():
            raise InputError(f"members are counted from 0 to {count - 1}, got {rows.tolist()}")
        return rows


def _variables(
    task: Task, goals: Collection[str], mental: Collection[str], more: Sequence[str],
    of_map: Collection[str],
) -> tuple[str, ...]:  # fmt: skip
    """Return the names of all state variables.

    Raises:
        InputError: A mental variable or a sensor has the name of another one.
    """
    names = variable_names(task.groups, goals, mental, [*more, *of_map])
    twice = sorted(name for name in {*mental, *more} if names.count(name) > 1)
    if twice:
        raise InputError(f"`{twice[0]}`: two state variables have this name; choose another")
    return names
