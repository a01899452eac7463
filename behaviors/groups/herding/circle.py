"""The smallest circle, or ball, around points."""

from math import sqrt

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import compiled

# A point this share of the radius outside counts as inside.
ROUNDING = 1e-10


def smallest_ball(points: Float) -> tuple[Float, float]:
    """Return center (3,) and radius [m] of the smallest ball around points (N, 3), N >= 1.

    Points of one height give their smallest circle, with its center at that height. Incremental
    (Welzl 1991, "Smallest enclosing disks"), over at most four points on the border, those far
    from the middle first.
    """
    points = np.ascontiguousarray(points, np.float64)
    apart = np.einsum("ij,ij->i", points - points.mean(axis=0), points - points.mean(axis=0))
    ball = np.empty(4)
    _enclose(points[np.argsort(-apart, kind="stable")], ball)
    return ball[:3], float(ball[3])


@compiled
def _enclose(points, ball):
    chosen = np.empty((4, 3))
    ball[:3] = points[0]
    ball[3] = 0.0
    for i in range(points.shape[0]):
        if not _is_outside(points[i], ball):
            continue
        chosen[0] = points[i]
        _through(chosen, 1, ball)
        for j in range(i):
            if not _is_outside(points[j], ball):
                continue
            chosen[1] = points[j]
            _through(chosen, 2, ball)
            for k in range(j):
                if not _is_outside(points[k], ball):
                    continue
                chosen[2] = points[k]
                _through(chosen, 3, ball)
                for m in range(k):
                    if _is_outside(points[m], ball):
                        chosen[3] = points[m]
                        _through(chosen, 4, ball)


@compiled
def _is_outside(point, ball):
    x, y, z = point[0] - ball[0], point[1] - ball[1], point[2] - ball[2]
    return sqrt(x * x + y * y + z * z) > ball[3] * (1.0 + ROUNDING) + ROUNDING


@compiled
def _through(chosen, count, ball):
    """Set the smallest ball that has ``count`` points on its border.

    Its center is p0 + sum_k w_k e_k with e_k = p_k - p0 and 2 (e_j . e_k) w_k = e_j . e_j, solved
    by elimination; an edge that depends on those before it has no part.
    """
    size = count - 1
    rows = np.zeros((3, 4))
    for j in range(size):
        edge = chosen[j + 1] - chosen[0]
        for k in range(size):
            rows[j, k] = 2.0 * np.dot(edge, chosen[k + 1] - chosen[0])
        rows[j, 3] = np.dot(edge, edge)
    weight = np.zeros(3)
    for j in range(size):
        if rows[j, j] <= 1e-14 * (1.0 + 2.0 * rows[j, 3]):
            rows[j] = 0.0
            rows[j, j] = 1.0
            continue
        for k in range(size):
            if k != j:
                rows[k] -= rows[k, j] / rows[j, j] * rows[j]
    for j in range(size):
        weight[j] = rows[j, 3] / rows[j, j]
    out = np.zeros(3)
    for j in range(size):
        out += weight[j] * (chosen[j + 1] - chosen[0])
    ball[:3] = chosen[0] + out
    ball[3] = sqrt(np.dot(out, out))
