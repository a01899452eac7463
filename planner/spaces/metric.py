"""How far configurations are from one another, what lies between them, and which are nearest."""

from typing import Protocol

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.geometry.vectors import length


class Metric(Protocol):
    """Distances between configurations, and the straight motions that have those lengths."""

    def distance(self, start: Float, end: Float) -> Float:
        """Return the distances (M,) [m] from start[i] to end[i], (M, W) each."""

    def interpolated(self, start: Float, end: Float, share: Float) -> Float:
        """Return the configurations (M, W) at shares (M,) of the motions start[i] -> end[i]."""

    def can_be_cut(self, start: Float, end: Float) -> Bool:
        """Return which motions (M,) are places for the body all along, not at the ends only."""

    def images(self, configurations: Float) -> Float:
        """Return points (C, M, E) whose Euclidean distance is about that of configurations.

        Where one configuration has several images, C of them, the nearest one counts. They are
        nowhere farther apart than the configurations.
        """


class Straight:
    """The metric of positions: Euclidean."""

    def distance(self, start: Float, end: Float) -> Float:
        """Return the Euclidean distances (M,) [m]."""
        return length(end - start)

    def interpolated(self, start: Float, end: Float, share: Float) -> Float:
        """Return the points (M, W) of straight lines."""
        return start + share[:, None] * (end - start)

    def can_be_cut(self, start: Float, end: Float) -> Bool:
        """Return that all can."""
        return np.ones(len(start), np.bool_)

    def images(self, configurations: Float) -> Float:
        """Return the configurations themselves (1, M, W)."""
        return configurations[None]


STRAIGHT = Straight()


def nearest(
    metric: Metric, nodes: Float, points: Float, count: int, radius: float = np.inf
) -> Index:
    """Return the nodes (M, min(count, N)) that are nearest to points, nearest first.

    Args:
        metric: Whose images are compared.
        nodes: (N, W) configurations, at least one.
        points: (M, W) configurations.
        count: How many, at least one.
        radius: Nodes whose images are no nearer than this [m] are left out; the number N stands
            for each of them at the end of a row.
    """
    from scipy.spatial import cKDTree  # slow to load

    images = metric.images(nodes)
    copies, size = images.shape[:2]
    tree = cKDTree(images.reshape(copies * size, -1))
    count = min(count, size)
    ranks = np.arange(1, copies * count + 1)
    _, rows = tree.query(metric.images(points)[0], ranks, distance_upper_bound=radius)
    if copies == 1:
        return rows.astype(np.intp)
    found = np.where(rows < copies * size, rows % size, size)
    return _firsts(found, size)[:, :count]


def _firsts(found: Index, size: int) -> Index:
    """Return rows (M, K) with every number once, at its first place, then ``size`` for the rest."""
    order = np.argsort(found, axis=1, kind="stable")
    ascending = np.take_along_axis(found, order, axis=1)
    again = np.zeros(found.shape, dtype=np.bool_)
    np.put_along_axis(again[:, :], order[:, 1:], ascending[:, 1:] == ascending[:, :-1], axis=1)
    kept = np.where(again, size, found)
    moved = np.argsort(kept == size, axis=1, kind="stable")
    return np.take_along_axis(kept, moved, axis=1).astype(np.intp)
