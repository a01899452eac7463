"""See-through faces on the ground as the rows that are uploaded: position, color, opacity."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float

COLUMNS = 7  # position 3, sRGB 3, opacity 1; three rows a triangle
NO_PATCHES = np.empty((0, COLUMNS), np.float32)
NO_PATCHES.setflags(write=False)


def strip(left: Float, right: Float, colors: Float, opacity: float) -> NDArray[np.float32]:
    """Return rows of the band between two polylines.

    Args:
        left: (K, 3) [m].
        right: (K, 3) [m].
        colors: sRGB (K, 3) across the band at each point, blended between them.
        opacity: 0..1.
    """
    count = len(left)
    if count < 2:
        return NO_PATCHES
    edge = np.empty((count, 2, COLUMNS), np.float32)
    edge[:, 0, :3], edge[:, 1, :3] = left, right
    edge[:, :, 3:6] = np.asarray(colors)[:, None]
    edge[:, :, 6] = opacity
    a, b, c, d = edge[:-1, 0], edge[:-1, 1], edge[1:, 0], edge[1:, 1]
    return np.stack([a, b, c, c, b, d], axis=1).reshape(-1, COLUMNS)


def sheet(places: Float, color: Float, opacity: Float) -> NDArray[np.float32]:
    """Return rows of a surface through a grid of points.

    Args:
        places: (R, K, 3) [m].
        color: sRGB (3,).
        opacity: (R,) of each row of points, 0..1, blended between them.
    """
    corner = np.empty((*places.shape[:2], COLUMNS), np.float32)
    corner[..., :3], corner[..., 3:6] = places, color
    corner[..., 6] = np.asarray(opacity)[:, None]
    a, b, c, d = corner[:-1, :-1], corner[:-1, 1:], corner[1:, :-1], corner[1:, 1:]
    return np.stack([a, b, c, c, b, d], axis=2).reshape(-1, COLUMNS)
