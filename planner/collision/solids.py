"""Closed parts of a scene: a body wholly inside one touches no triangle, yet collides."""

from collections.abc import Callable, Sequence

import numpy as np

from rmp3d.geometry import Bool, Float, Index, TriangleMesh

CHUNK = 1_000_000  # point-solid pairs looked at a time, to bound memory


class Solids:
    """Closed meshes, asked about only by points within their boxes.

    Args:
        meshes: S closed meshes.
        contains: For each, the function that says which points (M, 3) are inside.
    """

    def __init__(
        self, meshes: Sequence[TriangleMesh], contains: Sequence[Callable[[Float], Bool]]
    ) -> None:
        self._bounds = np.array([mesh.bounds for mesh in meshes]).reshape(-1, 2, 3)
        self._contains = tuple(contains)

    def around(self, points: Float) -> Index:
        """Return the first solid (M,) that contains each point (M, 3), -1 for none."""
        found = np.full(len(points), -1)
        if not self._contains:
            return found
        rows = max(1, CHUNK // len(self._contains))
        for first in range(0, len(points), rows):
            found[first : first + rows] = self._around(points[first : first + rows])
        return found

    def _around(self, points: Float) -> Index:
        found = np.full(len(points), -1)
        low, high = self._bounds[:, 0], self._bounds[:, 1]
        boxed = np.ones((len(points), len(low)), dtype=np.bool_)
        for axis in range(3):
            value = points[:, axis, None]
            boxed &= (value >= low[:, axis]) & (value <= high[:, axis])
        for solid in np.flatnonzero(boxed.any(axis=0)).tolist():
            near = np.flatnonzero(boxed[:, solid] & (found < 0))
            if len(near):
                found[near[self._contains[solid](points[near])]] = solid
        return found
