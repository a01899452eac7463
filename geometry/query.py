"""Batched queries of a triangle mesh: nearest point, clearance, sweeps, rays, inside or not.

The body of every query is an upright segment with a radius: a capsule; a sphere if the segment has
no length; a point if the radius is zero, too. Paths of characters are planned for such bodies.
"""

from math import sqrt

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.borrowing import borrowed, held
from rmp3d.geometry.compiled import calls, calls_of, compiled, released
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.parallel import in_blocks, stopped
from rmp3d.geometry.passing import in_the_way, is_met
from rmp3d.geometry.place_order import by_place
from rmp3d.geometry.primitives import (
    ray_triangle,
    upright_box_squared,
    upright_hull_squared,
    upright_triangle,
)
from rmp3d.geometry.tree import build_tree

STACK = 128
FARTHEST = 1e12
"""Largest coordinate [m] of a sweep: what is farther off cannot be told from its neighbors."""
MOST_LOOKS = 100_000
"""In the sweep of one motion. One that grazes something for longer is refused."""
LOOKS_OF_A_CALL = 500_000
# No modeler aligns a face with this direction, so a ray along it does not run along an edge.
SKEW = np.array([0.5773502691896258, 0.211324865405187, 0.788675134594813])


class MeshQuery:
    """Exact queries over the triangles of one mesh.

    Attributes:
        mesh: The mesh; face numbers in answers are its rows.
    """

    def __init__(self, mesh: TriangleMesh) -> None:
        self.mesh = mesh
        self.tree = build_tree(mesh)

    @property
    def arrays(self) -> tuple[Float, Index, Float, int]:
        """Boxes, ranges, triangles and first leaf, for the compiled kernels."""
        tree = self.tree
        return tree.boxes, tree.ranges, tree.triangles, tree.first_leaf

    def closest_point(self, points: Float, cap: float = np.inf) -> tuple[Float, Float, Index]:
        """Return distance (M,), nearest point (M, 3) and face (M,) of ``points`` (M, 3).

        If no face is nearer than ``cap`` [m]: distance ``cap``, the point itself, face -1.
        """
        distance, nearest, face = self._nearest(points, 0.0, 0.0, cap)
        return distance, nearest, face

    def nearest(
        self, points: Float, capsule_axis: tuple[float, float], cap: float = np.inf
    ) -> tuple[Float, Float, Index]:
        """Return distance (M,), nearest point (M, 3) and face (M,) of upright segments.

        Args:
            points: (M, 3) reference points.
            capsule_axis: Heights of the ends of the segments over the reference points [m].
            cap: If no face is nearer than this [m]: distance ``cap``, face -1.
        """
        return self._nearest(points, *capsule_axis, cap)

    def capsule_clearance(
        self, points: Float, capsule_axis: tuple[float, float], radius: float, cap: float = np.inf
    ) -> tuple[Float, Index]:
        """Return the clearance (M,) [m] of upright capsules, and the nearest face (M,).

        Args:
            points: (M, 3) reference points.
            capsule_axis: Heights of the ends of the capsule's segment over the reference point [m].
            radius: [m].
            cap: Larger clearances are given as ``cap``, with face -1.

        Returns:
            Distance from capsule to mesh, negative by at most ``radius`` on contact.
        """
        distance, _, face = self._nearest(points, capsule_axis[0], capsule_axis[1], cap + radius)
        return distance - radius, face

    def _nearest(
        self, points: Float, low: float, high: float, cap: float
    ) -> tuple[Float, Float, Index]:
        points = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 3)
        distance = np.empty(len(points))
        nearest = np.empty((len(points), 3))
        face, order = np.empty(len(points), np.intp), by_place(points)

        def some(block: slice) -> None:
            for rows in calls_of(block):
                _nearest_rows(
                    *self.arrays, order[rows], points, low, high, cap, distance, nearest, face
                )

        in_blocks(some, len(points))
        face[face >= 0] = self.tree.order[face[face >= 0]]
        return distance, nearest, face

    def sweep_capsule(
        self,
        start: Float,
        end: Float,
        capsule_axis: tuple[float, float],
        radius: float,
        tolerance: float = 1e-4,
        first: bool = True,
    ) -> tuple[Bool, Index]:
        """Prove that upright capsules translated straight from start to end touch nothing.

        Conservative advancement: at a clearance of c, the body may move c - tolerance / 2 and
        still keeps tolerance / 2. A motion is refused if a measured clearance is ``tolerance`` or
        less, or if it takes more than `MOST_LOOKS` measurements.

        Args:
            start: (M, 3) reference points.
            end: (M, 3) reference points.
            capsule_axis: Heights of the ends of the capsule's segment over the reference point [m].
            radius: [m].
            tolerance: [m], positive.
            first: Whether the face that refuses a motion is the one where the advancement ends. Any
                face that the body comes into is known much sooner; motions proved are the same.

        Returns:
            Whether each motion is proved free (M,), and the face (M,) that refused it (-1: none).

        Raises:
            ValueError: A coordinate is not finite, or larger than `FARTHEST`: the advancement would
                never end.
        """
        start, end = np.broadcast_arrays(
            np.asarray(start, float).reshape(-1, 3), np.asarray(end, float).reshape(-1, 3)
        )
        start, end = np.ascontiguousarray(start), np.ascontiguousarray(end)
        if not ((np.abs(start) <= FARTHEST).all() and (np.abs(end) <= FARTHEST).all()):
            raise ValueError(
                f"`start` and `end` of a sweep must be finite, and at most {FARTHEST:g} m"
            )
        face = np.empty(len(start), np.intp)

        def some(block: slice) -> None:
            done = block.start
            while done < block.stop and not stopped():
                done = _sweep_rows(
                    *self.arrays, start, end, capsule_axis[0], capsule_axis[1], radius, tolerance,
                    first, face, done, block.stop,
                )  # fmt: skip

        in_blocks(some, len(start))
        free = face < 0
        face[~free] = self.tree.order[face[~free]]
        return free, face

    def cast_ray(
        self, origin: Float, direction: Float, max_distance: float = np.inf
    ) -> tuple[Float, Index]:
        """Return distance (M,) to the first hit along unit directions (M, 3), and face (-1 none).

        Without a hit the distance is ``max_distance``.
        """
        origin, direction = np.broadcast_arrays(
            np.asarray(origin, float).reshape(-1, 3), np.asarray(direction, float).reshape(-1, 3)
        )
        distance = np.empty(len(origin))
        face = np.empty(len(origin), np.intp)
        crossings = np.empty(len(origin), np.intp)
        origin, direction = origin.copy(), direction.copy()
        for rows in calls(len(origin)):
            _ray_rows(
                *self.arrays, origin[rows], direction[rows], max_distance, False, distance[rows],
                face[rows], crossings[rows],
            )  # fmt: skip
        face[face >= 0] = self.tree.order[face[face >= 0]]
        return distance, face

    def contains(self, points: Float) -> Bool:
        """Return whether points (M, 3) are inside a watertight mesh (signed ray crossings)."""
        points = np.ascontiguousarray(points, dtype=np.float64).reshape(-1, 3)
        distance = np.empty(len(points))
        face = np.empty(len(points), np.intp)
        crossings = np.empty(len(points), np.intp)
        # A copy: numba would compile once more for the read-only view that one row is.
        direction = np.broadcast_to(SKEW / np.linalg.norm(SKEW), points.shape).copy()

        def some(block: slice) -> None:
            for rows in calls_of(block):
                _ray_rows(
                    *self.arrays, points[rows], direction[rows], np.inf, True, distance[rows],
                    face[rows], crossings[rows],
                )  # fmt: skip

        in_blocks(some, len(points))
        return crossings != 0


