"""Points in one place: vertices that files repeat for each face count as one."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Index

GLANCE = 1000  # rows that are looked at first, since few arrays are in order
FEW = 100  # rows that are sorted sooner than it is seen whether they are in order


def distinct(points: NDArray[Any]) -> tuple[NDArray[Any], Index]:
    """Return the distinct rows (U, K) of points (V, K), sorted, and the row (V,) of each point.

    As `numpy.unique` along an axis, but several times as fast on a million points.
    """
    points = points + 0.0  # makes a negative zero positive, so that both are one place
    if len(points) > FEW and _ascend(points):  # as vertices that were merged before do
        return points, np.arange(len(points))
    order = np.lexsort(points.T[::-1])
    ranked = points[order]
    is_new = np.ones(len(points), bool)
    is_new[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    row = np.empty(len(points), np.intp)
    row[order] = np.cumsum(is_new) - 1
    return ranked[is_new], row


def _ascend(points: NDArray[Any]) -> bool:
    """Return whether each row of points (V, K) is after the one before, in the order of sorting."""
    for rows in (points[:GLANCE], points):
        before, after = rows[:-1].T, rows[1:].T
        is_after = np.zeros(before.shape[1:], bool)
        for one, two in zip(before[::-1], after[::-1], strict=True):  # the last column first
            is_after = (one < two) | ((one == two) & is_after)
        if not is_after.all():
            return False
    return True
