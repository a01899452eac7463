"""Driving to places: for vehicles that move along their heading, and turn on a radius.

A vehicle that is ahead of its place does not go back. It slows down, and stops while the place
stands. It comes sideways by driving on, towards a point of its lane ahead of it (pure pursuit,
Coulter 1992, "Implementation of the pure pursuit path tracking algorithm").
"""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.formation.frame import FormationFrame
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length, unit

# How far ahead in its lane a vehicle aims: so many turn radii, or what it drives in twice the time
# in which it takes up a course, whichever is more; and so many times its distance from the lane
# more, so that it comes in at 18 degrees. At most so many turn radii, or what it drives in so many
# seconds.
LEAST_AIM, AIM_TIME, SLANT = 0.2, 2.0 * RESPONSE_TIME, 3.0
MOST_AIM, MOST_AIM_TIME = 1.5, 0.8
# How briskly a lag behind the place is made up [1/s].
GAIN = 1.0


def lane_velocity(frame: FormationFrame, flock: Flock, place_velocity: Float) -> Float:
    """Return velocities (n, 3) [m/s] that lead members to their places and on with them.

    Args:
        frame: With the places that the n members follow.
        flock: The members.
        place_velocity: (n, 3) of the places [m/s].
    """
    station, speed = frame.along(flock.position), length(flock.velocity)
    ahead = station - frame.station
    pace = np.clip(length(place_velocity) - GAIN * ahead, 0.0, frame.max_speed)
    flat = [1.0, 1.0, 0.0 if frame.path.grounded else 1.0]
    off = length((frame.position(station, frame.aside) - flock.position) * flat)
    aim = np.maximum(LEAST_AIM * flock.bodies.turn_radius, AIM_TIME * speed) + SLANT * off
    most = np.maximum(MOST_AIM * flock.bodies.turn_radius, MOST_AIM_TIME * speed)
    target = frame.position(station + np.minimum(aim, most), frame.aside)
    offset = (target - flock.position) * flat
    velocity: Float = pace[:, None] * unit(offset)
    return velocity


def queued(frame: FormationFrame, slots: Float, position: Float, apart: float, left: Bool) -> Float:
    """Return how far along the path (n,) [m] places may be: behind the member before in the lane.

    Members keep a distance to a member that cannot go on: it may have to back up.

    Args:
        frame: With the places that the n members follow.
        slots: (n, 3) lag, left, up [m].
        position: (n, 3) of the members [m].
        apart: To keep to the member before [m].
        left: (n,) members that have left their lanes for places in the goal.
    """
    station, lag = frame.along(position), slots[:, 0]
    before = lag[None, :] < lag[:, None] - 0.5 * apart
    before &= length(frame.aside[:, None] - frame.aside[None]) < 0.5 * apart
    # A member that has passed it already does not wait for it.
    before &= (station[None, :] > station[:, None]) & ~left
    limit = np.where(before, station[None, :] - apart, np.inf).min(axis=1, initial=np.inf)
    most: Float = np.maximum(limit, frame.station)
    return most
