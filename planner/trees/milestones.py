"""The roadmap phase: random milestones joined to their neighbors, eagerly or lazily."""

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.geometry.graphs import shortest_path
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.graph import GOAL, START, Graph

NEIGHBORS = 6
BATCH, LARGEST = 250, 1000  # samples of the first round, doubled each time, and at most
AROUND = 0.4  # share of samples next to obstacles
SCALES = (0.1, 0.5)  # spread of those samples, times the reach
SEARCHES = 8  # of one lazy round
EDGE_WORK = 0.04  # of an edge in a search, in motion queries (profile)


class Milestones:
    """Adds milestones to a graph, round by round.

    Eager: nearest neighbors in different components are joined at once; right where the body
    only translates, since proofs are cheap and many fail. Lazy (Bohlin and Kavraki 2000, "Path
    planning using lazy PRM"): only motions on a path from start to goal that has not failed yet
    are looked at; right where it also turns, since most motions are free and few matter.

    Args:
        graph: Added to.
        lazy: Which of the two.
        rng: Source of randomness.

    Attributes:
        count: Milestones added.
        search_work: Work of searching paths, in motion queries.
    """

    def __init__(self, graph: Graph, lazy: bool, rng: np.random.Generator) -> None:
        self.graph = graph
        self.lazy = lazy
        self.rng = rng
        self.count = 0
        self.search_work = 0.0
        self._batch = BATCH
        self._has_route = False
        self._pending = np.zeros((0, 2), np.intp)

    def advance(self) -> None:
        """Go on for one round: look at more paths if there are, else add a batch."""
        if not self._has_route:
            self._add(self._batch)
            self._batch = min(2 * self._batch, LARGEST)
        if self.lazy:
            self._search()

    def _add(self, count: int) -> None:
        """Add the free ones of ``count`` samples."""
        fresh = _samples(self.graph.space, count, self.rng)
        self.count += len(fresh)
        first = len(self.graph.nodes)
        nodes = np.concatenate([self.graph.nodes, fresh])
        neighbors = _neighbors(self.graph.space, nodes, first)
        self.graph.add(fresh, np.zeros((0, 2), np.intp))
        if self.lazy:
            own = np.repeat(np.arange(first, len(nodes)), neighbors.shape[1])
            pairs = np.sort(np.stack([own, neighbors.ravel()], axis=1), axis=1)
            pairs = pairs[pairs[:, 0] != pairs[:, 1]]
            self._pending = np.concatenate([self._pending, np.unique(pairs, axis=0)])
            return
        # Nearest first, and only what is not joined yet: most motions need no proof then.
        for column in neighbors.T:
            pairs = np.stack([column, np.arange(first, len(nodes))], axis=1)
            pairs = np.unique(np.sort(pairs, axis=1), axis=0)
            label = self.graph.label
            pairs = pairs[label[pairs[:, 0]] != label[pairs[:, 1]]]
            free = self.graph.space.world.touch_nothing(nodes[pairs[:, 0]], nodes[pairs[:, 1]])
            self.graph.add(np.zeros((0, 7)), pairs[free])

    def _search(self) -> None:
        """Prove the motions of shortest paths until one holds, none is left, or it is enough."""
        space, nodes, edges = self.graph.space, self.graph.nodes, self.graph.edges
        known = len(edges)
        length = space.distance(nodes[edges[:, 0]], nodes[edges[:, 1]])
        ends = self._pending
        hoped = space.distance(nodes[ends[:, 0]], nodes[ends[:, 1]])
        code = np.array([len(nodes), 1])
        for _ in range(SEARCHES):
            self.search_work += EDGE_WORK * (len(edges) + len(self._pending))
            both = np.concatenate([edges, self._pending])
            route = shortest_path(len(nodes), both, np.append(length, hoped), START, GOAL)
            self._has_route = len(route) > 0
            if not self._has_route:
                break
            steps = np.sort(np.stack([route[:-1], route[1:]], axis=1), axis=1)
            waiting = np.isin(self._pending @ code, steps @ code)
            tried, gap = self._pending[waiting], hoped[waiting]
            self._pending, hoped = self._pending[~waiting], hoped[~waiting]
            free = space.world.touch_nothing(nodes[tried[:, 0]], nodes[tried[:, 1]])
            edges = np.concatenate([edges, tried[free]])
            length = np.append(length, gap[free])
            if free.all():
                break
        self.graph.add(np.zeros((0, 7)), edges[known:])


def _samples(space: RigidBodySpace, count: int, rng: np.random.Generator) -> Float:
    """Return free configurations: uniform ones, and the free ones of pairs next to obstacles.

    The latter by the Gaussian rule (Boor, Overmars and van der Stappen 1999): of a random
    configuration and one normally distributed around it, the free one if exactly one is.
    """
    near = int(AROUND * count)
    wide = space.sample(count - near, rng)
    one = space.sample(near, rng)
    other = np.concatenate(
        [
            space.near(half, scale * space.reach, rng)
            for half, scale in zip(np.array_split(one, len(SCALES)), SCALES, strict=True)
        ]
    )
    free = space.world.is_free(np.concatenate([wide, one, other]))
    wide_free, one_free, other_free = np.split(free, [len(wide), len(wide) + near])
    return np.concatenate(
        [wide[wide_free], one[one_free & ~other_free], other[other_free & ~one_free]]
    )


def _neighbors(space: RigidBodySpace, nodes: Float, first: int) -> Index:
    """Return the nearest nodes (M, k) of each node from row ``first`` on, nearest first."""
    from scipy.spatial import cKDTree  # slow to load, and easy questions end before

    points = space.embedded(nodes)
    mirrored = points * np.where(np.arange(7) < 3, 1.0, -1.0)
    both = np.concatenate([points, mirrored]) if space.turns else points
    count = min(NEIGHBORS + 1, len(nodes))
    fresh = np.arange(first, len(nodes))
    _, found = cKDTree(both).query(points[first:], k=np.arange(1, count + 1))
    found = found % len(nodes)
    # A node is its own nearest one, unless another is in the same place.
    own = found == fresh[:, None]
    dropped = np.where(own.any(axis=1), own.argmax(axis=1), count - 1)
    kept: Index = found[np.arange(count) != dropped[:, None]].reshape(len(fresh), count - 1)
    return kept.astype(np.intp)
