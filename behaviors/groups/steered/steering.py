"""Steering: members do what a combination of steering behaviors tells them, without a plan."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.goal_area.places import anywhere
from rmp3d.behaviors.groups.group_behavior import (
    GROUP_BEHAVIORS,
    GroupEvent,
    Intent,
    RunState,
    Task,
    default_spacing,
)
from rmp3d.behaviors.groups.steered.mixer import SteeringMixer
from rmp3d.behaviors.groups.steered.spec import Name, SteeringSpec
from rmp3d.behaviors.perception import PERCEPTIONS, Memory, Perception
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.choices import choose
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length
from rmp3d.models import Character


@dataclass(frozen=True, kw_only=True)
class PerceivingGroup:
    """What groups that steer without a plan have in common.

    Attributes:
        perception: How members perceive others, a name or a table with ``name`` and options.
        heading: Direction in which all look at the start; by default each another one.
        spacing: Between places at the start [m]; 0 takes one that suits body and speed.
    """

    needs_goal: ClassVar[bool] = False

    perception: Name = "zone"
    heading: tuple[float, float, float] | None = None
    spacing: float = 0.0

    def __post_init__(self) -> None:
        self.senses()
        if not 0.0 <= self.spacing < np.inf:
            raise InputError(f"`spacing` must be 0 or more, got {self.spacing}")
        if self.heading is not None and not np.any(self.heading):
            raise InputError("`heading` must not be zero")

    def senses(self) -> Perception:
        """Return the perception.

        Raises:
            InputError: An unknown name or option, a wrong value.
        """
        table: Any = self.perception
        perception: Perception = choose(
            PERCEPTIONS, {"name": table} if isinstance(table, str) else table, "`perception`"
        )
        return perception

    def clearance_wanted(self, count: int, character: Character) -> float:
        """Return nothing: there is no path."""
        return 0.0


@GROUP_BEHAVIORS.register("steering")
@dataclass(frozen=True, kw_only=True)
class Steering(PerceivingGroup, SteeringSpec):
    """Steer by a combination of steering behaviors, without plan and goal.

    What members know of others comes through their perception alone. The run lasts as long as
    the scenario says.

    Attributes:
        catch: A quarry is caught when its body is this near [m], which is an event; 0: never.
    """

    catch: float = 0.0

    def __post_init__(self) -> None:
        PerceivingGroup.__post_init__(self)
        SteeringSpec.__post_init__(self)
        if not 0.0 <= self.catch < np.inf:
            raise InputError(f"`catch` must be 0 or more, got {self.catch}")

    def begin(self, task: Task) -> "SteeringRun":
        """Place the members; find out whom the behaviors are about."""
        return SteeringRun(task, self)


class PerceivingRun(RunState):
    """Members that perceive, placed anywhere in their start region."""

    def __init__(self, task: Task, parameters: PerceivingGroup) -> None:
        spacing = parameters.spacing or default_spacing(task.character)
        super().__init__(
            start=anywhere(task.space, task.start, task.count, spacing, task.rng, task.others),
            heading=_headings(parameters, task),
        )
        self._task = task
        self._senses = parameters.senses()
        self._memory: Memory | None = None
        self._steering: SteeringOutput | None = None

    def memory(self, rows: Index) -> Memory:
        """Return what the members, which are ``rows`` of the flock, know of others."""
        if self._memory is None:
            self._memory = Memory(self._senses, rows)
        return self._memory

    def steer(self, world: WorldState, rows: Index, intent: Intent) -> SteeringOutput:
        """Return the steering that `look` found."""
        assert self._steering is not None
        return self._steering


class SteeringRun(PerceivingRun):
    """A group under one combination of steering behaviors; see `SteeringGroup`."""

    def __init__(self, task: Task, parameters: Steering) -> None:
        super().__init__(task, parameters)
        self._caught = np.zeros(task.count, np.bool_)
        self._set(parameters)

    def change(self, behavior: Steering, flock: Flock) -> None:
        """Steer by another mixture, and perceive in another way."""
        self._set(behavior)
        if behavior.senses() != self._senses:
            self._senses, self._memory = behavior.senses(), None

    def _set(self, parameters: Steering) -> None:
        task, regions = self._task, self._task.space.world.scene.regions
        self._mixture = SteeringMixer(parameters, task.groups, task.own, regions, task.count)
        self._catch = parameters.catch

    def look(self, world: WorldState, rows: Index) -> None:
        """Perceive, and work out the steering."""
        known = self.memory(rows).look(world)
        self._steering = self._mixture.steer(world, rows, known)
        if self._catch > 0.0:
            self._note_caught(world, rows)

    def step(self, flock: Flock, time: float) -> Intent:
        """Return what the steering is about."""
        return unguided(flock, self._mixture.aim)

    def _note_caught(self, world: WorldState, rows: Index) -> None:
        quarry = self._mixture.other("quarry")
        near = is_near(world, rows, quarry, self._catch)
        for member in np.flatnonzero(near & ~self._caught):
            other = int(quarry[member])
            text = f"caught member {other} of {world.groups[world.group_of[other]]}"
            self.events.append(GroupEvent(world.time, "caught", int(member), text))
        self._caught = near


def is_near(world: WorldState, rows: Index, others: Index, gap: float) -> Bool:
    """Return which members' bodies are at most ``gap`` [m] from another's (n,); -1 is far."""
    flock = world.flock
    apart = length(world.middle[rows] - world.middle[others])
    near: Bool = apart - flock.bodies.radius[rows] - flock.bodies.radius[others] <= gap
    return near & (others >= 0)


def unguided(flock: Flock, aim: Float) -> Intent:
    """Return the intent of members that go by no plan, which traffic rules leave alone.

    Args:
        flock: The n members.
        aim: (n, 3) what their steering is about [m], NaN for nothing.
    """
    count = len(flock)
    return Intent(
        subgoal=np.where(np.isnan(aim), flock.position, aim),
        subgoal_velocity=np.zeros((count, 3)),
        remaining=np.zeros(count),
        parked=np.ones(count, np.bool_),
        guided=False,
    )


def _headings(parameters: PerceivingGroup, task: Task) -> Float:
    if parameters.heading is not None:
        return np.tile(np.array(parameters.heading, np.float64), (task.count, 1))
    turn = 2.0 * np.pi * task.rng.random(task.count)
    return np.stack([np.cos(turn), np.sin(turn), np.zeros(task.count)], axis=1)
