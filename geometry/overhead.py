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

from rmp3d.geometry.arrays import Float, Index, frozen
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.query import STACK, MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.tree import build_tree
from rmp3d.geometry.walking import REACH
from rmp3d.geometry.weak_cache import weak_cache

MARGIN = 2e-3
"""Distance [m] of probes from the ground under the feet, for bodies of up to a meter's radius; for
larger bodies in proportion."""


def cleared(surface: WalkableSurface) -> float:
    """Return how high [m] the ground beyond a seam may be, with the search beyond its edge."""
    return surface.step_height + 2.0 * REACH


def probes(
    radius: Float | float, low: Float | float, high: Float | float, slope: float, over: float
) -> Float:
    """Return the probes (..., 2, 3) of standing bodies: radius, lower and upper end over the feet.

    Args:
        radius: (...) of the upright capsules [m].
        low: (...) heights of the lower ends of their segments over the feet [m].
        high: (...) of the upper ends [m].
        slope: Steepest slope of the ground (rise over run).
        over: How high [m] ground may be over the feet; see `cleared`.
    """
    radius, low, high = np.broadcast_arrays(radius, low, high)
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
    ground, tree = build_tree(surface.mesh), build_tree(surface.below)
    found = np.zeros(len(surface.below.faces), np.bool_)
    margin = MARGIN * max(1.0, radius)
    _mark(
        ground.boxes, ground.ranges, ground.triangles, ground.first_leaf,
        tree.boxes, tree.ranges, tree.triangles, tree.first_leaf,
        surface.slope * (1.0 + 1e-9) + 1e-9, radius + margin, top + margin, cleared(surface), found,
    )  # fmt: skip
    return frozen(np.sort(tree.order[found]), np.intp)


def overhead_query(surface: WalkableSurface, radius: float, top: float) -> MeshQuery | None:
    """Return a query of the ground that is `overhead`; None if there is no such ground."""
    faces = overhead(surface, radius, top)
    return MeshQuery(surface.below.select(faces)) if len(faces) else None


@compiled
def _mark(
    g_boxes, g_ranges, ground, g_first_leaf, boxes, ranges, triangles, first_leaf,
    slope, reach, top, step, found,
):  # fmt: skip
    """Mark the rows of ``triangles`` that could be above the cone and within reach of ground.

    The tree is searched once for all triangles of a leaf of the ground.
    """
    stack = np.empty(STACK, np.int64)
    plane = np.empty((9, 3))
    for leaf in range(g_first_leaf, g_boxes.shape[0]):
        stack[0] = 0
        size = 1
        while size > 0:
            size -= 1
            node = stack[size]
            if _apart(g_boxes[leaf], boxes[node], 3, reach, top, step):
                continue
            if node < first_leaf:
                stack[size] = 2 * node + 1
                stack[size + 1] = 2 * node + 2
                size += 2
                continue
            for i in range(g_ranges[leaf, 0], g_ranges[leaf, 1]):
                for k in range(ranges[node, 0], ranges[node, 1]):
                    if found[k]:
                        continue
                    g, t = ground[i], triangles[k]
                    if _apart(g, t, 6, reach, top, step) or _is_low(g, t, step):
                        continue
                    found[k] = _in_the_way(g, t, slope, step, plane)


@compiled
def _apart(g, t, last, reach, top, step):
    """Return whether a body on the points of g is too far from those of t to touch them.

    The points, of x, y and z, are one after another; the last one begins at ``last``.
    """
    for axis in range(3):
        below, above = (reach, reach) if axis < 2 else (-step, top)
        g_low, g_high, t_low, t_high = g[axis], g[axis], t[axis], t[axis]
        for k in range(axis + 3, last + 3, 3):
            g_low, g_high = min(g_low, g[k]), max(g_high, g[k])
            t_low, t_high = min(t_low, t[k]), max(t_high, t[k])
        if t_high < g_low - below or t_low > g_high + above:
            return True
    return False


@compiled
def _is_low(g, t, step):
    """Return whether all of t is less than a step above the plane of g: most neighbors are."""
    x, y = _gradient(g)
    for k in range(0, 9, 3):
        if t[k + 2] - g[2] - x * (t[k] - g[0]) - y * (t[k + 1] - g[1]) > step:
            return False
    return True


@compiled
def _in_the_way(g, t, slope, step, plane):
    """Return whether no vector proves that a body on g cannot touch t.

    Each pair of corners allows a half-plane of vectors, and the slope allows a disc. If these have
    a common point, then a corner of the common region is one: the borders of two half-planes meet
    there, or a border and the circle. The gradients of the triangles are tried first.
    """
    for k in range(9):
        a, b = 3 * (k // 3), 3 * (k % 3)
        plane[k, 0], plane[k, 1] = t[a] - g[b], t[a + 1] - g[b + 1]
        plane[k, 2] = t[a + 2] - g[b + 2] - step
    for s in (g, t):
        if _is_upright(s):
            continue
        x, y = _gradient(s)
        if _proves(x, y, slope, plane):
            return False
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


@compiled
def _is_upright(t):
    """Return whether a triangle has no area in plan: its plane has no slope."""
    ux, uy, vx, vy = t[3] - t[0], t[4] - t[1], t[6] - t[0], t[7] - t[1]
    return abs(ux * vy - uy * vx) <= 1e-9 * (ux * ux + uy * uy + vx * vx + vy * vy)


@compiled
def _gradient(t):
    """Return the slope of a triangle's plane in x and y; the triangle is not upright."""
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    area = ux * vy - uy * vx
    return (uz * vy - uy * vz) / area, (ux * vz - uz * vx) / area
