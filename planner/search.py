"""The shortest way through a roadmap between two configurations that are not in it."""

from itertools import pairwise

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import cKDTree

from geometry import Float, Index
from planner.errors import NoPathError
from planner.polyline import joined, total_length
from planner.prm import least_clearance
from planner.roadmap import Roadmap
from planner.spaces import Space

NEAREST = 64  # nodes that an end is joined to at a time
FARTHEST = 1024  # nodes tried before it is given up


def shortest_way(
    roadmap: Roadmap, start: Float, goal: Float, clearance_wanted: float = 0.0
) -> Float:
    """Return the shortest certified polyline (K, 3) over the roadmap.

    The ends are joined to their nearest nodes, and to each other. Dijkstra's search (1959) then
    weighs an edge with its length, made up to twice as dear where its clearance falls short of
    ``clearance_wanted`` [m].

    Raises:
        NoPathError: Start and goal are in different components.
    """
    space = roadmap.space
    direct = space.connect(start[None], goal[None])[0]
    if direct is not None and clearance_wanted == 0.0:
        return direct
    count = len(roadmap.configurations)
    pairs, polylines = [roadmap.edges], list(roadmap.polylines)
    for number, end in ((count, start), (count + 1, goal)):
        nodes, ways = _join(space, roadmap.configurations, end)
        pairs.append(np.stack([nodes, np.full(len(nodes), number)], axis=1))
        polylines += ways
    if direct is not None:
        pairs.append(np.array([[count, count + 1]]))
        polylines.append(direct)
    edges = np.concatenate(pairs).astype(np.intp)
    fresh = polylines[len(roadmap.polylines) :]
    clearance = np.append(roadmap.edge_clearance, least_clearance(space.world, fresh))
    extent = np.append(roadmap.edge_length, [total_length(points) for points in fresh])
    way = _dijkstra(count, edges, _cost(extent, clearance, clearance_wanted), roadmap)
    row_of = {(a, b): row for row, (a, b) in enumerate(edges.tolist())}
    pieces = []
    for a, b in pairwise(way):
        points = polylines[row_of[min(a, b), max(a, b)]]
        pieces.append(points if a < b else points[::-1])
    return joined(pieces)


def _join(space: Space, configurations: Float, end: Float) -> tuple[Index, list[Float]]:
    """Return near nodes and certified polylines from each of them to ``end`` (3,)."""
    count = min(FARTHEST, len(configurations))
    if count == 0:
        return np.zeros(0, np.intp), []
    _, order = cKDTree(configurations).query(end, k=count)
    order = np.atleast_1d(order)
    for first in range(0, count, NEAREST):
        nodes = order[first : first + NEAREST]
        ways = space.connect(configurations[nodes], np.tile(end, (len(nodes), 1)))
        found = [way for way in ways if way is not None]
        if found:
            return nodes[[way is not None for way in ways]], found
    return np.zeros(0, np.intp), []


def _cost(extent: Float, clearance: Float, wanted: float) -> Float:
    """Return what each edge costs (E,) [m]; never zero, which sparse graphs take for no edge."""
    shortage = np.clip(1.0 - clearance / wanted, 0.0, 1.0) if wanted > 0.0 else 0.0
    return np.maximum(extent * (1.0 + shortage), 1e-12)


def _dijkstra(count: int, edges: Index, cost: Float, roadmap: Roadmap) -> list[int]:
    """Return the node numbers from start (``count``) to goal (``count + 1``)."""
    size = count + 2
    graph = coo_matrix((cost, (edges[:, 0], edges[:, 1])), (size, size)).tocsr()
    distance, before = dijkstra(
        graph, directed=False, indices=[count, count + 1], return_predecessors=True
    )
    if not np.isfinite(distance[0, count + 1]):
        reached = np.isfinite(distance[:, :count]).sum(axis=1)
        components = len(roadmap.component_size)
        width = 2.0 * roadmap.space.world.body.radius
        raise NoPathError(int(reached[0]), int(reached[1]), components, count, width)
    nodes = [count + 1]
    while nodes[-1] != count:
        nodes.append(int(before[0, nodes[-1]]))
    return nodes[::-1]
