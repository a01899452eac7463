"""The map that a search walks on: a roadmap thinned out to places and the paths between them.

A roadmap good for planning is too dense to be searched edge by edge: in a hall every node sees
dozens of others. So places are chosen such that every node of the roadmap is within a given
distance of one, over the roadmap; places whose surroundings adjoin are linked; and a link is
dropped where the detour over shorter ones is not much longer. What is left has the branches,
loops and dead ends of the scene. Start and goal are two more places, each at the end of a link of
its own. So the rest of the map depends on the roadmap alone: what was learned on it is of use when
start or goal have moved.
"""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.choices import choose
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.graphs import component_numbers
from rmp3d.planner.collision import CollisionWorld
from rmp3d.planner.errors import PlanningError
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.paths.edges import proved
from rmp3d.planner.paths.polyline import joined
from rmp3d.planner.roadmap.building import with_nodes
from rmp3d.planner.roadmap.components import join_components
from rmp3d.planner.roadmap.learned import GOAL_NODE, START_NODE
from rmp3d.planner.roadmap.querying import polished, query
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.search import Ends, join_ends

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# So many of the nearest nodes are tried where a part stands in a place.
TRIED = 64
# Numbers of two places of every map.
START, GOAL = 0, 1


@dataclass(eq=False)
class SearchMap:
    """Places, and the certified paths that link them.

    Attributes:
        roadmap: Of the whole scene, its components joined.
        places: (V, 3) [m]; place 0 is the start, place 1 the goal.
        nodes: (V,) node of the roadmap that each place is; -1 for the start, -2 for the goal.
        links: (E, 2) place numbers, the lower one first.
        length: (E,) of each path over the roadmap [m].
        paths: (K, 3) of each link, over the roadmap, from its lower place to the higher [m].
        clearance_wanted: That polished paths keep where they can [m].
        closed: Links in which a part of the scene stands now, and nothing leads round it.
    """

    roadmap: Roadmap
    places: Float
    nodes: Index
    links: Index
    length: Float
    paths: list[Float]
    clearance_wanted: float
    closed: set[int] = field(default_factory=set, init=False)
    _round: dict[int, Float] = field(default_factory=dict, init=False)
    _polished: dict[int, Float] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._stated = self.places
        self.at: list[list[int]] = [[] for _ in self.places]
        self._link: dict[tuple[int, int], int] = {}
        for link, (a, b) in enumerate(self.links.tolist()):
            self.at[a].append(link)
            self.at[b].append(link)
            self._link[a, b] = self._link[b, a] = link

    def link(self, a: int, b: int) -> int:
        """Return the link between two neighboring places."""
        return self._link[a, b]

    def other(self, link: int, place: int) -> int:
        """Return the other end of a link at a place."""
        a, b = self.links[link].tolist()
        return b if place == a else a

    def graph(self) -> "csr_matrix":
        """Return the symmetric matrix (V, V) of the links' lengths [m]."""
        from scipy.sparse import csr_matrix  # slow to load

        (a, b), count = self.links.T, len(self.places)
        ends = np.concatenate([a, b]), np.concatenate([b, a])
        return csr_matrix((np.tile(self.length, 2), ends), (count, count))

    def take(self, roadmap: Roadmap) -> set[int]:
        """Have another roadmap, as parts of the scene have appeared or gone; return changed links.

        A place in which a part stands now is at the nearest free node instead, and a link in which
        one stands leads round it, where that is possible.
        """
        before, self.roadmap = (self._round.copy(), self.closed), roadmap
        world, nodes = roadmap.space.world, roadmap.configurations
        assert isinstance(world, CollisionWorld)
        self.places = self._stated.copy()
        for place in np.flatnonzero(~world.is_free(self.places)).tolist():
            apart = np.linalg.norm(nodes - self.places[place], axis=1)
            near = nodes[np.argsort(apart, kind="stable")[:TRIED]]
            spots = near[world.is_free(near)]
            self.places[place] = spots[0] if len(spots) else self.places[place]
        known = [self._polished.get(link, path) for link, path in enumerate(self.paths)]
        free = world.polylines_are_free(known)
        self.closed, self._round = set(), {}
        for link in np.flatnonzero(~free).tolist():
            start, end = self.places[self.links[link]]
            rng = np.random.default_rng(link)
            try:
                found = query(roadmap, start, end, rng, clearance_wanted=self.clearance_wanted)
                self._round[link] = found.points
            except PlanningError:
                self.closed.add(link)
        return before[1] ^ self.closed | before[0].keys() ^ self._round.keys()

    def path(self, a: int, b: int) -> Float:
        """Return the path (K, 3) from a place to its neighbor, shortened and off the walls.

        Over a closed link that is the one before it was closed.
        """
        link = self.link(a, b)
        if link in self._round:
            path = self._round[link]
            return path if a < b else path[::-1]
        if link in self.closed:
            path = self._polished.get(link, self.paths[link])
            return path if a < b else path[::-1]
        if link not in self._polished:
            # Each link has a generator of its own: its path is the same in any order of walks.
            rng = np.random.default_rng(link)
            path = polished(self.roadmap.space, self.paths[link], rng, self.clearance_wanted)
            self._polished[link] = path
        path = self._polished[link]
        return path if a < b else path[::-1]


