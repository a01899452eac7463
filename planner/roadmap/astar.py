"""The shortest way through a graph whose edges may become dearer: A* that learns."""

from heapq import heappop, heappush

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.geometry.compiled import compiled


class RisingGraph:
    """An undirected graph in which the way to one goal is searched again as costs rise.

    A* (Hart, Nilsson, Raphael 1968, "A formal basis for the heuristic determination of minimum
    cost paths"). Where a search of cost C came to a node at cost g, the goal is at least C - g
    away, and stays so when edges become dearer. So each search looks at little more than what
    has changed since the one before (Koenig and Likhachev 2005, "Adaptive A*").

    Args:
        edges: (E, 2) node numbers.
        cost: (E,) of each edge, not negative.
        estimate: (N,) a lower bound of each node's cost to the goal that obeys the triangle
            inequality, such as the straight distance.
        goal: Node.
    """

    def __init__(self, edges: Index, cost: Float, estimate: Float, goal: int) -> None:
        self._first, self._neighbor, self._row = _adjacency(edges, len(estimate))
        self._cost = np.array(cost, dtype=np.float64)
        self._estimate = np.array(estimate, dtype=np.float64)
        self._goal = goal

    def raise_cost(self, rows: Index, cost: Float) -> None:
        """Make edges dearer; infinite: drop them."""
        self._cost[rows] = np.maximum(self._cost[rows], cost)

    def shortest(self, start: int) -> tuple[Index, Index] | None:
        """Return the nodes (K + 1,) and edges (K,) of the cheapest way, None if there is none."""
        reached, before, by = _search(
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


@compiled
def _adjacency(edges, count):
    """Return where each node's row begins (count + 1,), and neighbor and edge (2 E,) in it."""
    first = np.zeros(count + 1, np.intp)
    for k in range(len(edges)):
        first[edges[k, 0] + 1] += 1
        first[edges[k, 1] + 1] += 1
    first = np.cumsum(first)
    place = first[:-1].copy()
    neighbor, row = np.empty(2 * len(edges), np.intp), np.empty(2 * len(edges), np.intp)
    for k in range(len(edges)):
        for side in range(2):
            node = edges[k, side]
            neighbor[place[node]], row[place[node]] = edges[k, 1 - side], k
            place[node] += 1
    return first, neighbor, row


@compiled
def _search(first, neighbor, row, cost, estimate, start, goal):
    """Return for each node the cost at which it was reached, the node before it, and the edge."""
    reached = np.full(len(estimate), np.inf)
    before = np.full(len(estimate), -1)
    by = np.full(len(estimate), -1)
    reached[start] = 0.0
    heap = [(estimate[start], start)]
    while len(heap):
        total, node = heappop(heap)
        if node == goal:
            break
        if total > reached[node] + estimate[node]:
            continue  # a cheaper way to it was found since
        for k in range(first[node], first[node + 1]):
            there = reached[node] + cost[row[k]]
            other = neighbor[k]
            if there < reached[other]:
                reached[other], before[other], by[other] = there, node, row[k]
                heappush(heap, (there + estimate[other], other))
    return reached, before, by
