"""Points in one place: vertices that files repeat for each face count as one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Index


def distinct(points: NDArray[Any]) -> tuple[NDArray[Any], Index]:
    """Return the distinct rows (U, K) of points (V, K), sorted, and the row (V,) of each point.

    As `numpy.unique` along an axis, but several times as fast on a million points.
    """
    points = points + 0.0  # makes a negative zero positive, so that both are one place
    order = np.lexsort(points.T[::-1])
    ranked = points[order]
    is_new = np.ones(len(points), bool)
    is_new[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    row = np.empty(len(points), np.intp)
    row[order] = np.cumsum(is_new) - 1
    return ranked[is_new], row
