"""Evade: get away from where the threat will be."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.prediction import closest_approach
from rmp3d.behaviors.steering.flee import flight
from rmp3d.behaviors.steering.pursue import check_prediction, travel_time
from rmp3d.behaviors.steering_behavior import (
    STEERING_BEHAVIORS,
    Surroundings,
    level,
    offset_to,
    where_known,
)
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length


@STEERING_BEHAVIORS.register("evade")
@dataclass(frozen=True)
class Evade:
    """Flee from the threat's position in T seconds.

    The prediction T is at most ``max_prediction`` and one of

    - ``approach``: when the two, going straight on, are nearest to each other; it depends on their
      relative position and headings, and is zero for a threat that moves off;
    - ``travel``: the distance D over the threat's speed (Millington);
    - ``turning``: D times c (Reynolds 1999, "Steering behaviors for autonomous characters").

    Straight away may lead into a corner, where the agent waits; `Escape` looks for a way out.

    Attributes:
        panic_distance: A threat farther off is left alone [m]; ``inf`` always evades.
        prediction: How T is found.
        turning: Seconds for each meter of the distance: c of ``turning`` [s/m].
        max_prediction: Longest time that is looked ahead [s].
    """

    panic_distance: float = np.inf
    prediction: Literal["approach", "travel", "turning"] = "approach"
    turning: float = 0.25
    max_prediction: float = 1.5
    needs: ClassVar[tuple[str, ...]] = ("threat",)

    def __post_init__(self) -> None:
        check_prediction(self.turning, self.max_prediction)
        if not self.panic_distance > 0.0:
            raise InputError(f"`panic_distance` must be positive, got {self.panic_distance}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        threat = around.other("threat")
        offset = offset_to(flock, threat.expected)
        distance = length(offset)
        motion = level(flock, threat.velocity)
        if self.prediction == "approach":
            relative = motion - level(flock, flock.velocity)
            time, _ = closest_approach(offset, relative, self.max_prediction)
        elif self.prediction == "travel":
            time = travel_time(distance, length(motion), self.max_prediction)
        else:
            time = np.minimum(self.turning * distance, self.max_prediction)
        point = threat.expected + time[:, None] * motion
        near = length(threat.expected - flock.position) < self.panic_distance
        return where_known(threat.known & near, flight(flock, point))
