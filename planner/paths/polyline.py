"""Polylines: arrays (K, W) of configurations joined by the straight motions of a metric."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.planner.spaces.metric import STRAIGHT, Metric


def stations(points: Float, metric: Metric = STRAIGHT) -> Float:
    """Return the arc length (K,) [m] at each point, zero at the first."""
    return np.concatenate([[0.0], np.cumsum(metric.distance(points[:-1], points[1:]))])


def total_length(points: Float, metric: Metric = STRAIGHT) -> float:
    """Return the sum of the pieces' lengths [m]."""
    return float(metric.distance(points[:-1], points[1:]).sum())


def total_lengths(polylines: Sequence[Float], metric: Metric = STRAIGHT) -> Float:
    """Return the `total_length` (P,) of each of many polylines, measured together."""
    start = np.concatenate([points[:-1] for points in polylines])
    end = np.concatenate([points[1:] for points in polylines])
    after = np.cumsum([len(points) - 1 for points in polylines])
    parts = np.split(metric.distance(start, end), after[:-1])
    return np.array([part.sum() for part in parts])


def without_repeats(points: Float) -> Float:
    """Return the points less those equal to the one before; the first always stays."""
    moved = (np.diff(points, axis=0) != 0.0).any(axis=1)
    return points[np.concatenate([[True], moved])]


def densified(points: Float, spacing: float, metric: Metric = STRAIGHT) -> Float:
    """Return the polyline with pieces longer than ``spacing`` [m] cut into equal parts.

    Every given point stays.
    """
    if len(points) < 2:
        return points
    piece, share = equal_parts(points, spacing, metric)
    inner = metric.interpolated(points[piece], points[piece + 1], share)
    return np.concatenate([inner, points[-1:]])


def equal_parts(points: Float, spacing: float, metric: Metric = STRAIGHT) -> tuple[Index, Float]:
    """Return where the parts begin into which pieces longer than ``spacing`` [m] are cut.

    A piece that leads from tread to tread of a stair stays whole.

    Returns:
        The piece (M,) that each part belongs to, and the share (M,) of the piece before the part.
    """
    size = metric.distance(points[:-1], points[1:])
    parts = np.maximum(1, np.ceil(size / spacing - 1e-9)).astype(np.intp)
    parts[~metric.can_be_cut(points[:-1], points[1:])] = 1
    piece = np.repeat(np.arange(len(parts)), parts)
    within = np.arange(parts.sum()) - np.repeat(np.cumsum(parts) - parts, parts)
    return piece, within / parts[piece]


def points_at(points: Float, metric: Metric, shares: Float) -> Float:
    """Return the configurations (M, W) at shares (M,) of a polyline's length.

    A step from tread to tread has no place in between: there it is the configuration before.
    """
    station = stations(points, metric)
    wanted = shares * station[-1]
    piece = np.clip(np.searchsorted(station, wanted, side="right") - 1, 0, len(points) - 2)
    size = station[piece + 1] - station[piece]
    share = np.divide(wanted - station[piece], size, out=np.zeros(len(shares)), where=size > 0.0)
    found = metric.interpolated(points[piece], points[piece + 1], np.clip(share, 0.0, 1.0))
    whole = ~metric.can_be_cut(points[piece], points[piece + 1])
    found[whole] = points[piece[whole]]
    return found


def joined(polylines: list[Float]) -> Float:
    """Return one polyline of several, each beginning where the one before ends."""
    return np.concatenate([polylines[0], *(points[1:] for points in polylines[1:])])
