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
    if not polylines:
        return np.zeros(0)
    start, end, pieces = _ends(polylines)
    size = metric.distance(start, end)
    first = np.cumsum(pieces) - pieces
    total = np.zeros(len(polylines))
    total[pieces == 1] = size[first[pieces == 1]]
    for row in np.flatnonzero(pieces > 1).tolist():
        total[row] = size[first[row] : first[row] + pieces[row]].sum()
    return total


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


def densified_together(
    polylines: Sequence[Float], spacing: Float | float, metric: Metric = STRAIGHT
) -> tuple[Float, Index]:
    """Return the points (M, W) of many polylines, each `densified`, one after the other.

    With them comes the row (P + 1,) at which each begins, and M. The spacing [m] may be one for
    each polyline (P,).
    """
    start, end, pieces = _ends(polylines)
    parts = _parts(start, end, np.repeat(np.broadcast_to(spacing, len(pieces)), pieces), metric)
    piece, share = _cut(parts)
    before = np.concatenate([[0], np.cumsum(parts)])
    after = np.cumsum(pieces)
    # Each has its parts' beginnings, and its last point.
    first = np.concatenate([[0], np.cumsum(before[after] - before[after - pieces] + 1)])
    points = np.empty((int(first[-1]), start.shape[1]))
    begins = np.ones(len(points), np.bool_)
    begins[first[1:] - 1] = False
    points[begins] = metric.interpolated(start[piece], end[piece], share)
    points[~begins] = [one[-1] for one in polylines]
    return points, first


def equal_parts(points: Float, spacing: float, metric: Metric = STRAIGHT) -> tuple[Index, Float]:
    """Return where the parts begin into which pieces longer than ``spacing`` [m] are cut.

    A piece that leads from tread to tread of a stair stays whole.

    Returns:
        The piece (M,) that each part belongs to, and the share (M,) of the piece before the part.
    """
    return _cut(_parts(points[:-1], points[1:], spacing, metric))


def _parts(start: Float, end: Float, spacing: Float | float, metric: Metric) -> Index:
    """Return into how many parts (M,) each of the pieces from start[i] to end[i] is cut."""
    size = metric.distance(start, end)
    parts = np.maximum(1, np.ceil(size / spacing - 1e-9)).astype(np.intp)
    parts[~metric.can_be_cut(start, end)] = 1
    return parts


def _cut(parts: Index) -> tuple[Index, Float]:
    """Return the piece of each part and the share of it before the part: see `equal_parts`."""
    piece = np.repeat(np.arange(len(parts)), parts)
    within = np.arange(parts.sum()) - np.repeat(np.cumsum(parts) - parts, parts)
    return piece, within / parts[piece]


def _ends(polylines: Sequence[Float]) -> tuple[Float, Float, Index]:
    """Return start and end (M, W) of all pieces of polylines, and how many each has (P,)."""
    start = np.concatenate([points[:-1] for points in polylines])
    end = np.concatenate([points[1:] for points in polylines])
    return start, end, np.array([len(points) - 1 for points in polylines])


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
