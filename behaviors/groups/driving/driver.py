"""The driver of a group's vehicles: whatever the behavior, one that is held up maneuvers."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.driving.reversing import Reversing
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, SteeringOutput
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import length
from rmp3d.planner.spaces import Space

# So many headings are tried at the point that a vehicle goes to.
SIDES = 16


@dataclass(eq=False)
class Driver:
    """Backs up vehicles that want to move on and stand, and drives them to their waypoints.

    Behaviors that give their members gears themselves, such as those that keep lanes, are left
    alone.

    Attributes:
        make_space: Makes the space that the vehicles drive in, when the first one maneuvers.
        count: Number of vehicles n.
        dt: Time step [s].
    """

    make_space: Callable[[], Space]
    count: int
    dt: float
    _velocity: Float = field(init=False)
    _drives: bool = False

    def __post_init__(self) -> None:
        self._velocity = np.zeros((self.count, 3))

    @cached_property
    def _reversing(self) -> Reversing:
        return Reversing(self.make_space, self.count, self.dt)

    def turn_over(self, members: Turnover) -> None:
        """Go on with the vehicles that are there now."""
        self.count = len(members)
        self._velocity = members.of(self._velocity, 0.0)
        if "_reversing" in self.__dict__:
            self._reversing.turn_over(members)

    def completed(self, intent: Intent, flock: Flock, crowd: Flock) -> Intent:
        """Return the intent with the gears of maneuvers.

        Args:
            intent: What the members want.
            flock: The members.
            crowd: All characters, the members among them.
        """
        self._drives = intent.gear is None
        if not self._drives:
            return intent
        waypoint = intent.subgoal if intent.waypoint is None else intent.waypoint
        wants = ~intent.parked & (length(waypoint - flock.position) > flock.bodies.half_width)

        def ends(member: int) -> Float:
            around = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
            return np.column_stack([np.tile(waypoint[member, :2], (SIDES, 1)), around])

        gear, self._velocity = self._reversing.step(flock, wants, ends, intent.remaining, crowd)
        return replace(intent, gear=gear)

    def steered(self, steering: SteeringOutput, flock: Flock, intent: Intent) -> SteeringOutput:
        """Return the steering; a vehicle in a maneuver follows its maneuver alone."""
        if not self._drives or intent.gear is None:
            return steering
        force = (self._velocity - flock.velocity) * flock.bodies.mass[:, None] / RESPONSE_TIME
        maneuvers = intent.gear[:, None] != 0
        return steering._replace(force=np.where(maneuvers, force, steering.force))
