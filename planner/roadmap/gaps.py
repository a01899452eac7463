"""Nodes in the middle of gaps: doors and openings that few random samples come near.

A gap is between two corners that face each other: from each, its free side leads to the other, and
the body can go straight from beside one to beside the other.
"""

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.roadmap.building import with_nodes
from rmp3d.planner.roadmap.corners import corners_of
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import GroundSpace

# Corners face each other where the middle of a body goes no more than so many of its radii.
WIDEST = 7.0
# Places in gaps that are nearer to each other than this share of the radius are one.
ONE_PLACE = 0.5
# Both directions to the free side lead to the other corner, by this cosine at least.
FACING = 0.1


def with_gaps(roadmap: Roadmap) -> Roadmap:
    """Return a roadmap with nodes in gaps, joined to their neighbors; no more than it has nodes.

    Args:
        roadmap: Of a body that stands on the ground; any other is returned as it is.
    """
    space = roadmap.space
    if not isinstance(space, GroundSpace):
        return roadmap
    places = gaps_of(space)[: len(roadmap.configurations)]
    return with_nodes(roadmap, places) if len(places) else roadmap


def gaps_of(space: GroundSpace) -> Float:
    """Return free places (G, 3) [m] in the middle of gaps, the narrowest gap first."""
    from scipy.spatial import cKDTree  # slow to load

    corners, radius = corners_of(space), space.world.body.radius
    if len(corners.places) < 2:
        return np.zeros((0, 3))
    pairs = cKDTree(corners.places).query_pairs(WIDEST * radius, output_type="ndarray")
    pairs = pairs[np.lexsort(pairs.T[::-1])]
    start, end = corners.places[pairs[:, 0]], corners.places[pairs[:, 1]]
    across = end[:, :2] - start[:, :2]
    size = np.hypot(across[:, 0], across[:, 1])
    least = FACING * size
    own, other = (
        sign * (corners.outward[pairs[:, side]] * across).sum(axis=1)
        for side, sign in ((0, 1.0), (1, -1.0))
    )
    facing = (own > least) & (other > least)
    start, end, size = start[facing], end[facing], size[facing]
    seen = space.connects(start, end)
    start, end, size = start[seen], end[seen], size[seen]
    order = np.argsort(size, kind="stable")
    middle = 0.5 * (start + end)[order]
    found, face = space.surface.locate(middle, radius, radius)
    found = found[face >= 0]
    found = found[space.is_free(found)]
    cell = np.round(found / (ONE_PLACE * radius)).astype(np.int64)
    _, first = np.unique(cell, axis=0, return_index=True)
    return found[np.sort(first)]
