"""Polylines: arrays (K, W) of configurations joined by the straight motions of a metric."""

from math import sqrt

import numpy as np

from rmp3d.geometry import Float
from rmp3d.geometry.compiled import compiled
from rmp3d.planner.metric import STRAIGHT, Metric

COLLINEAR = 1e-9  # [m] by which a dropped point may lie off the line of its neighbors


def stations(points: Float, metric: Metric = STRAIGHT) -> Float:
    """Return the arc length (K,) [m] at each point, zero at the first."""
    return np.concatenate([[0.0], np.cumsum(metric.distance(points[:-1], points[1:]))])


def total_length(points: Float, metric: Metric = STRAIGHT) -> float:
    """Return the sum of the pieces' lengths [m]."""
    return float(metric.distance(points[:-1], points[1:]).sum())


def without_repeats(points: Float) -> Float:
    """Return the points less those equal to the one before; the first always stays."""
    moved = (np.diff(points, axis=0) != 0.0).any(axis=1)
    return points[np.concatenate([[True], moved])]


@compiled
def straighten(points, count):
    """Drop from the first ``count`` points (K, 3) those on the straight line of their neighbors.

    A walk over a finely meshed plane crosses an edge every few centimeters and bends at none.
    The rest move up, in place; the first and the last point stay, even if they are equal.

    Returns:
        How many are left.
    """
    if count < 3:
        return count
    last = points[count - 1].copy()
    size = 1
    for k in range(1, count - 1):
        if _differ(points[k], points[size - 1]) and _differ(points[k], last):
            points[size] = points[k]
            size += 1
    points[size] = last
    size += 1
    kept = 1
    px, py, pz, _ = _piece(points[0], points[1])
    for k in range(1, size - 1):
        x, y, z, far = _piece(points[k], points[k + 1])
        cx, cy, cz = py * z - pz * y, pz * x - px * z, px * y - py * x
        turn = sqrt(cx * cx + cy * cy + cz * cz) * far
        if turn > COLLINEAR or px * x + py * y + pz * z <= 0.0:
            points[kept] = points[k]
            kept += 1
        px, py, pz = x, y, z
    points[kept] = points[size - 1]
    return kept + 1


@compiled
def _differ(a, b):
    return a[0] != b[0] or a[1] != b[1] or a[2] != b[2]


@compiled
def _piece(start, end):
    """Return the unit direction of a piece, zero if it has none, and its length."""
    x, y, z = end[0] - start[0], end[1] - start[1], end[2] - start[2]
    size = sqrt(x * x + y * y + z * z)
    if size == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    return x / size, y / size, z / size, size


def densified(points: Float, spacing: float, metric: Metric = STRAIGHT) -> Float:
    """Return the polyline with pieces longer than ``spacing`` [m] cut into equal parts.

    Every given point stays.
    """
    if len(points) < 2:
        return points
    size = metric.distance(points[:-1], points[1:])
    parts = np.maximum(1, np.ceil(size / spacing - 1e-9)).astype(np.intp)
    piece = np.repeat(np.arange(len(parts)), parts)
    within = np.arange(parts.sum()) - np.repeat(np.cumsum(parts) - parts, parts)
    inner = metric.interpolated(points[piece], points[piece + 1], within / parts[piece])
    return np.concatenate([inner, points[-1:]])


def joined(polylines: list[Float]) -> Float:
    """Return one polyline of several, each beginning where the one before ends."""
    return np.concatenate([polylines[0], *(points[1:] for points in polylines[1:])])
