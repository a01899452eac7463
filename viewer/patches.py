"""See-through faces on the ground as the rows that are uploaded: position, color, opacity."""

import numpy as np
from numpy.typing import NDArray

from geometry.arrays import Float

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


def fans(center: Float, rims: Float, colors: Float, opacity: float) -> NDArray[np.float32]:
    """Return rows of sectors that fade towards their rims.

    Args:
        center: (N, 3) [m].
        rims: (N, K, 3) points around each [m].
        colors: sRGB (N, 3).
        opacity: At the center, 0..1.
    """
    sectors, count, _ = rims.shape
    rows = np.empty((sectors, count - 1, 3, COLUMNS), np.float32)
    rows[:, :, 0, :3] = center[:, None]
    rows[:, :, 1, :3], rows[:, :, 2, :3] = rims[:, :-1], rims[:, 1:]
    rows[..., 3:6] = np.asarray(colors)[:, None, None]
    rows[:, :, 0, 6] = opacity
    rows[:, :, 1:, 6] = 0.25 * opacity
    return rows.reshape(-1, COLUMNS)
