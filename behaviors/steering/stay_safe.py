"""Stay safe: hold the last free place until the threat comes into view, then flee."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.arrive import Arrive
from rmp3d.behaviors.steering.flee import flight
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, where_known
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length


@STEERING_BEHAVIORS.register("stay_safe")
@dataclass(frozen=True)
class StaySafe:
    """Flee while the threat is within the vision radius; else stay at the last free place.

    That is the last place at which the body was clear of obstacles while it fled; at the
    beginning, where it is. Herrera Walls 2009 (thesis), 3.3.4: "as long as the follower is not
    within the vision radius of the evader, it stays at the last known collision-free point;
    otherwise it flees".

    Attributes:
        vision_radius: A threat nearer than this is seen [m].
        margin: Clearance of a free place [m].
    """

    vision_radius: float = 5.0
    margin: float = 0.1
    needs: ClassVar[tuple[str, ...]] = ("threat",)

    def __post_init__(self) -> None:
        if not self.vision_radius > 0.0:
            raise InputError(f"`vision_radius` must be positive, got {self.vision_radius}")
        if not 0.0 <= self.margin < np.inf:
            raise InputError(f"`margin` must be 0 or more, got {self.margin}")

    def remembered(self, flock: Flock, around: Surroundings) -> Float:
        """Return the last free places (N, 3) [m]."""
        if around.memory is None:
            return np.array(flock.position)
        moves = self._in_view(flock, around) & self._free(flock, around)
        return np.where(moves[:, None], flock.position, around.memory)

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        place = self.remembered(flock, around) if around.memory is None else around.memory
        threat = around.other("threat")
        stay = Arrive().force_to(flock, place, np.zeros_like(place))
        near = self._in_view(flock, around)[:, None]
        return where_known(threat.known, np.where(near, flight(flock, threat.expected), stay))

    def _in_view(self, flock: Flock, around: Surroundings) -> Bool:
        threat = around.other("threat")
        apart = length(threat.expected - flock.position)
        return threat.known & (apart < self.vision_radius)

    def _free(self, flock: Flock, around: Surroundings) -> Bool:
        if around.obstacles is None or len(flock) == 0:
            return np.ones(len(flock), np.bool_)
        low, high = flock.bodies.capsule_axis.T
        middle = flock.position + 0.5 * (low + high)[:, None] * [0.0, 0.0, 1.0]
        needed = flock.bodies.radius + 0.5 * (high - low) + self.margin
        gap, _, _ = around.obstacles.closest_point(middle, float(needed.max()))
        return gap >= needed
