"""Compiled construction of bounding-box trees: split the triangles, fit boxes around them.

Nodes are numbered level by level, so that children come after their parents. A triangle is a row
of nine coordinates.
"""

from math import sqrt

import numpy as np

from rmp3d.geometry.compiled import compiled

BINS = 16
# Deeper nodes are split at the median, so that depth (and the kernels' stack) stays bounded.
DEEP = 48
# Columns of a node: center, half extents, radius around the center, and reach: the largest
# distance of a point of the node from the mesh's origin. After these, oriented boxes have their
# axes (row by row; an axis is a column). A node without axes fits one line of a processor's cache.
CENTER, HALF, RADIUS, REACH, AXES, COLUMNS = 0, 3, 6, 7, 8, 17
# Boxes grow by this share of their reach: more than the rounding of a projection on their axes.
ROUNDING = 1e-13
SWEEPS = 8  # of Jacobi's method; three by three matrices take about four
SMALLER = 0.95  # an oriented box is used if its area is below this share of the aligned box's


@compiled
def split_all(corners, order, ranges, children):
    """Sort ``order`` (F,); fill each node's range of it, ``ranges`` (2 F - 1, 2), and ``children``.

    A child is the number of the first of two consecutive nodes, or -1 minus a row of ``order``.
    """
    count, node = 1, 0
    depth = np.zeros(len(ranges), np.int64)
    boxes = np.empty((len(order), 6))
    for face in range(len(order)):
        for axis in range(3):
            a, b, c = corners[face, axis], corners[face, 3 + axis], corners[face, 6 + axis]
            boxes[face, axis], boxes[face, 3 + axis] = min(a, min(b, c)), max(a, max(b, c))
    number, bins, cost = np.empty(BINS), np.empty((BINS, 6)), np.empty(BINS)
    ranges[0, 0], ranges[0, 1] = 0, len(order)
    while node < count:
        first, last = ranges[node, 0], ranges[node, 1]
        if last - first == 1:
            children[node] = -1 - first
        else:
            middle = first + (last - first) // 2
            if depth[node] < DEEP:
                middle = _split(boxes, order, first, last, number, bins, cost)
            children[node] = count
            ranges[count, 0], ranges[count, 1] = first, middle
            ranges[count + 1, 0], ranges[count + 1, 1] = middle, last
            depth[count], depth[count + 1] = depth[node] + 1, depth[node] + 1
            count += 2
        node += 1


@compiled
def _split(boxes, order, first, last, number, bins, cost):
    """Partition a range of ``order`` in place; return where its second part begins.

    The split is the cheapest border between bins along three axes. By the surface-area heuristic,
    the cost is number times area of the boxes, summed over both sides.
    """
    best, best_axis, best_border, best_low, best_scale = 1e300, -1, 0, 0.0, 0.0
    for axis in range(3):
        low, high = 1e300, -1e300
        for row in range(first, last):
            center = boxes[order[row], axis] + boxes[order[row], 3 + axis]
            low, high = min(low, center), max(high, center)
        scale = BINS / (high - low) if high > low else 0.0
        if not 0.0 < scale < 1e300:
            continue
        for k in range(BINS):
            number[k] = 0.0
            for m in range(3):
                bins[k, m], bins[k, 3 + m] = 1e300, -1e300
        for row in range(first, last):
            face = order[row]
            place = min(BINS - 1, int((boxes[face, axis] + boxes[face, 3 + axis] - low) * scale))
            number[place] += 1.0
            for k in range(3):
                bins[place, k] = min(bins[place, k], boxes[face, k])
                bins[place, 3 + k] = max(bins[place, 3 + k], boxes[face, 3 + k])
        _accumulate(number, bins, cost, True)
        _accumulate(number, bins, cost, False)
        for border in range(BINS - 1):
            if cost[border] < best:
                best, best_axis, best_border = cost[border], axis, border
                best_low, best_scale = low, scale
    if best_axis < 0:
        # All centers are at one point: any half will do.
        return first + (last - first) // 2
    low, high = first, last - 1
    while low <= high:
        face = order[low]
        center = boxes[face, best_axis] + boxes[face, 3 + best_axis]
        if min(BINS - 1, int((center - best_low) * best_scale)) <= best_border:
            low += 1
        else:
            order[low], order[high] = order[high], face
            high -= 1
    return low


@compiled
def _accumulate(number, bins, cost, forward):
    """Write number times area of the bins before each border; not ``forward``: add those after."""
    x0, y0, z0, x1, y1, z1, total = 1e300, 1e300, 1e300, -1e300, -1e300, -1e300, 0.0
    for k in range(BINS - 1):
        at = k if forward else BINS - 1 - k
        border = k if forward else at - 1
        if number[at] > 0.0:
            total += number[at]
            x0, y0, z0 = min(x0, bins[at, 0]), min(y0, bins[at, 1]), min(z0, bins[at, 2])
            x1, y1, z1 = max(x1, bins[at, 3]), max(y1, bins[at, 4]), max(z1, bins[at, 5])
        x, y, z = x1 - x0, y1 - y0, z1 - z0
        side = total * (x * y + y * z + z * x) if total > 0.0 else 1e300
        cost[border] = side if forward else cost[border] + side


