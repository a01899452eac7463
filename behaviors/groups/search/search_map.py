"""The map that a search walks on: a roadmap thinned out to places and the paths between them.

A roadmap good for planning is too dense to be searched edge by edge: in a hall every node sees
dozens of others. So places are chosen such that every node of the roadmap is within a given
distance of one, over the roadmap; places whose surroundings adjoin are linked; and a link is
dropped where the detour over shorter ones is not much longer. What is left has the branches,
loops and dead ends of the scene.
"""

from dataclasses import dataclass, field, replace
from itertools import compress, pairwise

import networkx as nx
import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.choices import choose
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.paths.edges import proved
from rmp3d.planner.paths.polyline import joined
from rmp3d.planner.roadmap.components import join_components
from rmp3d.planner.roadmap.querying import polished
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.search import join_ends


@dataclass(eq=False)
class SearchMap:
    """Places, and the certified paths that link them.

    Attributes:
        roadmap: Of the whole scene, its components joined.
        places: (V, 3) [m]; place 0 is the start, place 1 the goal.
        links: (E, 2) place numbers, the lower one first.
        length: (E,) of each path over the roadmap [m].
        paths: (K, 3) of each link, over the roadmap, from its lower place to the higher [m].
        clearance_wanted: That polished paths keep where they can [m].
    """

    roadmap: Roadmap
    places: Float
    links: Index
    length: Float
    paths: list[Float]
    clearance_wanted: float
    _polished: dict[int, Float] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
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

    def path(self, a: int, b: int) -> Float:
        """Return the path (K, 3) from a place to its neighbor, shortened and off the walls."""
        link = self.link(a, b)
        if link not in self._polished:
            # Each link has a generator of its own: its path is the same in any order of walks.
            rng = np.random.default_rng(link)
            path = polished(self.roadmap.space, self.paths[link], rng, self.clearance_wanted)
            self._polished[link] = path
        path = self._polished[link]
        return path if a < b else path[::-1]


def map_of(
    roadmap: Roadmap, start: Float, goal: Float, spacing: float, detour: float,
    clearance_wanted: float,
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
    """
    roadmap = _all_joined(roadmap)
    ends = join_ends(roadmap, start, goal, clearance_wanted)
    first = len(roadmap.configurations)  # of the start; the goal is the next
    nodes = np.concatenate([roadmap.configurations, ends.configurations])
    # A goal in sight of the start is not known to be the goal: no edge joins them.
    used = (ends.edges != [first, first + 1]).any(axis=1) if len(ends.edges) > 1 else [True]
    edges = np.concatenate([roadmap.edges, ends.edges[used]])
    extent = np.maximum(np.concatenate([roadmap.edge_length, ends.length[used]]), 1e-9)
    graph = _graph(edges, extent, len(nodes))
    chosen = _cover(graph, [first, first + 1, *range(first)], spacing)
    distance, before, owner = dijkstra(
        graph, directed=False, indices=chosen, min_only=True, return_predecessors=True
    )
    place = {node: row for row, node in enumerate(chosen)}
    rows, length = _borders(edges, extent, distance, owner)
    ends_of = np.sort([[place[owner[a]], place[owner[b]]] for a, b in edges[rows].tolist()], axis=1)
    kept = _spanner(ends_of.reshape(-1, 2), length, detour)
    polylines = (*roadmap.polylines, *compress(ends.polylines, used))
    along = {tuple(pair): row for row, pair in enumerate(edges.tolist())}
    paths = [
        _path_between(int(rows[row]), edges, along, polylines, before, owner, place) for row in kept
    ]
    return SearchMap(
        roadmap, nodes[chosen], ends_of.reshape(-1, 2)[kept], length[kept], paths,
        clearance_wanted,
    )  # fmt: skip


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


def _graph(edges: Index, extent: Float, count: int) -> csr_matrix:
    return csr_matrix((extent, (edges[:, 0], edges[:, 1])), (count, count))


def _cover(graph: csr_matrix, order: list[int], spacing: float) -> list[int]:
    """Return nodes, taken in order, that cover what can be reached from the first."""
    covered = ~np.isfinite(dijkstra(graph, directed=False, indices=order[0]))
    chosen = []
    for turn, node in enumerate(order):
        if turn >= 2 and covered[node]:
            continue
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


def _path_between(
    row: int, edges: Index, along: dict[tuple[int, ...], int], polylines: tuple[Float, ...],
    before: Index, owner: Index, place: dict[int, int],
) -> Float:  # fmt: skip
    """Return the polyline (K, 3) over edge ``row`` between the places that own its ends."""
    a, b = edges[row].tolist()
    if place[owner[a]] > place[owner[b]]:
        a, b = b, a
    nodes = [*_back(a, before)[::-1], *_back(b, before)]
    pieces = []
    for here, there in pairwise(nodes):
        piece = polylines[along[min(here, there), max(here, there)]]
        pieces.append(piece if here < there else piece[::-1])
    return joined(pieces)


def _back(node: int, before: Index) -> list[int]:
    """Return the nodes from one back to the place that owns it."""
    nodes = [node]
    while before[nodes[-1]] >= 0:
        nodes.append(int(before[nodes[-1]]))
    return nodes
