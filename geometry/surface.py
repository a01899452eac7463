"""The walkable surface: connected triangles that a character stands on and walks over.

Several levels may lie above one another. A point of the surface is a position and its triangle. A
walk goes from triangle to neighboring triangle, so a character changes level only by walking
there. Where two meshes meet without common vertices (a T-junction, a small step), the walk
continues on the triangle within `step_height` of the border. Where one mesh lies upon another (a
ramp on a floor that goes on under it), the walk continues on the upper mesh, from its border on.
"""

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.tree import build_tree
from rmp3d.geometry.walking import REACH, height_rows, locate_rows, walk_one, walk_rows


class WalkableSurface:
    """Walkable triangles with their neighbors; every normal has an upward part.

    Attributes:
        mesh: The triangles, all facing up (z part of the normal > 0).
        step_height: Largest step [m] at a border that a walk can cross.
        neighbor: (F, 3) face across edge (k, k + 1), -1 at a border.
        beyond: The next faces of a walk over edge k of face f, seams included, are
            ``beyond[beyond[3 f + k] : beyond[3 f + k + 1]]``.
        upon: At seams ``upon[f] : upon[f + 1]``, a walk over face f steps onto the border of
            another mesh that lies on it; seam s leads to face ``upon[F + 1 + s]``.
        upon_edge: (S, 6) ends of those border edges [m]; the upper mesh is on their left.
        extent: (3,) steepest slope (rise over run), lowest and highest point [m].
        component: (F,) number of the connected patch a face belongs to.
        border: (B, 2, 3) [m] edges where a walk ends.
    """

    def __init__(self, mesh: TriangleMesh, step_height: float = 0.02) -> None:
        upward = mesh.normals[:, 2] > 1e-6
        if not upward.any():
            raise ValueError("no triangle of `mesh` faces up")
        self.mesh = mesh if upward.all() else mesh.select(upward)
        self.step_height = step_height
        self._tree = build_tree(self.mesh)
        self._rank = np.empty(len(self.mesh.faces), np.intp)
        self._rank[self._tree.order] = np.arange(len(self._rank))
        self.neighbor = _neighbors(self.mesh)
        self.border, seams = self._open_border()
        inner = np.argwhere(self.neighbor >= 0)
        links = np.concatenate([np.column_stack([inner, self.neighbor[tuple(inner.T)]]), seams])
        self.beyond = _beyond(links, len(self.mesh.faces))
        self.upon, self.upon_edge = self._upper_borders(seams)
        self.component = _components(links[:, [0, 2]], len(self.mesh.faces))
        normal, height = self.mesh.normals, self.mesh.triangles[..., 2]
        steepest = (np.hypot(normal[:, 0], normal[:, 1]) / normal[:, 2]).max()
        self.extent = frozen([steepest, height.min(), height.max()])

    @property
    def arrays(
        self,
    ) -> tuple[Float, Index, Float, Index, int, Float, Index, Index, Float, float]:
        """The arrays for the compiled kernels, the tree first; faces are rows of the mesh."""
        return (
            *self._tree_arrays,
            self._corners,
            self.neighbor,
            self.upon,
            self.upon_edge,
            self.step_height,
        )

    @property
    def _tree_arrays(self) -> tuple[Float, Index, Float, Index, int]:
        tree = self._tree
        return tree.boxes, tree.ranges, tree.triangles, tree.order, tree.first_leaf

    @property
    def _corners(self) -> Float:
        return self.mesh.triangles.reshape(-1, 9)

    def locate(self, points: Float, above: float = 0.5, below: float = 0.5) -> tuple[Float, Index]:
        """Return the surface point (M, 3) vertically nearest to each point, and its face (M,).

        Args:
            points: (M, 3) [m].
            above: How far over the point the surface may lie [m].
            below: How far under it [m].

        Returns:
            Points and faces; the point itself and face -1 if no surface is in reach.
        """
        points = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 3)
        found = points.copy()
        face = np.empty(len(points), np.intp)
        locate_rows(*self._tree_arrays, points, above, below, found, face)
        return found, face

    def walk(self, point: Float, face: Index, displacement: Float) -> tuple[Float, Index, Bool]:
        """Move points over the surface by a displacement in plan; stop at a border.

        Args:
            point: (M, 3) surface points [m].
            face: (M,) their faces.
            displacement: (M, 2) in x and y [m].

        Returns:
            Points (M, 3), faces (M,), and whether the whole displacement was walked (M,).
        """
        point = np.array(point, dtype=np.float64).reshape(-1, 3)
        face = np.array(face, dtype=np.intp).reshape(-1)
        displacement = np.ascontiguousarray(displacement, dtype=np.float64).reshape(-1, 2)
        arrived = np.empty(len(point), np.bool_)
        walk_rows(*self.arrays, point, face, displacement, arrived)
        return point, face, arrived

    def polyline(self, point: Float, face: int, displacement: Float) -> tuple[Float, Index, bool]:
        """Return the surface points where a straight walk (in plan) changes triangle.

        Args:
            point: (3,) surface point [m].
            face: Its face.
            displacement: (2,) in x and y [m].

        Returns:
            Points (K, 3), start and end included; the face after each (K,); whether the whole
            displacement was walked.
        """
        point = np.ascontiguousarray(point, dtype=np.float64)
        capacity = 256
        while True:
            points = np.empty((capacity, 3))
            faces = np.empty(capacity, np.intp)
            _, _, _, _, arrived, count = walk_one(
                *self.arrays, point[0], point[1], point[2], face,
                float(displacement[0]), float(displacement[1]), points, faces,
            )  # fmt: skip
            if count <= capacity:
                return points[:count].copy(), faces[:count].copy(), bool(arrived)
            capacity = count

    def height_range(self, point: Float, face: Index, radius: Float) -> Float:
        """Return bounds of the surface's height (M, 2) [m] within a walk of ``radius`` in plan.

        Each triangle that the circle touches counts with the height range of its plane over it.
        """
        point = np.ascontiguousarray(point, dtype=np.float64).reshape(-1, 3)
        radius = np.ascontiguousarray(np.broadcast_to(radius, (len(point),)), dtype=np.float64)
        found = np.empty((len(point), 2))
        face = np.ascontiguousarray(face, dtype=np.intp)
        height_rows(
            self._corners, self.beyond, self.upon, self.upon_edge, self.extent, point, face,
            radius, found,
        )  # fmt: skip
        return found

    def _open_border(self) -> tuple[Float, Index]:
        """Return the border edges where walks end, and the seams.

        A seam (L, 3) is a face, one of its border edges, and the face where a walk continues.
        Each edge is tested in pieces; consecutive pieces without continuation are one barrier.
        """
        corners = self.mesh.triangles
        face, edge = np.nonzero(self.neighbor < 0)
        if len(face) == 0:
            return np.zeros((0, 2, 3)), np.zeros((0, 3), np.intp)
        start, end = corners[face, edge], corners[face, (edge + 1) % 3]
        pieces = 16
        along = end - start
        outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
        outward /= np.maximum(np.linalg.norm(outward, axis=1), 1e-300)[:, None]
        # The middles of the pieces, and both ends: the side of a ramp is low only at an end.
        shares = np.concatenate([(np.arange(pieces) + 0.5) / pieces, [1e-3, 1.0 - 1e-3]])
        probe = start[:, None] + shares[None, :, None] * along[:, None]
        probe[..., :2] += REACH * outward[:, None]
        slack = self.step_height + 2.0 * REACH
        _, across = self.locate(probe.reshape(-1, 3), slack, slack)
        across = across.reshape(len(face), len(shares))
        near, sample = np.nonzero(across >= 0)
        seams = np.stack([face[near], edge[near], across[near, sample]], axis=1)
        seams = np.unique(seams, axis=0)
        linked = across[:, :pieces] >= 0
        barriers = []
        for row in np.flatnonzero(~linked.all(axis=1)):
            change = np.flatnonzero(np.diff(np.concatenate([[1], linked[row], [1]])))
            for first, last in change.reshape(-1, 2):
                barriers.append(
                    [
                        start[row] + first / pieces * along[row],
                        start[row] + last / pieces * along[row],
                    ]
                )
        return np.array(barriers).reshape(-1, 2, 3), seams

    def _upper_borders(self, seams: Index) -> tuple[Index, Float]:
        """Return the arrays `upon` and `upon_edge` of seams (L, 3)."""
        order = np.argsort(seams[:, 2], kind="stable")
        face, edge, lower = seams[order].T
        start = np.searchsorted(lower, np.arange(len(self.mesh.faces) + 1))
        corners = self.mesh.triangles
        ends = np.hstack([corners[face, edge], corners[face, (edge + 1) % 3]])
        return np.concatenate([start, face]).astype(np.intp), np.ascontiguousarray(ends)