def map_of(
    roadmap: Roadmap, start: Float, goal: Float, spacing: float, detour: float,
    clearance_wanted: float, path: Float | None = None,
) -> SearchMap:  # fmt: skip
    """Return the search map of all that can be reached from the start.

    Args:
        roadmap: Of the whole scene; its components are joined where possible.
        start: (3,) free [m].
        goal: (3,) free [m], reachable.
        spacing: No node of the roadmap is farther than this from a place [m].
        detour: A link is dropped if the detour is at most so many times as long (greedy
            spanner, Althoefer et al. 1993, "On sparse spanners of weighted graphs"); ``inf``
            leaves a tree, on which there are no cycles.
        clearance_wanted: See `SearchMap`.
        path: (K, 3) from start to goal, whose points are nodes, too, where the roadmap does not
            lead from one to the other [m].

    Raises:
        InputError: No way over the roadmap leads from the start to the goal.
    """
    from scipy.sparse.csgraph import dijkstra  # slow to load

    roadmap = _all_joined(roadmap)
    ends = join_ends(roadmap, start, goal, clearance_wanted)
    first = _first_node(roadmap, ends)
    if first < 0 and path is not None:
        roadmap = _all_joined(with_nodes(roadmap, path[roadmap.space.is_free(path)]))
        ends = join_ends(roadmap, start, goal, clearance_wanted)
        first = _first_node(roadmap, ends)
    if first < 0:
        raise InputError(
            "no way over the roadmap leads from the start to the goal; try more `nodes`"
        )
    count = len(roadmap.configurations)
    extent = np.maximum(roadmap.edge_length, 1e-9)
    graph = _graph(roadmap.edges, extent, count)
    chosen = _cover(graph, first, spacing)
    distance, before, owner = dijkstra(
        graph, directed=False, indices=chosen, min_only=True, return_predecessors=True
    )
    place = {node: row for row, node in enumerate(chosen, 2)}
    rows, length = _borders(roadmap.edges, extent, distance, owner)
    owners = [[place[owner[a]], place[owner[b]]] for a, b in roadmap.edges[rows].tolist()]
    pairs = np.sort(np.array(owners, np.intp).reshape(-1, 2), axis=1)
    kept = _spanner(pairs, length, detour)
    along = {tuple(pair): row for row, pair in enumerate(roadmap.edges.tolist())}
    tree = _Tree(before, along, roadmap.polylines)
    links = [_link_of_end(ends, count + end, distance, owner, tree) for end in (START, GOAL)]
    paths = [_path_between(int(rows[row]), roadmap.edges, tree, owner, place) for row in kept]
    leaves = [[end, place[link.node]] for end, link in zip((START, GOAL), links, strict=True)]
    return SearchMap(
        roadmap,
        np.concatenate([ends.configurations, roadmap.configurations[chosen]]),
        np.array([START_NODE, GOAL_NODE, *chosen], np.intp),
        np.concatenate([leaves, pairs[kept]]).astype(np.intp),
        np.concatenate([[link.length for link in links], length[kept]]),
        [*(link.path for link in links), *paths],
        clearance_wanted,
    )


def _all_joined(roadmap: Roadmap) -> Roadmap:
    """Return the roadmap with all its pairs tried, and its components joined where possible."""
    local_planner = choose(LOCAL_PLANNERS, roadmap.local_planner)
    if len(roadmap.untried):
        pairs = roadmap.untried
        found = local_planner.connect(
            roadmap.space, *np.moveaxis(roadmap.configurations[pairs], 1, 0)
        )
        roadmap = replace(roadmap.with_edges(*proved(pairs, found)), untried=pairs[:0])
    return join_components(roadmap, local_planner)


def _first_node(roadmap: Roadmap, ends: Ends) -> int:
    """Return a node joined to the start from which nodes joined to the goal are reached, or -1."""
    count = len(roadmap.configurations)
    label = component_numbers(count, roadmap.edges)
    start, goal = (
        ends.edges[(ends.edges[:, 1] == end) & (ends.edges[:, 0] < count), 0]
        for end in (count, count + 1)
    )
    both = start[np.isin(label[start], label[goal])]
    return int(both[0]) if len(both) else -1


