"""Columns of a grid in plan: at which heights the middle of each column meets a mesh."""

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.compiled import calls, compiled
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.walking import height_at


def column_heights(
    mesh: TriangleMesh, origin: Float, cell: float, shape: tuple[int, int]
) -> tuple[Index, Float, Index]:
    """Return where the middles of columns meet a mesh: column (N,), height (N,) [m], face (N,).

    They are sorted by column, and in a column from below. Column ``i * shape[1] + j`` has its
    middle at ``origin + cell * (i + 0.5, j + 0.5)``.

    Args:
        mesh: None of its triangles is upright.
        origin: (2,) corner of the grid [m].
        cell: Side of a column [m].
        shape: Number of columns along x and y.
    """
    triangles = mesh.triangles.reshape(-1, 9)
    corner = np.ascontiguousarray(origin, np.float64)
    empty = np.empty(0, np.int64), np.empty(0), np.empty(0, np.int64)
    found = []
    for rows in calls(len(triangles)):
        given = triangles[rows], corner, cell, shape[0], shape[1]
        count = _fill(*given, *empty)
        hits = np.empty(count, np.int64), np.empty(count), np.empty(count, np.int64)
        _fill(*given, *hits)
        found.append((hits[0], hits[1], hits[2] + rows.start))
    column, height, face = (np.concatenate(each) for each in zip(*found, strict=True))
    order = np.lexsort((face, height, column))
    return column[order].astype(np.intp), height[order], face[order].astype(np.intp)


@compiled
def _fill(triangles, corner, cell, rows, columns, column, height, face):
    """Write the hits as far as there is room for them; return how many there are."""
    count = 0
    for f in range(triangles.shape[0]):
        t = triangles[f]
        low_x, high_x = min(t[0], t[3], t[6]), max(t[0], t[3], t[6])
        low_y, high_y = min(t[1], t[4], t[7]), max(t[1], t[4], t[7])
        first_i = max(0, int(np.ceil((low_x - corner[0]) / cell - 0.5 - 1e-9)))
        last_i = min(rows - 1, int(np.floor((high_x - corner[0]) / cell - 0.5 + 1e-9)))
        first_j = max(0, int(np.ceil((low_y - corner[1]) / cell - 0.5 - 1e-9)))
        last_j = min(columns - 1, int(np.floor((high_y - corner[1]) / cell - 0.5 + 1e-9)))
        for i in range(first_i, last_i + 1):
            x = corner[0] + cell * (i + 0.5)
            for j in range(first_j, last_j + 1):
                y = corner[1] + cell * (j + 0.5)
                if not _over(t, x, y):
                    continue
                if count < column.shape[0]:
                    column[count] = i * columns + j
                    height[count] = min(
                        max(height_at(t, x, y), min(t[2], t[5], t[8])), max(t[2], t[5], t[8])
                    )
                    face[count] = f
                count += 1
    return count


@compiled
def _over(t, x, y):
    """Return whether a triangle that faces up is over or under a point; its border counts."""
    for e in range(3):
        a = 3 * e
        b = 3 * ((e + 1) % 3)
        ex, ey = t[b] - t[a], t[b + 1] - t[a + 1]
        if ex * (y - t[a + 1]) - ey * (x - t[a]) < -1e-9 * (abs(ex) + abs(ey)):
            return False
    return True