@compiled
def anything_near(boxes, first_leaf, px, py, low, high, far, stack):
    """Return whether a box of a leaf is within a distance of an upright segment."""
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        if upright_box_squared(px, py, low, high, boxes[node]) > far * far:
            continue
        if node >= first_leaf:
            return True
        stack[top] = 2 * node + 1
        stack[top + 1] = 2 * node + 2
        top += 2
    return False


@compiled
def nearest_one(boxes, ranges, triangles, first_leaf, px, py, low, high, cap, stack, bound, out):
    """Return distance (at most cap) from an upright segment to the mesh, and the tree row.

    ``out`` (4,) receives the height on the segment and the nearest point of the mesh.
    """
    best = cap * cap
    row = -1
    out[0], out[1], out[2], out[3] = low, px, py, low
    top = 0
    d = upright_box_squared(px, py, low, high, boxes[0])
    if d < best:
        stack[0] = 0
        bound[0] = d
        top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        if bound[top] >= best:
            continue
        if node >= first_leaf:
            for k in range(ranges[node, 0], ranges[node, 1]):
                if upright_hull_squared(px, py, low, high, triangles[k]) >= best:
                    continue
                d, h, x, y, z = upright_triangle(px, py, low, high, triangles[k])
                if d < best:
                    best = d
                    row = k
                    out[0], out[1], out[2], out[3] = h, x, y, z
            continue
        near, far = 2 * node + 1, 2 * node + 2
        a = upright_box_squared(px, py, low, high, boxes[near])
        b = upright_box_squared(px, py, low, high, boxes[far])
        if b < a:
            near, far = far, near
            a, b = b, a
        if b < best:
            stack[top] = far
            bound[top] = b
            top += 1
        if a < best:
            stack[top] = near
            bound[top] = a
            top += 1
    return sqrt(best), row


