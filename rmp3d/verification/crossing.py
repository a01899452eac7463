"""Whether triangles that move on straight lines, by very little, cross each other.

Bodies of no thickness can be free before and after a motion and in its middle, and yet have
crossed. When two triangles that move meet first, a corner of one meets the other, or an edge meets
an edge: four points lie in one plane then. So in a small motion, the volume between these four
points changes its sign, and at that moment the corner is in the triangle, or the edges meet.
"""

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.tree import build_tree

STACK = 128
EDGE = 1e-9
"""A corner may be outside a triangle by this share, because of rounding."""


def crossing(before: Float, after: Float, others: Float, others_after: Float) -> int:
    """Return the row of a triangle among ``others`` that crosses one of the first, or -1.

    Args:
        before: (F, 3, 3) triangles at the start of a small motion [m].
        after: (F, 3, 3) at its end.
        others: (G, 3, 3) further ones at its start.
        others_after: (G, 3, 3) at its end.
    """
    rows = [np.ascontiguousarray(a.reshape(-1, 9)) for a in (before, after, others, others_after)]
    return int(_first_crossing(*rows))


class NearFaces:
    """The faces of a mesh in a box."""

    def __init__(self, mesh: TriangleMesh) -> None:
        self._mesh = mesh

    def within(self, lower: Float, upper: Float) -> Index:
        """Return the faces whose boxes meet a box, given by its corners (3,) [m]."""
        tree = build_tree(self._mesh)
        room = 256
        while True:
            rows = np.empty(room, np.intp)
            count = _faces_in_box(
                tree.boxes, tree.ranges, tree.triangles, tree.first_leaf, lower, upper, rows
            )
            if count <= room:
                return tree.order[rows[:count]]
            room = count


@compiled
def _faces_in_box(boxes, ranges, triangles, first_leaf, lower, upper, rows):
    """Write the rows of triangles whose boxes meet a box; return how many, also if too many."""
    stack = np.empty(STACK, np.int64)
    stack[0] = 0
    top, count = 1, 0
    while top > 0:
        top -= 1
        node = stack[top]
        meets = True
        for i in range(3):
            if boxes[node, i] > upper[i] or boxes[node, 3 + i] < lower[i]:
                meets = False
        if not meets:
            continue
        if node < first_leaf:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node + 2
            top += 2
            continue
        for k in range(ranges[node, 0], ranges[node, 1]):
            meets = True
            for i in range(3):
                a, b, c = triangles[k, i], triangles[k, 3 + i], triangles[k, 6 + i]
                if min(a, b, c) > upper[i] or max(a, b, c) < lower[i]:
                    meets = False
            if meets:
                if count < rows.shape[0]:
                    rows[count] = k
                count += 1
    return count


@compiled
def _volume(p, q, r, s):
    """Return six times the volume between four points, each an array of three numbers."""
    ax, ay, az = q[0] - p[0], q[1] - p[1], q[2] - p[2]
    bx, by, bz = r[0] - p[0], r[1] - p[1], r[2] - p[2]
    cx, cy, cz = s[0] - p[0], s[1] - p[1], s[2] - p[2]
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)


@compiled
def _moment(volume, after):
    """Return the share of a motion at which a volume is zero, or -1."""
    if volume == 0.0:
        return 0.0
    if volume * after > 0.0:
        return -1.0
    return volume / (volume - after)


@compiled
def _between(a, b, share, point):
    """Write the point at a share of the way from a to b."""
    for i in range(3):
        point[i] = a[i] + share * (b[i] - a[i])


@compiled
def _is_in_triangle(p, a, b, c):
    """Return whether a point in the plane of a triangle is in it."""
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    wx, wy, wz = p[0] - a[0], p[1] - a[1], p[2] - a[2]
    uu, uv, vv = (
        ux * ux + uy * uy + uz * uz,
        ux * vx + uy * vy + uz * vz,
        vx * vx + vy * vy + vz * vz,
    )
    wu, wv = wx * ux + wy * uy + wz * uz, wx * vx + wy * vy + wz * vz
    size = uu * vv - uv * uv
    if size <= 0.0:
        return False
    s, t = (wu * vv - wv * uv) / size, (wv * uu - wu * uv) / size
    return s >= -EDGE and t >= -EDGE and s + t <= 1.0 + EDGE


