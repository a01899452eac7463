"""Which nodes each new node of a roadmap is tried to be joined with: near ones before it."""

from math import e
from typing import Literal, TypeAlias

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.planner.spaces import Space
from rmp3d.planner.spaces.metric import STRAIGHT, Metric, nearest

NeighborRule: TypeAlias = int | Literal["star"]


def neighbor_limits(rule: NeighborRule, count: Index, space: Space) -> Index:
    """Return how many nearest nodes count as neighbors among ``count`` (M,) nodes; 0: no limit.

    The rule "star" is that of PRM* with k nearest neighbors, k = e (1 + 1/d) log n in d
    dimensions: with it the length of the shortest path tends to the shortest there is, and fewer
    neighbors would not do (Karaman and Frazzoli 2011, "Sampling-based algorithms for optimal
    motion planning", section 3.3; where nodes come one after another it is their RRG's). The
    ground has two dimensions.
    """
    if rule != "star":
        return np.full(len(count), rule)
    dimension = 2 if space.grounded else space.dimension
    wanted = np.ceil(e * (1.0 + 1.0 / dimension) * np.log(np.maximum(count, 1)))
    return np.maximum(wanted, 1).astype(np.intp)


def neighbor_pairs(
    configurations: Float, old: int, limit: Index, radius: float = 0.0, metric: Metric = STRAIGHT
) -> Index:
    """Return pairs (P, 2) of each node from number ``old`` on with near nodes before it.

    As in Kavraki et al. (1996) a node knows only those that were there when it came. So the pairs
    are the same whether nodes come in one batch or in several.

    Args:
        configurations: (N, W) nodes.
        old: Number of the first new node.
        limit: (N - old,) only so many nearest nodes each; all 0: no limit.
        radius: Only nodes within this distance [m]; 0: no limit.
        metric: What is near.

    Returns:
        The lower number comes first; new node by new node, for each the nearest first.

    Raises:
        ValueError: Neither rule is set.
    """
    most = int(limit.max(initial=0))
    if most == 0 and radius == 0.0 and len(limit):
        raise ValueError("one of `limit` and `radius` must be set")
    images = metric.images(configurations)
    new, found = _candidates(metric, images, configurations, old, most, radius)
    gap = np.linalg.norm(images[:, found] - images[0, new], axis=2).min(axis=0)
    order = np.lexsort((found, gap, new))
    new, found = new[order], found[order]
    if most:
        rank = np.arange(len(new)) - np.searchsorted(new, new)
        kept = rank < limit[new - old]
        new, found = new[kept], found[kept]
    distance = metric.distance(configurations[found], configurations[new])
    order = np.lexsort((found, distance, new))
    if radius > 0.0:
        order = order[distance[order] <= radius]
    return np.stack([found[order], new[order]], axis=1).astype(np.intp)


def _candidates(
    metric: Metric, images: Float, configurations: Float, old: int, most: int, radius: float
) -> tuple[Index, Index]:
    """Return numbers (P,) of new nodes and of nodes before them, the near ones among them.

    Those before the batch come from a tree, those within it from a table of all distances.
    """
    from scipy.spatial import cKDTree  # slow to load
    from scipy.spatial.distance import cdist

    batch = np.arange(old, len(configurations))
    gap = np.min([cdist(image[old:], images[0, old:]).T for image in images], axis=0)
    gap[np.triu_indices(len(batch))] = np.inf
    if most:
        columns = np.argsort(gap, axis=1, kind="stable")[:, :most]
        rows = np.broadcast_to(np.arange(len(batch))[:, None], columns.shape)
        there = np.isfinite(gap[rows, columns])
        rows, columns = rows[there], columns[there]
    else:
        rows, columns = np.nonzero(gap <= radius)
    new, found = batch[rows], batch[columns]
    if old and most:
        table = nearest(metric, configurations[:old], configurations[old:], most, radius or np.inf)
        rows, columns = np.nonzero(table < old)
        new, found = np.append(new, batch[rows]), np.append(found, table[rows, columns])
    elif old:
        tree = cKDTree(images[:, :old].reshape(len(images) * old, -1))
        within = [
            np.unique(np.array(near) % old)
            for near in tree.query_ball_point(images[0, old:], radius)
        ]
        new = np.append(new, np.repeat(batch, [len(near) for near in within]))
        found = np.concatenate([found, *within])
    return new, found.astype(np.intp)
