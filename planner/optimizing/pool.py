"""A graph that paths and samples share: edges are proved only where a cheaper path needs them.

Paths that were found one after the other become one graph, so that the best path may begin with one
and end with another (Raveh, Enosh and Halperin 2011, "A little more, a lot better: improving path
quality by a path-merging algorithm"). The graph has the neighbors of PRM* (Karaman and Frazzoli
2011), its edges are proved lazily (Bohlin and Kavraki 2000; Hauser 2015, "Lazy collision checking
in asymptotically-optimal motion planning"), and nodes that no cheaper path can use are dropped
(Gammell, Srinivasa and Barfoot 2014, "Informed RRT*").
"""

from itertools import pairwise

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.geometry.graphs import adjacency
from rmp3d.planner.costs import Cost
from rmp3d.planner.costs.cost import cost_of
from rmp3d.planner.optimizing.backbone import backbone
from rmp3d.planner.paths.polyline import densified, joined, total_length
from rmp3d.planner.roadmap.astar import RisingGraph
from rmp3d.planner.roadmap.neighbors import neighbor_limits, neighbor_pairs
from rmp3d.planner.spaces import Space

START, GOAL = 0, 1
MOST = 2500  # nodes, before the dearest are dropped
PARTS = 24  # nodes that a path has at least, about
SEARCHES = 12  # of one call, at most
EDGE_WORK = 0.003  # of an edge in a search, in motion queries (profile)
MARGIN = 1e-9  # relative, by which sums of the same pieces may differ


