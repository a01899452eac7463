"""A graph that grows denser without end: its cheapest path tends to the cheapest there is."""

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.costs import Cost
from rmp3d.planner.optimizing.pool import Pool
from rmp3d.planner.optimizing.samples import uniform_samples
from rmp3d.planner.spaces import Space

DENSER = 1.1  # times the neighbors of the theorem, which asks for more than e (1 + 1/d) log n
BATCH = 60  # samples wanted in one turn, at least
GROWTH = 0.1  # of the nodes that there are: so a search of all of them is paid by new ones
DRAWS = 40  # times the samples wanted, drawn in one turn at most
DRAWN = 0.05  # work of a sample that is drawn, in motion queries (profile)


class DenseGraph:
    """Samples all over, none of them dropped but those that no cheaper path can use.

    Its nodes are uniform among the configurations over which a path may be cheaper than the best
    (Gammell, Srinivasa and Barfoot 2014). Each is joined with its nearest of those before it, more
    than the theorem of RRG with nearest neighbors asks for (Karaman and Frazzoli 2011). Edges are
    proved where a cheaper path needs them (Hauser 2015), and new nodes come only when no cheaper
    path among the old ones is left untried. So its cost tends to the least with the work, with
    probability one; and memory grows with the work.

    Args:
        space: Of the configurations.
        cost: Of paths.
        start: (W,), free.
        goal: (W,), free.
        rng: Source of randomness, of its own: others draw the same with and without it.
    """

    def __init__(
        self, space: Space, cost: Cost, start: Float, goal: Float, rng: np.random.Generator
    ) -> None:
        self._space, self._cost, self._rng = space, cost, rng
        self._pool = Pool(space, cost, start, goal, np.inf, DENSER)
        self._drawing = 0.0
        self._accepted = 0.5  # of samples drawn, about: so many are wanted

    @property
    def nodes(self) -> Float:
        """Those that it has (N, W)."""
        return self._pool.nodes

    @property
    def work(self) -> float:
        """Of drawing and searching, in motion queries."""
        return self._pool.work + self._drawing

    def advance(self, limit: float) -> Float | None:
        """Go on for one turn; return a path (K, W) that costs less than the limit, if there is."""
        if self._pool.is_searched:
            self._grow(limit)
        return self._pool.cheapest(limit)

    def _grow(self, limit: float) -> None:
        """Add samples, and drop the nodes over which no path is cheaper."""
        self._pool.prune(limit, None)
        wanted = max(BATCH, GROWTH * len(self.nodes))
        count = int(min(wanted / self._accepted, DRAWS * wanted))
        start, goal = self.nodes[:2]
        found = uniform_samples(self._space, self._cost, start, goal, limit, count, self._rng)
        self._drawing += DRAWN * count
        self._accepted = max(0.5 * self._accepted + 0.5 * len(found) / count, 1.0 / DRAWS)
        self._pool.add_samples(found)
