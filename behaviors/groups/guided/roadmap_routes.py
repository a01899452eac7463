"""Shortest routes over a roadmap between any two places, also places that change all the time."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.choices import choose
from rmp3d.geometry.vectors import length
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.local_planners.linear import LinearPlanner
from rmp3d.planner.roadmap.building import extend_roadmap, with_nodes
from rmp3d.planner.roadmap.components import join_components
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import Space

# So many of the nearest nodes are tried for a straight motion from a place.
TRIED = 16
# A roadmap that does not join the places that matter grows up to so many times the nodes.
GROWTH = 4
IN_NARROW_PLACES = {"name": "mixture", "parts": [{"name": "uniform"}, {"name": "medial"}]}
# Around a place that it does not join, it gets so many nodes.
AROUND = 12


class Entries(NamedTuple):
    """Nodes that M places can be left for by a straight motion that is proved free.

    Attributes:
        node: (M, K) near nodes.
        distance: (M, K) to them [m]; infinite where the motion is not free.
    """

    node: Index
    distance: Float


class RoadmapRoutes:
    """The shortest routes over a roadmap, in straight motions that are proved free.

    Distances from a node to all others are worked out when the node is first asked for, and kept.

    Args:
        roadmap: Its nodes are positions (N, 3).

    Attributes:
        nodes: (N, 3) [m].
        edges: (E, 2) pairs of nodes joined by a straight motion.
    """

    def __init__(self, roadmap: Roadmap) -> None:
        from scipy.sparse import coo_matrix  # slow to load

        self.space, self.nodes = roadmap.space, roadmap.configurations
        pairs = np.concatenate([roadmap.edges, roadmap.untried])
        start, end = self.nodes[pairs[:, 0]], self.nodes[pairs[:, 1]]
        proved = self.space.connects(start, end)
        self.edges = pairs[proved]
        size, extent = len(self.nodes), length(end - start)[proved]
        rows = (self.edges[:, 0], self.edges[:, 1])
        self._graph = coo_matrix((extent, rows), (size, size)).tocsr()
        self._trees: dict[int, tuple[Float, Index]] = {}

    def entries(self, places: Float) -> Entries:
        """Return the nodes that places (M, 3) [m] can be left for."""
        apart = length(self.nodes[None] - places[:, None])  # (M, N)
        near = np.argsort(apart, axis=1, kind="stable")[:, :TRIED]
        distance = np.take_along_axis(apart, near, axis=1)
        tiled = np.repeat(places, near.shape[1], axis=0)
        free = self.space.connects(tiled, self.nodes[near.ravel()]).reshape(near.shape)
        return Entries(near, np.where(free, distance, np.inf))

    def root(self, place: Float) -> tuple[int, float]:
        """Return the node nearest to a place (3,) in straight sight, and how far it is [m].

        Where no node is in straight sight, as beside a wall that a wider body touches, it is the
        nearest node of all, and the distance is infinite.
        """
        found = self.entries(place[None])
        best = int(np.argmin(found.distance[0]))
        return int(found.node[0, best]), float(found.distance[0, best])

    def reachable(self, place: Float) -> Float:
        """Return the nodes (K, 3) [m] that there is a route from to a place (3,)."""
        return self.nodes[np.isfinite(self._tree(self.root(place)[0])[0])]

    def distances(self, start: Entries, place: Float) -> Float:
        """Return the lengths (M,) [m] of the routes to a place (3,); infinite where there is none.

        A place that is not in straight sight of any node counts as at the nearest node.
        """
        node, rest = self.root(place)
        far, _ = self._tree(node)
        way = (start.distance + far[start.node]).min(axis=1, initial=np.inf)
        return way + (rest if np.isfinite(rest) else float(length(place - self.nodes[node])))

    def route(self, start: Float, place: Float, *, wedged: bool = False) -> Float | None:
        """Return the route (K, 3) [m] from one place (3,) to another, the start left out.

        None where there is none. A place that is in straight sight of no node is left out, too:
        the route ends at the node nearest to it.

        Args:
            start: (3,) [m].
            place: (3,) [m].
            wedged: Whether a start in straight sight of no node, as that of a vehicle beside a
                wall, has routes all the same, by the nodes near it.
        """
        node, rest = self.root(place)
        far, following = self._tree(node)
        found = self.entries(start[None])
        leave = found.distance[0]
        if wedged and not np.isfinite(leave).any():
            leave = length(self.nodes[found.node[0]] - start)
        way = leave + far[found.node[0]]
        best = int(np.argmin(way))
        if not np.isfinite(way[best]):
            return None
        chain = [int(found.node[0, best])]
        while following[chain[-1]] >= 0:
            chain.append(int(following[chain[-1]]))
        points = self.nodes[chain]
        return np.concatenate([points, place[None]]) if np.isfinite(rest) else points

    def _tree(self, node: int) -> tuple[Float, Index]:
        """Return the distances (N,) [m] of all nodes from one, and the next node on each way."""
        from scipy.sparse.csgraph import dijkstra  # slow to load

        if node not in self._trees:
            self._trees[node] = dijkstra(
                self._graph, directed=False, indices=node, return_predecessors=True
            )
        return self._trees[node]


def covering_roadmap(
    space: Space, nodes: int, places: Sequence[Float], rng: np.random.Generator
) -> Roadmap:
    """Return a roadmap of so many nodes, or of up to four times as many to join the places (3,)."""
    roadmap = extend_roadmap(Roadmap.empty(space), RoadmapSettings(nodes=nodes), rng)
    return grown_until(roadmap, lambda grown: _joins(grown, places), GROWTH * nodes, rng)


def grown_until(
    roadmap: Roadmap, is_joined: Callable[[Roadmap], bool], most: int, rng: np.random.Generator
) -> Roadmap:
    """Return a roadmap with near parts joined, and doubled until it is joined as it should be.

    Half of the new nodes are in narrow places. It has at most so many nodes.
    """
    local_planner = choose(LOCAL_PLANNERS, roadmap.local_planner)
    while True:
        roadmap = join_components(roadmap, local_planner)
        count = len(roadmap.configurations)
        if count >= most or roadmap.interrupted or is_joined(roadmap):
            return roadmap
        more = RoadmapSettings(
            local_planner=roadmap.local_planner, nodes=min(2 * count, most),
            sampler=IN_NARROW_PLACES,
        )  # fmt: skip
        roadmap = extend_roadmap(roadmap, more, rng)


def grown_around(
    roadmap: Roadmap, places: Float, reach: float, rng: np.random.Generator
) -> Roadmap:
    """Return a roadmap with nodes at free places (M, 3), and some around each within a reach [m].

    It joins places that few samples come near, as those on a narrow bridge.
    """
    space = roadmap.space
    offset = rng.uniform(-reach, reach, (len(places) * AROUND, 3))
    found, arrived = space.move(np.repeat(places, AROUND, axis=0), offset)
    nodes = np.concatenate([places, found[arrived]])
    nodes = np.unique(nodes[space.is_free(nodes)], axis=0)
    return join_components(with_nodes(roadmap, nodes), LinearPlanner())


def _joins(roadmap: Roadmap, places: Sequence[Float]) -> bool:
    """Return whether one component of a roadmap has nodes in straight sight of all places."""
    common: set[int] | None = None
    for place in places:
        apart = length(roadmap.configurations - place)
        near = np.argsort(apart, kind="stable")[:TRIED]
        tiled = np.tile(place, (len(near), 1))
        seen = near[roadmap.space.connects(tiled, roadmap.configurations[near])]
        own = set(roadmap.component[seen].tolist())
        common = own if common is None else common & own
    return common is None or bool(common)
