"""Turning a heading at a limited rate."""

from math import atan2, cos, pi, sin, sqrt

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import released
from rmp3d.geometry.parallel import in_blocks


def turned(heading: Float, wanted: Float, angle: Float, share: Float | float = 1.0) -> Float:
    """Return unit headings (N, 3) turned towards ``wanted`` (N, 3) by at most ``angle`` (N,) [rad].

    Only a ``share`` of the way is turned at once, which takes the jerk out of small corrections.
    A zero ``wanted`` keeps the heading. An exactly opposite one turns to the left about +z (about
    +x for a vertical heading).
    """
    result = np.array(heading, np.float64)
    wanted, share = np.ascontiguousarray(wanted), np.full(len(result), share)

    def some(rows: slice) -> None:
        _turn(result[rows], wanted[rows], angle[rows], share[rows])

    in_blocks(some, len(result))
    return result


@released
def _turn(heading, wanted, angle, share):
    """Turn ``heading`` (N, 3) in place, by the angle between the two in their own plane."""
    for i in range(heading.shape[0]):
        hx, hy, hz = heading[i, 0], heading[i, 1], heading[i, 2]
        wx, wy, wz = wanted[i, 0], wanted[i, 1], wanted[i, 2]
        size = sqrt(wx * wx + wy * wy + wz * wz)
        if size > 0.0:
            wx, wy, wz = wx / size, wy / size, wz / size
            cosine = min(max(hx * wx + hy * wy + hz * wz, -1.0), 1.0)
            ax, ay, az = wx - cosine * hx, wy - cosine * hy, wz - cosine * hz
            sine = sqrt(ax * ax + ay * ay + az * az)
            gap = atan2(sine, cosine)
            if sine < 1e-9 and cosine < 0.0:
                ax, ay, az = (0.0, -hz, hy) if abs(hz) > 0.9 else (-hy, hx, 0.0)
                sine = sqrt(ax * ax + ay * ay + az * az)
                gap = pi
            step = min(share[i] * gap, angle[i])
            across = sin(step) / sine if sine > 0.0 else 0.0
            ahead = cos(step)
            hx, hy, hz = (
                ahead * hx + across * ax,
                ahead * hy + across * ay,
                ahead * hz + across * az,
            )
        size = sqrt(hx * hx + hy * hy + hz * hz)
        heading[i, 0], heading[i, 1], heading[i, 2] = hx / size, hy / size, hz / size
