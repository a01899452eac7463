"""The triangles of a large mesh that a body could touch on its way."""

import numpy as np

from rmp3d.geometry import Float, TriangleMesh

STRETCHES = 32
"""Boxes around the way, at most."""


def near_motions(mesh: TriangleMesh, start: Float, end: Float, reach: Float) -> TriangleMesh:
    """Return the triangles that a body could touch on its way, at least one, a few too many.

    Args:
        mesh: All triangles.
        start: (M, 3) where straight motions of the body's reference point begin [m].
        end: (M, 3) where they end [m]; best in the order of the way.
        reach: (2, 3) corners of a box [m] around the body, relative to its reference point.
    """
    low, high = np.minimum(start, end) + reach[0], np.maximum(start, end) + reach[1]
    a, b, c = np.moveaxis(mesh.triangles, 1, 0)
    lower, upper = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    near = np.zeros(len(mesh.faces), np.bool_)
    for rows in np.array_split(np.arange(len(start)), min(STRETCHES, len(start))):
        left, right = low[rows].min(axis=0), high[rows].max(axis=0)
        near |= ((upper >= left) & (lower <= right)).all(axis=1)
    near[0] |= not near.any()
    return mesh.select(near)
