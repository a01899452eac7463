"""Rings on the ground as the rows that are uploaded: where, how large, whereto, which color."""

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float

COLUMNS = 11  # center 3, radius 1, heading 2, color and opacity 4, width 1
NO_RINGS = np.empty((0, COLUMNS), np.float32)
NO_RINGS.setflags(write=False)


def rings(
    center: Float,
    radius: Float,
    colors: Float,
    width: float = 2.0,
    *,
    heading: Float | None = None,
    opacity: float = 0.9,
) -> NDArray[np.float32]:
    """Return (N, 11) rows of level circles, each drawn as one square.

    Args:
        center: (N, 3) [m].
        radius: (N,) [m].
        colors: sRGB (3,) or (N, 3).
        width: Of the line, in pixels of a picture 720 high; drawn in proportion.
        heading: (N, 2) level direction, not longer than one, of a stroke at the rim; None: none.
        opacity: 0..1.
    """
    rows = np.empty((len(center), COLUMNS), np.float32)
    rows[:, 0:3] = center
    rows[:, 3] = radius
    rows[:, 4:6] = 0.0 if heading is None else heading
    rows[:, 6:9] = colors
    rows[:, 9] = opacity
    rows[:, 10] = width
    return rows
