"""Arrive: come to rest at a point, or keep to a moving one."""

from dataclasses import dataclass

import numpy as np

from behaviors.behavior import STEERING, Surroundings, force_towards
from behaviors.flock import Flock
from geometry.arrays import Float
from geometry.vectors import clip_length, length, unit


@STEERING.register("arrive")
@dataclass(frozen=True)
class Arrive:
    r"""Approach the subgoal, slow down in time, and take over its motion.

    With distance d to the subgoal, its velocity u, braking b, cruise speed c
    and gain k, the desired velocity is

    .. math:: u + \min(k d, \sqrt{2 \beta b d}, c) (g - x) / d

    cut to the largest speed: proportional when near, by the stopping distance when far (Reynolds
    1999 uses a fixed slowing distance instead). A subgoal that stands still gives the plain
    arrival behavior; one that moves is kept without lag.

    Attributes:
        gain: k [1/s]; how briskly small errors are made up.
        caution: Share beta of the braking that the approach counts on.
    """

    gain: float = 1.5
    caution: float = 0.5

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        offset = around.subgoal - flock.position
        distance = length(offset)
        approach = np.minimum(self.approach(distance, flock.braking), flock.cruise_speed)
        desired = around.subgoal_velocity + approach[:, None] * unit(offset)
        return force_towards(flock, clip_length(desired, flock.max_speed))

    def approach(self, distance: Float, braking: Float) -> Float:
        """Return speeds (N,) [m/s] at distances (N,) [m] to go, with braking (N,) [m/s^2]."""
        return np.minimum(self.gain * distance, np.sqrt(2.0 * self.caution * braking * distance))
