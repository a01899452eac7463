"""Driving to places: for vehicles that only move ahead, and turn on a radius.

They do not go back to a place that they are ahead of, but slow down, and stop where it stands;
they come sideways by driving on, towards a point of their lane ahead of them (pure pursuit, Coulter
1992, "Implementation of the pure pursuit path tracking algorithm"). In the goal region they stop
where they are rather than drive round for a place that they have missed.
"""

import numpy as np

from behaviors.flock import Flock
from behaviors.groups.march import March
from geometry.arrays import Bool, Float
from geometry.vectors import length, unit

# How far ahead in its lane a vehicle aims, in turn radii, and the time that is driven till there.
AIM, AIM_TIME = 1.5, 0.8
# How briskly a lag behind the place is made up [1/s].
GAIN = 1.0


def lane_velocity(march: March, flock: Flock, place_velocity: Float) -> Float:
    """Return velocities (n, 3) [m/s] that lead members to their places and along with them.

    Args:
        march: Whose places the members (n) follow.
        flock: The members.
        place_velocity: (n, 3) of the places [m/s].
    """
    ahead = march.deviation(flock.position)[:, 0]
    pace = np.clip(length(place_velocity) - GAIN * ahead, 0.0, march.max_speed)
    aim = np.maximum(AIM * flock.turn_radius, AIM_TIME * length(flock.velocity))
    target = march.position(march.station + ahead + aim, march.aside)
    offset = target - flock.position
    if march.path.grounded:
        offset[:, 2] = 0.0
    velocity: Float = pace[:, None] * unit(offset)
    return velocity


def misses(flock: Flock, place: Float) -> Bool:
    """Return which members (n,) cannot reach a place (n, 3) without driving round, or are there."""
    offset = place - flock.position
    offset[flock.grounded, 2] = 0.0
    course = unit(flock.heading * np.where(flock.grounded[:, None], [1.0, 1.0, 0.0], 1.0))
    along = np.einsum("ij,ij->i", offset, course)
    across = length(offset - along[:, None] * course)
    # Within the tightest turn to the place's side, the place is not to be reached.
    inner = np.hypot(along, across - flock.turn_radius) < flock.turn_radius
    missed: Bool = (along < 0.0) | inner | (length(offset) < flock.radius)
    return missed


def stopping_point(flock: Flock) -> Float:
    """Return where (n, 3) [m] members come to rest if they brake now."""
    speed = length(flock.velocity)
    way = speed**2 / (2.0 * np.maximum(flock.braking, 1e-9))
    point: Float = flock.position + way[:, None] * unit(flock.velocity)
    return point