def _neighbors(mesh: TriangleMesh) -> Index:
    """Return the (F, 3) faces across each edge; vertices at one point count as one."""
    _, merged = np.unique(np.round(mesh.vertices, 6), axis=0, return_inverse=True)
    faces = merged.reshape(-1)[mesh.faces]
    start = faces.ravel()
    end = np.roll(faces, -1, axis=1).ravel()
    base = int(faces.max()) + 1
    key, reverse = start * base + end, end * base + start
    order = np.argsort(key, kind="stable")
    place = np.minimum(np.searchsorted(key[order], reverse), len(key) - 1)
    found = key[order][place] == reverse
    return np.where(found, order[place] // 3, -1).reshape(-1, 3).astype(np.intp)


def _beyond(links: Index, count: int) -> Index:
    """Return links (L, 3) (face, edge, next face) as one array; see `WalkableSurface.beyond`."""
    place = 3 * links[:, 0] + links[:, 1]
    start = np.searchsorted(np.sort(place), np.arange(3 * count + 1)) + 3 * count + 1
    following = links[np.argsort(place, kind="stable"), 2]
    return np.concatenate([start, following]).astype(np.intp)


def _components(links: Index, count: int) -> Index:
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    rows, columns = links.T
    graph = coo_matrix((np.ones(len(rows)), (rows, columns)), shape=(count, count))
    return connected_components(graph, directed=False)[1].astype(np.intp)
