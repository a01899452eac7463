"""The compiled part of shading: normals of corners from the faces that meet there."""

import numpy as np

from rmp3d.geometry.compiled import compiled, inlined


@compiled
def compare(points, place):
    """Write the first of a few points (V, 3) that is in the same place as each of them."""
    for i in range(len(points)):
        place[i] = i
        for j in range(i):
            if (
                points[j, 0] == points[i, 0]
                and points[j, 1] == points[i, 1]
                and points[j, 2] == points[i, 2]
            ):
                place[i] = j
                break


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


@inlined
def _blended(corners, begin, count, k, normals, areas, cosine, most):
    """Return the mean normal around corner k of the ``count`` corners of a place; see `blend`."""
    face = corners[begin + k] // 3
    x, y, z = normals[face, 0], normals[face, 1], normals[face, 2]
    sx, sy, sz = areas[face] * x, areas[face] * y, areas[face] * z
    for other in range(1, count if count <= most else 1):
        mate = corners[begin + (k + other) % count] // 3
        u, v, w = normals[mate, 0], normals[mate, 1], normals[mate, 2]
        if x * u + y * v + z * w > cosine:
            sx, sy, sz = sx + areas[mate] * u, sy + areas[mate] * v, sz + areas[mate] * w
    size = np.sqrt(sx * sx + sy * sy + sz * sz)
    if size > 0.0:
        return sx / size, sy / size, sz / size
    return x, y, z


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
            normal = _blended(corners, begin, count, k, normals, areas, cosine, most)
            corner = corners[begin + k]
            blended[corner, 0], blended[corner, 1], blended[corner, 2] = normal


@inlined
def _rounded(value):
    """Return a value rounded to five digits, without a negative zero."""
    return np.rint(value * np.float32(1e5)) / np.float32(1e5) + np.float32(0.0)


@compiled
def distinct_rows(
    first, corners, normals, areas, cosine, most, vertices, faces, colors, dyed, found, same
):
    """Make a row for each corner of each face, and keep one of those of a place that are equal.

    Args:
        first: (P + 1,) where the corners of each place begin in ``corners``.
        corners: (3 F,) corners, place by place.
        normals: (F, 3) of the faces.
        areas: (F,) weights of the faces.
        cosine: Of the largest angle between faces that are shaded as one.
        most: See `blend`; also how many earlier corners of its place a corner is compared with.
        vertices: (V, 3) [m].
        faces: (F, 3).
        colors: (F, 3) float32, linear light.
        dyed: (F,) float32 share of the tint.
        found: (3 F, 10) float32 receives the distinct rows, place by place: position, normal, color
            and share. What is not needed is not touched, so it takes no memory.
        same: (3 F,) receives the number of each corner's row; numbers are in the order of use.

    Returns:
        (U,) the row of ``found`` of each number.
    """
    made, row = 0, np.empty(10, np.float32)
    for place in range(len(first) - 1):
        begin, count = first[place], first[place + 1] - first[place]
        for k in range(count):
            corner = corners[begin + k]
            face = corner // 3
            normal = _blended(corners, begin, count, k, normals, areas, cosine, most)
            for axis in range(3):
                row[axis] = _rounded(np.float32(vertices[faces[face, corner % 3], axis]))
                row[3 + axis] = _rounded(np.float32(normal[axis]))
                row[6 + axis] = _rounded(colors[face, axis])
            row[9] = _rounded(dyed[face])
            number = -1
            for earlier in range(begin + max(0, k - most), begin + k):
                one = same[corners[earlier]]
                if _equal(found[one], row):
                    number = one
                    break
            if number < 0:
                found[made] = row
                number, made = made, made + 1
            same[corner] = number
    users, number_of, count = np.empty(made, np.int64), np.full(made, -1, np.int64), 0
    for corner in range(len(corners)):
        one = same[corner]
        if number_of[one] < 0:
            users[count] = one
            number_of[one] = count
            count += 1
        same[corner] = number_of[one]
    return users


@compiled
def _equal(a, b):
    for k in range(len(a)):
        if a[k] != b[k]:
            return False
    return True
