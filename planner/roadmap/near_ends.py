"""The nodes of a roadmap that a start or goal is joined to first."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.geometry.weak_cache import weak_cache
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces.metric import nearest

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

NEAREST = 64  # nodes that an end is joined to at a time
CLOSE = 16  # of these, at least, that are nearest of all where most are chosen on one level
FARTHEST = 1024  # nodes tried before it is given up
LEVEL = np.array([1.0, 1.0, 100.0])  # what a meter counts where nodes of one level are near

Trees: TypeAlias = "tuple[cKDTree, cKDTree]"


def batches_of_nodes(roadmap: Roadmap, end: Float) -> Iterator[Index]:
    """Yield the nodes (K,) of each batch that an end (W,) is joined to, best first.

    Of a roadmap of corners the first batch has the nearest nodes and the nearest ones of the same
    level: from the middle of a long bridge, its ends are farther than all that is below.
    """
    count = min(FARTHEST, len(roadmap.configurations))
    if count == 0:
        return
    if roadmap.corners < len(roadmap.configurations):
        order = nearest(roadmap.space, roadmap.configurations, end[None], count)[0]
        yield from (order[first : first + NEAREST] for first in range(0, count, NEAREST))
        return
    straight, level = trees_of_roadmap(roadmap)
    order = straight.query(end, np.arange(1, min(CLOSE, count) + 1))[1]
    beside = level.query(end * LEVEL, np.arange(1, min(NEAREST, count) + 1))[1]
    first = np.concatenate([order, beside[~np.isin(beside, order)]]).astype(np.intp)
    yield first
    # Nearly always one of these can be joined: the others are looked for when none can.
    order = straight.query(end, np.arange(1, count + 1))[1]
    rest = order[~np.isin(order, first)].astype(np.intp)
    yield from (rest[k : k + NEAREST] for k in range(0, len(rest), NEAREST))


@weak_cache
def trees_of_roadmap(roadmap: Roadmap) -> Trees:
    """Return the trees of the nodes' positions; see `trees_of`."""
    return trees_of(roadmap.configurations[:, :3])


def trees_of(places: Float) -> Trees:
    """Return the tree of places (N, 3), and that of these with their heights stretched."""
    from scipy.spatial import cKDTree  # slow to load

    return cKDTree(places), cKDTree(places * LEVEL)
