"""Putting roadmaps together: what one planner built becomes part of the roadmap of another."""

from dataclasses import replace

import numpy as np

from rmp3d.geometry import Float, Index, frozen
from rmp3d.planner.local_planners.linear import LinearPlanner
from rmp3d.planner.paths.edges import CLEARANCE_CAP
from rmp3d.planner.roadmap.components import join_components
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import RigidBodySpace


def roadmap_of(space: RigidBodySpace, nodes: Float, edges: Index) -> Roadmap:
    """Return the roadmap of free configurations (N, 7) and proved motions (E, 2) between them."""
    cap = CLEARANCE_CAP * space.world.body.radius
    roadmap = replace(
        Roadmap.empty(space),
        configurations=frozen(nodes),
        clearance=frozen(space.world.clearance(nodes, cap)),
    )
    pairs = np.unique(np.sort(edges[edges[:, 0] != edges[:, 1]], axis=1), axis=0)
    return roadmap.with_edges(pairs, list(nodes[pairs]))


def merged(roadmap: Roadmap, other: Roadmap) -> Roadmap:
    """Return the nodes and edges of two roadmaps of one space, joined where motions are proved."""
    offset = len(roadmap.configurations)
    if offset == 0:
        return replace(other, attempts=roadmap.attempts)

    def both(name: str) -> Float:
        return frozen(np.concatenate([getattr(roadmap, name), getattr(other, name)]))

    def all_pairs(name: str) -> Index:
        pairs = np.concatenate([getattr(roadmap, name), getattr(other, name) + offset])
        return frozen(pairs, np.intp)

    total = replace(
        roadmap,
        configurations=both("configurations"),
        clearance=both("clearance"),
        edges=all_pairs("edges"),
        edge_length=both("edge_length"),
        edge_clearance=both("edge_clearance"),
        polylines=(*roadmap.polylines, *other.polylines),
        untried=all_pairs("untried"),
        corners=0,
    )
    return join_components(total, LinearPlanner())


def with_path(roadmap: Roadmap, path: Float) -> Roadmap:
    """Return a roadmap with a certified path (K, 7) in it, joined to its other components."""
    space = roadmap.space
    rows = np.arange(len(path))
    own = replace(
        Roadmap.empty(space),
        configurations=path,
        clearance=space.world.clearance(path, space.world.body.radius),
        local_planner=roadmap.local_planner,
    )
    pairs = np.stack([rows[:-1], rows[1:]], axis=1)
    own = own.with_edges(pairs, list(path[pairs]))
    if len(roadmap.configurations) == 0:
        return own
    return merged(roadmap, own)
