"""Shortest ways over a graph between pairs of places, one search for each pair.

A table of all distances grows with the square of the nodes. Where thousands of members have goals
of their own in a large scene, each search is over soon instead: it looks first where the rest of
the way can be shortest (A*, Hart, Nilsson, Raphael 1968, "A formal basis for the heuristic
determination of minimum cost paths").
"""

from math import inf, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rmp3d.behaviors.groups.guided.roadmap_routes import Entries
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.compiled import compiled, inlined, released
from rmp3d.geometry.parallel import in_blocks

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

LEAST = 2
"""Searches of a thread, at least."""


class Edges(NamedTuple):
    """The edges of a graph, node by node: those of node i begin at ``begin[i]``.

    Attributes:
        begin: (N + 1,).
        neighbor: (E,) where each leads.
        price: (E,) [m].
    """

    begin: Index
    neighbor: Index
    price: Float


def edges_of_nodes(graph: "csr_matrix") -> Edges:
    """Return the edges of a graph that has each in both directions."""
    return Edges(graph.indptr.astype(np.int64), graph.indices.astype(np.int64), graph.data)


def shortest_chains(
    edges: Edges, nodes: Float, start: Entries, end: Entries
) -> tuple[Float, list[Index]]:
    """Return the lengths (M,) [m] of the shortest ways, and the nodes (K,) of each in order.

    The length is infinite, and there are no nodes, where there is no way.

    Args:
        edges: In both directions; prices are no less than the distances of the nodes.
        nodes: (N, 3) [m].
        start: Nodes that M places can be left for.
        end: Nodes from which M places can be entered.
    """
    total = np.full(len(start.node), inf)
    leave, enter = start.node.astype(np.int64), end.node.astype(np.int64)
    leaving, entering = (np.ascontiguousarray(each.distance) for each in (start, end))

    def some(rows: slice) -> list[Index]:
        first = np.zeros(rows.stop - rows.start + 1, np.int64)
        chain = _search(
            *edges, nodes, leave[rows], leaving[rows], enter[rows], entering[rows], total[rows],
            first,
        )  # fmt: skip
        return np.split(chain, first[1:-1])

    parts = in_blocks(some, len(total), LEAST)
    return total, [chain for part in parts for chain in part]


@released
def _search(begin, neighbor, price, nodes, leave, leaving, enter, entering, total, first):
    """Fill in lengths (M,) and where chains begin (M + 1,); return the chains, end to end."""
    count = nodes.shape[0]
    far, before = np.full(count, inf), np.full(count, -1, np.int64)
    touched, touches = np.empty(count, np.int64), 0
    key, item = np.empty(64), np.empty(64, np.int64)
    chain, filled = np.empty(1024, np.int64), 0
    for row in range(leave.shape[0]):
        for k in range(touches):
            far[touched[k]], before[touched[k]] = inf, -1
        touches, size = 0, 0
        for k in range(leave.shape[1]):
            node = leave[row, k]
            if leaving[row, k] < far[node]:
                if far[node] == inf:
                    touched[touches] = node
                    touches += 1
                far[node] = leaving[row, k]
                rest = _rest(nodes, node, enter[row], entering[row])
                key, item, size = _pushed(key, item, size, far[node] + rest, node)
        last = -1
        while size > 0 and key[0] < total[row]:
            estimate, node = key[0], item[0]
            size = _popped(key, item, size)
            if estimate > far[node] + _rest(nodes, node, enter[row], entering[row]):
                continue  # it has been come to by a shorter way since
            for k in range(enter.shape[1]):
                if enter[row, k] == node and far[node] + entering[row, k] < total[row]:
                    total[row], last = far[node] + entering[row, k], node
            for e in range(begin[node], begin[node + 1]):
                other, reached = neighbor[e], far[node] + price[e]
                if reached < far[other]:
                    if far[other] == inf:
                        touched[touches] = other
                        touches += 1
                    far[other], before[other] = reached, node
                    rest = _rest(nodes, other, enter[row], entering[row])
                    key, item, size = _pushed(key, item, size, reached + rest, other)
        steps, node = 0, last
        while node >= 0:
            steps, node = steps + 1, before[node]
        if filled + steps > chain.shape[0]:
            chain = _grown(chain, filled, filled + steps)
        filled, node = filled + steps, last
        for k in range(steps):
            chain[filled - 1 - k], node = node, before[node]
        first[row + 1] = filled
    return chain[:filled]


@inlined
def _rest(nodes, node, enter, entering):
    """Return a lower bound of the way from a node to the place: straight to where it is entered."""
    least = inf
    for k in range(enter.shape[0]):
        other = enter[k]
        x, y = nodes[node, 0] - nodes[other, 0], nodes[node, 1] - nodes[other, 1]
        z = nodes[node, 2] - nodes[other, 2]
        least = min(least, sqrt(x * x + y * y + z * z) + entering[k])
    return least


@inlined
def _pushed(key, item, size, value, node):
    """Add a node to the heap; return its arrays, which may be larger, and its new size."""
    if size == key.shape[0]:
        larger = np.empty(2 * size)
        for k in range(size):
            larger[k] = key[k]
        key, item = larger, _grown(item, size, size + 1)
    k = size
    while k > 0 and value < key[(k - 1) // 2]:
        key[k], item[k] = key[(k - 1) // 2], item[(k - 1) // 2]
        k = (k - 1) // 2
    key[k], item[k] = value, node
    return key, item, size + 1


@inlined
def _popped(key, item, size):
    """Take the first node off the heap; return its new size."""
    size -= 1
    value, node, k = key[size], item[size], 0
    while 2 * k + 1 < size:
        child = 2 * k + 1
        if child + 1 < size and key[child + 1] < key[child]:
            child += 1
        if key[child] >= value:
            break
        key[k], item[k] = key[child], item[child]
        k = child
    key[k], item[k] = value, node
    return size


@compiled
def _grown(array, count, needed):
    larger = np.empty(max(needed, 2 * array.shape[0]), np.int64)
    for k in range(count):
        larger[k] = array[k]
    return larger
