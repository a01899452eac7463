"""Axes of body frames for compiled code, which takes one body at a time."""

from math import sqrt

from rmp3d.geometry.compiled import compiled


@compiled
def up_of_frame(hx, hy, hz, ux, uy, uz):
    """Return the up axis of one body frame, as `rmp3d.geometry.rotations.frame` defines it.

    The heading (hx, hy, hz) may have any length but zero; (ux, uy, uz) is an approximate up.
    """
    size = sqrt(hx * hx + hy * hy + hz * hz)
    hx, hy, hz = hx / size, hy / size, hz / size
    lx, ly, lz = uy * hz - uz * hy, uz * hx - ux * hz, ux * hy - uy * hx
    size = sqrt(lx * lx + ly * ly + lz * lz)
    if size < 1e-9 * max(sqrt(ux * ux + uy * uy + uz * uz), 1e-300):
        if abs(hx) <= abs(hy) and abs(hx) <= abs(hz):
            lx, ly, lz = 0.0, -hz, hy
        elif abs(hy) <= abs(hz):
            lx, ly, lz = hz, 0.0, -hx
        else:
            lx, ly, lz = -hy, hx, 0.0
        size = sqrt(lx * lx + ly * ly + lz * lz)
    lx, ly, lz = lx / size, ly / size, lz / size
    return hy * lz - hz * ly, hz * lx - hx * lz, hx * ly - hy * lx
