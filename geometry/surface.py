"""The walkable surface: connected triangles that a character stands on and walks over.

Several levels may lie above one another. A point of the surface is a position and its triangle. A
walk goes from triangle to neighboring triangle, so a character changes level only by walking
there. Where two meshes meet without common vertices (a T-junction, a step), the walk continues on
the highest triangle within `step_height` of the border. Where one mesh lies upon another (a ramp on
a floor that goes on under it), the walk continues on the upper mesh, from its border on.

A surface without a link over a real step is that of characters that take no steps, whatever its
characters could: its `step_height` is `CURB` then, and its `slope` that of its triangles.
"""

from collections.abc import Sequence
from copy import copy
from functools import cached_property

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index, frozen, read_only
from rmp3d.geometry.compiled import calls_of
from rmp3d.geometry.graphs import component_numbers
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.parallel import in_blocks
from rmp3d.geometry.surface_links import beyond, edges_of, surface_links
from rmp3d.geometry.tree import build_tree
from rmp3d.geometry.walking import (
    REACH,
    height_rows,
    locate_rows,
    walk_along_rows,
    walk_one,
    walk_rows,
)

CURB = 0.02
"""Highest step [m] that everybody takes, wheels too."""
SPARE = 1e-3
"""Steps that are higher than curbs may be this much [m] higher than the highest: a flight of stairs
as high as its walkers can step has treads that are uneven by a hair."""