class Pool:
    """Nodes, untried and proved edges between start and goal.

    Args:
        space: Of the configurations.
        cost: Of edges.
        start: (W,), free.
        goal: (W,), free.
        most: Nodes, before some are dropped; infinite: none is dropped for being one too many.
        denser: Factor of the number of neighbors; above one the theorem holds as it is written.

    Attributes:
        nodes: (N, W); start and goal are the first two.
        work: Of searching, in motion queries.
        is_searched: Whether the last search has come to its end: no path that its limit allows is
            left untried.
    """

    def __init__(
        self,
        space: Space,
        cost: Cost,
        start: Float,
        goal: Float,
        most: float = MOST,
        denser: float = 1.0,
    ) -> None:
        self.space, self.cost, self._most, self._denser = space, cost, most, denser
        self.nodes: Float = np.stack([start, goal])
        self.work = 0.0
        self.is_searched = True
        self._pairs: Index = np.zeros((0, 2), np.intp)
        self._price: Float = np.zeros(0)
        self._proved: Bool = np.zeros(0, np.bool_)
        self._motions: dict[tuple[int, int], Float] = {}

    def through(self, nodes: Float) -> Float:
        """Return the least cost (M,) that a path over each of some nodes (M, W) may have."""
        least, ends = self.cost.least, self.nodes[[START, GOAL]]
        start = np.broadcast_to(ends[0], nodes.shape)
        goal = np.broadcast_to(ends[1], nodes.shape)
        total: Float = least(self.space, start, nodes) + least(self.space, nodes, goal)
        return total

    def add_samples(self, configurations: Float) -> None:
        """Add free configurations (M, W), with untried edges to near ones."""
        if len(configurations) == 0:
            return
        old = len(self.nodes)
        self.nodes = np.concatenate([self.nodes, configurations])
        self._join(old)

    def add_path(self, vertices: Float) -> None:
        """Add a certified path (K, W) from start to goal, with untried edges to near nodes."""
        spacing = max(total_length(vertices, self.space) / PARTS, 1e-9)
        points = densified(vertices, spacing, self.space)
        if len(points) > 3 * PARTS:
            # A walk over many triangles: some of its vertices are enough.
            kept = np.unique(np.linspace(0, len(points) - 1, 3 * PARTS).astype(np.intp))
        else:
            kept = np.arange(len(points))
        old = len(self.nodes)
        self.nodes = np.concatenate([self.nodes, points[kept[1:-1]]])
        rows = np.concatenate([[START], np.arange(old, len(self.nodes)), [GOAL]])
        lines = [points[a : b + 1] for a, b in pairwise(kept.tolist())]
        self._join(old)
        self._add_proved(np.stack([rows[:-1], rows[1:]], axis=1), lines)

    def add_trees(self, nodes: Float, edges: Index, limit: float) -> None:
        """Add what trees have reached, with untried edges to near nodes.

        Args:
            nodes: (N, W) configurations; the first two are start and goal.
            edges: (E, 2) proved straight motions.
            limit: Nodes over which no path costs less are left out.
        """
        spacing = limit / self.cost.per_meter(self.space) / PARTS
        kept = backbone(self.space, nodes, edges, self.through(nodes) < limit, spacing)
        if len(kept.rows) == 2:
            return
        old = len(self.nodes)
        self.nodes = np.concatenate([self.nodes, nodes[kept.rows[2:]]])
        self._join(old)
        number = np.concatenate([[START, GOAL], np.arange(old, len(self.nodes))])
        self._add_proved(number[kept.pairs], kept.lines)

    def prune(self, limit: float, rng: np.random.Generator | None = None) -> None:
        """Drop the nodes over which no path is cheaper than ``limit``, and some of too many.

        Args:
            limit: Of the cost.
            rng: With it, of too many any are dropped, so that those which are left are all over;
                without it the dearest, so that they are where the cheapest paths are.
        """
        total = self.through(self.nodes)
        kept = total < limit
        kept[[START, GOAL]] = True
        if kept.sum() > self._most:
            rank = total if rng is None else rng.random(len(total))
            order = np.argsort(np.where(kept, rank, np.inf), kind="stable")
            kept[order[int(self._most) :]] = False
            kept[[START, GOAL]] = True
        if kept.all():
            return
        number = np.cumsum(kept) - 1
        edges = kept[self._pairs].all(axis=1)
        self.nodes = self.nodes[kept]
        self._pairs = number[self._pairs[edges]]
        self._price, self._proved = self._price[edges], self._proved[edges]
        self._motions = {
            (int(number[a]), int(number[b])): line
            for (a, b), line in self._motions.items()
            if kept[a] and kept[b]
        }

    def cheapest(
        self, limit: float, dearer: Float | None = None, searches: int = SEARCHES
    ) -> Float | None:
        """Return the cheapest path (K, W), proved as far as it must be; None if none is cheaper.

        The search ends after some edges are found not to be free; what it has learned stays.

        Args:
            limit: Paths of this cost are of no use.
            dearer: (N,) factors, at least one, by which edges at nodes are made dearer for this
                search; the limit is one of costs made dearer.
            searches: At most; after each, edges of the path that is found are proved.
        """
        self.is_searched = True
        if len(self._pairs) == 0:
            return None
        pairs, factor = self._pairs, np.ones(len(self._pairs))
        if dearer is not None:
            factor = 0.5 * (dearer[pairs[:, 0]] + dearer[pairs[:, 1]])
        goal = np.broadcast_to(self.nodes[GOAL], self.nodes.shape)
        estimate = self.cost.least(self.space, self.nodes, goal)
        adjacent = adjacency(pairs, len(self.nodes))
        graph = RisingGraph(adjacent, self._price * factor, estimate, GOAL)
        for _ in range(searches):
            self.work += EDGE_WORK * len(pairs)
            route = graph.shortest(START)
            if route is None:
                break
            nodes, rows = route
            if (self._price[rows] * factor[rows]).sum() >= limit * (1.0 - MARGIN):
                break
            untried = rows[~self._proved[rows]]
            if len(untried) == 0:
                return self._along(nodes)
            self._try(untried)
            graph.raise_cost(untried, self._price[untried] * factor[untried])
        else:
            self.is_searched = False
        self._drop_refused()
        return None

    def _along(self, nodes: Index) -> Float:
        """Return the polyline over proved edges between nodes (K,)."""
        lines = []
        for a, b in pairwise(nodes.tolist()):
            lines.append(self._motions[a, b] if a < b else self._motions[b, a][::-1])
        return joined(lines)

    def _join(self, old: int) -> None:
        """Add untried edges of each node from number ``old`` on with near nodes before it."""
        counts = np.arange(old, len(self.nodes))
        limits = neighbor_limits("star", counts, self.space)
        if self._denser != 1.0:
            limits = np.ceil(self._denser * limits).astype(np.intp)
        pairs = neighbor_pairs(self.nodes, old, limits, metric=self.space)
        price = self.cost.least(self.space, self.nodes[pairs[:, 0]], self.nodes[pairs[:, 1]])
        self._pairs = np.concatenate([self._pairs, pairs])
        self._price = np.concatenate([self._price, price])
        self._proved = np.concatenate([self._proved, np.zeros(len(pairs), np.bool_)])

    def _add_proved(self, pairs: Index, lines: list[Float]) -> None:
        """Add proved edges (P, 2) with their polylines from the first node to the second."""
        for pair, line in zip(pairs.tolist(), lines, strict=True):
            low, high = sorted(pair)
            self._motions[low, high] = line if pair[0] == low else line[::-1]
        price = np.array([cost_of(self.cost, self.space, line) for line in lines])
        self._pairs = np.concatenate([self._pairs, np.sort(pairs, axis=1)])
        self._price = np.concatenate([self._price, price])
        self._proved = np.concatenate([self._proved, np.ones(len(pairs), np.bool_)])

    def _try(self, rows: Index) -> None:
        """Prove edges; those that are not free become infinitely dear."""
        pairs = self._pairs[rows]
        found = self.space.connect(self.nodes[pairs[:, 0]], self.nodes[pairs[:, 1]])
        for row, (a, b), line in zip(rows.tolist(), pairs.tolist(), found, strict=True):
            self._proved[row] = line is not None
            self._price[row] = np.inf
            if line is not None:
                self._price[row] = cost_of(self.cost, self.space, line)
                self._motions[a, b] = line

    def _drop_refused(self) -> None:
        kept = np.isfinite(self._price)
        self._pairs, self._price = self._pairs[kept], self._price[kept]
        self._proved = self._proved[kept]
