"""Compiled kernels that cut faces: what of a face lies right below walkable ground."""

import numpy as np

from rmp3d.geometry.compiled import compiled

STACK = 128
CORNERS = 24
"""Corners that a cut face may have."""
PIECES = 64
"""Pieces that a face is cut into at most; what is left then is no step."""
LEAST_AREA = 1e-9
"""Pieces smaller than this [m^2] are dropped."""
UNDER = 1e-4
"""A face this much above the ground [m] still counts as below it."""
UPRIGHT = 0.02
"""A face is upright if the z part of its normal is smaller."""
ROUGH = 2e-3
"""Distance in plan [m] at which an upright face still counts as below an edge of the ground."""


@compiled
def _cut(polygon, count, plane, keep, cut):
    """Write the part of a convex polygon where ``keep`` times the plane's value is not negative.

    Return its number of corners, 0 for none.
    """
    found = 0
    for k in range(count):
        j = (k + 1) % count
        a = b = plane[3]
        for i in range(3):
            a += plane[i] * polygon[k, i]
            b += plane[i] * polygon[j, i]
        a, b = keep * a, keep * b
        if a >= 0.0:
            for i in range(3):
                cut[found, i] = polygon[k, i]
            found += 1
        if (a > 0.0 and b < 0.0) or (a < 0.0 and b > 0.0):
            for i in range(3):
                cut[found, i] = polygon[k, i] + a / (a - b) * (polygon[j, i] - polygon[k, i])
            found += 1
        if found > CORNERS - 3:
            return 0
    return found


@compiled
def _offset(polygon, k):
    """Return corner k of a polygon, from corner 0."""
    x, y, z = polygon[0, 0], polygon[0, 1], polygon[0, 2]
    return polygon[k, 0] - x, polygon[k, 1] - y, polygon[k, 2] - z


@compiled
def _copy(polygon, count, copy):
    """Write the corners of a polygon to another array."""
    for k in range(count):
        for i in range(3):
            copy[k, i] = polygon[k, i]


@compiled
def _area(polygon, count):
    """Return the area of a convex polygon."""
    x = y = z = 0.0
    for k in range(1, count - 1):
        ux, uy, uz = _offset(polygon, k)
        vx, vy, vz = _offset(polygon, k + 1)
        x += uy * vz - uz * vy
        y += uz * vx - ux * vz
        z += ux * vy - uy * vx
    return 0.5 * (x * x + y * y + z * z) ** 0.5


@compiled
def _planes(t, reach, slack, planes):
    """Write five planes (a, b, c, d): below triangle t, by at most ``reach``, they are positive."""
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    gx, gy = -nx / nz, -ny / nz
    level = t[2] - gx * t[0] - gy * t[1]
    for e in range(3):
        a, b = 3 * e, 3 * ((e + 1) % 3)
        ex, ey = t[b] - t[a], t[b + 1] - t[a + 1]
        size = (ex * ex + ey * ey) ** 0.5
        planes[e, 0], planes[e, 1], planes[e, 2] = -ey / size, ex / size, 0.0
        planes[e, 3] = (ey * t[a] - ex * t[a + 1]) / size + slack
    planes[3, 0], planes[3, 1], planes[3, 2], planes[3, 3] = gx, gy, -1.0, level + UNDER
    planes[4, 0], planes[4, 1], planes[4, 2], planes[4, 3] = -gx, -gy, 1.0, reach - level


@compiled
def _inside(polygon, count, planes, first, second):
    """Return the corners of what is left of a polygon behind all planes; it is in ``first``."""
    _copy(polygon, count, first)
    for p in range(5):
        count = _cut(first, count, planes[p], 1.0, second)
        if count < 3:
            return 0
        _copy(second, count, first)
    return count if _area(first, count) > LEAST_AREA else 0


@compiled
def _subtract(polygon, count, planes, pieces, sizes, number, first, second):
    """Add what is left of a polygon outside of the planes to the pieces; return their number."""
    _copy(polygon, count, first)
    for p in range(5):
        outside = _cut(first, count, planes[p], -1.0, second)
        if outside >= 3 and _area(second, outside) > LEAST_AREA:
            _copy(second, outside, pieces[number])
            sizes[number] = outside
            number += 1
        count = _cut(first, count, planes[p], 1.0, second)
        _copy(second, count, first)
    return number


@compiled
def _write(polygon, count, face, out, face_of, is_step, rows, step):
    """Add a convex polygon as triangles; return the number of rows."""
    for k in range(1, count - 1):
        if rows < out.shape[0]:
            for i in range(3):
                out[rows, i] = polygon[0, i]
                out[rows, 3 + i] = polygon[k, i]
                out[rows, 6 + i] = polygon[k + 1, i]
            face_of[rows] = face
            is_step[rows] = step
        rows += 1
    return rows


