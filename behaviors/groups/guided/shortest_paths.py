"""Shortest paths over a roadmap to one place, from anywhere, found at once for many members."""

from copy import copy

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.vectors import length
from rmp3d.planner.roadmap.roadmap import Roadmap

# So many of the nearest nodes are tried for a straight motion: from the goal, from a member.
ENDS, TRIED = 64, 16
# A motion is looked at in so many points for members within this distance [m] of a jam, each of
# which makes the meters there dearer by this share.
LOOKS, CROWDED, DEARER = 5, 1.5, 0.3


class ShortestPathTree:
    """The tree of shortest paths over a roadmap to a goal.

    Paths go from node to node in straight motions that are proved free; pairs that a lazy roadmap
    has not tried are tried here, all at once.

    Args:
        roadmap: Of the space that the paths are in.
        goal: (3,) [m].
    """

    def __init__(self, roadmap: Roadmap, goal: Float) -> None:
        self._space, self._nodes = roadmap.space, roadmap.configurations
        count = len(self._nodes)
        pairs = np.concatenate([roadmap.edges, roadmap.untried])
        pairs = pairs[self._space.connects(self._nodes[pairs[:, 0]], self._nodes[pairs[:, 1]])]
        last = np.argsort(length(self._nodes - goal), kind="stable")[:ENDS]
        last = last[self._space.connects(self._nodes[last], np.tile(goal, (len(last), 1)))]
        self._pairs = np.concatenate([pairs, np.column_stack([last, np.full(len(last), count)])])
        self._points = np.concatenate([self._nodes, goal[None]])
        self._search(np.zeros((0, 3)))

    def past(self, crowd: Float) -> "ShortestPathTree":
        """Return the tree in which edges near the members of a crowd (c, 3) [m] are dearer."""
        found = copy(self)
        found._search(crowd)
        return found

    def _search(self, crowd: Float) -> None:
        from scipy.sparse import coo_matrix  # slow to load
        from scipy.sparse.csgraph import dijkstra

        price = prices(self._points[self._pairs[:, 0]], self._points[self._pairs[:, 1]], crowd)
        size = len(self._points)
        graph = coo_matrix((price, (self._pairs[:, 0], self._pairs[:, 1])), (size, size))
        self._distance, self._next = dijkstra(
            graph.tocsr(), directed=False, indices=size - 1, return_predecessors=True
        )

    def routes(self, position: Float) -> list[Float | None]:
        """Return routes (K, 3) [m] from positions (m, 3), the goal last; None where there is none.

        A route begins at the node in sight with the shortest path; the position is not part of it.
        """
        apart = length(self._nodes[None] - position[:, None])  # (m, N)
        near = np.argsort(apart, axis=1, kind="stable")[:, :TRIED]
        tiled = np.repeat(position, near.shape[1], axis=0)
        seen = self._space.connects(tiled, self._nodes[near.ravel()]).reshape(near.shape)
        distance = np.take_along_axis(apart, near, axis=1) + self._distance[near]
        distance[~seen] = np.inf
        best = np.argmin(distance, axis=1)
        return [
            self._points[self._chain(int(near[row, k]))] if np.isfinite(distance[row, k]) else None
            for row, k in enumerate(best)
        ]

    def _chain(self, node: int) -> Index:
        """Return the nodes from one to the goal."""
        chain = [node]
        while self._next[chain[-1]] >= 0:
            chain.append(int(self._next[chain[-1]]))
        return np.array(chain, np.intp)


def prices(start: Float, end: Float, crowd: Float) -> Float:
    """Return what motions start[i] -> end[i], (M, 3) [m], cost: their lengths, dearer in a crowd.

    Each member of the crowd (c, 3) within `CROWDED` of a point of the motion adds `DEARER` to the
    price of a meter there.
    """
    from scipy.spatial import cKDTree  # slow to load

    price = length(end - start)
    if len(crowd) == 0 or len(price) == 0:
        return price
    shares = np.linspace(0.0, 1.0, LOOKS)[:, None, None]
    points = (start + shares * (end - start)).reshape(-1, 3)
    near = cKDTree(crowd).query_ball_point(points, CROWDED, return_length=True)
    return price * (1.0 + DEARER * near.reshape(LOOKS, -1).mean(axis=0))
