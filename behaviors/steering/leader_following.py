"""Leader following: stay behind the leader, out of its way, and apart from one another."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.arrive import Arrive
from rmp3d.behaviors.steering.separation import Separation
from rmp3d.behaviors.steering_behavior import (
    STEERING_BEHAVIORS,
    Surroundings,
    level,
    offset_to,
    where_known,
)
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length, unit


@STEERING_BEHAVIORS.register("leader_following")
@dataclass(frozen=True)
class FollowLeader:
    """Arrive behind the leader; from a place in its way step aside first; keep apart.

    The point arrived at, with the leader's velocity, is ``distance`` behind its body. A follower
    that the leader comes upon, in a box before it that is ``clear_time`` of its motion long and
    wide enough for both bodies, is pushed straight out of it to the nearer side (exactly ahead,
    to the leader's left), by all its side force next to the leader and by none at the far end.
    `Separation` keeps followers apart (Reynolds 1999, "Steering behaviors for autonomous
    characters", figure 17).

    Attributes:
        distance: Between the bodies [m].
        clear_time: How far ahead in time followers keep the leader's path clear [s].
        personal_distance: Distance between followers [m].
        separation: Acceleration of the separation at contact [m/s^2].
    """

    distance: float = 0.8
    clear_time: float = 2.0
    personal_distance: float = 0.6
    separation: float = 3.0
    needs: ClassVar[tuple[str, ...]] = ("leader",)

    def __post_init__(self) -> None:
        for name in ("distance", "clear_time", "personal_distance", "separation"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        leader = around.other("leader")
        motion = level(flock, leader.velocity)
        speed = length(motion)
        facing = unit(level(flock, leader.heading))
        course = np.where(speed[:, None] > 0.1, unit(motion), facing)
        bodies = leader.radius + flock.bodies.radius
        offset = offset_to(flock, leader.expected)
        behind = offset - (self.distance + bodies)[:, None] * course
        point = flock.position + behind
        force = Arrive().force_to(flock, point, motion, flock.bodies.max_speed)
        ahead = -np.einsum("ij,ij->i", offset, course)
        across = -offset - ahead[:, None] * course
        gap = length(across)
        reach = self.clear_time * speed + bodies
        blocking = (ahead > 0.0) & (ahead < reach) & (gap < 1.5 * bodies)
        side = np.where(gap[:, None] > 1e-9, unit(across), unit(np.cross(leader.up, course)))
        push = (
            flock.bodies.mass
            * flock.bodies.max_side_acceleration
            * np.clip(1.0 - ahead / reach, 0.0, 1.0)
        )
        # Arriving would lead it back onto the path that it is to clear.
        force = np.where(blocking[:, None], push[:, None] * side, force)
        apart = Separation(self.personal_distance, self.separation).steering_force(flock, around)
        return where_known(leader.known, force + level(flock, apart))