@compiled
def _cut_all(planes, pieces, sizes, now, number, f, out, face_of, is_step, rows, scratch):
    """Cut the pieces of face f by the planes; write what is behind all of them.

    Return the number of pieces that are left in the other one of two lists, or -1 if nothing is
    behind the planes; and the number of rows written.
    """
    part, first, second = scratch
    other, left, hit = 1 - now, 0, False
    for n in range(number):
        count = sizes[now, n]
        _copy(pieces[now, n], count, part)
        inside = 0
        if left + (number - n) + 5 < PIECES:
            inside = _inside(part, count, planes, first, second)
        if inside == 0:
            _copy(part, count, pieces[other, left])
            sizes[other, left] = count
            left += 1
            continue
        hit = True
        rows = _write(first, inside, f, out, face_of, is_step, rows, True)
        left = _subtract(part, count, planes, pieces[other], sizes[other], left, first, second)
    return left if hit else -1, rows


@compiled
def _slack(face):
    """Return the distance in plan at which a face still counts as below an edge."""
    ux, uy, _ = _offset(face, 1)
    vx, vy, _ = _offset(face, 2)
    return ROUGH if abs(ux * vy - uy * vx) < 2.0 * UPRIGHT * _area(face, 3) else 1e-7


@compiled
def _is_apart(box, face, slack, reach):
    """Return whether a box of ground is not above a face, or by more than ``reach``."""
    for i in range(3):
        low = min(face[0, i], face[1, i], face[2, i])
        high = max(face[0, i], face[1, i], face[2, i])
        if i < 2 and (low > box[3 + i] + slack or high < box[i] - slack):
            return True
        if i == 2 and (low > box[5] + UNDER or high < box[2] - reach):
            return True
    return False


@compiled
def steepest_beside(boxes, ranges, triangles, first_leaf, slope, step, steepest):
    """Write the steepest slope of each triangle of the ground and of those that may join it.

    These are at most ``step`` [m] higher or lower. Slopes are in the order of the tree.
    """
    stack = np.empty(STACK, np.int64)
    box, other = np.empty(6), np.empty(6)
    for k in range(triangles.shape[0]):
        _box_of(triangles[k], step, box)
        steepest[k] = slope[k]
        stack[0] = 0
        top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            if not _meet(boxes[node], box):
                continue
            if node < first_leaf:
                stack[top] = 2 * node + 1
                stack[top + 1] = 2 * node + 2
                top += 2
                continue
            for j in range(ranges[node, 0], ranges[node, 1]):
                _box_of(triangles[j], 0.0, other)
                if slope[j] > steepest[k] and _meet(other, box):
                    steepest[k] = slope[j]


@compiled
def _box_of(t, step, box):
    """Write the box of a triangle, wider by `ROUGH` in plan and by ``step`` upward and downward."""
    for i in range(3):
        spare = ROUGH if i < 2 else step
        box[i] = min(t[i], t[3 + i], t[6 + i]) - spare
        box[3 + i] = max(t[i], t[3 + i], t[6 + i]) + spare


@compiled
def _meet(box, other):
    """Return whether two boxes have a common point."""
    for i in range(3):
        if box[i] > other[3 + i] or box[3 + i] < other[i]:
            return False
    return True


@compiled
def split_faces(boxes, ranges, triangles, first_leaf, faces, reach, out, face_of, is_step):
    """Split faces (F, 9) into what is below ground, by at most its ``reach`` (T,), and the rest.

    The tree is that of the walkable ground; reaches [m] are in its order. Write triangles (K, 9),
    the face of each, and whether it is below ground; of faces of which nothing is, write nothing.
    Return K, also if it does not fit.
    """
    stack = np.empty(STACK, np.int64)
    planes = np.empty((5, 4))
    scratch = np.empty((CORNERS, 3)), np.empty((CORNERS, 3)), np.empty((CORNERS, 3))
    pieces = np.empty((2, PIECES + 8, CORNERS, 3))
    sizes = np.empty((2, PIECES + 8), np.int64)
    furthest = np.max(reach)
    rows = 0
    for f in range(faces.shape[0]):
        face = faces[f].reshape(3, 3)
        slack = _slack(face)
        now, number, found = 0, 1, False
        _copy(face, 3, pieces[0, 0])
        sizes[0, 0] = 3
        stack[0] = 0
        top = 1
        while top > 0:
            top -= 1
            node = stack[top]
            if _is_apart(boxes[node], face, slack, furthest):
                continue
            if node < first_leaf:
                stack[top] = 2 * node + 1
                stack[top + 1] = 2 * node + 2
                top += 2
                continue
            for k in range(ranges[node, 0], ranges[node, 1]):
                _planes(triangles[k], reach[k], slack, planes)
                left, rows = _cut_all(
                    planes, pieces, sizes, now, number, f, out, face_of, is_step, rows, scratch
                )
                if left >= 0:
                    now, number, found = 1 - now, left, True
        for n in range(number if found else 0):
            rows = _write(pieces[now, n], sizes[now, n], f, out, face_of, is_step, rows, False)
    return rows
