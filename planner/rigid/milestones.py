"""The roadmap phase: random milestones joined to their neighbors, eagerly or lazily."""

import numpy as np
from scipy.spatial import cKDTree

from geometry import Float, Index
from planner.rigid.graph import Graph, shortest_rows
from planner.rigid.world import RigidWorld

NEIGHBORS = 10
AROUND = 0.4  # share of samples next to obstacles
SCALES = (0.1, 0.5)  # spread of those samples, times the reach
SEARCHES = 60  # of one lazy round


class Milestones:
    """Adds milestones to a graph, round by round.

    Eager: every motion between neighbors is proved at once; right where the body only
    translates, since proofs are cheap and many fail. Lazy (Bohlin and Kavraki 2000, "Path
    planning using lazy PRM"): only motions on a way from start to goal that has not failed yet;
    right where it also turns, since most motions are free and few matter.

    Args:
        graph: Added to.
        lazy: Which of the two.
        rng: Source of chance.
    """

    def __init__(self, graph: Graph, lazy: bool, rng: np.random.Generator) -> None:
        self.graph = graph
        self.lazy = lazy
        self.rng = rng
        self.count = 0
        self._pending = np.zeros((0, 2), np.intp)

    def add(self, count: int) -> None:
        """Add the free ones of ``count`` samples, and what motions that gives."""
        fresh = _samples(self.graph.world, count, self.rng)
        self.count += len(fresh)
        first = len(self.graph.nodes)
        nodes = np.concatenate([self.graph.nodes, fresh])
        pairs = _neighbor_pairs(self.graph.world, nodes, first)
        if self.lazy:
            self.graph.add(fresh, np.zeros((0, 2), np.intp))
            self._pending = np.concatenate([self._pending, pairs])
            self._search()
        else:
            free = self.graph.world.motions_are_free(nodes[pairs[:, 0]], nodes[pairs[:, 1]])
            self.graph.add(fresh, pairs[free])

    def _search(self) -> None:
        """Prove the motions of shortest ways until one holds, none is left, or it is enough."""
        world, nodes, edges = self.graph.world, self.graph.nodes, self.graph.edges
        known = len(edges)
        for _ in range(SEARCHES):
            every = np.concatenate([edges, self._pending])
            length = world.space.distance(nodes[every[:, 0]], nodes[every[:, 1]])
            way = shortest_rows(len(nodes), every, length)
            steps = np.sort(np.stack([way[:-1], way[1:]], axis=1), axis=1)
            code = np.array([len(nodes), 1])
            waiting = np.isin(self._pending @ code, steps @ code)
            tried = self._pending[waiting]
            self._pending = self._pending[~waiting]
            if len(tried) == 0:
                break
            free = world.motions_are_free(nodes[tried[:, 0]], nodes[tried[:, 1]])
            edges = np.concatenate([edges, tried[free]])
            if free.all():
                break
        self.graph.add(np.zeros((0, 7)), edges[known:])


def _samples(world: RigidWorld, count: int, rng: np.random.Generator) -> Float:
    """Return free configurations: uniform ones, and the free ones of pairs next to obstacles.

    The latter by the Gaussian rule (Boor, Overmars and van der Stappen 1999): of a random
    configuration and one normally distributed around it, the free one if exactly one is.
    """
    space = world.space
    near = int(AROUND * count)
    wide = space.sample(count - near, rng)
    one = space.sample(near, rng)
    other = np.concatenate(
        [
            space.near(half, scale * space.reach, rng)
            for half, scale in zip(np.array_split(one, len(SCALES)), SCALES, strict=True)
        ]
    )
    free = world.is_free(np.concatenate([wide, one, other]))
    wide_free, one_free, other_free = np.split(free, [len(wide), len(wide) + near])
    return np.concatenate(
        [wide[wide_free], one[one_free & ~other_free], other[other_free & ~one_free]]
    )


def _neighbor_pairs(world: RigidWorld, nodes: Float, first: int) -> Index:
    """Return pairs (E, 2) of a node from row ``first`` on with its nearest earlier ones."""
    if first == len(nodes):
        return np.zeros((0, 2), np.intp)
    points = world.space.embedded(nodes)
    mirrored = points * np.where(np.arange(7) < 3, 1.0, -1.0)
    both = np.concatenate([points, mirrored]) if world.space.turns else points
    count = min(NEIGHBORS + 1, len(nodes))
    _, found = cKDTree(both).query(points[first:], k=count)
    found = found.reshape(len(nodes) - first, count) % len(nodes)
    own = np.repeat(np.arange(first, len(nodes)), count)
    pairs = np.sort(np.stack([own, found.ravel()], axis=1), axis=1)
    pairs = np.unique(pairs, axis=0)
    kept: Index = pairs[pairs[:, 0] != pairs[:, 1]].astype(np.intp)
    return kept
