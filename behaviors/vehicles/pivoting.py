"""Turning on the spot: how a vehicle that only moves ahead gets at what is not ahead."""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import SteeringOutput, level
from rmp3d.behaviors.vehicles.forces import REST
from rmp3d.behaviors.vehicles.spinning import rotation_to, turning_to
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length, unit

# Cosine of the angle to the heading up to which something is ahead: 15 degrees.
AHEAD = np.cos(np.radians(15.0))
# A vehicle faster than this drives round to what is not ahead, one slower stops for it [m/s].
SLOW = 0.2


def stops_to_turn(flock: Flock, wanted: Float) -> Bool:
    """Return which members (N,) stop or stand to turn on the spot to a velocity (N, 3) [m/s]."""
    course = level(flock, wanted)
    heading = unit(level(flock, flock.heading))
    aside = np.einsum("ij,ij->i", unit(course), heading) < AHEAD
    slow = length(level(flock, flock.velocity)) < SLOW
    stops: Bool = flock.bodies.pivots & aside & slow & course.any(axis=1)
    return stops


def turned_on_the_spot(flock: Flock, wanted: Float, steering: SteeringOutput) -> SteeringOutput:
    """Return the steering in which vehicles with a turn radius turn at rest only, if they can.

    Wherever behaviors want it to look, such a vehicle heads where it moves; at rest, one that
    pivots turns to the wanted velocity (N, 3) [m/s]. Its capsule stays where it is, so
    that it touches nothing.
    """
    driven = flock.bodies.turn_radius > 0.0
    if not driven.any():
        return steering
    turns = stops_to_turn(flock, wanted) & (length(level(flock, flock.velocity)) < REST)
    course = unit(np.where(turns[:, None], level(flock, wanted), flock.heading))
    turning = turning_to(flock, rotation_to(flock.heading, course))
    return SteeringOutput(
        steering.force,
        np.where(turns[:, None], turning, steering.turning),
        np.where(driven, turns, steering.oriented),
    )
