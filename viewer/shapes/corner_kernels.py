"""The compiled part of shading: normals of corners from the faces that meet there."""

import numpy as np

from rmp3d.geometry.compiled import compiled


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
def add_neighbors(first, corners, normals, areas, cosine, most, summed):
    """Add to each corner's normal those of the faces around it that are nearly in its plane.

    Args:
        first: (P + 1,) where the corners of each place begin in ``corners``.
        corners: (3 F,) corners, place by place; corner c is of face c // 3.
        normals: (F, 3) of the faces.
        areas: (F,) weights of the faces.
        cosine: Of the largest angle between faces that are shaded as one.
        most: Places with more corners are left as they are.
        summed: (3 F, 3) receives the sums of normals times areas.
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
            summed[corner, 0], summed[corner, 1], summed[corner, 2] = sx, sy, sz


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
