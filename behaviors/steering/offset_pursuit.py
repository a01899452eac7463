"""Offset pursuit: pass by a moving quarry at a distance, or keep a place beside it."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.prediction import interception_time
from rmp3d.behaviors.steering.arrive import Arrive
from rmp3d.behaviors.steering_behavior import (
    STEERING_BEHAVIORS,
    Surroundings,
    force_towards,
    level,
    offset_to,
    where_known,
)
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import frame
from rmp3d.geometry.vectors import length, unit


@STEERING_BEHAVIORS.register("offset_pursuit")
@dataclass(frozen=True)
class OffsetPursuit:
    """Steer for a point beside the quarry: fly by at a distance, or fly along in a place of it.

    Without a place: with the quarry's predicted position p, the own position x and heading h, the
    point sought is p + R l, where l is the unit part of x - p across h (the own left where there
    is none): the straight line to it passes the quarry at R (Reynolds 1999, "Steering behaviors
    for autonomous characters"; the prediction is the time of interception).

    With a place [ahead, left, up] in the quarry's frame, the agent arrives there and keeps to it;
    for a walker the frame is level.

    Attributes:
        distance: R, between the bodies [m].
        place: [m], or empty to pass by.
        max_prediction: Longest time that is looked ahead [s].
    """

    distance: float = 1.0
    place: tuple[float, ...] = ()
    max_prediction: float = 5.0
    needs: ClassVar[tuple[str, ...]] = ("quarry",)

    def __post_init__(self) -> None:
        if len(self.place) not in (0, 3):
            raise InputError(f"`place` must be [ahead, left, up], got {list(self.place)}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        quarry = around.other("quarry")
        motion = level(flock, quarry.velocity)
        if self.place:
            axes = frame(*level_axes(flock, quarry.heading, quarry.up))
            point = quarry.expected + axes @ np.array(self.place)
            force = Arrive().force_to(flock, point, motion, flock.bodies.max_speed)
            return where_known(quarry.known, force)
        offset = offset_to(flock, quarry.expected)
        time = interception_time(offset, motion, flock.bodies.max_speed, self.max_prediction)
        offset = offset + time[:, None] * motion
        ahead = unit(level(flock, flock.heading))
        across = -offset + np.einsum("ij,ij->i", offset, ahead)[:, None] * ahead
        lost = length(across) < 1e-9 * (1.0 + length(offset))
        across = np.where(lost[:, None], np.cross(flock.up, ahead), across)
        aside = (self.distance + quarry.radius + flock.bodies.radius)[:, None] * unit(across)
        force = force_towards(flock, flock.bodies.max_speed[:, None] * unit(offset + aside))
        return where_known(quarry.known, force)


def level_axes(flock: Flock, heading: Float, up: Float) -> tuple[Float, Float]:
    """Return headings and ups (N, 3), level for walkers; a vertical heading stays as it is."""
    flat = level(flock, heading)
    flat = np.where(length(flat)[:, None] > 1e-9, flat, heading)
    return flat, np.where(flock.bodies.grounded[:, None], [0.0, 0.0, 1.0], up)
