"""Compiled components and shortest paths of a graph, which is given by its edges.

SciPy has both, but its import takes longer than a small query.
"""

from heapq import heappop, heappush

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.geometry.arrays import read_only
from rmp3d.geometry.compiled import compiled


def components(count: int, edges: Index) -> Index:
    """Return for each of ``count`` nodes the least number of a node in its component.

    Args:
        count: Number of nodes.
        edges: (E, 2) node numbers.
    """
    label = np.arange(count)
    join_labels(label, read_only(np.ascontiguousarray(edges, np.int64)[:]))
    return label


@compiled
def join_labels(label, edges):
    """Join the components of ``label`` (N,) along edges (E, 2).

    Before, the label of each node is a node of its own component. Afterwards it is the least label
    of its component.
    """
    for e in range(edges.shape[0]):
        one, two = label[edges[e, 0]], label[edges[e, 1]]
        while label[one] != one:
            one = label[one]
        while label[two] != two:
            two = label[two]
        if one < two:
            label[two] = one
        else:
            label[one] = two
    for i in range(label.shape[0]):
        # A label is never larger than its row, so the label of a smaller row is final already.
        label[i] = label[label[i]]


def component_numbers(count: int, edges: Index) -> Index:
    """Return for each of ``count`` nodes the number of its component: 0, 1, ... by least node."""
    numbers: Index = np.unique(components(count, edges), return_inverse=True)[1].reshape(-1)
    return numbers


def shortest_path(count: int, edges: Index, length: Float, start: int, goal: int) -> Index:
    """Return the node numbers of the shortest path from start to goal; empty if there is none.

    Args:
        count: Number of nodes.
        edges: (E, 2) node numbers; the path may take an edge in both directions.
        length: (E,) not negative.
        start: Node.
        goal: Node.
    """
    first, neighbor, row = adjacency(np.ascontiguousarray(edges, np.int64), count)
    nothing = np.zeros(count)
    reached, before, _ = search(first, neighbor, row, length, nothing, start, goal)
    if not np.isfinite(reached[goal]):
        return np.zeros(0, np.intp)
    rows = [goal]
    while rows[-1] != start:
        rows.append(int(before[rows[-1]]))
    return np.array(rows[::-1], dtype=np.intp)


@compiled
def adjacency(edges, count):
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


def extended(
    known: tuple[Index, Index, Index], edges: int, further: Index, count: int
) -> tuple[Index, Index, Index]:
    """Return the `adjacency` of a graph with some more edges and nodes, which is known without.

    Args:
        known: The adjacency of that.
        edges: How many it has.
        further: (P, 2) node numbers of the edges that come after these.
        count: Nodes of the larger graph.
    """
    first, neighbor, row = known
    node, other = further.ravel(), further[:, ::-1].ravel()
    number = edges + np.arange(len(further)).repeat(2)
    begin = np.concatenate([first, np.full(count + 1 - len(first), first[-1])])
    order = np.argsort(node, kind="stable")
    place = begin[node[order] + 1]
    more = np.concatenate([[0], np.cumsum(np.bincount(node, minlength=count))])
    return (
        begin + more,
        np.insert(neighbor, place, other[order]),
        np.insert(row, place, number[order]),
    )


@compiled
def search(first, neighbor, row, cost, estimate, start, goal):
    """Search the cheapest path by A*, and stop at the goal.

    Args:
        first: (N + 1,) where the row of each node begins in ``neighbor`` and ``row``.
        neighbor: (2 E,) node at the other end.
        row: (2 E,) number of the edge.
        cost: (E,) of each edge, not negative.
        estimate: (N,) a lower bound of each node's cost to the goal; zeros: Dijkstra's search.
        start: Node.
        goal: Node.

    Returns:
        For each node the cost at which it was reached, the node before it, and the edge.
    """
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
