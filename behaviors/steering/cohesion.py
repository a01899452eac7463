"""Cohesion: keep together with nearby agents."""

from dataclasses import dataclass
from typing import ClassVar

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.neighborhood import check_neighborhood, in_view, mean_over
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, level
from rmp3d.geometry.arrays import Float


@STEERING_BEHAVIORS.register("cohesion")
@dataclass(frozen=True)
class Cohesion:
    r"""Pull to the middle of the neighbors in view.

    With the mean offset o of the neighbors within the distance D and the angle, the force is

    .. math:: f = m s \, o / D

    which is at most m s (Reynolds 1999, "Steering behaviors for autonomous characters").

    Attributes:
        distance: D, of the neighborhood [m].
        angle_deg: Between the heading and those that count; 180 for all round [degrees].
        strength: Acceleration s for neighbors at the distance D [m/s^2].
    """

    distance: float = 3.0
    angle_deg: float = 180.0
    strength: float = 1.5
    needs: ClassVar[tuple[str, ...]] = ("neighbors",)
    mates: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_neighborhood(self.distance, self.angle_deg)

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        near = around.neighbors
        seen = in_view(flock, near, self.distance, self.angle_deg)
        middle, _ = mean_over(near, seen, near.offset)
        return flock.bodies.mass[:, None] * self.strength / self.distance * level(flock, middle)
