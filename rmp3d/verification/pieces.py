"""Connected pieces of meshes, and which points are inside their closed pieces."""

from functools import cached_property

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.places import distinct
from rmp3d.geometry.query import MeshQuery

LARGEST = 1000
"""Closed pieces, the largest ones, that are asked whether they have a cavity."""


class Pieces:
    """The connected pieces of a mesh; faces with a corner at one place are connected.

    A piece is closed if each of its edges is run along as often in one direction as in the other.
    Then every point is inside or outside.

    Args:
        mesh: The mesh.
        rooms: Whether a closed piece that is turned inside out bounds a room, which is outside.
            Otherwise it is a body all the same.

    Attributes:
        mesh: The mesh.
        piece: (F,) number of the piece of each face.
        count: Number of pieces.
        points: (P, 3) the highest corner of each piece [m].
    """

    def __init__(self, mesh: TriangleMesh, *, rooms: bool = False) -> None:
        self.mesh = mesh
        self._rooms = rooms
        corners = distinct(mesh.vertices)[1][mesh.faces]  # (F, 3)
        links = coo_matrix(
            (np.ones(2 * len(corners), np.int8), (corners[:, :2].ravel(), corners[:, 1:].ravel())),
            shape=(len(mesh.vertices), len(mesh.vertices)),
        )
        label = connected_components(links, directed=False)[1][corners[:, 0]]
        _, self.piece = np.unique(label, return_inverse=True)
        self.count = int(self.piece.max()) + 1
        self._corners = corners
        top = mesh.triangles[np.arange(len(corners)), mesh.triangles[..., 2].argmax(axis=1)]
        order = np.lexsort((top[:, 2], self.piece))
        last = np.searchsorted(self.piece[order], np.arange(self.count), side="right") - 1
        self.points = top[order[last]]

    @cached_property
    def closed(self) -> Bool:
        """(P,) whether each piece is closed."""
        start, end = self._corners.ravel(), np.roll(self._corners, -1, axis=1).ravel()
        key = np.minimum(start, end) * len(self.mesh.vertices) + np.maximum(start, end)
        order = np.argsort(key)
        edge = np.concatenate([[0], np.cumsum(_changes(key[order]))])
        balance = np.bincount(edge, np.sign(end - start)[order])
        open_edge = balance[edge] != 0
        closed = np.ones(self.count, np.bool_)
        closed[np.repeat(self.piece, 3)[order[open_edge]]] = False
        return closed

    @cached_property
    def volumes(self) -> Float:
        """(P,) signed volume [m^3] of each piece; it has a meaning for closed ones."""
        corners = self.mesh.triangles - self.mesh.bounds.mean(axis=0)
        six = np.einsum("fi,fi->f", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
        return np.bincount(self.piece, six, self.count) / 6.0

    @cached_property
    def bounds(self) -> Float:
        """(P, 2, 3) boxes around the pieces [m]."""
        order = np.argsort(self.piece, kind="stable")
        first = np.searchsorted(self.piece[order], np.arange(self.count))
        corners = self.mesh.triangles[order]
        lower = np.minimum.reduceat(corners.min(axis=1), first)
        upper = np.maximum.reduceat(corners.max(axis=1), first)
        return np.stack([lower, upper], axis=1)

    @cached_property
    def solid(self) -> TriangleMesh | None:
        """The closed pieces, their outside outside, without rooms; None if there are none.

        A closed piece that is turned inside out bounds a cavity if it is in one that is not.
        """
        alone = self._alone
        kept = self.closed & ~alone if self._rooms else self.closed
        if not kept.any():
            return None
        faces = np.array(self.mesh.faces)
        turned = alone[self.piece]
        faces[turned] = faces[turned][:, ::-1]
        return TriangleMesh(self.mesh.vertices, faces[kept[self.piece]])

    @cached_property
    def query(self) -> MeshQuery | None:
        """The query for `solid`."""
        return None if self.solid is None else MeshQuery(self.solid)

    def contains(self, points: Float) -> Bool:
        """Return whether points (M, 3) are inside a closed piece, and in no cavity of it."""
        inside = np.zeros(len(points), np.bool_)
        if self.solid is not None and self.query is not None:
            lower, upper = self.solid.bounds
            near = ((points > lower) & (points < upper)).all(axis=1)
            inside[near] = self.query.contains(points[near])
        return inside

    @property
    def _alone(self) -> Bool:
        """(P,) whether a closed piece is turned inside out, and in the box of none that is not."""
        found = self.closed & (self.volumes < 0.0)
        hulls = np.flatnonzero(self.closed & (self.volumes > 0.0))
        hulls = hulls[np.argsort(-self.volumes[hulls])][:LARGEST]
        for row in np.flatnonzero(found).tolist():
            lower, upper = self.bounds[row]
            around = (self.bounds[hulls, 0] <= lower) & (self.bounds[hulls, 1] >= upper)
            found[row] = not around.all(axis=1).any()
        return found


def _changes(row: Index) -> Bool:
    """Return (M - 1,) whether a number differs from the one before."""
    found: Bool = row[1:] != row[:-1]
    return found
