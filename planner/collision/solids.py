"""Closed parts of a scene: a body wholly inside one touches no triangle, yet collides."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import floor

import numpy as np

from rmp3d.geometry import Bool, Float, Index, TriangleMesh
from rmp3d.geometry.compiled import compiled
from rmp3d.planner.collision.pieces import without_rooms
from rmp3d.scenes import Scene

MOST_ALONG_AXIS = 64
"""Cells of the grid that boxes are sorted into, along x and along y."""


def solid_parts(scene: Scene, flying: bool) -> list[tuple[str, TriangleMesh]]:
    """Return the closed parts whose inside is forbidden: names and meshes.

    A part that is turned inside out is a room where roles are not stated, and in the ground.

    Args:
        scene: Of the parts.
        flying: Whether for flyers, to whom the ground is an obstacle, too.
    """
    found = []
    for part in scene.parts:
        if part.role not in (("obstacle", "ground") if flying else ("obstacle",)):
            continue
        if part.mesh.is_watertight:
            may_be_room = not scene.roles_stated or part.role != "obstacle"
            solid = without_rooms(part.mesh) if may_be_room else part.mesh
            if solid is not None:
                found.append((part.name, solid))
    return found


class Solids:
    """Closed meshes, asked about only by points within their boxes.

    The boxes are sorted into the cells of a grid in plan, so that a point is compared with few.

    Args:
        meshes: S closed meshes.
        contains: For each, the function that says which points (M, 3) are inside.
    """

    def __init__(
        self, meshes: Sequence[TriangleMesh], contains: Sequence[Callable[[Float], Bool]]
    ) -> None:
        self._bounds = np.array([mesh.bounds for mesh in meshes]).reshape(-1, 2, 3)
        self._contains = tuple(contains)
        side = int(np.clip(np.sqrt(len(meshes)), 1, MOST_ALONG_AXIS))
        low = self._bounds[:, 0, :2].min(axis=0, initial=np.inf)
        size = self._bounds[:, 1, :2].max(axis=0, initial=-np.inf) - low
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.where(size > 0.0, side / size, 0.0)
        self._grid = (low, scale, side)

    @property
    def arrays(self) -> tuple[Float, tuple[Float, Float, int], tuple[Index, Index]]:
        """Boxes (S, 2, 3), their grid and its cells, for compiled kernels."""
        return self._bounds, self._grid, self._cells

    def around(self, points: Float) -> Index:
        """Return the first solid (M,) that contains each point (M, 3), -1 for none."""
        found = np.full(len(points), -1)
        for solid, near in self._boxed(np.ascontiguousarray(points, dtype=np.float64)):
            near = near[found[near] < 0]
            if len(near):
                found[near[self._contains[solid](points[near])]] = solid
        return found

    @cached_property
    def _cells(self) -> tuple[Index, Index]:
        """Where the solids of each cell begin, and the solids cell by cell."""
        start, solids = sorted_into_cells(self._bounds, *self._grid)
        return start, solids

    def _boxed(self, points: Float) -> Iterator[tuple[int, Index]]:
        """Yield solids with points in their boxes, in order, and the rows of these points."""
        if len(self._contains) == 0 or len(points) == 0:
            return
        solid, row = _boxed_pairs(points, self._bounds, *self._grid, *self._cells)
        order = np.argsort(solid, kind="stable")
        solids, first = np.unique(solid[order], return_index=True)
        yield from zip(solids.tolist(), np.split(row[order], first[1:]), strict=False)


@compiled
def cell_of(value, low, scale, side):
    """Return the column of a value; those outside count to the first or the last one."""
    return int(min(max(floor((value - low) * scale), 0.0), side - 1.0))


@compiled
def sorted_into_cells(bounds, low, scale, side):
    """Return where each cell's solids begin, and the solids cell by cell, in ascending order."""
    count = bounds.shape[0]
    reach = np.empty((count, 4), np.int64)
    start = np.zeros(side * side + 1, np.int64)
    for s in range(count):
        for axis in range(2):
            for end in range(2):
                reach[s, 2 * axis + end] = cell_of(
                    bounds[s, end, axis], low[axis], scale[axis], side
                )
        for x in range(reach[s, 0], reach[s, 1] + 1):
            for y in range(reach[s, 2], reach[s, 3] + 1):
                start[x * side + y + 1] += 1
    for c in range(side * side):
        start[c + 1] += start[c]
    solids, fill = np.empty(start[side * side], np.int64), start.copy()
    for s in range(count):
        for x in range(reach[s, 0], reach[s, 1] + 1):
            for y in range(reach[s, 2], reach[s, 3] + 1):
                solids[fill[x * side + y]] = s
                fill[x * side + y] += 1
    return start, solids


@compiled
def _boxed_pairs(points, bounds, low, scale, side, start, solids):
    """Return pairs of a solid and a point in its box: solids (P,) and rows (P,), by rows."""
    solid, row = np.empty(64, np.int64), np.empty(64, np.int64)
    count = 0
    for i in range(points.shape[0]):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        if not (x == x and y == y):  # not a number: in no box
            continue
        cell = cell_of(x, low[0], scale[0], side) * side + cell_of(y, low[1], scale[1], side)
        for k in range(start[cell], start[cell + 1]):
            s = solids[k]
            if (
                bounds[s, 0, 0] <= x <= bounds[s, 1, 0]
                and bounds[s, 0, 1] <= y <= bounds[s, 1, 1]
                and bounds[s, 0, 2] <= z <= bounds[s, 1, 2]
            ):
                if count == solid.shape[0]:
                    solid, row = _doubled(solid), _doubled(row)
                solid[count], row[count] = s, i
                count += 1
    return solid[:count], row[:count]


@compiled
def _doubled(array):
    larger = np.empty(2 * array.shape[0], np.int64)
    for k in range(array.shape[0]):
        larger[k] = array[k]
    return larger
