"""Driving backward: the body faces along its heading, and moves against it.

The gear of a vehicle is no state of its own: it is the side of its heading on which its
velocity lies. It can change at rest only, and at rest it is free.
"""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import level
from rmp3d.behaviors.vehicles.forces import REST
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length, unit


def goes_backward(flock: Flock, motion: Float) -> Bool:
    """Return for which vehicles a motion (N, 3) is one backward, of those that can do so."""
    if not flock.bodies.max_reverse_speed.any():
        return np.zeros(len(flock), np.bool_)
    against = np.einsum("ij,ij->i", motion[:, :2], flock.heading[:, :2]) < 0.0
    backs: Bool = (flock.bodies.max_reverse_speed > 0.0) & against
    return backs


def course_of(flock: Flock, motion: Float, backward: Bool) -> Float:
    """Return unit directions (N, 3) of motions (N, 3) [m/s], level for walkers.

    The direction of a body at rest is its heading, or opposite for those that shall go ``backward``
    (N,).
    """
    heading = unit(level(flock, flock.heading))
    heading = np.where(backward[:, None], -heading, heading)
    course: Float = np.where(length(motion)[:, None] > REST, unit(motion), heading)
    return course
