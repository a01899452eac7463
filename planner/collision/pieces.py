"""The connected pieces of a mesh: which are closed, and a point of each."""

import numpy as np

from rmp3d.geometry import Float, Index, TriangleMesh
from rmp3d.geometry.graphs import components
from rmp3d.geometry.places import distinct

LARGEST = 1000
"""Closed pieces, the largest ones, that may have a cavity."""


def pieces(mesh: TriangleMesh) -> Index:
    """Return the connected piece (F,) of each face; vertices in one place count as one."""
    unique, place_of = distinct(mesh.vertices)
    faces = place_of[mesh.faces]
    ends = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]]])
    label = components(len(unique), ends)[faces[:, 0]]
    numbers: Index = np.unique(label, return_inverse=True)[1].reshape(-1)
    return numbers


def closed_pieces(mesh: TriangleMesh | None) -> TriangleMesh | None:
    """Return the watertight pieces of a mesh as one mesh, or None.

    First those whose faces share vertices: bodies that stand side by side share places only, and
    as one piece they would not be closed. Then, of the rest, those whose faces share places.
    """
    if mesh is None:
        return None
    number = np.arange(len(mesh.vertices), dtype=np.float64)
    # With a place of its own for each vertex, no three on a line, places join what vertices join.
    apart = TriangleMesh(np.column_stack([number, number**2, 0.0 * number]), mesh.faces)
    closed = _closed_faces(mesh, np.arange(len(mesh.faces)), pieces(apart))
    rest = np.setdiff1d(np.arange(len(mesh.faces)), closed)
    if len(rest):
        closed = np.concatenate([closed, _closed_faces(mesh, rest, pieces(mesh.select(rest)))])
    return mesh.select(np.sort(closed)) if len(closed) else None


def without_rooms(mesh: TriangleMesh) -> TriangleMesh | None:
    """Return a watertight mesh without its rooms; None if nothing else is left.

    A room is a piece that is turned inside out, as scans of rooms are: its inside is free. In the
    box of a piece that is not, it bounds a cavity, and stays.
    """
    piece = pieces(mesh)
    count = int(piece.max()) + 1
    corners = mesh.triangles - mesh.bounds.mean(axis=0)
    a, b, c = np.moveaxis(corners, 1, 0)
    volume = np.bincount(piece, np.einsum("ij,ij->i", a, np.cross(b, c)), count)
    if (volume >= 0.0).all():
        return mesh
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    np.minimum.at(low, piece, corners.min(axis=1))
    np.maximum.at(high, piece, corners.max(axis=1))
    hulls = np.flatnonzero(volume > 0.0)
    hulls = hulls[np.argsort(-volume[hulls], kind="stable")][:LARGEST]
    is_room = np.zeros(count, bool)
    for row in np.flatnonzero(volume < 0.0).tolist():
        is_around = (low[hulls] <= low[row]) & (high[hulls] >= high[row])
        is_room[row] = not is_around.all(axis=1).any()
    stays = ~is_room[piece]
    return mesh.select(stays) if stays.any() else None


def _closed_faces(mesh: TriangleMesh, faces: Index, piece: Index) -> Index:
    """Return those of some faces (F,) whose piece (F,) is watertight."""
    order = np.argsort(piece, kind="stable")
    groups = np.split(faces[order], np.flatnonzero(np.diff(piece[order])) + 1)
    closed = [rows for rows in groups if len(rows) >= 4 and _compact(mesh, rows).is_watertight]
    return np.concatenate([np.zeros(0, np.intp), *closed])


def _compact(mesh: TriangleMesh, rows: Index) -> TriangleMesh:
    """Return some faces of a mesh with only the vertices that they use."""
    used, numbers = np.unique(mesh.faces[rows], return_inverse=True)
    return TriangleMesh(mesh.vertices[used], numbers.reshape(-1, 3))


def markers(robot: TriangleMesh) -> Float:
    """Return a point (C, 3) of each connected piece."""
    _, first = np.unique(pieces(robot), return_index=True)
    points: Float = robot.triangles[first, 0]
    return points
