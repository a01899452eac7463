"""Match velocity: move as the quarry does."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import (
    RESPONSE_TIME,
    STEERING_BEHAVIORS,
    Surroundings,
    level,
    where_known,
)
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import clip_length


@STEERING_BEHAVIORS.register("match_velocity")
@dataclass(frozen=True)
class MatchVelocity:
    """Take over the quarry's velocity u: f = m (u - v) / T.

    The difference decays as exp(-t / T). Millington 2019, "Artificial Intelligence for Games", 3.3;
    a faster quarry is matched up to the own largest speed.

    Attributes:
        time_to_target: In which a difference of velocity is made up: T [s].
    """

    time_to_target: float = RESPONSE_TIME
    needs: ClassVar[tuple[str, ...]] = ("quarry",)

    def __post_init__(self) -> None:
        if not 0.0 < self.time_to_target < np.inf:
            raise InputError(f"`time_to_target` must be positive, got {self.time_to_target}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        quarry = around.other("quarry")
        wanted = clip_length(level(flock, quarry.velocity), flock.bodies.max_speed)
        gap = level(flock, wanted - flock.velocity)
        return where_known(quarry.known, flock.bodies.mass[:, None] * gap / self.time_to_target)
