"""Arrive: come to rest at a point, or keep to a moving one."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, STEERING_BEHAVIORS, Surroundings
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import clip_length, length, unit


@STEERING_BEHAVIORS.register("arrive")
@dataclass(frozen=True)
class Arrive:
    r"""Approach the subgoal, slow down in time, and take over its motion.

    With distance d to the subgoal, its velocity u, braking b, cruise speed c
    and gain k, the desired velocity is

    .. math:: u + \min(k d, \sqrt{2 \beta b d}, c) (g - x) / d

    cut to the largest speed: proportional when near, by the stopping distance when far (Reynolds
    1999 uses a fixed slowing distance instead). A subgoal that stands still gives the plain
    arrival behavior; one that moves is kept without lag.

    A slow radius S makes it Millington's: the approach is :math:`\min(1, d / S) \, c`. Within the
    target radius only the subgoal's motion is taken over (there, no output at all would let an
    agent without friction drift through).

    Attributes:
        gain: How briskly small errors are made up: k [1/s].
        caution: Share beta of the braking that the approach counts on.
        slow_radius: S [m]; 0 for the approach by stopping distance.
        target_radius: A distance within which one has arrived [m].
        time_to_target: In which a difference of velocity is made up [s].
    """

    gain: float = 1.5
    caution: float = 0.5
    slow_radius: float = 0.0
    target_radius: float = 0.0
    time_to_target: float = RESPONSE_TIME
    needs: ClassVar[tuple[str, ...]] = ("subgoal",)

    def __post_init__(self) -> None:
        for name in ("gain", "caution", "time_to_target"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")
        for name in ("slow_radius", "target_radius"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be 0 or more, got {getattr(self, name)}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        return self.force_to(flock, around.subgoal, around.subgoal_velocity)

    def force_to(
        self, flock: Flock, point: Float, motion: Float, cruise: Float | None = None
    ) -> Float:
        """Return the forces (N, 3) [N] that arrive at points (N, 3) with velocities (N, 3).

        ``cruise`` (N,) takes the place of the cruise speed [m/s].
        """
        offset = point - flock.position
        distance = length(offset)
        most = flock.bodies.cruise_speed if cruise is None else cruise
        approach = np.minimum(self.approach(distance, flock.bodies.max_brake), most)
        if self.slow_radius > 0.0:
            approach = most * np.minimum(distance / self.slow_radius, 1.0)
        approach = np.where(distance < self.target_radius, 0.0, approach)
        desired = clip_length(motion + approach[:, None] * unit(offset), flock.bodies.max_speed)
        return flock.bodies.mass[:, None] * (desired - flock.velocity) / self.time_to_target

    def approach(self, distance: Float, braking: Float) -> Float:
        """Return speeds (N,) [m/s] at distances (N,) [m] to go, with braking (N,) [m/s^2]."""
        return np.minimum(self.gain * distance, np.sqrt(2.0 * self.caution * braking * distance))