@compiled
def fit_all(corners, ranges, children, aligned, oriented):
    """Fill nodes (K, 8) and (K, 17) around ranges of triangles ``corners`` (F, 9).

    An oriented box is turned with the principal axes of the triangles in it (area-weighted
    covariance; Gottschalk, Lin and Manocha 1996) where that makes it smaller.
    """
    moments = np.zeros((len(ranges), 10))
    matrix, axes, straight = np.empty((3, 3)), np.empty((3, 3)), np.zeros((3, 3))
    straight[0, 0], straight[1, 1], straight[2, 2] = 1.0, 1.0, 1.0
    least = 0.0
    for face in range(len(corners)):
        least += _area(corners[face]) / len(corners)
    least = max(1e-12 * least, 1e-300)
    for node in range(len(ranges) - 1, -1, -1):
        first, last = ranges[node, 0], ranges[node, 1]
        child = children[node]
        if child < 0:
            _add_moments(corners[first], least, moments[node])
        else:
            for k in range(10):
                moments[node, k] = moments[child, k] + moments[child + 1, k]
        _principal_axes(moments[node], matrix, axes)
        _fit(corners, first, last, axes, oriented[node])
        area = _face_area(oriented[node])
        _fit(corners, first, last, straight, aligned[node])
        if area >= SMALLER * _face_area(aligned[node]):
            for k in range(AXES):
                oriented[node, k] = aligned[node, k]
            for k in range(9):
                oriented[node, AXES + k] = straight[k // 3, k % 3]


@compiled
def _face_area(node):
    """Return an eighth of the surface area of a box."""
    return node[3] * node[4] + node[4] * node[5] + node[5] * node[3]


@compiled
def _fit(corners, first, last, axes, node):
    """Write the node around a range of triangles; the axes too if it is an oriented node."""
    low_x, low_y, low_z, high_x, high_y, high_z = 1e300, 1e300, 1e300, -1e300, -1e300, -1e300
    reach, radius = 0.0, 0.0
    for row in range(first, last):
        for k in range(0, 9, 3):
            x, y, z = corners[row, k], corners[row, k + 1], corners[row, k + 2]
            reach = max(reach, x * x + y * y + z * z)
            u = x * axes[0, 0] + y * axes[1, 0] + z * axes[2, 0]
            v = x * axes[0, 1] + y * axes[1, 1] + z * axes[2, 1]
            w = x * axes[0, 2] + y * axes[1, 2] + z * axes[2, 2]
            low_x, low_y, low_z = min(low_x, u), min(low_y, v), min(low_z, w)
            high_x, high_y, high_z = max(high_x, u), max(high_y, v), max(high_z, w)
    u, v, w = 0.5 * (low_x + high_x), 0.5 * (low_y + high_y), 0.5 * (low_z + high_z)
    for k in range(3):
        node[CENTER + k] = axes[k, 0] * u + axes[k, 1] * v + axes[k, 2] * w
        if len(node) == COLUMNS:
            for m in range(3):
                node[AXES + 3 * k + m] = axes[k, m]
    for row in range(first, last):
        for k in range(0, 9, 3):
            x, y, z = corners[row, k] - node[0], corners[row, k + 1] - node[1], corners[row, k + 2]
            radius = max(radius, x * x + y * y + (z - node[2]) ** 2)
    reach = sqrt(reach)
    slack = ROUNDING * (reach + max(abs(node[0]), max(abs(node[1]), abs(node[2]))))
    node[HALF] = 0.5 * (high_x - low_x) + slack
    node[HALF + 1] = 0.5 * (high_y - low_y) + slack
    node[HALF + 2] = 0.5 * (high_z - low_z) + slack
    node[RADIUS], node[REACH] = sqrt(radius) + slack, reach


@compiled
def _area(t):
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    return 0.5 * sqrt(nx * nx + ny * ny + nz * nz)


@compiled
def _add_moments(t, least, moments):
    """Write area, first and second moments of a triangle; its area counts at least ``least``."""
    area = _area(t) + least
    moments[0] = area
    for k in range(3):
        middle = (t[k] + t[3 + k] + t[6 + k]) / 3.0
        moments[1 + k] = area * middle
        for m in range(3):
            if m < k:
                continue
            other = (t[m] + t[3 + m] + t[6 + m]) / 3.0
            products = t[k] * t[m] + t[3 + k] * t[3 + m] + t[6 + k] * t[6 + m]
            moments[4 + k + m + (k > 0)] = area / 12.0 * (9.0 * middle * other + products)


@compiled
def _principal_axes(moments, matrix, axes):
    """Write the eigenvectors (columns) of a covariance, by Jacobi's method."""
    for k in range(3):
        for m in range(3):
            low, high = min(k, m), max(k, m)
            matrix[k, m] = moments[4 + low + high + (low > 0)] / moments[0]
            matrix[k, m] -= moments[1 + k] * moments[1 + m] / moments[0] ** 2
            axes[k, m] = 1.0 if k == m else 0.0
    for _ in range(SWEEPS):
        off = matrix[0, 1] ** 2 + matrix[0, 2] ** 2 + matrix[1, 2] ** 2
        if off <= 1e-24 * (matrix[0, 0] ** 2 + matrix[1, 1] ** 2 + matrix[2, 2] ** 2):
            break
        for pair in range(3):
            p, q = (0, 1) if pair == 0 else ((0, 2) if pair == 1 else (1, 2))
            if matrix[p, q] == 0.0:
                continue
            slope = 0.5 * (matrix[q, q] - matrix[p, p]) / matrix[p, q]
            t = 1.0 / (abs(slope) + sqrt(slope * slope + 1.0))
            t = -t if slope < 0.0 else t
            c = 1.0 / sqrt(t * t + 1.0)
            s = t * c
            for k in range(3):
                u, v = matrix[k, p], matrix[k, q]
                matrix[k, p], matrix[k, q] = c * u - s * v, s * u + c * v
            for k in range(3):
                u, v = matrix[p, k], matrix[q, k]
                matrix[p, k], matrix[q, k] = c * u - s * v, s * u + c * v
            for k in range(3):
                u, v = axes[k, p], axes[k, q]
                axes[k, p], axes[k, q] = c * u - s * v, s * u + c * v