def _graph(edges: Index, extent: Float, count: int) -> "csr_matrix":
    from scipy.sparse import csr_matrix  # slow to load

    return csr_matrix((extent, (edges[:, 0], edges[:, 1])), (count, count))


def _cover(graph: "csr_matrix", first: int, spacing: float) -> list[int]:
    """Return nodes, by their numbers, that cover what can be reached from the first."""
    from scipy.sparse.csgraph import dijkstra  # slow to load

    covered = ~np.isfinite(dijkstra(graph, directed=False, indices=first))
    chosen = []
    for node in range(graph.shape[0]):
        if not covered[node]:
            chosen.append(node)
            covered |= np.isfinite(dijkstra(graph, directed=False, indices=node, limit=spacing))
    return chosen


def _borders(edges: Index, extent: Float, distance: Float, owner: Index) -> tuple[Index, Float]:
    """Return the edges (B,) on the shortest path between adjoining surroundings, and its length."""
    a, b = owner[edges[:, 0]], owner[edges[:, 1]]
    total = distance[edges[:, 0]] + extent + distance[edges[:, 1]]
    across = np.flatnonzero((a != b) & np.isfinite(total))
    across = across[np.argsort(total[across], kind="stable")]
    pairs = np.sort(np.stack([a[across], b[across]], axis=1), axis=1)
    _, first = np.unique(pairs, axis=0, return_index=True)
    rows = across[np.sort(first)]
    return rows, total[rows]


def _spanner(pairs: Index, length: Float, detour: float) -> list[int]:
    """Return the rows of the links (E, 2), shortest first, to which there is no good detour."""
    import networkx as nx  # slow to load, and only a search asks

    graph, kept = nx.Graph(), []
    for row, (a, b) in enumerate(pairs.tolist()):
        limit = detour * float(length[row])
        if graph.has_node(a) and graph.has_node(b):
            cutoff = limit if np.isfinite(limit) else None
            if b in nx.single_source_dijkstra_path_length(graph, a, cutoff=cutoff):
                continue
        graph.add_edge(a, b, weight=float(length[row]))
        kept.append(row)
    return kept


class _Tree(NamedTuple):
    """Shortest paths from every node back to the place that owns it.

    Attributes:
        before: (N,) the next node on the way back, negative at a place.
        along: Row of the edge between two nodes.
        polylines: (K, 3) of each edge, from the lower node to the higher [m].
    """

    before: Index
    along: dict[tuple[int, ...], int]
    polylines: tuple[Float, ...]

    def back(self, node: int) -> list[int]:
        """Return the nodes from one back to the place that owns it."""
        nodes = [node]
        while self.before[nodes[-1]] >= 0:
            nodes.append(int(self.before[nodes[-1]]))
        return nodes

    def pieces(self, nodes: list[int]) -> list[Float]:
        """Return the polylines of the edges from node to node."""
        pieces = []
        for here, there in pairwise(nodes):
            piece = self.polylines[self.along[min(here, there), max(here, there)]]
            pieces.append(piece if here < there else piece[::-1])
        return pieces


class _EndLink(NamedTuple):
    """The link of start or goal: to which node, how long [m], and along which points (K, 3)."""

    node: int
    length: float
    path: Float


def _link_of_end(ends: Ends, end: int, distance: Float, owner: Index, tree: _Tree) -> _EndLink:
    """Return the shortest link from start or goal, which are nodes too, to a place."""
    # A goal in sight of the start is not known to be the goal: the edge between them is left out.
    rows = np.flatnonzero((ends.edges[:, 1] == end) & (ends.edges[:, 0] < len(distance)))
    rows = rows[np.isfinite(distance[ends.edges[rows, 0]])]
    total = ends.length[rows] + distance[ends.edges[rows, 0]]
    best = rows[np.argmin(total)]
    node = int(ends.edges[best, 0])
    path = joined([ends.polylines[best][::-1], *tree.pieces(tree.back(node))])
    return _EndLink(int(owner[node]), max(float(total.min()), 1e-9), path)


def _path_between(
    row: int, edges: Index, tree: _Tree, owner: Index, place: dict[int, int]
) -> Float:
    """Return the polyline (K, 3) over edge ``row`` between the places that own its ends."""
    a, b = edges[row].tolist()
    if place[owner[a]] > place[owner[b]]:
        a, b = b, a
    return joined(tree.pieces([*tree.back(a)[::-1], *tree.back(b)]))
