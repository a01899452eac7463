"""Turning a heading at a limited rate."""

import numpy as np

from geometry.arrays import Float
from geometry.vectors import length, unit


def turned(heading: Float, wanted: Float, angle: Float, share: Float | float = 1.0) -> Float:
    """Return unit headings (N, 3) turned towards ``wanted`` (N, 3) by at most ``angle`` (N,) [rad].

    Only a ``share`` of the way is turned at once, which takes the jerk out of small corrections.
    A zero ``wanted`` keeps the heading. An exactly opposite one turns to the left about +z (about
    +x for a vertical heading).
    """
    target = unit(wanted)
    target = np.where(length(wanted)[:, None] > 0.0, target, heading)
    cosine = np.clip(np.einsum("ij,ij->i", heading, target), -1.0, 1.0)
    across = target - cosine[:, None] * heading
    lost = (length(across) < 1e-9) & (cosine < 0.0)
    if lost.any():
        spare = np.where(np.abs(heading[:, 2:]) > 0.9, [[1.0, 0.0, 0.0]], [[0.0, 0.0, 1.0]])
        across = np.where(lost[:, None], np.cross(spare, heading), across)
    gap = np.arctan2(np.where(lost, 0.0, length(across)), cosine)
    step = np.minimum(share * gap, angle)
    result = np.cos(step)[:, None] * heading + np.sin(step)[:, None] * unit(across)
    return unit(result)
