"""Look where you are going: face the own motion."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.align import Turning
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, level
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.rotations import WORLD_UP
from rmp3d.geometry.vectors import length


@STEERING_BEHAVIORS.register("look_where_you_are_going")
@dataclass(frozen=True)
class LookWhereYouAreGoing(Turning):
    """Turn the heading to the velocity, by angular accelerations.

    Vehicles do so of their own accord unless something else orients them; this gives the turn
    a place among the behaviors that are combined (Millington 2019, "Artificial Intelligence for
    Games", 3.3). An agent that hardly moves is not oriented.

    Attributes:
        gain: Rate at which small angles are made up [1/s].
        target_angle_deg: An angle within which nothing is turned any more [degrees].
        time_to_target: In which a wanted angular velocity is taken up [s].
        slow_angle_deg: Millington's slow radius [degrees], instead of ``gain``; 0: none.
        least_speed: Below it the direction of motion means nothing [m/s].
    """

    least_speed: float = 0.1

    def steering_turn(self, flock: Flock, around: Surroundings) -> tuple[Float, Bool]:
        """Return angular accelerations (N, 3) [rad/s^2] and which agents it orients (N,)."""
        motion = level(flock, flock.velocity)
        moving = length(motion) > self.least_speed
        return self.turn_into(flock, motion, np.broadcast_to(WORLD_UP, motion.shape), moving)
