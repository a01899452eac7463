"""Joining components: edges between near nodes of different components of a roadmap.

In a dense roadmap the nearest neighbors of a node before a door are all on its own side, so more
samples hardly help; near nodes of *other* components are on the other side.
"""

from dataclasses import replace

import numpy as np
from scipy.spatial import cKDTree

from geometry import Float, Index, frozen
from planner.local_planners import LocalPlanner
from planner.polyline import total_length
from planner.prm import least_clearance, proved
from planner.roadmap import Roadmap

NEAREST = 5  # nodes of other components that each node is tried to be joined with
BATCH = 2000  # pairs tried before it is looked which components are still apart
MOST = 20_000  # pairs tried in all, shortest first


def join_components(roadmap: Roadmap, local_planner: LocalPlanner) -> Roadmap:
    """Return a roadmap with certified edges between its components, where any are found."""
    pairs = pairs_between(roadmap.configurations, roadmap.component)[:MOST]
    for first in range(0, len(pairs), BATCH):
        batch = pairs[first : first + BATCH]
        component = roadmap.component
        batch = batch[component[batch[:, 0]] != component[batch[:, 1]]]
        roadmap = _with_edges(roadmap, batch, local_planner)
    return roadmap


def pairs_between(configurations: Float, component: Index) -> Index:
    """Return pairs (P, 2) of near nodes of different components, lower first, shortest first."""
    found = []
    for label in range(1, int(component.max(initial=0)) + 1):
        own, others = np.flatnonzero(component == label), np.flatnonzero(component != label)
        nearest = min(NEAREST, len(others))
        _, rows = cKDTree(configurations[others]).query(configurations[own], k=nearest)
        pairs = np.stack([np.repeat(own, nearest), others[rows.reshape(-1)]], axis=1)
        found.append(np.sort(pairs, axis=1))
    if not found:
        return np.zeros((0, 2), np.intp)
    pairs = np.unique(np.concatenate(found), axis=0)
    distance = np.linalg.norm(configurations[pairs[:, 0]] - configurations[pairs[:, 1]], axis=1)
    return pairs[np.argsort(distance, kind="stable")].astype(np.intp)


def _with_edges(roadmap: Roadmap, pairs: Index, local_planner: LocalPlanner) -> Roadmap:
    """Return the roadmap with those of the pairs (P, 2) that the local planner joins."""
    space, configurations = roadmap.space, roadmap.configurations
    found = local_planner.connect(space, configurations[pairs[:, 0]], configurations[pairs[:, 1]])
    pairs, polylines = proved(pairs, found)
    if not polylines:
        return roadmap
    clearance = least_clearance(space.world, polylines)
    return replace(
        roadmap,
        edges=frozen(np.concatenate([roadmap.edges, pairs]), np.intp),
        edge_length=frozen(np.append(roadmap.edge_length, [total_length(p) for p in polylines])),
        edge_clearance=frozen(np.append(roadmap.edge_clearance, clearance)),
        polylines=(*roadmap.polylines, *polylines),
    )
