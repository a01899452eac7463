"""The shortest path through a roadmap between two configurations that are not in it."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from rmp3d.geometry import Float, Index, frozen
from rmp3d.geometry.choices import choose
from rmp3d.geometry.graphs import adjacency, component_numbers, extended
from rmp3d.geometry.weak_cache import weak_cache
from rmp3d.planner.collision import QueryCounts
from rmp3d.planner.local_planners import LOCAL_PLANNERS, LocalPlanner
from rmp3d.planner.paths.edges import least_clearance, proved
from rmp3d.planner.paths.polyline import joined, total_length, total_lengths
from rmp3d.planner.roadmap.astar import RisingGraph
from rmp3d.planner.roadmap.failures import NoPathError
from rmp3d.planner.roadmap.landmarks import bounds_to_goal
from rmp3d.planner.roadmap.near_ends import batches_of_nodes
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import GroundHeadingSpace, Space


@dataclass(frozen=True, eq=False)
class Ends:
    """Start and goal as two more nodes, N and N + 1, of a roadmap with N nodes.

    Attributes:
        configurations: (2, W) of start and goal.
        edges: (P, 2) node numbers, the lower one first.
        polylines: (K, W) certified motion of each edge, from the lower node to the higher.
        length: (P,) [m].
        clearance: (P,) lower bound of the least clearance along the edge [m].
    """

    configurations: Float
    edges: Index
    polylines: tuple[Float, ...]
    length: Float
    clearance: Float


def shortest_route(
    roadmap: Roadmap, start: Float, goal: Float, clearance_wanted: float = 0.0
) -> Float:
    """Return the shortest certified polyline (K, W) over the roadmap; see `route_over`.

    Raises:
        NoPathError: Start and goal are in different components.
    """
    ends = join_ends(roadmap, start, goal, clearance_wanted)
    return route_over(settled(roadmap, ends, clearance_wanted), ends, clearance_wanted)


def join_ends(roadmap: Roadmap, start: Float, goal: Float, clearance_wanted: float = 0.0) -> Ends:
    """Join free configurations (W,) to their nearest nodes, and to each other.

    Where the straight motion is free and no clearance is wanted, that is all there is to find.
    """
    space, count = roadmap.space, len(roadmap.configurations)
    direct = space.connect(start[None], goal[None])[0]
    pairs, polylines = [np.zeros((0, 2), np.intp)], []
    if direct is None or clearance_wanted > 0.0:
        for number, end in ((count, start), (count + 1, goal)):
            leaves = number == count and _is_one_way(space)
            nodes, joints = _join(roadmap, end, leaves)
            pairs.append(np.stack([nodes, np.full(len(nodes), number)], axis=1))
            polylines += joints
    if direct is not None:
        pairs.append(np.array([[count, count + 1]]))
        polylines.append(direct)
    clearance = np.full(len(polylines), 0.5 * space.world.tolerance)  # that of any proof
    if clearance_wanted > 0.0:
        clearance = least_clearance(space, polylines)
    return Ends(
        configurations=np.stack([start, goal]),
        edges=np.concatenate(pairs).astype(np.intp),
        polylines=tuple(polylines),
        length=total_lengths(polylines, space),
        clearance=clearance,
    )


def settled(roadmap: Roadmap, ends: Ends, clearance_wanted: float = 0.0) -> Roadmap:
    """Return the roadmap with its untried pairs proved as far as the shortest path needs them.

    A pair that nobody has tried counts as an edge as long as the straight line, which no path
    undercuts. So the route that a search finds is too good or true: its pairs are tried, those that
    fail are dropped, and the search is repeated until all of its route is proved (Bohlin and
    Kavraki 2000, "Path planning using lazy PRM"). The path is then the one that a roadmap with
    every pair tried would give.
    """
    if len(roadmap.untried) == 0:
        return roadmap
    space, count = roadmap.space, len(roadmap.configurations)
    counts = space.world.counts.copy()
    local_planner: LocalPlanner = choose(LOCAL_PLANNERS, roadmap.local_planner)
    graph, first = _graph(roadmap, ends, clearance_wanted), len(roadmap.edges)
    open_ = np.ones(len(roadmap.untried), dtype=np.bool_)
    edges = replace(Roadmap.empty(space), configurations=roadmap.configurations)
    while (route := graph.shortest(count)) is not None:
        rows = route[1] - first
        rows = rows[(rows >= 0) & (rows < len(open_))]
        rows = rows[open_[rows]]
        if len(rows) == 0:
            break
        pairs = roadmap.untried[rows]
        found = local_planner.connect(space, *np.moveaxis(roadmap.configurations[pairs], 1, 0))
        added = len(edges.edges)
        edges = edges.with_edges(*proved(pairs, found))
        free = np.array([motion is not None for motion in found])
        cost = np.full(len(rows), np.inf)
        cost[free] = _cost(
            edges.edge_length[added:], edges.edge_clearance[added:], clearance_wanted
        )
        graph.raise_cost(first + rows, cost)
        open_[rows] = False
    spent = space.world.counts.since(counts)
    total = QueryCounts(
        roadmap.counts.collision + spent.collision, roadmap.counts.distance + spent.distance
    )
    untried = frozen(roadmap.untried[open_], np.intp)
    return replace(roadmap.with_edges_of(edges), untried=untried, counts=total)


def is_joined(roadmap: Roadmap, ends: Ends) -> bool:
    """Return whether a settled roadmap joins start and goal; see `route_over`."""
    label = _components(roadmap, ends)
    if label[-2] != label[-1]:
        return False
    return not _is_one_way(roadmap.space) or _route(roadmap, ends, 0.0) is not None


def route_over(roadmap: Roadmap, ends: Ends, clearance_wanted: float = 0.0) -> Float:
    """Return the shortest certified polyline (K, W) over a settled roadmap.

    An edge costs its length, up to twice that where its clearance falls short of
    ``clearance_wanted`` [m]; the search is that of `RisingGraph`.

    A vehicle without a reverse gear takes an edge the other way by a curve of its own, from the
    higher node to the lower: those of the route are proved when it is found. An edge without such
    a curve is dropped, one that is longer gets dearer, and the search is repeated.

    Raises:
        NoPathError: Start and goal are in different components, or no way leads forward.
    """
    route = _route(roadmap, ends, clearance_wanted)
    if route is None:
        raise _no_path(roadmap, ends)
    return route


def _route(roadmap: Roadmap, ends: Ends, clearance_wanted: float) -> Float | None:
    """Return the shortest certified polyline (K, W), or None; see `route_over`."""
    graph = _graph(roadmap, ends, clearance_wanted)
    count, own = len(roadmap.configurations), len(roadmap.edges)
    # Of equal ways, up to rounding, `settled` may have proved another than this search finds.
    untried = np.arange(own, own + len(roadmap.untried))
    graph.raise_cost(untried, np.full(len(untried), np.inf))
    one_way = _is_one_way(roadmap.space)
    back: dict[int, Float] = {}
    while (route := graph.shortest(count)) is not None:
        nodes, rows = route
        rows = np.where(rows < own, rows, rows - len(roadmap.untried))
        pairs = list(zip(pairwise(nodes.tolist()), rows.tolist(), strict=True))
        # What leaves the start is proved in that direction; see `join_ends`.
        new = [
            (row, a, b) for (a, b), row in pairs if one_way and a > b and row < own
            and row not in back
        ]  # fmt: skip
        if not new:
            along = [
                roadmap.polylines[row] if row < own else ends.polylines[row - own]
                for _, row in pairs
            ]
            return joined([
                motion if a < b else back.get(row, motion[::-1])
                for motion, ((a, b), row) in zip(along, pairs, strict=True)
            ])  # fmt: skip
        edge, first, last = np.array(new).T
        nodes_of = roadmap.configurations
        curves = roadmap.space.connect(nodes_of[first], nodes_of[last])
        cost = np.full(len(new), np.inf)
        for k, curve in enumerate(curves):
            if curve is not None:
                back[int(edge[k])] = curve
                cost[k] = total_length(curve, roadmap.space)
        graph.raise_cost(edge, cost)
    return None


def _is_one_way(space: Space) -> bool:
    """Return whether a motion is not free the other way: of vehicles that only drive forward."""
    return isinstance(space, GroundHeadingSpace) and not space.reverses


def _join(roadmap: Roadmap, end: Float, leaves: bool) -> tuple[Index, list[Float]]:
    """Return near nodes and certified polylines from each of them to ``end`` (W,).

    If a vehicle that only drives forward ``leaves`` the end, the motions are proved the other way.
    """
    space, configurations = roadmap.space, roadmap.configurations
    for nodes in batches_of_nodes(roadmap, end):
        here = np.tile(end, (len(nodes), 1))
        if leaves:
            away = space.connect(here, configurations[nodes])
            motions = [None if motion is None else motion[::-1] for motion in away]
        else:
            motions = space.connect(configurations[nodes], here)
        found = [motion for motion in motions if motion is not None]
        if found:
            return nodes[[motion is not None for motion in motions]], found
    return np.zeros(0, np.intp), []


def _graph(roadmap: Roadmap, ends: Ends, wanted: float) -> RisingGraph:
    """Return the graph of edges, untried pairs and ends, in this order, to the goal.

    An untried pair costs no more than its edge would.
    """
    space = roadmap.space
    pairs = np.moveaxis(roadmap.configurations[roadmap.untried], 1, 0)
    unknown = np.full(len(roadmap.untried), np.inf)
    cost = _cost(
        np.concatenate([roadmap.edge_length, space.distance(*pairs), ends.length]),
        np.concatenate([roadmap.edge_clearance, unknown, ends.clearance]),
        wanted,
    )
    nodes = np.concatenate([roadmap.configurations, ends.configurations])
    estimate = space.distance(nodes, np.broadcast_to(nodes[-1], nodes.shape))
    if roadmap.is_of_corners:
        to_goal = ends.edges[:, 1] == len(nodes) - 1
        direct = ends.edges[:, 0] >= len(nodes) - 2
        joint = np.flatnonzero(to_goal & ~direct)
        least = bounds_to_goal(roadmap, ends.edges[joint, 0], ends.length[joint])
        if least is not None and not (to_goal & direct).any():
            estimate[: len(least)] = np.maximum(estimate[: len(least)], least)
    own = len(roadmap.edges) + len(roadmap.untried)
    adjacent = extended(_adjacency_of(roadmap), own, ends.edges, len(nodes))
    return RisingGraph(adjacent, cost, estimate, len(nodes) - 1)


@weak_cache
def _adjacency_of(roadmap: Roadmap) -> tuple[Index, Index, Index]:
    """Return the `adjacency` of a roadmap's edges and untried pairs."""
    return adjacency(np.concatenate([roadmap.edges, roadmap.untried]), len(roadmap.configurations))


def _cost(extent: Float, clearance: Float, wanted: float) -> Float:
    """Return what each edge costs (E,) [m]."""
    shortage = np.clip(1.0 - clearance / wanted, 0.0, 1.0) if wanted > 0.0 else 0.0
    return extent * (1.0 + shortage)


def _all_pairs(roadmap: Roadmap, ends: Ends) -> Index:
    return np.concatenate([roadmap.edges, roadmap.untried, ends.edges])


def _components(roadmap: Roadmap, ends: Ends) -> Index:
    """Return the number (N + 2,) of each node's component, start and goal last."""
    count = len(roadmap.configurations) + 2
    return component_numbers(count, _all_pairs(roadmap, ends))


def _no_path(roadmap: Roadmap, ends: Ends) -> NoPathError:
    """Return the error that says how much of the roadmap start and goal reach."""
    label = _components(roadmap, ends)
    size = np.bincount(label[:-2], minlength=int(label.max()) + 1)
    sizes = np.sort(size[size > 0])[::-1].tolist()
    start, goal = size[label[-2:]].tolist()
    width = 2.0 * roadmap.space.world.body.half_width
    return NoPathError(start, goal, sizes, width, roadmap.statistics)
