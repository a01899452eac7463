"""Flat trees of boxes for the mesh-against-mesh kernels: aligned with the axes, or oriented.

Both kinds have one hierarchy and one layout, so one compiled traversal serves both. Splits follow
the surface-area heuristic: scenes mix long thin triangles with fine ones, and halving by number
would spoil box after box with a wall.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from geometry.arrays import Float, Index
from geometry.mesh import TriangleMesh

BINS = 16
# Deeper nodes are halved by number, so that depth (and the kernels' stack) stays bounded.
DEEP = 48
# Columns of a node: center, half extents, radius around the center, and reach: the largest distance
# of a point of the node from the mesh's origin. Oriented boxes have their axes behind (row by row;
# an axis is a column); without them a node is one line of a processor's cache.
CENTER, HALF, RADIUS, REACH, AXES, COLUMNS = 0, 3, 6, 7, 8, 17
# Boxes grow by this share of their reach, more than projecting a point on axes may round.
ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class BoxTree:
    """Boxes over triangles in one array, ready for compiled traversal.

    Attributes:
        nodes: (K, 8) center (3), half extents (3), radius, reach [m]; (K, 17) of oriented boxes,
            with axes (3, 3).
        children: (K,) number of the first of two children in a row; of a leaf, -1 minus the row
            of its triangle.
        triangles: (F, 9) corner coordinates [m] in tree order.
        order: (F,) face of the mesh that each row of ``triangles`` is.
    """

    nodes: Float
    children: Index
    triangles: Float
    order: Index


def build_box_trees(mesh: TriangleMesh, kinds: Sequence[bool]) -> list[BoxTree]:
    """Return a tree over a mesh of each kind, one triangle a leaf.

    Args:
        mesh: Its origin is the point about which it will turn.
        kinds: False: aligned boxes. True: each box turned with the principal axes of the
            triangles in it (area-weighted covariance; Gottschalk, Lin and Manocha 1996) where
            that makes it smaller.
    """
    order, levels, children = _hierarchy(mesh.triangles)
    corners = np.ascontiguousarray(mesh.triangles[order])
    reach = np.sqrt(_largest(np.einsum("fca,fca->fc", corners, corners)))
    aligned, oriented = [], []
    for ranges in levels:
        rows, starts = _gather(ranges)
        part = corners[rows]
        level = _fit(part, reach[rows], starts, None)
        aligned.append(level)
        if any(kinds):
            turned = _fit(part, reach[rows], starts, _principal_axes(part, starts))
            smaller = _area(turned) < 0.95 * _area(level)
            oriented.append(np.where(smaller[:, None], turned, level))
    triangles = corners.reshape(-1, 9)
    boxes = [oriented if kind else [level[:, :AXES] for level in aligned] for kind in kinds]
    return [BoxTree(np.concatenate(levels), children, triangles, order) for levels in boxes]


def _hierarchy(corners: Float) -> tuple[Index, list[Index], Index]:
    """Return the order of triangles (F, 3, 3), ranges (L, 2) of nodes by level, and children."""
    lower, upper = -_largest(-corners), _largest(corners)
    order = np.arange(len(corners))
    ranges = np.array([[0, len(corners)]])
    levels, children = [ranges], []
    count = 1
    while True:
        split = ranges[:, 1] - ranges[:, 0] > 1
        numbers = -1 - ranges[:, 0]
        numbers[split] = count + 2 * np.arange(split.sum())
        children.append(numbers)
        ranges = ranges[split]
        if len(ranges) == 0:
            break
        middle = _split(lower, upper, order, ranges, len(levels) > DEEP)
        ranges = np.stack([ranges[:, 0], middle, middle, ranges[:, 1]], axis=1).reshape(-1, 2)
        levels.append(ranges)
        count += len(ranges)
    return order.astype(np.intp), levels, np.concatenate(children).astype(np.intp)


def _split(lower: Float, upper: Float, order: Index, ranges: Index, halve: bool) -> Index:
    """Partition each range of ``order`` in place; return where (L,) its second part begins.

    The cheapest of the borders between bins along three axes, by the surface-area heuristic:
    number times area of the boxes of both sides.
    """
    rows, starts = _gather(ranges)
    size = ranges[:, 1] - ranges[:, 0]
    owner = np.repeat(np.arange(len(ranges)), size)
    faces = order[rows]
    middle = ranges[:, 0] + size // 2
    if halve:
        return middle
    low, high = lower[faces], upper[faces]
    center = 0.5 * (low + high)
    first = np.minimum.reduceat(center, starts)
    width = np.maximum.reduceat(center, starts) - first
    safe = np.where(width > 0.0, width, 1.0)
    bins = np.minimum((center - first[owner]) / safe[owner] * BINS, BINS - 1).astype(np.intp)
    costs = [_costs(bins[:, axis] + BINS * owner, low, high, len(ranges)) for axis in range(3)]
    cost = np.concatenate(costs, axis=1)  # (L, 3 (BINS - 1))
    best = np.argmin(cost, axis=1)
    axis, border = np.divmod(best, BINS - 1)
    right = bins[np.arange(len(rows)), axis[owner]] > border[owner]
    # Where no border parts anything, all centers are in one place: any half will do.
    stuck = ~np.isfinite(cost[np.arange(len(ranges)), best])
    right = np.where(stuck[owner], rows >= middle[owner], right)
    order[rows] = faces[np.lexsort((right, owner))]
    parted: Index = ranges[:, 1] - np.add.reduceat(right.astype(np.intp), starts)
    return parted


def _costs(key: Index, low: Float, high: Float, count: int) -> Float:
    """Return the cost (count, BINS - 1) of every border between bins; inf if a side is empty."""
    by_key = np.argsort(key, kind="stable")
    ordered = key[by_key]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    used = ordered[starts]
    number = np.zeros(count * BINS)
    number[used] = np.diff(np.append(starts, len(key)))
    lower, upper = np.full((count * BINS, 3), np.inf), np.full((count * BINS, 3), -np.inf)
    lower[used] = np.minimum.reduceat(low[by_key], starts)
    upper[used] = np.maximum.reduceat(high[by_key], starts)
    numbers = number.reshape(count, BINS)
    lowers, uppers = lower.reshape(count, BINS, 3), upper.reshape(count, BINS, 3)
    left = _accumulated(numbers, lowers, uppers)[:, :-1]
    right = _accumulated(numbers[:, ::-1], lowers[:, ::-1], uppers[:, ::-1])[:, ::-1][:, 1:]
    cost: Float = left + right
    return cost


def _accumulated(number: Float, lower: Float, upper: Float) -> Float:
    """Return number times area of the union of the first bins (L, BINS); inf where empty."""
    total = np.cumsum(number, axis=1)
    extent = np.maximum.accumulate(upper, axis=1) - np.minimum.accumulate(lower, axis=1)
    extent = np.where(total[..., None] > 0.0, extent, 0.0)
    x, y, z = np.moveaxis(extent, 2, 0)
    return np.where(total > 0.0, total * (x * y + y * z + z * x), np.inf)


def _gather(ranges: Index) -> tuple[Index, Index]:
    """Return the rows of ranges (L, 2) one after the other, and where each begins among them."""
    size = ranges[:, 1] - ranges[:, 0]
    starts = np.cumsum(size) - size
    rows = np.arange(size.sum()) + np.repeat(ranges[:, 0] - starts, size)
    return rows, starts


def _fit(corners: Float, reach: Float, starts: Index, axes: Float | None) -> Float:
    """Return nodes (L, 17) around runs of triangles (F, 3, 3), with axes (L, 3, 3) or the world's.

    ``reach`` (F,) is the largest distance [m] of each triangle from the origin.
    """
    owner = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(corners))))
    along = corners if axes is None else np.matmul(corners, axes[owner])
    low = np.minimum.reduceat(-_largest(-along), starts)
    high = np.maximum.reduceat(_largest(along), starts)
    center = 0.5 * (low + high)
    if axes is not None:
        center = np.einsum("lab,lb->la", axes, center)
    away = corners - center[owner][:, None]
    radius = np.sqrt(_largest(np.einsum("fca,fca->fc", away, away)))
    nodes = np.empty((len(starts), COLUMNS))
    nodes[:, CENTER:HALF] = center
    nodes[:, AXES:] = np.eye(3).reshape(-1) if axes is None else axes.reshape(-1, 9)
    nodes[:, REACH] = np.maximum.reduceat(reach, starts)
    slack = ROUNDING * (nodes[:, REACH] + np.abs(center).max(axis=1))
    nodes[:, HALF:RADIUS] = 0.5 * (high - low) + slack[:, None]
    nodes[:, RADIUS] = np.maximum.reduceat(radius, starts) + slack
    return nodes


def _largest(values: Float) -> Float:
    """Return the maximum over the three corners of rows (F, 3, ...); faster than `max`."""
    largest: Float = np.maximum(np.maximum(values[:, 0], values[:, 1]), values[:, 2])
    return largest


def _principal_axes(corners: Float, starts: Index) -> Float:
    """Return the principal axes (L, 3, 3), in columns, of the surface in each run."""
    area = 0.5 * np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    # Where a range has no area at all, every triangle counts alike.
    area = area + 1e-12 * max(float(area.mean()), 1e-300)
    middle = (corners[:, 0] + corners[:, 1] + corners[:, 2]) / 3.0
    moment = 9.0 * np.einsum("fa,fb->fab", middle, middle)
    moment += np.einsum("fca,fcb->fab", corners, corners)
    weight = np.add.reduceat(area, starts)[:, None]
    mean = np.add.reduceat(area[:, None] * middle, starts) / weight
    spread = np.add.reduceat(area[:, None, None] / 12.0 * moment, starts) / weight[:, None]
    spread -= np.einsum("la,lb->lab", mean, mean)
    axes: Float = np.linalg.eigh(spread)[1]
    return axes


def _area(nodes: Float) -> Float:
    """Return a quarter of the surface area (L,) of boxes, by which they are compared."""
    a, b, c = nodes[:, HALF:RADIUS].T
    return 2.0 * (a * b + b * c + c * a)