@released
def _nearest_rows(
    boxes, ranges, triangles, first_leaf, rows, points, low, high, cap, distance, nearest, face
):
    room = np.empty(STACK, np.int64), np.empty(STACK), np.empty(4)
    stack, bound, out = borrowed(room)
    boxes, ranges, triangles = borrowed((boxes, ranges, triangles))
    for i in rows:
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        distance[i], face[i] = nearest_one(
            boxes, ranges, triangles, first_leaf, x, y, z + low, z + high, cap, stack, bound, out
        )
        nearest[i, 0], nearest[i, 1], nearest[i, 2] = out[1], out[2], out[3]
    held(room)


@compiled
def sweep_one(
    boxes, ranges, triangles, first_leaf, ax, ay, az, bx, by, bz, low, high, radius, tolerance,
    first, stack, bound, out,
):  # fmt: skip
    """Return -1 if the capsule's straight motion a to b is proved free, else the tree row hit.

    Also return how often was looked.
    """
    far = radius + tolerance * 1.000001
    start, end = (ax, ay, az), (bx, by, bz)
    row, share = in_the_way(boxes, ranges, triangles, first_leaf, start, end, low, high, far, stack)
    if row < 0:
        return -1, 1
    # No advancement passes half the tolerance: what comes that near is refused in any case.
    near = radius + 0.5 * tolerance
    if not first and is_met(triangles[row], start, end, low, high, near, share):
        return row, 1
    dx, dy, dz = bx - ax, by - ay, bz - az
    total = sqrt(dx * dx + dy * dy + dz * dz)
    done = 0.0
    for looks in range(1, MOST_LOOKS + 1):
        share = done / total if total > 0.0 else 0.0
        z = az + share * dz
        # A clearance larger than the rest of the motion is as good as any.
        cap = radius + (total - done) + tolerance * 1.000001
        distance, row = nearest_one(
            boxes, ranges, triangles, first_leaf, ax + share * dx, ay + share * dy,
            z + low, z + high, cap, stack, bound, out,
        )  # fmt: skip
        clearance = distance - radius
        if row >= 0 and clearance <= tolerance:
            return row, looks
        done += clearance - 0.5 * tolerance
        if done >= total:
            return -1, looks
    return row, MOST_LOOKS


@released
def _sweep_rows(
    boxes, ranges, triangles, first_leaf, start, end, low, high, radius, tolerance, first, face,
    begin, last,
):  # fmt: skip
    """Sweep motions from row ``begin`` on; return the row after the last one, for the next call."""
    room = np.empty(STACK, np.int64), np.empty(STACK), np.empty(4)
    stack, bound, out = borrowed(room)
    boxes, ranges, triangles = borrowed((boxes, ranges, triangles))
    left, i = LOOKS_OF_A_CALL, begin
    while i < last and left >= 0:
        face[i], looks = sweep_one(
            boxes, ranges, triangles, first_leaf, start[i, 0], start[i, 1], start[i, 2],
            end[i, 0], end[i, 1], end[i, 2], low, high, radius, tolerance, first, stack, bound, out,
        )  # fmt: skip
        left -= looks
        i += 1
    held(room)
    return i


@compiled
def _slab(low, high, origin, direction):
    """Return where along a ray it enters and leaves the layer low..high of one axis."""
    if abs(direction) < 1e-200:
        # Along the layer: a ray exactly in its border counts, as it does on a triangle's edge.
        return (-1e300, 1e300) if low <= origin <= high else (1e300, -1e300)
    a, b = (low - origin) / direction, (high - origin) / direction
    return min(a, b), max(a, b)


@released
def _ray_rows(
    boxes, ranges, triangles, first_leaf, origin, direction, limit, count_all,
    distance, face, crossings,
):  # fmt: skip
    stack = np.empty(STACK, np.int64)
    for i in range(origin.shape[0]):
        ox, oy, oz = origin[i, 0], origin[i, 1], origin[i, 2]
        dx, dy, dz = direction[i, 0], direction[i, 1], direction[i, 2]
        best = limit
        row = -1
        crossed = 0
        stack[0] = 0
        top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            box = boxes[node]
            enter, leave = _slab(box[0], box[3], ox, dx)
            a, b = _slab(box[1], box[4], oy, dy)
            enter, leave = max(enter, a), min(leave, b)
            a, b = _slab(box[2], box[5], oz, dz)
            enter, leave = max(enter, a), min(leave, b)
            slack = 1e-9 * (1.0 + abs(enter))
            if leave < max(enter, 0.0) - slack or (not count_all and enter - slack > best):
                continue
            if node < first_leaf:
                stack[top] = 2 * node + 1
                stack[top + 1] = 2 * node + 2
                top += 2
                continue
            for k in range(ranges[node, 0], ranges[node, 1]):
                d, side = ray_triangle(ox, oy, oz, dx, dy, dz, triangles[k])
                if side == 0 or d > limit:
                    continue
                crossed += side
                if d < best or (d == best and row < 0):
                    best = d
                    row = k
        distance[i] = best
        face[i] = row
        crossings[i] = crossed
