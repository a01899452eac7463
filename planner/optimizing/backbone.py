"""The backbone of trees: what they have reached, in few nodes and proved polylines."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.geometry.graphs import adjacency, search
from rmp3d.planner.spaces import Space

NOWHERE = -1


@dataclass(frozen=True, eq=False)
class Backbone:
    """A few nodes of a graph.

    Attributes:
        rows: (B,) numbers of the nodes in the graph; its first two, start and goal, come first.
        pairs: (P, 2) numbers among ``rows`` that are joined.
        lines: The proved polylines (K, W) from the first to the second of each pair.
    """

    rows: Index
    pairs: Index
    lines: list[Float]


def backbone(space: Space, nodes: Float, edges: Index, useful: Bool, spacing: float) -> Backbone:
    """Return one node of each cell that trees have reached, and the ways between them.

    Args:
        space: Whose metric measures ways.
        nodes: (N, W) configurations; the first two are the roots of the trees, start and goal.
        edges: (E, 2) proved straight motions.
        useful: (N,) which nodes may be kept.
        spacing: Edge of a cell [m].
    """
    count = len(nodes)
    length = space.distance(nodes[edges[:, 0]], nodes[edges[:, 1]])
    first, neighbor, row = adjacency(np.ascontiguousarray(edges, np.int64), count)
    nothing = np.zeros(count)
    runs = [search(first, neighbor, row, length, nothing, root, NOWHERE) for root in (0, 1)]
    from_goal = runs[1][0] < runs[0][0]
    reached = np.where(from_goal, runs[1][0], runs[0][0])
    before = np.where(from_goal, runs[1][1], runs[0][1])
    order = np.argsort(reached, kind="stable")
    order = order[(useful & np.isfinite(reached))[order]]
    order = order[order > 1]
    _, kept = np.unique(_cells(space, nodes[order], spacing), axis=0, return_index=True)
    rows = np.concatenate([[0, 1], order[np.sort(kept)]]).astype(np.intp)
    number = np.full(count, NOWHERE)
    number[rows] = np.arange(len(rows))
    pairs, lines = [], []
    for child in rows[2:].tolist():
        way = [child]
        while len(way) == 1 or number[way[-1]] == NOWHERE:
            way.append(int(before[way[-1]]))
        pairs.append((number[way[-1]], number[child]))
        lines.append(nodes[way[::-1]])
    return Backbone(rows, np.array(pairs, np.intp).reshape(-1, 2), lines)


def _cells(space: Space, configurations: Float, spacing: float) -> Index:
    """Return the cells (M, E) of configurations (M, W), by one of their images."""
    images = space.images(configurations)
    points = images[0]
    if len(images) > 1:
        # Of a quaternion and its opposite, the one whose first part is not negative.
        points = np.where(configurations[:, 3:4] < 0.0, images[1], points)
    return np.floor(points / spacing).astype(np.intp)
