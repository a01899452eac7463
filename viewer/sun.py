"""Where the sun is, and the view from it that shadow maps are drawn in."""

import numpy as np
from numpy.typing import NDArray

from geometry.arrays import Float, frozen
from geometry.vectors import unit

SUN_DIRECTION = frozen(unit(np.array([-0.58, -0.26, 0.77])))


def sun_view_projection(bounds: Float, margin: float = 0.02) -> NDArray[np.float32]:
    """Return the (4, 4) parallel projection along the sun that just holds a box.

    Args:
        bounds: (2, 3) corners [m].
        margin: Added around, as a share of the size.
    """
    low, high = np.asarray(bounds, float)
    pick = np.array(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij")).reshape(3, 8).T
    right = unit(np.cross([0.0, 0.0, 1.0], SUN_DIRECTION))
    axes = np.array([right, np.cross(SUN_DIRECTION, right), SUN_DIRECTION])
    seen = np.where(pick, high, low) @ axes.T  # (8, 3) corners in the sun's frame
    center = (seen.max(axis=0) + seen.min(axis=0)) / 2.0
    half = np.maximum(np.ptp(seen, axis=0) / 2.0 * (1.0 + margin), 1e-3)
    scale = np.array([1.0, 1.0, -1.0]) / half  # depth grows away from the sun
    matrix = np.eye(4)
    matrix[:3, :3] = scale[:, None] * axes
    matrix[:3, 3] = -scale * center
    return matrix.astype(np.float32)
