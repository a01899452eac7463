"""Separation: keep a personal distance from nearby agents."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import length, unit


@STEERING_BEHAVIORS.register("separation")
@dataclass(frozen=True)
class Separation:
    r"""Push away from neighbors, harder the closer they are.

    With the gap :math:`g = \|x_j - x_i\| - r_i - r_j` between two bodies, personal distance D
    and acceleration s, agent i of mass m is given

    .. math:: f_i = -m s \sum_j \max(0, 1 - g / D) \, (x_j - x_i) / \|x_j - x_i\|

    The push of one neighbor is bounded, unlike the 1/d law of Reynolds (1999, "Steering
    behaviors for autonomous characters"), so a crowd does not explode. Two agents in one place
    are parted along x, the lower row to -x.

    Attributes:
        distance: Personal distance D between the bodies [m].
        strength: Acceleration s asked for at contact [m/s^2].
    """

    distance: float = 0.4
    strength: float = 1.5
    needs: ClassVar[tuple[str, ...]] = ("neighbors",)

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        near = around.neighbors
        apart = length(near.offset)
        direction = unit(near.offset)
        direction[apart == 0.0, 0] = np.where(near.lower, 1.0, -1.0)[apart == 0.0]
        push = self.strength * np.clip(1.0 - (apart - near.contact) / self.distance, 0.0, 1.0)
        return -flock.bodies.mass[:, None] * near.sum(push[:, None] * direction)
