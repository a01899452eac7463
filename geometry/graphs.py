"""Compiled components and shortest paths of a graph, which is given by its edges.

SciPy has both, but its import takes longer than a small query.
"""

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.geometry.compiled import compiled


def components(count: int, edges: Index) -> Index:
    """Return for each of ``count`` nodes the least number of a node in its component.

    Args:
        count: Number of nodes.
        edges: (E, 2) node numbers.
    """
    label = np.arange(count)
    join_labels(label, np.ascontiguousarray(edges, np.int64))
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


def shortest_path(count: int, edges: Index, length: Float, start: int, goal: int) -> Index:
    """Return the node numbers of the shortest way from start to goal, empty if there is none.

    Args:
        count: Of nodes.
        edges: (E, 2) node numbers; the way may take them in both directions.
        length: (E,) not negative.
        start: Node.
        goal: Node.
    """
    ends = np.concatenate([edges, edges[:, ::-1]])
    order = np.argsort(ends[:, 0], kind="stable")
    first = np.searchsorted(ends[order, 0], np.arange(count + 1))
    before = np.full(count, -1)
    _dijkstra(first, ends[order, 1].copy(), np.tile(length, 2)[order], start, goal, before)
    if before[goal] < 0:
        return np.zeros(0, np.intp)
    rows = [goal]
    while rows[-1] != start:
        rows.append(int(before[rows[-1]]))
    return np.array(rows[::-1], dtype=np.intp)


@compiled
def _dijkstra(first, other, length, start, goal, before):
    """Fill ``before`` (N,), the node before each on its shortest way, until the goal is reached.

    Edges of node i are the rows first[i] to first[i + 1] of ``other`` and ``length``. The heap
    may hold a node several times; only its first leaving counts.
    """
    distance = np.full(before.shape[0], np.inf)
    heap_key, heap_node = np.empty(other.shape[0] + 1), np.empty(other.shape[0] + 1, np.int64)
    heap_key[0], heap_node[0], size = 0.0, start, 1
    distance[start], before[start] = 0.0, start
    while size > 0:
        key, node = heap_key[0], heap_node[0]
        size -= 1
        _sift_down(heap_key, heap_node, size, heap_key[size], heap_node[size])
        if key > distance[node]:
            continue
        if node == goal:
            return
        for e in range(first[node], first[node + 1]):
            reached = key + length[e]
            if reached < distance[other[e]]:
                distance[other[e]], before[other[e]] = reached, node
                row = size
                size += 1
                while row > 0 and heap_key[(row - 1) // 2] > reached:
                    heap_key[row], heap_node[row] = (
                        heap_key[(row - 1) // 2],
                        heap_node[(row - 1) // 2],
                    )
                    row = (row - 1) // 2
                heap_key[row], heap_node[row] = reached, other[e]


@compiled
def _sift_down(heap_key, heap_node, size, key, node):
    """Put an entry in the place of the least one of a heap of ``size`` entries."""
    row = 0
    while 2 * row + 1 < size:
        child = 2 * row + 1
        if child + 1 < size and heap_key[child + 1] < heap_key[child]:
            child += 1
        if heap_key[child] >= key:
            break
        heap_key[row], heap_node[row] = heap_key[child], heap_node[child]
        row = child
    heap_key[row], heap_node[row] = key, node
