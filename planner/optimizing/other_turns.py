"""The same way with other turns: layers of configurations along a path, joined by a search.

A body often passes a window in several orientations. Each is a class of its own, and what turns it
little before and after gives a short path. Moves do not lead from one to the other, as all in
between collides, and samples of six coordinates seldom fall into a window. So positions are kept
near a path that is known, and turns are drawn anew, many at each of some places. The cheapest
sequence through these layers is found by dynamic programming. Its motions are proved only when a
sequence needs them (Bohlin and Kavraki 2000, "Path planning using lazy PRM").
"""

from itertools import pairwise

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.geometry.vectors import length
from rmp3d.planner.costs import Cost
from rmp3d.planner.paths.polyline import joined, points_at
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.spaces.directions import random_directions

LAYERS = 24  # places along the path
DRAWN = 400  # configurations at each place
WIDTH = 60  # free ones of them that are kept
ROUNDS = 120  # of search and proof, at most
MORE = 4  # times as many motions are tried next between layers where none was free
MOST = 1024  # of them in one round
ASIDE = (0.02, 0.5)  # how far from the path they are, times the body's radius: the range
BUNCHED = (0.4, 2.0)  # exponent of the random share of a half turn: from wide to narrow
EDGE_WORK = 0.0005  # of a pair of configurations in a search, in motion queries (profile)


class OtherTurns:
    """Looks for the turns with which a body follows a path most cheaply.

    Args:
        space: Of the body.
        cost: Of paths.
        rng: Source of randomness.

    Attributes:
        work: Of searching, in motion queries.
    """

    def __init__(self, space: RigidBodySpace, cost: Cost, rng: np.random.Generator) -> None:
        self._space, self._cost, self._rng = space, cost, rng
        self.work = 0.0

    def along(self, path: Float, limit: float) -> Float | None:
        """Return a proved path (K, 7) from start to goal that is turned otherwise.

        Args:
            path: (L, 7), near which it stays.
            limit: None is returned if the least that such a path may cost is not below it.
        """
        sequences = Sequences(self._space, self._cost, self._drawn(path, limit))
        for _ in range(ROUNDS):
            self.work += EDGE_WORK * sequences.pairs
            found = sequences.advance(limit)
            if found is None or len(found) > 0:
                return found
        return None

    def _drawn(self, path: Float, limit: float) -> list[Float]:
        """Return free configurations (M, 7) at each place, start and goal included."""
        space, rng, count = self._space, self._rng, LAYERS * DRAWN
        shares = (np.arange(LAYERS) + rng.random(LAYERS)) / LAYERS
        rows = np.repeat(points_at(path, space, shares), DRAWN, axis=0)
        start, goal = np.broadcast_to(path[0], rows.shape), np.broadcast_to(path[-1], rows.shape)
        # Half are turned from the path, half from between start and goal.
        between = rng.random(count) < 0.5
        rows[between, 3:] = space.interpolated(start, goal, rng.random(count))[between, 3:]
        steps = random_directions(space, count, rng)
        share = rng.random(count) ** rng.uniform(*BUNCHED)
        low, high = np.log(ASIDE)
        aside = space.world.body.radius * np.exp(rng.uniform(low, high, count))
        steps[:, 3:] *= _factor(np.pi * space.reach * share, steps[:, 3:])
        steps[:, :3] *= _factor(aside, steps[:, :3])
        rows, _ = space.move(rows, steps)
        bound = self._cost.least(space, start, rows) + self._cost.least(space, rows, goal)
        free = np.asarray(bound < limit)
        free[free] = space.is_free(rows[free])
        layers = [path[:1]]
        for first in range(0, count, DRAWN):
            part = first + np.flatnonzero(free[first : first + DRAWN])
            cheap = part[np.argsort(bound[part], kind="stable")]
            others = rng.permutation(cheap[WIDTH // 2 :])[: WIDTH // 2]
            layers.append(rows[np.concatenate([cheap[: WIDTH // 2], others])])
        return [*layers, path[-1:]]


class Sequences:
    """Sequences with one configuration of each layer.

    Args:
        space: Of the body.
        cost: Of motions.
        layers: (M, 7) each, free.

    Attributes:
        pairs: The number of possible motions between neighboring layers.
    """

    def __init__(self, space: RigidBodySpace, cost: Cost, layers: list[Float]) -> None:
        self._space, self._layers = space, layers
        self._prices = []
        for start, end in pairwise(layers):
            first = np.repeat(np.arange(len(start)), len(end))
            second = np.tile(np.arange(len(end)), len(start))
            least = np.asarray(cost.least(space, start[first], end[second]))
            self._prices.append(least.reshape(len(start), len(end)))
        self.pairs = sum(price.size for price in self._prices)
        self._lines: dict[tuple[int, int], Float] = {}
        self._tried = [1] * len(self._prices)

    def advance(self, limit: float) -> Float | None:
        """Try the cheapest sequence; return its path (K, 7) if all is proved, else none (0, 7).

        Where its motion is not free, more of those that may be on cheap sequences are tried.

        Returns:
            None if no sequence is left that may cost less than a limit.
        """
        if self.pairs == 0 or min(map(len, self._layers)) == 0:
            return None
        through = _through(self._prices)
        if through[0].min() >= limit:
            return None
        best = [(row, int(total.argmin())) for row, total in enumerate(through)]
        untried = [key for key in best if key not in self._lines]
        if not untried:
            return joined([self._lines[key] for key in best])
        asked = dict.fromkeys(untried)
        for row, _ in untried:
            asked.update(dict.fromkeys(self._cheap(row, through[row], limit)))
        for row in {row for row, _ in asked} - self._prove(list(asked)):
            self._tried[row] = min(MORE * self._tried[row], MOST)
        return self._layers[0][:0]

    def _cheap(self, row: int, total: Float, limit: float) -> list[tuple[int, int]]:
        """Return untried motions after a layer, those on the cheapest sequences."""
        flat = total.ravel()
        count = min(self._tried[row], flat.size)
        near: Index = np.argpartition(flat, count - 1)[:count]
        near = near[flat[near] < limit]
        return [(row, at) for at in near.tolist() if (row, at) not in self._lines]

    def _prove(self, asked: list[tuple[int, int]]) -> set[int]:
        """Try motions; return the layers after which at least one is free."""
        pairs = [(row, *divmod(at, self._prices[row].shape[1])) for row, at in asked]
        start = np.array([self._layers[row][first] for row, first, _ in pairs])
        end = np.array([self._layers[row + 1][second] for row, _, second in pairs])
        free = set()
        for (row, at), line in zip(asked, self._space.connect(start, end), strict=True):
            if line is None:
                self._prices[row].flat[at] = np.inf
            else:
                self._lines[row, at] = line
                free.add(row)
        return free


def _factor(wanted: Float, vectors: Float) -> Float:
    """Return what makes vectors (M, 3) as long as wanted (M,); 0 for those of no length."""
    size = length(vectors)
    return np.divide(wanted, size, out=np.zeros_like(size), where=size > 0.0)[:, None]


def _through(prices: list[Float]) -> list[Float]:
    """Return what the cheapest sequence with each motion costs, in the shape of the prices."""
    there = [np.zeros(1)]
    for price in prices[:-1]:
        there.append((there[-1][:, None] + price).min(axis=0))
    back = [np.zeros(1)]
    for price in reversed(prices[1:]):
        back.append((price + back[-1]).min(axis=1))
    return [a[:, None] + p + b for a, p, b in zip(there, prices, reversed(back), strict=True)]
