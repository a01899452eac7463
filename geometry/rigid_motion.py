"""Compiled tests of the rigid motion between two configurations.

A configuration is (x y z, qw qx qy qz). In a motion, the reference point moves straight, and the
body turns at constant speed on the short arc (slerp).
"""

from math import sin, sqrt

from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.pair_kernels import make_scratch
from rmp3d.geometry.space_time import COLLIDES, FREE, UNDECIDED, extent, prove

__all__ = ["COLLIDES", "FREE", "UNDECIDED", "advance", "between", "certify_rows", "extent"]


@compiled
def between(a, b, half, sign, share, out):
    """Write the configuration at a share of the motion from a to b."""
    for k in range(3):
        out[k] = a[k] + share * (b[k] - a[k])
    u, v = 1.0 - share, share
    if half > 1e-9:
        u, v = sin((1.0 - share) * half) / sin(half), sin(share * half) / sin(half)
    size = 0.0
    for k in range(3, 7):
        out[k] = u * a[k] + v * sign * b[k]
        size += out[k] * out[k]
    size = 1.0 / sqrt(size)
    for k in range(3, 7):
        out[k] *= size


@compiled
def advance(trees, a, b, tolerance, resolution, reached, scratch, counts):
    """Prove as much as possible of the motion from a (free) towards b.

    Returns:
        The share of the motion that is proved free; ``reached`` (7,) receives the configuration
        at its end.
        ``counts`` grows as in `prove`.
    """
    done, verdict = prove(trees, a, b, tolerance, resolution, False, scratch, counts)
    if verdict == FREE:
        done = 1.0
    if 0.0 < done < 1.0:
        _, half, sign = extent(a, b)
        between(a, b, half, sign, done, reached)
    else:
        for k in range(7):
            reached[k] = b[k] if done == 1.0 else a[k]
    return done


@compiled
def certify_rows(trees, start, end, tolerance, resolution, verdict, counts):
    """Fill ``verdict`` (M,) for motions start[i] -> end[i]."""
    scratch = make_scratch()
    for i in range(start.shape[0]):
        verdict[i] = prove(trees, start[i], end[i], tolerance, resolution, True, scratch, counts)[1]
