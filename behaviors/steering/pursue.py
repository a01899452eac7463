"""Pursue: head for where the quarry will be."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.prediction import interception_time
from rmp3d.behaviors.steering_behavior import (
    STEERING_BEHAVIORS,
    Surroundings,
    force_towards,
    level,
    offset_to,
    where_known,
)
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length, unit

Prediction = Literal["intercept", "travel", "turning"]


@STEERING_BEHAVIORS.register("pursue")
@dataclass(frozen=True)
class Pursue:
    r"""Head, at the largest speed s, for the quarry's position q + u T in T seconds.

    The prediction T is at most ``max_prediction`` and one of

    - ``intercept``: the least T with :math:`\|q + u T - x\| = s T`, which depends on where the
      quarry is and in which direction it goes relative to the pursuer, and is zero where they meet;
    - ``travel``: the distance D over the own speed (Millington);
    - ``turning``: D times c (Reynolds 1999, "Steering behaviors for autonomous characters").

    Reynolds' estimator by relative heading and position is a table in his demonstrations; the
    interception is the exact time for the same assumption, a quarry that goes straight on.

    Attributes:
        prediction: How T is found.
        turning: c of ``turning`` [s/m].
        max_prediction: [s].
    """

    prediction: Prediction = "intercept"
    turning: float = 0.25
    max_prediction: float = 5.0
    needs: ClassVar[tuple[str, ...]] = ("quarry",)

    def __post_init__(self) -> None:
        check_prediction(self.turning, self.max_prediction)

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        quarry = around.other("quarry")
        offset = offset_to(flock, quarry.expected)
        motion = level(flock, quarry.velocity)
        time = self.prediction_time(flock, offset, motion)
        aim = unit(offset + time[:, None] * motion)
        force = force_towards(flock, flock.bodies.max_speed[:, None] * aim)
        return where_known(quarry.known, force)

    def prediction_time(self, flock: Flock, offset: Float, motion: Float) -> Float:
        """Return T (N,) [s] for a quarry at ``offset`` (N, 3) with velocity ``motion`` (N, 3)."""
        if self.prediction == "intercept":
            return interception_time(offset, motion, flock.bodies.max_speed, self.max_prediction)
        distance = length(offset)
        if self.prediction == "turning":
            return np.minimum(self.turning * distance, self.max_prediction)
        return travel_time(distance, length(flock.velocity), self.max_prediction)


def travel_time(distance: Float, speed: Float, most: float) -> Float:
    """Return distance (N,) over speed (N,), at most ``most`` [s], which it is also at rest."""
    time = np.divide(distance, speed, out=np.full_like(distance, most), where=speed > 0.0)
    return np.minimum(time, most)


def check_prediction(turning: float, max_prediction: float) -> None:
    """Refuse parameters of a prediction that are out of range."""
    if not 0.0 <= turning < np.inf:
        raise InputError(f"`turning` must be 0 or more, got {turning}")
    if not 0.0 <= max_prediction < np.inf:
        raise InputError(f"`max_prediction` must be 0 or more, got {max_prediction}")
