"""Steps in recorded motions: a body that steps up or down changes its height within one frame.

A recording has the feet of a walker on one tread or on the next. Over the riser, the difference of
two frames is therefore as steep as a wall, although nobody moves so fast.
"""

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.surface import CURB

STEEPEST = 1.0
"""A height that changes by more than this, times the length in plan, jumps."""


def jumps(motion: Float, carried: Float | float = 0.0) -> Bool:
    """Return in which motions (..., 3) from frame to frame [m] the height jumps.

    Args:
        motion: Differences of places.
        carried: How far a part that is below has gone up meanwhile [m], as a lift does.
    """
    least = STEEPEST * np.hypot(motion[..., 0], motion[..., 1]) + CURB
    up = motion[..., 2]
    found: Bool = (np.abs(up) > least) & (np.abs(up - carried) > least)
    return found


def without_risers(motion: Float, walks: Bool) -> Float:
    """Return motions (T, N, 3) from frame to frame [m] without the heights of risers.

    Who goes up in several frames in a row rides on a lift: that is kept.

    Args:
        motion: Differences of the places of N bodies.
        walks: (N,) which of them walk; the others are not changed.
    """
    steep = np.zeros((len(motion) + 2, motion.shape[1]), np.bool_)
    steep[1:-1] = jumps(motion) & walks
    alone = steep[1:-1] & ~steep[:-2] & ~steep[2:]
    return np.where(alone[..., None], motion * [1.0, 1.0, 0.0], motion)
