"""Ground at head or knee height: which walkable triangles a standing body could touch.

A walker touches the ground that it stands on, so it cannot be tested against all ground. But the
ground that carries it stays below a cone. Let the feet be at the origin, let no triangle be
steeper than ``slope`` (rise over run, the tangent of an angle a), and let a walk cross at most one
step of height s near the feet. A walk that is straight in plan, and d long there, climbs at most
``d slope + s``: each piece of it climbs at most ``slope`` times its length in plan. So

    z <= slope sqrt(x^2 + y^2) + s

holds for all points of the ground that a straight walk reaches. A part of a walkable triangle above
this cone *and* inside the body belongs to another level, a deck or an edge: an obstacle.

*Probes*, upright capsules too, cover the part of an upright capsule that is above the cone. A ball
of radius q with its center c above the cone's apex, on the axis, is ``c cos(a) - q`` away from the
cone. It keeps the margin m if ``c >= (q + m) / cos(a)``, with ``1 / cos(a) = sqrt(1 + slope^2)``. A
probe of radius q is the hull of the lowest such ball and of the one that touches the body's top
from inside, so it lies within the body; for a pedestrian on level ground that is the body itself,
its feet raised by the step and the margin. The wider probe is as wide as the body; if the body is
nearly as wide as tall, it is as wide as fits under its top. The other probe is a line, q = 0, which
finds low ground right over the feet. Not covered are a ring at the body's foot, no deeper than a
tenth of the radius for slopes of up to 45 degrees, and the space between line, cone and wider
probe.

For a pair of triangles, G to stand on and T, a proof that no point p of T is above the cone of a
point f of G, is a vector g no longer than ``slope`` with

    max over p in T of (p_z - g.p)  -  min over f in G of (f_z - g.f)  <=  s

since ``g.(p - f)`` is at most ``slope |p - f|`` (in plan); it is enough to test the corners.
For neighbors, across any fold, such a vector always exists. Only triangles without a proof need
collision tests: decks over other ground, and edges.
"""

import numpy as np

from rmp3d.geometry.arrays import Float, Index, frozen, read_only
from rmp3d.geometry.compiled import calls, compiled, inlined
from rmp3d.geometry.disk_cache import Arrays, check_rows, digest_of, kept
from rmp3d.geometry.query import STACK, MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.tree import KEPT_FROM, build_tree
from rmp3d.geometry.walking import REACH
from rmp3d.geometry.weak_cache import weak_cache

MARGIN = 2e-3
"""Distance [m] of probes from the ground under the feet, for bodies of up to a meter's radius; for
larger bodies in proportion."""


def cleared(surface: WalkableSurface) -> float:
    """Return how high [m] the ground beyond a seam may be, with the search beyond its edge."""
    return surface.step_height + 2.0 * REACH


def probes(
    radius: Float | float,
    low: Float | float,
    high: Float | float,
    slope: float,
    over: Float | float,
) -> Float:
    """Return the probes (..., 2, 3) of standing bodies: radius, lower and upper end over the feet.

    Args:
        radius: (...) of the upright capsules [m].
        low: (...) heights of the lower ends of their segments over the feet [m].
        high: (...) of the upper ends [m].
        slope: Steepest slope of the ground (rise over run).
        over: (...) how high [m] ground may be over the feet; see `cleared`.
    """
    radius, low, high, over = np.broadcast_arrays(radius, low, high, over)
    secant = np.sqrt(1.0 + slope * slope)
    top = high + radius
    apex = np.minimum(over + secant * MARGIN * np.maximum(1.0, radius), top)
    fitting = np.minimum(radius, (top - apex) / (1.0 + secant))
    width = np.stack([fitting, np.zeros_like(fitting)], axis=-1)
    bottom = np.maximum(apex[..., None] + secant * width, (low - radius)[..., None] + width)
    return np.stack([width, bottom, np.maximum(bottom, top[..., None] - width)], axis=-1)


