"""Steering: members do what a combination of steering behaviors tells them, without a plan."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.group_behavior import GROUP_BEHAVIORS, GroupEvent
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.steered.mixer import SteeringMixer
from rmp3d.behaviors.groups.steered.perceiving import PerceivingGroup, PerceivingRun, unguided
from rmp3d.behaviors.groups.steered.spec import SteeringSpec
from rmp3d.behaviors.groups.task import Task
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, SteeringOutput
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import clip_length, length, unit

# Share of its braking with which a member that catches another slows down to its speed.
CAUTION = 0.5


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
        """Place the members; find out which agents the behaviors are about."""
        return SteeringRun(task, self)


class SteeringRun(PerceivingRun):
    """A group under one combination of steering behaviors; see `SteeringGroup`."""

    def __init__(self, task: Task, parameters: Steering) -> None:
        super().__init__(task, parameters)
        self._caught = np.zeros(task.count, np.bool_)
        self._set(parameters)

    def change(self, behavior: Steering, flock: Flock) -> None:
        """Steer by another combination, and perceive by another perception."""
        self._set(behavior)
        if behavior.senses() != self._senses:
            self._senses, self._memory = behavior.senses(), None

    def _set(self, parameters: Steering) -> None:
        task, regions = self._task, self._task.space.world.scene.regions
        count = len(self._caught)
        self._mixer = SteeringMixer(parameters, task.groups, task.own, regions, count)
        self._catch = parameters.catch

    def turn_over(self, own: Turnover, everyone: Turnover, rows: Index) -> None:
        """Go on with the members that are there now."""
        super().turn_over(own, everyone, rows)
        self._mixer.turn_over(own, everyone)
        self._caught = own.of(self._caught, False)

    def send(self, point: Float | None) -> None:
        """Let the members take a point (3,) [m] as their target, straight on, or (None) no more."""
        self._mixer.aim_at(point)

    def look(self, world: WorldState, rows: Index) -> None:
        """Perceive, and work out the steering."""
        known = self.memory(rows).look(world)
        steering = self._mixer.steer(world, rows, known)
        if self._catch > 0.0:
            steering = self._gently(world, rows, steering)
            self._note_caught(world, rows)
        self._steering = steering

    def step(self, flock: Flock, time: float) -> Intent:
        """Return what the steering is about."""
        return unguided(flock, self._mixer.aim)

    def _gently(self, world: WorldState, rows: Index, steering: SteeringOutput) -> SteeringOutput:
        """Return the steering in which members that have caught a quarry do not run into it.

        They come as near as half of what catches it, and keep pace with one that makes off.
        """
        flock, others = world.flock.select(rows), self._mixer.other("quarry")
        gap = gap_to(world, rows, others) - 0.5 * self._catch
        brake = CAUTION * flock.bodies.max_brake
        apart = unit(world.middle[others] - world.middle[rows])
        off = np.einsum("ij,ij->i", world.flock.velocity[others], apart)
        pace = np.sqrt(2.0 * brake * np.maximum(gap, 0.0)) + np.maximum(off, 0.0)
        force = flock.bodies.mass[:, None] / RESPONSE_TIME
        wish = flock.velocity + steering.force / force
        slower = force * (clip_length(wish, pace) - flock.velocity)
        return steering._replace(force=np.where((others >= 0)[:, None], slower, steering.force))

    def _note_caught(self, world: WorldState, rows: Index) -> None:
        quarry = self._mixer.other("quarry")
        near = is_near(world, rows, quarry, self._catch)
        for member in np.flatnonzero(near & ~self._caught):
            other = int(quarry[member])
            text = f"caught member {world.number[other]} of {world.groups[world.group_of[other]]}"
            self.events.append(GroupEvent(world.time, "caught", int(member), text))
        self._caught = near


def is_near(world: WorldState, rows: Index, others: Index, gap: float) -> Bool:
    """Return which members' bodies are at most ``gap`` [m] from another's (n,); -1 is far."""
    near: Bool = gap_to(world, rows, others) <= gap
    return near & (others >= 0)


def gap_to(world: WorldState, rows: Index, others: Index) -> Float:
    """Return how far (n,) [m] members' bodies are from those of others (n,)."""
    radius = world.flock.bodies.radius
    apart = length(world.middle[rows] - world.middle[others])
    return apart - radius[rows] - radius[others]
