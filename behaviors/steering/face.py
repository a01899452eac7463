"""Face: look at the quarry."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.align import Turning
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, offset_to
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.rotations import WORLD_UP
from rmp3d.geometry.vectors import length


@STEERING_BEHAVIORS.register("face")
@dataclass(frozen=True)
class Face(Turning):
    """Turn the heading to the quarry, whichever direction it moves in; flyers keep upright.

    `Align` with the direction to the quarry (Millington 2019, "Artificial Intelligence for
    Games", 3.3). A quarry in the own place (for walkers: straight above or below) has no
    direction, and asks for nothing.

    Attributes:
        gain: Rate at which small angles are made up [1/s].
        target_angle_deg: An angle within which nothing is turned any more [degrees].
        time_to_target: In which a wanted angular velocity is taken up [s].
        slow_angle_deg: Millington's slow radius [degrees], instead of ``gain``; 0: none.
    """

    needs: ClassVar[tuple[str, ...]] = ("quarry",)

    def steering_turn(self, flock: Flock, around: Surroundings) -> tuple[Float, Bool]:
        """Return angular accelerations (N, 3) [rad/s^2] and which agents it orients (N,)."""
        quarry = around.other("quarry")
        offset = offset_to(flock, quarry.expected)
        known = quarry.known & (length(offset) > 1e-9)
        return self.turn_into(flock, offset, np.broadcast_to(WORLD_UP, offset.shape), known)
