"""Flocking: Reynolds' boids."""

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.flock_sums import ViewArc, flock_sums
from rmp3d.behaviors.steering.alignment import Alignment
from rmp3d.behaviors.steering.cohesion import Cohesion
from rmp3d.behaviors.steering.neighborhood import check_neighborhood
from rmp3d.behaviors.steering.separation import Separation
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, STEERING_BEHAVIORS, Surroundings, level
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import compiled


@STEERING_BEHAVIORS.register("flocking")
@dataclass(frozen=True)
class Flocking:
    """Keep apart, keep together, move as the others do, and keep going.

    The sum of `Separation`, `Alignment` and `Cohesion` with their default strengths, each with a
    weight and a neighborhood of its own, found in one pass (Reynolds 1987, "Flocks, herds, and
    schools"; 1999, nine parameters), and of a thrust along the own course that keeps the cruise
    speed, without which a flock comes to rest.

    Attributes:
        separation: Weight of keeping apart.
        separation_distance: Personal distance between the bodies [m].
        separation_angle_deg: Others farther off the heading do not count for it [degrees].
        alignment: Weight of moving as the others do.
        alignment_distance: Others farther off do not count for it [m].
        alignment_angle_deg: Others farther off the heading do not count for it [degrees].
        cohesion: Weight of keeping together.
        cohesion_distance: Others farther off do not count for it [m].
        cohesion_angle_deg: Others farther off the heading do not count for it [degrees].
        cruising: Weight of the thrust.
    """

    separation: float = 2.0
    separation_distance: float = 1.0
    separation_angle_deg: float = 180.0
    alignment: float = 0.7
    alignment_distance: float = 3.0
    alignment_angle_deg: float = 135.0
    cohesion: float = 0.7
    cohesion_distance: float = 3.0
    cohesion_angle_deg: float = 135.0
    cruising: float = 0.5
    needs: ClassVar[tuple[str, ...]] = ("neighbors",)
    mates: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_neighborhood(self.separation_distance, self.separation_angle_deg)
        Cohesion(self.cohesion_distance, self.cohesion_angle_deg)
        Alignment(self.alignment_distance, self.alignment_angle_deg)

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        near = around.neighbors
        others = flock if around.crowd is None else around.crowd
        sums = flock_sums(
            near, flock.heading, flock.velocity, others.velocity,
            ViewArc(self.separation_distance, self.separation_angle_deg),
            ViewArc(self.alignment_distance, self.alignment_angle_deg),
            ViewArc(self.cohesion_distance, self.cohesion_angle_deg),
        )  # fmt: skip
        apart, align = Separation(self.separation_distance), Alignment()
        together = Cohesion(self.cohesion_distance)
        pull = -self.separation * apart.strength * sums.crowding
        pull += self.alignment / align.time * sums.change
        pull += self.cohesion * together.strength / together.distance * sums.middle
        return flock.bodies.mass[:, None] * level(flock, pull) + self.cruising * thrust_to_cruise(
            flock
        )


def thrust_to_cruise(flock: Flock) -> Float:
    """Return the forces (N, 3) [N] along course or, at rest, heading that keep cruise speed."""
    return _along_course(
        flock.velocity,
        flock.heading,
        flock.bodies.grounded,
        flock.bodies.mass,
        flock.bodies.cruise_speed,
    )


@compiled
def _along_course(velocity, heading, grounded, mass, cruise_speed):
    force = np.empty_like(velocity)
    for i in range(velocity.shape[0]):
        upright = 0.0 if grounded[i] else 1.0
        x, y, z = velocity[i, 0], velocity[i, 1], upright * velocity[i, 2]
        speed = sqrt(x * x + y * y + z * z)
        size = speed
        if speed == 0.0:
            x, y, z = heading[i, 0], heading[i, 1], upright * heading[i, 2]
            size = sqrt(x * x + y * y + z * z)
        scale = mass[i] * (cruise_speed[i] - speed) / RESPONSE_TIME
        scale = scale / size if size > 0.0 else 0.0
        force[i, 0], force[i, 1], force[i, 2] = scale * x, scale * y, scale * z
    return force
