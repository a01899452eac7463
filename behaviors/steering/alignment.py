"""Alignment: move as nearby agents do."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.neighborhood import check_neighborhood, in_view, mean_over
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, level
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError


@STEERING_BEHAVIORS.register("alignment")
@dataclass(frozen=True)
class Alignment:
    r"""Take over the mean velocity of the neighbors in view.

    With the mean velocity u of the neighbors within the distance and the angle, the force is
    :math:`f = m (u - v) / T`; among agents that all see one another, differences of velocity
    decay as :math:`\exp(-t N / ((N - 1) T))` and the momentum of equal masses stays (Reynolds 1999,
    "Steering behaviors for autonomous characters").

    Attributes:
        distance: Of the neighborhood [m].
        angle_deg: Between the heading and those that count; 180 for all round [degrees].
        time: T in which the difference is made up [s].
    """

    distance: float = 3.0
    angle_deg: float = 180.0
    time: float = 0.5
    needs: ClassVar[tuple[str, ...]] = ("neighbors",)
    mates: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_neighborhood(self.distance, self.angle_deg)
        if not 0.0 < self.time < np.inf:
            raise InputError(f"`time` must be positive, got {self.time}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        near = around.neighbors
        if around.crowd is None:
            return np.zeros_like(flock.position)
        seen = in_view(flock, near, self.distance, self.angle_deg)
        change = around.crowd.velocity[near.j] - flock.velocity[near.i]
        gap, _ = mean_over(near, seen, change)
        return flock.bodies.mass[:, None] * level(flock, gap) / self.time