class WalkableSurface:
    """Walkable triangles with their neighbors; every normal has an upward part.

    Attributes:
        mesh: The triangles, all facing up (z part of the normal > 0).
        step_height: Largest step [m] at a border that a walk can cross.
        slope: Steepest slope (rise over run) of the ground, steps of a flight of stairs included.
        below: The mesh that a body must not touch above the cone of its feet; see
            `rmp3d.geometry.overhead`. It begins with the triangles of `mesh`.
        neighbor: (F, 3) face across edge (k, k + 1), -1 at a border.
        beyond: The next faces of a walk over edge k of face f, seams included, are
            ``beyond[beyond[3 f + k] : beyond[3 f + k + 1]]``.
        upon: At seams ``upon[f] : upon[f + 1]``, a walk over face f steps onto the border of
            another mesh that lies on it; seam s leads to face ``upon[F + 1 + s]``.
        upon_edge: (S, 6) ends of those border edges [m]; the upper mesh is on their left.
        extent: (4,) `slope`, lowest and highest point, and highest step over `CURB` (or 0) [m].
        component: (F,) number of the connected patch a face belongs to.
        border: (B, 2, 3) [m] edges where a walk ends.
        border_face: (B,) the face that each is an edge of.
    """

    def __init__(
        self, mesh: TriangleMesh, step_height: float = CURB, steepest_stairs: float = 1.0
    ) -> None:
        """Find the links between the triangles.

        Args:
            mesh: The ground; triangles that do not face up are left out.
            step_height: Largest step [m].
            steepest_stairs: Slope (rise over run) of the steepest stairs that can be climbed.

        Raises:
            ValueError: No triangle faces up.
        """
        upward = mesh.normals[:, 2] > 1e-6
        if not upward.any():
            raise ValueError("no triangle of `mesh` faces up")
        self.mesh = mesh if upward.all() else mesh.select(upward)
        self.below = self.mesh
        self._tree = build_tree(self.mesh)
        self._rank = np.empty(len(self.mesh.faces), np.intp)
        self._rank[self._tree.order] = np.arange(len(self._rank))
        most = step_height + SPARE if step_height > CURB else step_height
        links = surface_links(self.mesh, most)
        self.neighbor, self.border, self.border_face, self._seams, highest = links
        has_steps = step_height > CURB and highest > CURB + 2.0 * REACH + 1e-6
        self.step_height = most if has_steps else min(step_height, CURB)
        self.beyond = beyond(self.neighbor, self._seams)
        self.upon, self.upon_edge = self._upper_borders(self._seams)
        count, joined = len(self.mesh.faces), edges_of(self.neighbor, self._seams)
        self.component = component_numbers(count, joined)
        height, slope = self.mesh.triangles[..., 2], steepest(self.mesh)
        self.slope = max(slope, steepest_stairs) if has_steps else slope
        step = self.step_height if has_steps else 0.0
        self.extent = frozen([self.slope, height.min(), height.max(), step])

    @cached_property
    def has_seam(self) -> Bool:
        """(F,) whether a seam leads to or from the patch of faces, joined by edges, of each."""
        found = np.zeros(len(self.mesh.faces), np.bool_)
        if len(self._seams):
            patch = component_numbers(len(found), edges_of(self.neighbor))
            found = np.isin(patch, patch[self._seams[:, [0, 2]]])
        return found

    @property
    def joined(self) -> Index:
        """Pairs (E, 2) of faces from one of which a walk goes on to the other."""
        return edges_of(self.neighbor, self._seams)

    def over(self, pieces: Sequence[TriangleMesh]) -> "WalkableSurface":
        """Return the surface with step pieces: triangles right below it, such as risers."""
        if not pieces:
            return self
        made = copy(self)
        made.below = join([self.mesh, *pieces])
        return made

    @property
    def arrays(
        self,
    ) -> tuple[Float, Index, Float, Index, int, Float, Index, Index, Float, float]:
        """The arrays for the compiled kernels, the tree first; faces are rows of the mesh."""
        return (
            *self.tree_arrays,
            self._corners,
            self.neighbor,
            self.upon,
            self.upon_edge,
            self.step_height,
        )

    @property
    def tree_arrays(self) -> tuple[Float, Index, Float, Index, int]:
        """The tree over the triangles for the compiled kernels."""
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

        def some(block: slice) -> None:
            for rows in calls_of(block):
                asked = read_only(points[rows])
                locate_rows(*self.tree_arrays, asked, above, below, found[rows], face[rows])

        in_blocks(some, len(points))
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
        ground = self.arrays

        def some(block: slice) -> None:
            for rows in calls_of(block):
                walk_rows(*ground, point[rows], face[rows], displacement[rows], arrived[rows])

        in_blocks(some, len(point))
        return point, face, arrived

    def walk_along(self, point: Float, face: int, places: Float) -> tuple[Float, Bool]:
        """Move a point over the surface from place to place, in many ways; stop at a border.

        Args:
            point: (3,) surface point where all walks begin [m].
            face: Its face; -1: there is none.
            places: (M, K, 2) in x and y, those of a walk in order [m]; it begins at the first.

        Returns:
            Points (M, K, 3), behind a border where it stopped, and which are reached (M, K).
        """
        start = read_only(np.array(point, dtype=np.float64))
        places = np.ascontiguousarray(places, dtype=np.float64)
        found = np.empty((*places.shape[:2], 3))
        on = np.empty(places.shape[:2], np.bool_)
        ground = self.arrays

        def some(block: slice) -> None:
            for rows in calls_of(block):
                asked = read_only(places[rows])
                walk_along_rows(*ground, start, face, asked, found[rows], on[rows])

        in_blocks(some, len(places))
        return found, on

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

    def joined_within(self, face: int, box: Float) -> Bool:
        """Return the faces (F,) that are joined with a face over faces that touch a box.

        Args:
            face: Where to begin.
            box: (2, 3) corners [m].
        """
        corners = self.mesh.triangles
        near = (corners.min(axis=1) <= box[1]).all(axis=1)
        near &= (corners.max(axis=1) >= box[0]).all(axis=1)
        near[face] = True
        pairs = self.joined
        part = component_numbers(len(near), pairs[near[pairs].all(axis=1)])
        found: Bool = near & (part == part[face])
        return found

    def height_range(
        self, point: Float, face: Index, radius: Float, tilt: Float | None = None
    ) -> Float:
        """Return bounds of the surface's height (M, 2) [m] within a walk of ``radius`` in plan.

        Each triangle that the circle touches counts with the height range of its plane over it.

        Args:
            point: (M, 3) on the surface [m].
            face: (M,) that they are on.
            radius: (M,) of the walks [m].
            tilt: (M, 2) slopes along x and y. Heights are over a plane that rises so, and has no
                height at the point; None: over the level.
        """
        point = np.ascontiguousarray(point, dtype=np.float64).reshape(-1, 3)
        radius = np.ascontiguousarray(np.broadcast_to(radius, (len(point),)), dtype=np.float64)
        found = np.empty((len(point), 2))
        face = np.ascontiguousarray(face, dtype=np.intp)
        planes = np.zeros((len(point), 2)) if tilt is None else np.ascontiguousarray(tilt)

        def some(rows: slice) -> None:
            height_rows(
                self._corners, self.beyond, self.upon, self.upon_edge, self.extent, point[rows],
                face[rows], radius[rows], planes[rows], found[rows],
            )  # fmt: skip

        in_blocks(some, len(point))
        return found

    def _upper_borders(self, seams: Index) -> tuple[Index, Float]:
        """Return the arrays `upon` and `upon_edge` of seams (L, 3)."""
        order = np.argsort(seams[:, 2], kind="stable")
        face, edge, lower = seams[order].T
        start = np.searchsorted(lower, np.arange(len(self.mesh.faces) + 1))
        corners = self.mesh.triangles
        ends = np.hstack([corners[face, edge], corners[face, (edge + 1) % 3]])
        return np.concatenate([start, face]).astype(np.intp), np.ascontiguousarray(ends)


def are_steps(start: Float, end: Float) -> Bool:
    """Return which straight pieces (M, 3) to (M, 3) of walks lead from tread to tread."""
    offset = end - start
    across = np.hypot(offset[:, 0], offset[:, 1])
    found: Bool = (across <= 2.0 * REACH) & (np.abs(offset[:, 2]) > CURB)
    return found


def steepest(mesh: TriangleMesh) -> float:
    """Return the steepest slope (rise over run) of a mesh that faces up."""
    normal = mesh.normals
    return float((np.hypot(normal[:, 0], normal[:, 1]) / normal[:, 2]).max())
