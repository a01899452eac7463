"""How far it is at least from every node of a roadmap to a goal: by the ways to a few far nodes.

The way from a node to a goal is no shorter than the difference of their ways to a landmark
(Goldberg and Harrelson 2005, "Computing the shortest path: A* search meets graph theory"). In a
town that is much more than the straight distance: what lies behind a river is known to be far.
"""

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.geometry.graphs import adjacency, search
from rmp3d.geometry.weak_cache import weak_cache
from rmp3d.planner.roadmap.roadmap import Roadmap

LANDMARKS = 8
FEW = 500  # nodes, up to which a search is quick anyway
ROUNDING = 1e-12  # share of the ways by which a bound is lower, as sums are rounded


def bounds_to_goal(roadmap: Roadmap, edges: Index, length: Float) -> Float | None:
    """Return a lower bound (N,) of the way from each node to a goal, or None for small roadmaps.

    Args:
        roadmap: Its edges may become dearer, but not cheaper than their lengths.
        edges: (K,) nodes that the goal is joined to.
        length: (K,) of these joints [m].
    """
    if len(roadmap.configurations) < FEW or len(roadmap.untried) or len(edges) == 0:
        return None
    ways = _ways(roadmap)  # (L, N)
    joints = ways[:, edges]
    nearest, farthest = (joints + length).min(axis=1), (joints - length).max(axis=1)
    # From a landmark it is ``nearest`` to the goal. A way to a node may be shorter through the
    # goal than any over the roadmap: so that the other way round, each joint counts on its own.
    with np.errstate(invalid="ignore"):
        bounds = np.maximum(nearest[:, None] - ways, ways - farthest[:, None])
    largest = np.where(np.isfinite(nearest), nearest, 0.0).max()
    found: Float = np.nan_to_num(bounds, nan=0.0).max(axis=0) - ROUNDING * largest
    return found


@weak_cache
def _ways(roadmap: Roadmap) -> Float:
    """Return the length (L, N) of the way from each landmark to each node [m].

    Each landmark is the node that is farthest from those before it, of those that can be reached.
    """
    count = len(roadmap.configurations)
    graph = adjacency(roadmap.edges, count)
    found: list[Float] = []
    nearest = np.full(count, np.inf)
    row = int(np.bincount(roadmap.edges.ravel(), minlength=count).argmax())
    for _ in range(LANDMARKS):
        reached = search(*graph, roadmap.edge_length, np.zeros(count), row, -1)[0]
        found.append(reached)
        nearest = np.minimum(nearest, reached)
        row = int(np.where(np.isfinite(nearest), nearest, -1.0).argmax())
    return np.array(found)
