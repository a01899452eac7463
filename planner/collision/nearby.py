"""The triangles of a mesh that a body could touch on its way."""

from functools import cached_property

import numpy as np

from rmp3d.geometry import Bool, Float, Index, TriangleMesh
from rmp3d.planner.collision.solids import sorted_into_cells

PER_CELL = 16  # triangles of a cell, about
MOST_ALONG_AXIS = 1024  # cells along x and along y
COPIES = 4  # cells that a triangle is in, on average, at most


class NearTriangles:
    """The triangles of a mesh, sorted by their boxes into the cells of a grid in plan.

    Args:
        mesh: All triangles.
    """

    def __init__(self, mesh: TriangleMesh) -> None:
        self._mesh = mesh

    def of_motions(self, start: Float, end: Float, reach: Float) -> Index:
        """Return the triangles (K,) that a body could touch, and a few more, in ascending order.

        Args:
            start: (M, 3) where straight motions of the body's reference point begin [m].
            end: (M, 3) where they end [m].
            reach: (2, 3) corners of a box [m] around the body, relative to its reference point; in
                plan it is a square around it.
        """
        piece, share, parts = self._pieces(start, end)
        way = (end - start)[piece] / parts[piece, None]
        a = start[piece] + share[:, None] * (end - start)[piece]
        low, high = np.minimum(a, a + way) + reach[0], np.maximum(a, a + way) + reach[1]
        face, row = self._in_cells_of(low, high)
        lower, upper = self._boxes
        for axis in (2, 0, 1):  # one after the other, heights first: few are left after these
            beside = np.flatnonzero(upper[face, axis] >= low[row, axis])
            face, row = face[beside], row[beside]
            beside = np.flatnonzero(lower[face, axis] <= high[row, axis])
            face, row = face[beside], row[beside]
        return np.unique(face[self._is_beside(face, a[row], way[row], reach[1, 0])])

    def _is_beside(self, face: Index, start: Float, way: Float, reach: float) -> Bool:
        """Return which triangles (P,) are beside a way (P, 3) in plan, ``reach`` [m] at most."""
        corners = self._mesh.triangles[face][:, :, :2] - start[:, None, :2]
        aside = corners[:, :, 1] * way[:, None, 0] - corners[:, :, 0] * way[:, None, 1]
        most = reach * np.hypot(way[:, 0], way[:, 1])
        found: Bool = (aside.min(axis=1) <= most) & (aside.max(axis=1) >= -most)
        return found

    def _pieces(self, start: Float, end: Float) -> tuple[Index, Float, Index]:
        """Return the motion (P,) and the share before each piece about as long as a cell.

        Also the number (M,) of pieces of each motion.
        """
        _, scale, _ = self._grid
        cells = np.abs((end - start)[:, :2]) * scale
        parts = np.maximum(1, np.ceil(cells.max(axis=1, initial=0.0))).astype(np.intp)
        piece = np.repeat(np.arange(len(parts)), parts)
        within = np.arange(len(piece)) - np.repeat(np.cumsum(parts) - parts, parts)
        return piece, within / parts[piece], parts

    def _in_cells_of(self, low: Float, high: Float) -> tuple[Index, Index]:
        """Return triangles (P,) in the cells that boxes (M, 3) overlap, and rows (P,) of these."""
        first, last = self._cell(low), self._cell(high)
        wide = last - first + 1
        row, within = _counted(wide.prod(axis=1))
        column = first[row, 0] + within // wide[row, 1]
        cell = column * self._grid[2] + first[row, 1] + within % wide[row, 1]
        begin, faces = self._cells
        box, within = _counted(begin[cell + 1] - begin[cell])
        return faces[begin[cell[box]] + within], row[box]

    def _cell(self, points: Float) -> Index:
        low, scale, side = self._grid
        cell = np.clip(np.floor((points[:, :2] - low) * scale), 0, side - 1)
        return cell.astype(np.intp)

    @cached_property
    def _boxes(self) -> tuple[Float, Float]:
        corners = self._mesh.triangles
        return corners.min(axis=1), corners.max(axis=1)

    @cached_property
    def _grid(self) -> tuple[Float, Float, int]:
        """Lowest corner (2,) [m] of the grid, cells per meter (2,), and cells along an axis."""
        lower, upper = (corner[:, :2] for corner in self._boxes)
        low = lower.min(axis=0)
        size = upper.max(axis=0) - low
        side = int(np.clip(np.sqrt(len(lower) / PER_CELL), 1, MOST_ALONG_AXIS))
        while True:
            scale = np.divide(side, size, out=np.zeros(2), where=size > 0.0)
            wide = np.floor((upper - low) * scale) - np.floor((lower - low) * scale) + 1
            if side == 1 or wide.prod(axis=1).sum() <= COPIES * len(lower):
                return low, scale, side
            side //= 2

    @cached_property
    def _cells(self) -> tuple[Index, Index]:
        """Where the triangles of each cell begin, and the triangles cell by cell."""
        begin, faces = sorted_into_cells(np.stack(self._boxes, axis=1), *self._grid)
        return begin, faces


def _counted(counts: Index) -> tuple[Index, Index]:
    """Return each row as often as its count says (P,), and the number (P,) within the row."""
    row = np.repeat(np.arange(len(counts)), counts)
    return row, np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
