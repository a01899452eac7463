"""Which nodes each new node of a roadmap is tried to be joined with."""

from math import ceil, e, log
from typing import Literal, TypeAlias

import numpy as np
from scipy.spatial import cKDTree

from geometry import Float, Index
from planner.metric import STRAIGHT, Metric, nearest
from planner.spaces import Space

NeighborRule: TypeAlias = int | Literal["star"]


def neighbor_limit(rule: NeighborRule, count: int, space: Space) -> int:
    """Return how many nearest nodes count as neighbors among ``count`` nodes; 0: no limit.

    The rule "star" is that of PRM* with k nearest neighbors, k = e (1 + 1/d) log n in d
    dimensions: with it the length of the shortest way tends to the shortest there is, and fewer
    neighbors would not do (Karaman and Frazzoli 2011, "Sampling-based algorithms for optimal
    motion planning", section 3.3). The ground has two dimensions.
    """
    if rule != "star":
        return rule
    dimension = 2 if space.grounded else space.dimension
    return max(1, ceil(e * (1.0 + 1.0 / dimension) * log(max(count, 1))))


def neighbor_pairs(
    configurations: Float, old: int, limit: int, radius: float = 0.0, metric: Metric = STRAIGHT
) -> Index:
    """Return pairs (P, 2) of each node from number ``old`` on with its neighbors.

    Args:
        configurations: (N, W) nodes.
        old: Number of the first new node.
        limit: Only so many nearest nodes; 0: no limit.
        radius: Only nodes within this distance [m]; 0: no limit.
        metric: What is near.

    Returns:
        The lower number comes first, each pair once, shortest first.

    Raises:
        ValueError: Neither rule is set.
    """
    if limit == 0 and radius == 0.0:
        raise ValueError("one of `limit` and `radius` must be set")
    count = len(configurations)
    if old == count or count < 2:
        return np.zeros((0, 2), np.intp)
    if limit == 0:
        images = metric.images(configurations)
        tree = cKDTree(np.concatenate(images))
        within = tree.query_ball_point(images[0, old:], radius)
        new = np.repeat(np.arange(old, count), [len(row) for row in within])
        found = np.concatenate([np.asarray(row, np.intp) for row in within]) % count
    else:
        # Each finds itself as well.
        table = nearest(metric, configurations, configurations[old:], limit + 1, radius or np.inf)
        new, found = np.repeat(np.arange(old, count), table.shape[1]), table.reshape(-1)
        new, found = new[found < count], found[found < count]  # beyond the reach: `count`
    pairs = np.sort(np.stack([new, found], axis=1), axis=1)
    pairs = np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)
    distance = metric.distance(configurations[pairs[:, 0]], configurations[pairs[:, 1]])
    order = np.argsort(distance, kind="stable")
    if radius > 0.0:
        order = order[distance[order] <= radius]
    return pairs[order].astype(np.intp)
