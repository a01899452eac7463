"""Friction: motion dies away unless something keeps it up."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, level
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError


@STEERING_BEHAVIORS.register("friction")
@dataclass(frozen=True)
class Friction:
    r"""Brake in proportion to the velocity: :math:`f = -m k v`.

    Alone it lets a velocity decay as exp(-k t). Beside a force F that does not change it makes
    F / (m k) the final speed, so behaviors that ask for their full acceleration neither drift nor
    grow without limit (Millington 2019, "Artificial Intelligence for Games", 3.2).

    Attributes:
        coefficient: Share of the velocity that is lost in a second: k [1/s].
    """

    coefficient: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.coefficient < np.inf:
            raise InputError(f"`coefficient` must be 0 or more, got {self.coefficient}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        return -self.coefficient * flock.bodies.mass[:, None] * level(flock, flock.velocity)