@compiled
def _edges_meet(a, b, c, d):
    """Return whether two edges in one plane, a to b and c to d, meet."""
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = d[0] - c[0], d[1] - c[1], d[2] - c[2]
    wx, wy, wz = a[0] - c[0], a[1] - c[1], a[2] - c[2]
    uu, uv, vv = (
        ux * ux + uy * uy + uz * uz,
        ux * vx + uy * vy + uz * vz,
        vx * vx + vy * vy + vz * vz,
    )
    uw, vw = ux * wx + uy * wy + uz * wz, vx * wx + vy * wy + vz * wz
    size = uu * vv - uv * uv
    if size <= 1e-12 * uu * vv:
        return False
    s, t = (uv * vw - vv * uw) / size, (uu * vw - uv * uw) / size
    return -EDGE <= s <= 1.0 + EDGE and -EDGE <= t <= 1.0 + EDGE


@compiled
def _corner_meets(p, p_after, t, t_after, now):
    """Return whether a corner crosses a triangle (9,); ``now`` (4, 3) is for points at a moment."""
    volume = _volume(t[0:3], t[3:6], t[6:9], p)
    share = _moment(volume, _volume(t_after[0:3], t_after[3:6], t_after[6:9], p_after))
    if share < 0.0:
        return False
    _between(p, p_after, share, now[3])
    for k in range(3):
        _between(t[3 * k : 3 * k + 3], t_after[3 * k : 3 * k + 3], share, now[k])
    return _is_in_triangle(now[3], now[0], now[1], now[2])


@compiled
def _edge_meets(s, s_after, i, t, t_after, j, now):
    """Return whether edge i of one triangle (9,) crosses edge j of another."""
    a, b, c, d = 3 * i, 3 * ((i + 1) % 3), 3 * j, 3 * ((j + 1) % 3)
    volume = _volume(s[a : a + 3], s[b : b + 3], t[c : c + 3], t[d : d + 3])
    after = _volume(s_after[a : a + 3], s_after[b : b + 3], t_after[c : c + 3], t_after[d : d + 3])
    share = _moment(volume, after)
    if share < 0.0:
        return False
    _between(s[a : a + 3], s_after[a : a + 3], share, now[0])
    _between(s[b : b + 3], s_after[b : b + 3], share, now[1])
    _between(t[c : c + 3], t_after[c : c + 3], share, now[2])
    _between(t[d : d + 3], t_after[d : d + 3], share, now[3])
    return _edges_meet(now[0], now[1], now[2], now[3])


@compiled
def _cross(s, s_after, t, t_after, now):
    """Return whether two triangles (9,) cross in a small motion."""
    for k in range(3):
        p, q = s[3 * k : 3 * k + 3], s_after[3 * k : 3 * k + 3]
        if _corner_meets(p, q, t, t_after, now):
            return True
        p, q = t[3 * k : 3 * k + 3], t_after[3 * k : 3 * k + 3]
        if _corner_meets(p, q, s, s_after, now):
            return True
    for i in range(3):
        for j in range(3):
            if _edge_meets(s, s_after, i, t, t_after, j, now):
                return True
    return False


@compiled
def _range(t, t_after, k):
    """Return the least and the largest coordinate k of a triangle (9,) in a motion."""
    low = min(t[k], t[3 + k], t[6 + k], t_after[k], t_after[3 + k], t_after[6 + k])
    high = max(t[k], t[3 + k], t[6 + k], t_after[k], t_after[3 + k], t_after[6 + k])
    return low, high


@compiled
def _first_crossing(before, after, others, others_after):
    """Return the row of the first of the other triangles that crosses one of the first, or -1."""
    now = np.empty((4, 3))
    for i in range(before.shape[0]):
        s, s_after = before[i], after[i]
        for j in range(others.shape[0]):
            t, t_after = others[j], others_after[j]
            apart = False
            for k in range(3):
                low, high = _range(s, s_after, k)
                least, most = _range(t, t_after, k)
                apart = apart or least > high or most < low
            if not apart and _cross(s, s_after, t, t_after, now):
                return j
    return -1
