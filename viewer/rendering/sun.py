"""Where the sun is, and the view from it that shadow maps are drawn in."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.vectors import unit

SUN_DIRECTION = frozen(unit(np.array([-0.58, -0.26, 0.77])))


_RIGHT = unit(np.cross([0.0, 0.0, 1.0], SUN_DIRECTION))
_AXES = np.array([_RIGHT, np.cross(SUN_DIRECTION, _RIGHT), SUN_DIRECTION])
SIDES = (256, 384, 512, 640, 768, 896, 1024)
"""Texels a side of maps of members' shadows."""
STEPS = 4  # sizes of such maps in an octave


def sun_view_projection(bounds: Float, margin: float = 0.02) -> NDArray[np.float32]:
    """Return the (4, 4) parallel projection along the sun that just contains a box.

    Args:
        bounds: (2, 3) corners [m].
        margin: Added around, as a share of the size.
    """
    return _projection(*_seen_from_sun(bounds, margin))


def steady_sun_view_projection(
    bounds: Float, finest: float, margin: float = 0.02
) -> tuple[NDArray[np.float32], int]:
    """Return a projection (4, 4) that contains a box, and the side of its map [texels].

    It grows in steps and moves by whole texels, so that the shadows of members that stand still
    do not crawl while the box follows the others.

    Args:
        bounds: (2, 3) corners [m].
        finest: Size [m] that texels need not be smaller than.
        margin: Added around, as a share of the size.
    """
    center, half = _seen_from_sun(bounds, margin)
    half = 2.0 ** (np.ceil(STEPS * np.log2(half)) / STEPS)
    widest = 2.0 * float(half[:2].max())
    side = next((side for side in SIDES if widest <= side * finest), SIDES[-1])
    texel = 2.0 * half / side
    return _projection(np.round(center / texel) * texel, half), side


def _seen_from_sun(bounds: Float, margin: float) -> tuple[Float, Float]:
    """Return center (3,) and half the size (3,) [m] of a box on the axes of the sun."""
    low, high = np.asarray(bounds, float)
    pick = np.array(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij")).reshape(3, 8).T
    seen = np.where(pick, high, low) @ _AXES.T  # (8, 3)
    half = np.maximum(np.ptp(seen, axis=0) / 2.0 * (1.0 + margin), 1e-3)
    return (seen.max(axis=0) + seen.min(axis=0)) / 2.0, half


def _projection(center: Float, half: Float) -> NDArray[np.float32]:
    scale = np.array([1.0, 1.0, -1.0]) / half  # depth grows away from the sun
    matrix = np.eye(4)
    matrix[:3, :3] = scale[:, None] * _AXES
    matrix[:3, 3] = -scale * center
    return matrix.astype(np.float32)
