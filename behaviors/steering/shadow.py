"""Shadow: come near the quarry, then move as it does."""

from dataclasses import dataclass
from typing import ClassVar

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.arrive import Arrive
from rmp3d.behaviors.steering_behavior import (
    STEERING_BEHAVIORS,
    Surroundings,
    level,
    offset_to,
    where_known,
)
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import unit


@STEERING_BEHAVIORS.register("shadow")
@dataclass(frozen=True)
class Shadow:
    """Approach the quarry to a distance, and from there match its speed and heading.

    The point arrived at is the nearest one of the sphere of radius R around the quarry, which
    moves with it; so an agent there moves exactly as the quarry does, on whichever side it came
    (Reynolds 1999, "Steering behaviors for autonomous characters": approach, then alignment).

    Attributes:
        distance: R, between the bodies [m].
    """

    distance: float = 2.0
    needs: ClassVar[tuple[str, ...]] = ("quarry",)

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        quarry = around.other("quarry")
        to_quarry = offset_to(flock, quarry.expected)
        reach = (self.distance + quarry.radius + flock.bodies.radius)[:, None]
        point = flock.position + to_quarry - reach * unit(to_quarry)
        force = Arrive().force_to(
            flock, point, level(flock, quarry.velocity), flock.bodies.max_speed
        )
        return where_known(quarry.known, force)
