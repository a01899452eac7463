"""Joining components: edges between near nodes of different components of a roadmap.

In a dense roadmap the nearest neighbors of a node before a door are all on its own side, so more
samples hardly help; near nodes of *other* components are on the other side.
"""

from itertools import compress

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.planner.local_planners import LocalPlanner
from rmp3d.planner.paths.edges import proved
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces.metric import STRAIGHT, Metric, nearest

NEAREST = 5  # nodes of other components that each node is tried to be joined with
SMALL = 20  # nodes of a component whose nearest others one tree of all nodes finds
BATCH = 2000  # pairs tried before it is looked which components are still apart
MOST = 20_000  # pairs tried in all, shortest first


def join_components(
    roadmap: Roadmap, local_planner: LocalPlanner, *, forest: bool = False
) -> Roadmap:
    """Return a roadmap with certified edges between its components, where any are found.

    Nodes that untried pairs of a lazy roadmap may yet join are not apart.

    Args:
        roadmap: What to join.
        local_planner: That joins the nodes.
        forest: Whether only one edge may join two components, so that no cycles arise.
    """
    configurations = roadmap.configurations
    pairs = pairs_between(configurations, roadmap.possible_component, roadmap.space)[:MOST]
    for first in range(0, len(pairs), BATCH):
        batch = pairs[first : first + BATCH]
        component = roadmap.possible_component
        batch = batch[component[batch[:, 0]] != component[batch[:, 1]]]
        start, end = configurations[batch[:, 0]], configurations[batch[:, 1]]
        found = local_planner.connect(roadmap.space, start, end)
        edges, polylines = proved(batch, found)
        if forest:
            joins = joining(len(configurations), roadmap.edges, edges)
            edges, polylines = edges[joins], list(compress(polylines, joins))
        roadmap = roadmap.with_edges(edges, polylines)
    return roadmap


def joining(count: int, edges: Index, pairs: Index) -> Bool:
    """Return which of the pairs (P, 2), in order, join components that were still apart.

    Args:
        count: Nodes.
        edges: (E, 2) that join them already.
        pairs: Edges to come, each one after those before it.
    """
    import networkx as nx  # slow to load, and only a forest asks

    union = nx.utils.UnionFind(range(count))
    for a, b in edges.tolist():
        union.union(a, b)
    joins = np.zeros(len(pairs), dtype=np.bool_)
    for row, (a, b) in enumerate(pairs.tolist()):
        joins[row] = union[a] != union[b]
        union.union(a, b)
    return joins


def pairs_between(configurations: Float, component: Index, metric: Metric = STRAIGHT) -> Index:
    """Return pairs (P, 2) of near nodes of different components, lower first, shortest first."""
    size = np.bincount(component)
    alone = np.flatnonzero((component > 0) & (size[component] <= SMALL))
    found = [_pairs_of_small(configurations, component, alone, metric)]
    for label in np.flatnonzero(size > SMALL).tolist():
        if label == 0:
            continue
        own, others = np.flatnonzero(component == label), np.flatnonzero(component != label)
        rows = nearest(metric, configurations[others], configurations[own], NEAREST)
        found.append(np.stack([np.repeat(own, rows.shape[1]), others[rows.reshape(-1)]], axis=1))
    pairs = np.unique(np.sort(np.concatenate(found), axis=1), axis=0)
    distance = metric.distance(configurations[pairs[:, 0]], configurations[pairs[:, 1]])
    return pairs[np.argsort(distance, kind="stable")].astype(np.intp)


def _pairs_of_small(configurations: Float, component: Index, nodes: Index, metric: Metric) -> Index:
    """Return pairs (P, 2) of nodes of small components, each with its nearest of others.

    One tree of all nodes serves them all: of a node's nearest ones few are of its own component.
    """
    if len(nodes) == 0:
        return np.zeros((0, 2), np.intp)
    near = nearest(metric, configurations, configurations[nodes], NEAREST + SMALL)
    other = component[near] != component[nodes][:, None]
    row, column = np.nonzero(other & (np.cumsum(other, axis=1) <= NEAREST))
    return np.stack([nodes[row], near[row, column]], axis=1)
