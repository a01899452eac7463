"""The compiled part of shading: normals of corners from the faces that meet there."""

import numpy as np

from rmp3d.geometry.compiled import compiled, inlined


@compiled
def by_place(place, count):
    """Return where each of ``count`` places begins (P + 1,), and the corners, place by place."""
    first = np.zeros(count + 1, np.int64)
    for corner in range(len(place)):
        first[place[corner] + 1] += 1
    first = np.cumsum(first)
    following, corners = first.copy(), np.empty(len(place), np.int64)
    for corner in range(len(place)):
        corners[following[place[corner]]] = corner
        following[place[corner]] += 1
    return first, corners


@compiled
def blend(first, corners, normals, areas, cosine, most, blended):
    """Give each corner the mean normal of the faces around it that are nearly in its plane.

    Args:
        first: (P + 1,) where the corners of each place begin in ``corners``.
        corners: (3 F,) corners, place by place; corner c is of face c // 3.
        normals: (F, 3) of the faces.
        areas: (F,) weights of the faces.
        cosine: Of the largest angle between faces that are shaded as one.
        most: Places with more corners are left as they are.
        blended: (3 F, 3) receives the sums of normals times areas, scaled to length one; the
            normal of the corner's own face where the sum is zero.
    """
    for place in range(len(first) - 1):
        begin, count = first[place], first[place + 1] - first[place]
        for k in range(count):
            corner = corners[begin + k]
            face = corner // 3
            x, y, z = normals[face, 0], normals[face, 1], normals[face, 2]
            sx, sy, sz = areas[face] * x, areas[face] * y, areas[face] * z
            for other in range(1, count if count <= most else 1):
                mate = corners[begin + (k + other) % count] // 3
                u, v, w = normals[mate, 0], normals[mate, 1], normals[mate, 2]
                if x * u + y * v + z * w > cosine:
                    sx, sy, sz = sx + areas[mate] * u, sy + areas[mate] * v, sz + areas[mate] * w
            size = np.sqrt(sx * sx + sy * sy + sz * sz)
            if size > 0.0:
                x, y, z = sx / size, sy / size, sz / size
            blended[corner, 0], blended[corner, 1], blended[corner, 2] = x, y, z


@inlined
def _rounded(value):
    """Return a value rounded to five digits, without a negative zero."""
    return np.rint(value * np.float32(1e5)) / np.float32(1e5) + np.float32(0.0)


@compiled
def fill(vertices, faces, blended, colors, dyed, rows):
    """Write a row for each corner of each face.

    Args:
        vertices: (V, 3) [m].
        faces: (F, 3).
        blended: (3 F, 3) normals of the corners.
        colors: (F, 3) float32, linear light.
        dyed: (F,) float32 share of the tint.
        rows: (3 F, 10) float32 receives position, normal, color and share.
    """
    for face in range(len(faces)):
        for k in range(3):
            row, vertex = rows[3 * face + k], vertices[faces[face, k]]
            for axis in range(3):
                row[axis] = _rounded(np.float32(vertex[axis]))
                row[3 + axis] = _rounded(np.float32(blended[3 * face + k, axis]))
                row[6 + axis] = _rounded(colors[face, axis])
            row[9] = _rounded(dyed[face])


@compiled
def share(first, corners, rows, most, same):
    """Find equal rows (3 F, 10) of corners in one place, and number the distinct ones.

    Args:
        first: (P + 1,) where the corners of each place begin in ``corners``.
        corners: (3 F,) corners, place by place.
        rows: Of each corner.
        most: Rows of a place that a row is compared with; the hub of a fan may have a million.
        same: (3 F,) receives the number of each corner's row; numbers are in the order of use.

    Returns:
        (U,) the first corner of each number.
    """
    for place in range(len(first) - 1):
        for k in range(first[place], first[place + 1]):
            same[corners[k]] = corners[k]
            for earlier in range(max(first[place], k - most), k):
                one = corners[earlier]
                if same[one] == one and _equal(rows[one], rows[corners[k]]):
                    same[corners[k]] = one
                    break
    users, count = np.empty(len(rows), np.int64), 0
    for corner in range(len(rows)):
        if same[corner] == corner:
            users[count] = corner
            same[corner] = count
            count += 1
        else:  # an earlier corner, which has its number already
            same[corner] = same[same[corner]]
    return users[:count].copy()


@compiled
def _equal(a, b):
    for k in range(len(a)):
        if a[k] != b[k]:
            return False
    return True
