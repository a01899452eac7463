"""Onward: members never ask to stand or go back on the way to their subgoals."""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.row_vectors import size_of, unit_of
from rmp3d.geometry.vectors import LARGER, SHORT, as_read_only

# However near others are, members want to go on with this speed for each meter to the subgoal
# [1/s], up to this share of the cruise speed.
ONWARD, ONWARD_SHARE = 0.8, 0.4


def onward(flock: Flock, force: Float, subgoal: Float) -> Float:
    """Return forces (N, 3) [N] that never ask to stand or go back on the way to subgoals (N, 3)."""
    bodies, found = flock.bodies, np.empty((len(flock), 3))
    rows = (
        as_read_only(np.ascontiguousarray(each, dtype=np.float64))
        for each in (flock.position, flock.velocity, force, subgoal)
    )
    _onward(*rows, bodies.mass, bodies.cruise_speed, bodies.max_acceleration, found)
    return found


@compiled
def _onward(position, velocity, force, subgoal, mass, cruise, acceleration, found):
    for i in range(position.shape[0]):
        ox, oy, oz = (
            subgoal[i, 0] - position[i, 0], subgoal[i, 1] - position[i, 1],
            subgoal[i, 2] - position[i, 2],
        )  # fmt: skip
        x, y, z = unit_of(ox, oy, oz, SHORT, LARGER)
        fx, fy, fz = force[i, 0], force[i, 1], force[i, 2]
        along = (velocity[i, 0] + fx / mass[i] * RESPONSE_TIME) * x
        along += (velocity[i, 1] + fy / mass[i] * RESPONSE_TIME) * y
        along += (velocity[i, 2] + fz / mass[i] * RESPONSE_TIME) * z
        least = min(ONWARD * size_of(ox, oy, oz), ONWARD_SHARE * cruise[i])
        missing = max(0.0, least - along) * mass[i] / RESPONSE_TIME
        fx, fy, fz = fx + missing * x, fy + missing * y, fz + missing * z
        size, most = size_of(fx, fy, fz), acceleration[i] * mass[i]
        scale = most / size if size > most else 1.0
        found[i, 0], found[i, 1], found[i, 2] = fx * scale, fy * scale, fz * scale
