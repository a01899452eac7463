"""Wall following: move along a wall at a distance, on triangle meshes."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import (
    RESPONSE_TIME,
    STEERING_BEHAVIORS,
    Surroundings,
    force_towards,
    level,
    where_known,
)
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length, unit


@STEERING_BEHAVIORS.register("wall_following")
@dataclass(frozen=True)
class WallFollowing:
    r"""Cruise along the nearest surface, at a distance from it.

    At the position in ``prediction`` seconds (but no farther than a wall in the way), with the
    nearest point q of the obstacles there, the direction n from it to the body and the gap g
    between body and surface, the wanted direction is

    .. math:: \mathrm{unit}(\perp_n v) + n \, \mathrm{clip}(k (D - g), -1, 1)

    at cruise speed: along the wall as one goes, to it when too far, off it when too near. An
    agent that comes head-on turns to its left. Surfaces farther than ``reach`` ask for nothing.

    Reynolds 1999, "Steering behaviors for autonomous characters": a point offset from the wall at
    the predicted position is sought; here the two parts are kept apart, so that the speed along
    the wall does not depend on the distance.

    Attributes:
        distance: D, between body and surface [m].
        reach: Surfaces farther from the body's middle count for nothing [m].
        prediction: How far ahead in time the own place is foreseen [s].
        gain: How briskly a wrong distance is made up: k [1/m].
    """

    distance: float = 0.6
    reach: float = 4.0
    prediction: float = RESPONSE_TIME
    gain: float = 1.0
    needs: ClassVar[tuple[str, ...]] = ("obstacles",)

    def __post_init__(self) -> None:
        for name in ("distance", "reach", "prediction", "gain"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        if around.obstacles is None or len(flock) == 0:
            return np.zeros_like(flock.position)
        rise = flock.bodies.capsule_axis.mean(axis=1)[:, None] * [0.0, 0.0, 1.0]
        middle = flock.position + rise
        motion = level(flock, flock.velocity)
        course = unit(motion)
        ahead = self.prediction * length(motion)
        blocked, _ = around.obstacles.cast_ray(middle, course, self.reach)
        blocked = np.where(length(motion) > 0.0, blocked, np.inf)
        ahead = np.minimum(ahead, np.maximum(blocked - flock.bodies.radius, 0.0))
        future = middle + ahead[:, None] * course
        gap, nearest, face = around.obstacles.closest_point(future, self.reach)
        off = level(flock, future - nearest)
        off = np.where(length(off)[:, None] > 1e-9, unit(off), -course)
        facing = level(flock, flock.heading)
        forward = np.where(length(motion)[:, None] > 0.05, course, unit(facing))
        along = forward - np.einsum("ij,ij->i", forward, off)[:, None] * off
        head_on = length(along) < 1e-3
        along = np.where(head_on[:, None], np.cross(flock.up, forward), along)
        error = np.clip(self.gain * (self.distance - (gap - flock.bodies.radius)), -1.0, 1.0)
        wanted = unit(unit(along) + error[:, None] * off)
        force = force_towards(flock, flock.bodies.cruise_speed[:, None] * wanted)
        return where_known(face >= 0, force)
