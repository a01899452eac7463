"""Walkers leave the lanes that vehicles ask for."""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length, unit

# Who is nearer to a lane than this [m] leaves it, at this share of its cruise speed.
ROOM, PACE = 0.35, 0.7
# One slower than this [m/s] in a lane that is asked for in vain stands: a wall beside the lane or a
# post of a rail holds it. It goes ahead of the vehicle, and so much inward for each meter.
STANDS, INWARD = 0.1, 0.3
# Lanes farther below or above than this [m] are on other levels.
OTHER_LEVEL = 2.0


def leaving(flock: Flock, desire: Float, lanes: Float, may: Bool) -> Float:
    """Return the desired velocities (N, 3) [m/s] of members of which those in lanes leave these.

    A member in a lane goes aside, and ahead of the vehicle, where there may be more room.

    Args:
        flock: Present state.
        desire: (N, 3) [m/s].
        lanes: (L, 9) segments x, y, x, y that vehicles cover, half their widths, z [m], the unit
            directions in plan in which they drive there, and 1 where they have asked in vain, or 0.
        may: (N,) members that can be asked.
    """
    rows = np.flatnonzero(may)
    if len(rows) == 0 or len(lanes) == 0:
        return desire
    place, bodies = flock.position[rows], flock.bodies
    begin, way = lanes[:, :2], lanes[:, 2:4] - lanes[:, :2]
    size = np.maximum((way**2).sum(axis=1), 1e-12)
    share = ((place[:, None, :2] - begin) * way).sum(axis=2) / size  # (n, L)
    offset = place[:, None, :2] - begin - np.clip(share, 0.0, 1.0)[..., None] * way
    gap = length(offset) - lanes[:, 4] - bodies.radius[rows, None]
    gap[np.abs(place[:, 2, None] - lanes[:, 5]) > OTHER_LEVEL] = np.inf
    nearest = np.argmin(gap, axis=1)
    each = np.arange(len(rows))
    ahead, offset = lanes[nearest, 6:8], offset[each, nearest]
    along = (offset * ahead).sum(axis=1)
    asked = (gap[each, nearest] < ROOM) & (along > -bodies.radius[rows])
    aside = offset - along[:, None] * ahead
    right = np.column_stack([ahead[:, 1], -ahead[:, 0]])
    aside = np.where((length(aside) < 0.05)[:, None], right, unit(aside))
    stands = (length(flock.velocity[rows, :2]) < STANDS) & (lanes[nearest, 8] > 0.0)
    aside = np.where(stands[:, None], -INWARD * aside, aside)
    result = desire.copy()
    pace = PACE * bodies.cruise_speed[rows[asked]]
    result[rows[asked], :2] = pace[:, None] * unit(aside + ahead)[asked]
    result[rows[asked], 2] = 0.0
    return result
