"""Docking: arrive at a point with an orientation."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.align import Turning
from rmp3d.behaviors.steering.arrive import Arrive
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, level
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import WORLD_UP
from rmp3d.geometry.vectors import length, unit


@STEERING_BEHAVIORS.register("docking")
@dataclass(frozen=True)
class Docking(Turning):
    r"""Come to rest at the subgoal, facing its heading, having come from behind it.

    In the berth's frame (heading h, point g) the agent is a distance b behind g and l off its
    axis. It makes for the point of the axis that is

    .. math:: a = \min(R, 2 l + \max(0, -b))

    before g, so that it swings onto the axis and moves along it at the end; its speed is that of
    `Arrive` for the whole distance left. Within the run-in R of g the body turns to h, farther
    off it faces its motion. Reynolds 1999, "Steering behaviors for autonomous characters", names
    docking, also at a given time or velocity, without a construction; this one is ours. Without a
    heading it is `Arrive`.

    Attributes:
        gain: Rate at which small angles are made up [1/s].
        target_angle_deg: An angle within which nothing is turned any more [degrees].
        time_to_target: In which a wanted angular velocity is taken up [s].
        slow_angle_deg: Millington's slow radius [degrees], instead of ``gain``; 0: none.
        run_in: R, length of the straight end of the approach [m].
        speed: With which it comes to the subgoal [m/s], and goes on along the heading; 0: it comes
            to rest there.
        time: When it comes to the subgoal, since the start [s]: it goes more slowly than it could,
            to be there then. 0: as soon as it can.
    """

    run_in: float = 3.0
    speed: float = 0.0
    time: float = 0.0
    needs: ClassVar[tuple[str, ...]] = ("subgoal", "subgoal_heading")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0.0 < self.run_in < np.inf:
            raise InputError(f"`run_in` must be positive, got {self.run_in}")
        for name in ("speed", "time"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be 0 or more, got {getattr(self, name)}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        arrive = Arrive()
        if around.subgoal_heading is None:
            return arrive.steering_force(flock, around)
        heading = unit(level(flock, around.subgoal_heading))
        offset = level(flock, around.subgoal - flock.position)
        behind = np.einsum("ij,ij->i", offset, heading)
        aside = length(offset - behind[:, None] * heading)
        lead = np.minimum(self.run_in, 2.0 * aside + np.maximum(-behind, 0.0))
        aim = offset - lead[:, None] * heading
        left = length(aim) + lead
        course = unit(aim)
        if self.speed > 0.0:  # beyond the subgoal it goes on along the heading
            beyond = (behind <= 0.0) & (aside < self.run_in)
            course = np.where(beyond[:, None], heading, course)
            left = np.where(beyond, 0.0, left)
        pace = self._pace(flock, left, around.time, arrive)
        desired = level(flock, around.subgoal_velocity) + pace[:, None] * course
        gap = level(flock, desired - flock.velocity)
        return flock.bodies.mass[:, None] * gap / arrive.time_to_target

    def _pace(self, flock: Flock, left: Float, now: float, arrive: Arrive) -> Float:
        """Return the speeds (N,) [m/s] with so much of the way (N,) [m] left."""
        braking, last = flock.bodies.max_brake, self.speed
        if self.speed > 0.0:
            # A wanted speed is taken up in the time to target: the one from there on is asked for.
            then = np.maximum(left - arrive.time_to_target * length(flock.velocity), 0.0)
            stopping = np.sqrt(self.speed**2 + 2.0 * arrive.caution * braking * then)
            pace = np.minimum(last + arrive.gain * then, stopping)
        else:
            pace = arrive.approach(left, braking)
        if self.time > now:
            pace = np.minimum(pace, np.maximum(left / (self.time - now), last))
        return np.minimum(pace, np.maximum(flock.bodies.cruise_speed, last))

    def steering_turn(self, flock: Flock, around: Surroundings) -> tuple[Float, Bool]:
        """Return angular accelerations (N, 3) [rad/s^2] and which agents it orients (N,)."""
        if around.subgoal_heading is None:
            return np.zeros((len(flock), 3)), np.zeros(len(flock), np.bool_)
        near = length(level(flock, around.subgoal - flock.position)) < self.run_in
        up = np.broadcast_to(WORLD_UP, flock.position.shape)
        return self.turn_into(flock, around.subgoal_heading, up, near)