@weak_cache
def overhead(surface: WalkableSurface, radius: float, top: float) -> Index:
    """Return the triangles (K,) of ``surface.below`` that a body on the surface could touch.

    Even floors, hills, folds, curbs and stairs have none. Decks, ramps and edges have some, within
    ``top`` over other ground and within ``radius`` of it in plan. The set may have a few too many.

    Args:
        surface: What is stood on, and what is right below it.
        radius: Of the widest body [m].
        top: Height of the tallest body over its feet [m].
    """
    count = len(surface.below.faces)

    def find() -> Index:
        ground, tree = build_tree(surface.mesh), build_tree(surface.below)
        found = np.zeros(count, np.bool_)
        margin = MARGIN * max(1.0, radius)
        slope = surface.slope * (1.0 + 1e-9) + 1e-9
        planes = _planes(ground.triangles, slope), _planes(tree.triangles, slope)
        for leaves in calls(len(ground.boxes) - ground.first_leaf):
            _mark(
                ground.boxes, ground.ranges, ground.triangles, ground.first_leaf + leaves.start,
                ground.first_leaf + leaves.stop, tree.boxes, tree.ranges, tree.triangles,
                tree.first_leaf, *planes, slope, radius + margin, top + margin, cleared(surface),
                found,
            )  # fmt: skip
        return frozen(np.sort(tree.order[found]), np.intp)

    def encode(faces: Index) -> Arrays:
        return {"faces": faces.astype(np.int32)}

    def decode(arrays: Arrays) -> Index:
        faces = arrays["faces"].astype(np.intp)
        check_rows(faces, count, (len(faces),))
        return read_only(faces)

    if count < KEPT_FROM:
        return find()
    numbers = np.array([surface.slope, surface.step_height, radius, top])
    meshes = [surface.mesh] if surface.below is surface.mesh else [surface.mesh, surface.below]
    arrays = [array for mesh in meshes for array in (mesh.vertices, mesh.faces)]
    return kept("overhead", [digest_of([numbers, *arrays])], find, encode, decode)


def overhead_query(surface: WalkableSurface, radius: float, top: float) -> MeshQuery | None:
    """Return a query of the ground that is `overhead`; None if there is no such ground."""
    faces = overhead(surface, radius, top)
    return MeshQuery(surface.below.select(faces)) if len(faces) else None


@compiled
def _mark(
    g_boxes, g_ranges, ground, leaf_from, leaf_to, boxes, ranges, triangles, first_leaf, g_planes,
    planes, slope, reach, top, step, found,
):  # fmt: skip
    """Mark the rows of ``triangles`` that could be above the cone and within reach of ground.

    The ground is that of the leaves ``leaf_from`` to ``leaf_to``, the last one excluded.

    The tree is searched once for all triangles of a leaf of the ground.
    """
    stack = np.empty(STACK, np.int64)
    plane, box = np.empty((9, 3)), np.empty((1, 6))
    for leaf in range(leaf_from, leaf_to):
        stack[0] = 0
        size = 1
        while size > 0:
            size -= 1
            node = stack[size]
            if _apart(g_boxes, leaf, boxes, node, reach, top, step):
                continue
            if node < first_leaf:
                stack[size] = 2 * node + 1
                stack[size + 1] = 2 * node + 2
                size += 2
                continue
            for i in range(g_ranges[leaf, 0], g_ranges[leaf, 1]):
                _box(ground, i, box)
                if _apart(box, 0, boxes, node, reach, top, step):
                    continue
                for k in range(ranges[node, 0], ranges[node, 1]):
                    # Planes first: they settle almost all pairs, and a branch that is always
                    # taken costs nothing.
                    if _is_under(triangles, k, g_planes, i, step):
                        continue
                    if _is_over(ground, i, planes, k, step):
                        continue
                    if found[k] or _is_apart(box, triangles, k, reach, top, step):
                        continue
                    found[k] = _in_the_way(ground[i], triangles[k], slope, step, plane)


@compiled
def _planes(triangles, slope):
    """Return the planes (F, 3) ``z = x p + y q + r`` of triangles; NaN for those that are steeper.

    No point is over or under a plane of NaN.
    """
    planes = np.full((triangles.shape[0], 3), np.nan)
    for k in range(triangles.shape[0]):
        t = triangles[k]
        if _is_upright(t):
            continue
        x, y = _gradient(t)
        if x * x + y * y <= slope * slope:
            planes[k, 0], planes[k, 1], planes[k, 2] = x, y, t[2] - x * t[0] - y * t[1]
    return planes


@inlined
def _apart(g_boxes, i, boxes, k, reach, top, step):
    """Return whether a body on what is in box i is too far to touch what is in box k."""
    return (
        boxes[k, 3] < g_boxes[i, 0] - reach
        or boxes[k, 0] > g_boxes[i, 3] + reach
        or boxes[k, 4] < g_boxes[i, 1] - reach
        or boxes[k, 1] > g_boxes[i, 4] + reach
        or boxes[k, 5] < g_boxes[i, 2] + step
        or boxes[k, 2] > g_boxes[i, 5] + top
    )


