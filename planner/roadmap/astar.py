"""The shortest path through a graph whose edges may become dearer: A* that learns."""

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.geometry.graphs import search


class RisingGraph:
    """An undirected graph in which the path to one goal is searched again as costs rise.

    A* (Hart, Nilsson, Raphael 1968, "A formal basis for the heuristic determination of minimum
    cost paths"). Where a search of cost C came to a node at cost g, the goal is at least C - g
    away, and stays so when edges become dearer. So each search looks at little more than what
    has changed since the one before (Koenig and Likhachev 2005, "Adaptive A*").

    Args:
        adjacent: The `adjacency` of its E edges and N nodes.
        cost: (E,) of each edge, not negative.
        estimate: (N,) a lower bound of each node's cost to the goal that obeys the triangle
            inequality, such as the straight distance.
        goal: Node.
    """

    def __init__(
        self,
        adjacent: tuple[Index, Index, Index],
        cost: Float,
        estimate: Float,
        goal: int,
    ) -> None:
        self._first, self._neighbor, self._row = adjacent
        self._cost = np.array(cost, dtype=np.float64)
        self._estimate = np.array(estimate, dtype=np.float64)
        self._goal = goal

    def raise_cost(self, rows: Index, cost: Float) -> None:
        """Make edges dearer; infinite: drop them."""
        self._cost[rows] = np.maximum(self._cost[rows], cost)

    def shortest(self, start: int) -> tuple[Index, Index] | None:
        """Return the nodes (K + 1,) and edges (K,) of the cheapest path, None if there is none."""
        reached, before, by = search(
            self._first, self._neighbor, self._row, self._cost, self._estimate, start, self._goal
        )
        best = reached[self._goal]
        if not np.isfinite(best):
            return None
        self._estimate = np.maximum(self._estimate, best - reached)
        nodes, rows = [self._goal], []
        while nodes[-1] != start:
            rows.append(by[nodes[-1]])
            nodes.append(before[nodes[-1]])
        return np.array(nodes[::-1], np.intp), np.array(rows[::-1], np.intp)
