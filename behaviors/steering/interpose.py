"""Interpose: get between two others."""

from dataclasses import dataclass
from typing import ClassVar

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.arrive import Arrive
from rmp3d.behaviors.steering.pursue import travel_time
from rmp3d.behaviors.steering_behavior import (
    STEERING_BEHAVIORS,
    Surroundings,
    level,
    offset_to,
    where_known,
)
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length


@STEERING_BEHAVIORS.register("interpose")
@dataclass(frozen=True)
class Interpose:
    r"""Keep between the quarry and the ward, as a guard does.

    With their positions p and w, velocities u and y, and share a, the point is

    .. math:: (1 - a)(w + y T) + a (p + u T), \qquad T = D / s

    where T is the own travel time to the middle at the largest speed. It is arrived at with the
    velocity (1 - a) y + a u (Reynolds 1999, "Steering behaviors for autonomous characters", who
    seeks it).

    Attributes:
        share: Place between both, a: 0 at the ward, 1 at the quarry, 0.5 half way.
        max_prediction: Longest time T that is looked ahead [s].
    """

    share: float = 0.5
    max_prediction: float = 2.0
    needs: ClassVar[tuple[str, ...]] = ("quarry", "ward")

    def __post_init__(self) -> None:
        if not 0.0 <= self.share <= 1.0:
            raise InputError(f"`share` must be from 0 to 1, got {self.share}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        quarry, ward = around.other("quarry"), around.other("ward")
        middle = self._between(ward.expected, quarry.expected)
        motion = level(flock, self._between(ward.velocity, quarry.velocity))
        offset = offset_to(flock, middle)
        time = travel_time(length(offset), flock.bodies.max_speed, self.max_prediction)
        point = flock.position + offset + time[:, None] * motion
        force = Arrive().force_to(flock, point, motion, flock.bodies.max_speed)
        return where_known(quarry.known & ward.known, force)

    def _between(self, ward: Float, quarry: Float) -> Float:
        return (1.0 - self.share) * ward + self.share * quarry
