"""The shortest way through a roadmap between two configurations that are not in it."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components, dijkstra

from geometry import Float, Index, frozen
from planner.choice import choose
from planner.collision import QueryCounts
from planner.edges import least_clearance, proved
from planner.errors import NoPathError
from planner.local_planners import LOCAL_PLANNERS, LocalPlanner
from planner.metric import nearest
from planner.polyline import joined, total_length
from planner.roadmap import Roadmap
from planner.spaces import Space

NEAREST = 64  # nodes that an end is joined to at a time
FARTHEST = 1024  # nodes tried before it is given up


@dataclass(frozen=True, eq=False)
class Ends:
    """Start and goal as two more nodes, N and N + 1, of a roadmap with N nodes.

    Attributes:
        edges: (P, 2) node numbers, the lower one first.
        polylines: (K, W) certified motion of each edge, from the lower node to the higher.
        length: (P,) [m].
        clearance: (P,) lower bound of the least clearance along the edge [m].
    """

    edges: Index
    polylines: tuple[Float, ...]
    length: Float
    clearance: Float


def shortest_way(
    roadmap: Roadmap, start: Float, goal: Float, clearance_wanted: float = 0.0
) -> Float:
    """Return the shortest certified polyline (K, W) over the roadmap; see `way_over`.

    Raises:
        NoPathError: Start and goal are in different components.
    """
    ends = join_ends(roadmap, start, goal, clearance_wanted)
    return way_over(settled(roadmap, ends, clearance_wanted), ends, clearance_wanted)


def join_ends(roadmap: Roadmap, start: Float, goal: Float, clearance_wanted: float = 0.0) -> Ends:
    """Join free configurations (W,) to their nearest nodes, and to each other.

    Where the straight motion is free and no clearance is wanted, that is all there is to find.
    """
    space, count = roadmap.space, len(roadmap.configurations)
    direct = space.connect(start[None], goal[None])[0]
    pairs, polylines = [np.zeros((0, 2), np.intp)], []
    if direct is None or clearance_wanted > 0.0:
        for number, end in ((count, start), (count + 1, goal)):
            nodes, ways = _join(space, roadmap.configurations, end)
            pairs.append(np.stack([nodes, np.full(len(nodes), number)], axis=1))
            polylines += ways
    if direct is not None:
        pairs.append(np.array([[count, count + 1]]))
        polylines.append(direct)
    return Ends(
        edges=np.concatenate(pairs).astype(np.intp),
        polylines=tuple(polylines),
        length=np.array([total_length(points, space) for points in polylines]),
        clearance=least_clearance(space, polylines),
    )


def settled(roadmap: Roadmap, ends: Ends, clearance_wanted: float = 0.0) -> Roadmap:
    """Return the roadmap with its untried pairs proved as far as the shortest way needs them.

    A pair that nobody has tried counts as an edge as long as the straight line, which no way
    undercuts. So the way that a search finds is too good or true: its pairs are tried, those that
    fail are dropped, and the search is repeated until all of its way is proved (Bohlin and
    Kavraki 2000, "Path planning using lazy PRM"). The way is then the one that a roadmap with
    every pair tried would give.
    """
    if len(roadmap.untried) == 0:
        return roadmap
    world = roadmap.space.world
    counts = world.counts.copy()
    local_planner: LocalPlanner = choose(LOCAL_PLANNERS, roadmap.local_planner)
    while True:
        way = _shortest(roadmap, ends, clearance_wanted)
        wanted = _rows_of(way, roadmap.untried, len(roadmap.configurations))
        if len(wanted) == 0:
            break
        roadmap = _tried(roadmap, wanted, local_planner)
    spent = world.counts.since(counts)
    total = QueryCounts(
        roadmap.counts.collision + spent.collision, roadmap.counts.distance + spent.distance
    )
    return replace(roadmap, counts=total)


def is_joined(roadmap: Roadmap, ends: Ends) -> bool:
    """Return whether a settled roadmap joins start and goal."""
    return len(_shortest(roadmap, ends, 0.0)) > 0


def way_over(roadmap: Roadmap, ends: Ends, clearance_wanted: float = 0.0) -> Float:
    """Return the shortest certified polyline (K, W) over a settled roadmap.

    Dijkstra's search (1959) weighs an edge with its length, made up to twice as dear where its
    clearance falls short of ``clearance_wanted`` [m].

    Raises:
        NoPathError: Start and goal are in different components.
    """
    way = _shortest(roadmap, ends, clearance_wanted)
    if not way:
        raise _no_path(roadmap, ends)
    count = len(roadmap.configurations)
    polylines = (*roadmap.polylines, *ends.polylines)
    rows = _rows_of(way, np.concatenate([roadmap.edges, ends.edges]), count)
    pieces = [
        polylines[row] if a < b else polylines[row][::-1]
        for (a, b), row in zip(pairwise(way), rows.tolist(), strict=True)
    ]
    return joined(pieces)


def _join(space: Space, configurations: Float, end: Float) -> tuple[Index, list[Float]]:
    """Return near nodes and certified polylines from each of them to ``end`` (W,)."""
    count = min(FARTHEST, len(configurations))
    if count == 0:
        return np.zeros(0, np.intp), []
    order = nearest(space, configurations, end[None], count)[0]
    for first in range(0, count, NEAREST):
        nodes = order[first : first + NEAREST]
        ways = space.connect(configurations[nodes], np.tile(end, (len(nodes), 1)))
        found = [way for way in ways if way is not None]
        if found:
            return nodes[[way is not None for way in ways]], found
    return np.zeros(0, np.intp), []


def _tried(roadmap: Roadmap, rows: Index, local_planner: LocalPlanner) -> Roadmap:
    """Return the roadmap with some rows of its untried pairs made edges, or dropped."""
    pairs = roadmap.untried[rows]
    start, end = roadmap.configurations[pairs[:, 0]], roadmap.configurations[pairs[:, 1]]
    found = local_planner.connect(roadmap.space, start, end)
    left = frozen(np.delete(roadmap.untried, rows, axis=0), np.intp)
    return replace(roadmap, untried=left).with_edges(*proved(pairs, found))


def _rows_of(way: list[int], pairs: Index, count: int) -> Index:
    """Return the rows of ``pairs`` that lie on a way over ``count`` nodes and two ends, in order.

    Steps of the way that are none of the pairs are left out.
    """
    if len(pairs) == 0 or len(way) < 2:
        return np.zeros(0, np.intp)
    size = count + 2
    steps = np.sort(np.stack([way[:-1], way[1:]], axis=1), axis=1)
    wanted, keys = steps[:, 0] * size + steps[:, 1], pairs[:, 0] * size + pairs[:, 1]
    order = np.argsort(wanted, kind="stable")  # few, where there may be many pairs
    step = order[np.minimum(np.searchsorted(wanted, keys, sorter=order), len(order) - 1)]
    rows = np.flatnonzero(keys == wanted[step])
    return rows[np.argsort(step[rows], kind="stable")]


def _shortest(roadmap: Roadmap, ends: Ends, wanted: float) -> list[int]:
    """Return the nodes of the shortest way from start to goal, untried pairs included.

    Empty if there is none.
    """
    count = len(roadmap.configurations)
    straight = roadmap.configurations[roadmap.untried]
    extent = [
        roadmap.edge_length,
        roadmap.space.distance(straight[:, 0], straight[:, 1]),
        ends.length,
    ]
    unknown = np.full(len(roadmap.untried), np.inf)
    clearance = np.concatenate([roadmap.edge_clearance, unknown, ends.clearance])
    cost = _cost(np.concatenate(extent), clearance, wanted)
    edges = _all_pairs(roadmap, ends)
    graph = coo_matrix((cost, (edges[:, 0], edges[:, 1])), (count + 2, count + 2)).tocsr()
    _, before = dijkstra(graph, directed=False, indices=count, return_predecessors=True)
    if before[count + 1] < 0:
        return []
    nodes = [count + 1]
    while nodes[-1] != count:
        nodes.append(int(before[nodes[-1]]))
    return nodes[::-1]


def _cost(extent: Float, clearance: Float, wanted: float) -> Float:
    """Return what each edge costs (E,) [m]; never zero, which sparse graphs take for no edge."""
    shortage = np.clip(1.0 - clearance / wanted, 0.0, 1.0) if wanted > 0.0 else 0.0
    return np.maximum(extent * (1.0 + shortage), 1e-12)


def _all_pairs(roadmap: Roadmap, ends: Ends) -> Index:
    return np.concatenate([roadmap.edges, roadmap.untried, ends.edges])


def _no_path(roadmap: Roadmap, ends: Ends) -> NoPathError:
    """Return the error that says how much of the roadmap start and goal reach."""
    count = len(roadmap.configurations)
    edges = _all_pairs(roadmap, ends)
    ones = np.ones(len(edges))
    graph = coo_matrix((ones, (edges[:, 0], edges[:, 1])), (count + 2, count + 2))
    label = connected_components(graph, directed=False)[1]
    size = np.bincount(label[:count], minlength=int(label.max()) + 1)
    sizes = np.sort(size[size > 0])[::-1].tolist()
    width = 2.0 * roadmap.space.world.body.radius
    start, goal = size[label[count:]].tolist()
    return NoPathError(start, goal, sizes, width, roadmap.statistics)
