"""Separation: keep a personal distance from nearby agents."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import compiled


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
        total = np.zeros((near.agent_count, 3))
        _add_pushes(
            near.i, near.offset, near.contact, near.lower, self.distance, self.strength, total
        )
        return -flock.bodies.mass[:, None] * total


@compiled
def _add_pushes(seeing, offset, contact, lower, distance, strength, total):
    for k in range(len(seeing)):
        x, y, z = offset[k, 0], offset[k, 1], offset[k, 2]
        apart = np.sqrt((x * x + z * z) + y * y)  # in the order of NumPy's einsum
        push = strength * min(max(1.0 - (apart - contact[k]) / distance, 0.0), 1.0)
        if push == 0.0:
            continue
        i = seeing[k]
        if apart == 0.0:
            total[i, 0] += push if lower[k] else -push
            continue
        total[i, 0] += push * (x / apart)
        total[i, 1] += push * (y / apart)
        total[i, 2] += push * (z / apart)
