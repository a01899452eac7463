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
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length, unit

Prediction = Literal["intercept", "travel", "turning", "heading"]

# Factors on the travel time: rows for a quarry behind, aside, ahead; columns for one that goes
# against, across, along the own heading. Cosines of 45 degrees part the cases.
BY_HEADING = np.array([[2.0, 2.0, 0.5], [4.0, 0.8, 1.0], [0.85, 1.8, 4.0]])
APART = 0.707


@STEERING_BEHAVIORS.register("pursue")
@dataclass(frozen=True)
class Pursue:
    r"""Head, at the largest speed s, for the quarry's position q + u T in T seconds.

    The prediction T is at most ``max_prediction`` and one of

    - ``intercept``: the least T with :math:`\|q + u T - x\| = s T`, which depends on where the
      quarry is and in which direction it goes relative to the pursuer, and is zero where they meet;
    - ``travel``: the distance D over the own speed (Millington);
    - ``turning``: D times c (Reynolds 1999, "Steering behaviors for autonomous characters");
    - ``heading``: the travel time, times a factor for whether the quarry is ahead, aside or behind,
      and goes along, across or against the own heading (Reynolds 1999, with the table of his
      OpenSteer).

    The interception is the exact time for the same assumption, a quarry that goes straight on.

    Attributes:
        prediction: How T is found.
        turning: Seconds for each meter of the distance: c of ``turning`` [s/m].
        max_prediction: Longest time that is looked ahead [s].
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
        time = self.prediction_time(flock, offset, motion, quarry.heading)
        aim = unit(offset + time[:, None] * motion)
        force = force_towards(flock, flock.bodies.max_speed[:, None] * aim)
        return where_known(quarry.known, force)

    def prediction_time(self, flock: Flock, offset: Float, motion: Float, heading: Float) -> Float:
        """Return T (N,) [s] for a quarry at ``offset``, with velocity and heading, all (N, 3)."""
        if self.prediction == "intercept":
            return interception_time(offset, motion, flock.bodies.max_speed, self.max_prediction)
        distance = length(offset)
        if self.prediction == "turning":
            return np.minimum(self.turning * distance, self.max_prediction)
        if self.prediction == "heading":
            ahead = _case(np.einsum("ij,ij->i", flock.heading, unit(offset)))
            along = _case(np.einsum("ij,ij->i", flock.heading, heading))
            most = self.max_prediction
            time = travel_time(distance, length(flock.velocity), most) * BY_HEADING[ahead, along]
            return np.minimum(time, most)
        return travel_time(distance, length(flock.velocity), self.max_prediction)


def _case(cosine: Float) -> Index:
    """Return 0, 1 or 2 (N,): against, across, along."""
    return np.digitize(cosine, [-APART, APART])


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
