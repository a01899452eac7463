"""Seek: head for a point at cruise speed."""

from dataclasses import dataclass
from typing import ClassVar

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, force_towards, level
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import unit


@STEERING_BEHAVIORS.register("seek")
@dataclass(frozen=True)
class Seek:
    r"""Head for the subgoal at cruise speed, without slowing down.

    With subgoal g, position x, velocity v, cruise speed c and response time T, the force is

    .. math:: f = m (c (g - x) / \|g - x\| - v) / T

    Reynolds 1999, "Steering behaviors for autonomous characters". An agent exactly at its
    subgoal is asked to stop.

    With full acceleration the force is the largest one along the same direction, whatever the
    velocity is (Millington 2019, "Artificial Intelligence for Games", 3.3): without `Friction` an
    agent then circles its subgoal.

    Attributes:
        full_acceleration: Whether the largest force is asked for, towards the subgoal.
    """

    full_acceleration: bool = False

    needs: ClassVar[tuple[str, ...]] = ("subgoal",)

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        direction = unit(around.subgoal - flock.position)
        if self.full_acceleration:
            return flock.bodies.max_force[:, None] * level(flock, direction)
        return force_towards(flock, flock.bodies.cruise_speed[:, None] * direction)
