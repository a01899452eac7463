"""Closed parts of a scene: a body wholly inside one touches no triangle, yet collides."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from rmp3d.geometry import Bool, Float, Index, TriangleMesh

MOST_PAIRS = 1_000_000
"""Of points and solids that are looked at in one table, to bound memory."""


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
        if len(points) * len(self._contains) <= MOST_PAIRS:
            candidates = self._boxed_at_once(points)
        else:
            candidates = self._boxed_in_order(points)
        for solid, near in candidates:
            near = near[found[near] < 0]
            if len(near):
                found[near[self._contains[solid](points[near])]] = solid
        return found

    def _boxed_at_once(self, points: Float) -> Iterator[tuple[int, Index]]:
        """Yield solids with points in their boxes, and the rows of these points."""
        low, high = self._bounds[:, 0], self._bounds[:, 1]
        boxed = np.ones((len(points), len(low)), dtype=np.bool_)
        for axis in range(3):
            value = points[:, axis, None]
            boxed &= (value >= low[:, axis]) & (value <= high[:, axis])
        for solid in np.flatnonzero(boxed.any(axis=0)).tolist():
            yield solid, np.flatnonzero(boxed[:, solid])

    def _boxed_in_order(self, points: Float) -> Iterator[tuple[int, Index]]:
        """As `_boxed_at_once`, by the order of the points in x: no table of points and solids."""
        order = np.argsort(points[:, 0], kind="stable")
        ranked = points[order]
        first = np.searchsorted(ranked[:, 0], self._bounds[:, 0, 0], side="left")
        last = np.searchsorted(ranked[:, 0], self._bounds[:, 1, 0], side="right")
        for solid in np.flatnonzero(first < last).tolist():
            (_, y0, z0), (_, y1, z1) = self._bounds[solid]
            _, y, z = ranked[first[solid] : last[solid]].T
            rows = np.flatnonzero((y >= y0) & (y <= y1) & (z >= z0) & (z <= z1))
            if len(rows):
                yield solid, np.sort(order[first[solid] + rows])
