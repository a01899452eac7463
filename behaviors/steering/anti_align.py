"""Anti-align: turn to the opposite of the quarry's orientation."""

from dataclasses import dataclass
from typing import ClassVar

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.align import Turning
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings
from rmp3d.geometry.arrays import Bool, Float


@STEERING_BEHAVIORS.register("anti_align")
@dataclass(frozen=True)
class AntiAlign(Turning):
    """Turn so that the heading is opposite to the quarry's, and the up the same.

    As `Align`, half a turn on about the quarry's up (Millington 2019, "Artificial Intelligence
    for Games", 3.3).

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
        return self.turn_into(flock, -quarry.heading, quarry.up, quarry.known)