@inlined
def _is_apart(box, triangles, k, reach, top, step):
    """Return whether a body on what is in a box (1, 6) is too far to touch triangle k."""
    a, b, c = triangles[k, 0], triangles[k, 3], triangles[k, 6]
    if max(a, max(b, c)) < box[0, 0] - reach or min(a, min(b, c)) > box[0, 3] + reach:
        return True
    a, b, c = triangles[k, 1], triangles[k, 4], triangles[k, 7]
    if max(a, max(b, c)) < box[0, 1] - reach or min(a, min(b, c)) > box[0, 4] + reach:
        return True
    a, b, c = triangles[k, 2], triangles[k, 5], triangles[k, 8]
    return max(a, max(b, c)) < box[0, 2] + step or min(a, min(b, c)) > box[0, 5] + top


@inlined
def _box(triangles, k, box):
    """Write the box (1, 6) around triangle k."""
    for axis in range(3):
        a, b, c = triangles[k, axis], triangles[k, axis + 3], triangles[k, axis + 6]
        box[0, axis], box[0, axis + 3] = min(a, min(b, c)), max(a, max(b, c))


@inlined
def _is_under(triangles, k, planes, i, step):
    """Return whether triangle k is less than a step above plane i: most neighbors are."""
    x, y, over = planes[i, 0], planes[i, 1], planes[i, 2] + step
    return (
        triangles[k, 2] <= x * triangles[k, 0] + y * triangles[k, 1] + over
        and triangles[k, 5] <= x * triangles[k, 3] + y * triangles[k, 4] + over
        and triangles[k, 8] <= x * triangles[k, 6] + y * triangles[k, 7] + over
    )


@inlined
def _is_over(ground, i, planes, k, step):
    """Return whether triangle i is above plane k, or less than a step below it."""
    x, y, under = planes[k, 0], planes[k, 1], planes[k, 2] - step
    return (
        ground[i, 2] >= x * ground[i, 0] + y * ground[i, 1] + under
        and ground[i, 5] >= x * ground[i, 3] + y * ground[i, 4] + under
        and ground[i, 8] >= x * ground[i, 6] + y * ground[i, 7] + under
    )


@compiled
def _in_the_way(g, t, slope, step, plane):
    """Return whether no vector proves that a body on g cannot touch t.

    Each pair of corners allows a half-plane of vectors, and the slope allows a disc. If these have
    a common point, then a corner of the common region is one: the borders of two half-planes meet
    there, or a border and the circle.
    """
    for k in range(9):
        a, b = 3 * (k // 3), 3 * (k % 3)
        plane[k, 0], plane[k, 1] = t[a] - g[b], t[a + 1] - g[b + 1]
        plane[k, 2] = t[a + 2] - g[b + 2] - step
    for i in range(9):
        ax, ay, ah = plane[i, 0], plane[i, 1], plane[i, 2]
        for j in range(i):
            bx, by, bh = plane[j, 0], plane[j, 1], plane[j, 2]
            area = ax * by - ay * bx
            if abs(area) > 1e-12 and _proves(
                (ah * by - bh * ay) / area, (ax * bh - bx * ah) / area, slope, plane
            ):
                return False
        size = ax * ax + ay * ay
        if size > 0.0 and ah * ah <= slope * slope * size:
            aside = (slope * slope - ah * ah / size) ** 0.5 / size**0.5
            x, y = ax * ah / size, ay * ah / size
            if _proves(x - ay * aside, y + ax * aside, slope, plane):
                return False
            if _proves(x + ay * aside, y - ax * aside, slope, plane):
                return False
    return True


@compiled
def _proves(x, y, slope, plane):
    """Return whether a vector is within all of nine half-planes, and no longer than ``slope``."""
    if x * x + y * y > slope * slope + 1e-9:
        return False
    for k in range(9):
        if x * plane[k, 0] + y * plane[k, 1] < plane[k, 2] - 1e-9:
            return False
    return True


@inlined
def _is_upright(t):
    """Return whether a triangle has no area in plan: its plane has no slope."""
    ux, uy, vx, vy = t[3] - t[0], t[4] - t[1], t[6] - t[0], t[7] - t[1]
    return abs(ux * vy - uy * vx) <= 1e-9 * (ux * ux + uy * uy + vx * vx + vy * vy)


@inlined
def _gradient(t):
    """Return the slope of a triangle's plane in x and y; the triangle is not upright."""
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    area = ux * vy - uy * vx
    return (uz * vy - uy * vz) / area, (ux * vz - uz * vx) / area
