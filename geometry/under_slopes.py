"""How far below walkable ground a face is out of the way of the bodies that stand there.

A body is upright, and only its middle stands on the ground. On ground with the slope t it is below
the ground's plane uphill: a ball of radius r by ``r (sqrt(1 + t^2) - 1)``, measured straight down,
and a row of balls along a vehicle of half the length l by ``(l - r) t`` more. The ground itself is
no obstacle there, as it is below the cone of the feet (see `rmp3d.geometry.overhead`). Neither may
be what is right below it: the other side of a ramp, or the edge of the slab that the ramp leads to.
"""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.surface import WalkableSurface

HALF_LENGTH = 1.5
"""Bodies reach so far [m] from their middle; longer ones find only gentle ramps passable."""


def depths(surface: WalkableSurface, least: float) -> Float:
    """Return how far (F,) [m] below each triangle of a surface bodies near it may reach.

    Bodies that stand on a level triangle beside a slope reach as far below it as those on the slope
    do, so the steepest of a triangle and of those that are joined with it counts.

    Args:
        surface: What they stand on.
        least: How far bodies reach below level ground [m].
    """
    normal = surface.mesh.normals
    slope = np.hypot(normal[:, 0], normal[:, 1]) / normal[:, 2]
    steepest = slope.copy()
    one, other = surface.joined.T
    np.maximum.at(steepest, one, slope[other])
    np.maximum.at(steepest, other, slope[one])
    return np.maximum(least, HALF_LENGTH * steepest)
