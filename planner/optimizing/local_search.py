"""Making a path cheaper within its class: short cuts, bends that move, turns that are spread.

A path is its vertices (K, W): from each to the next the body goes straight, as the metric of the
space interpolates. A move replaces what is between two of its points by proved motions.
"""

from dataclasses import dataclass, field

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.planner.costs import Cost
from rmp3d.planner.costs.cost import cost_of
from rmp3d.planner.paths.polyline import equal_parts, joined, total_length, without_repeats
from rmp3d.planner.spaces import RigidBodySpace, Space
from rmp3d.planner.spaces.directions import random_directions

BATCH = 32  # moves tried at a time
FRUITLESS = 30  # batches in a row without a gain after which a path is settled
POINTS = 160  # between which moves are tried, at most, about; more if the path has more vertices
SPACING = 0.25  # of these points, at least, times the body's radius
GAIN = 1e-4  # least gain of a move, times the cost of the path
NOISE = (0.003, 1.0)  # of bends that move, times what they cut off: the range
TURNS = 0.3  # share of moves that spread turns, for a body that turns freely
CUTS = 0.4  # share of short cuts of all others


@dataclass(frozen=True, eq=False)
class Move:
    """What may replace a part of a path.

    Attributes:
        first: Row of the point where it begins.
        last: Row of the point where it ends.
        between: (m, W) configurations on the way.
    """

    first: int
    last: int
    between: Float


@dataclass(eq=False)
class LocalSearch:
    """Makes one path cheaper, batch by batch.

    Args:
        space: What the path is in.
        cost: What is made small.
        vertices: (K, W) certified path.
        rng: Source of randomness.

    Attributes:
        total: The cost of the path as it is now.
    """

    space: Space
    cost: Cost
    vertices: Float
    rng: np.random.Generator
    total: float = field(init=False)

    def __post_init__(self) -> None:
        self._fruitless = 0
        self.total = cost_of(self.cost, self.space, self.vertices)
        self._measure()

    @property
    def is_settled(self) -> bool:
        """Whether many moves in a row gained nothing."""
        return self._fruitless >= FRUITLESS or len(self._points) < 3

    def unsettle(self) -> None:
        """Try again."""
        self._fruitless = 0

    def advance(self) -> None:
        """Try one batch of moves, and take the best that do not overlap."""
        if len(self._points) < 3:
            return
        moves = [self._drawn() for _ in range(BATCH)]
        taken = self._best([move for move in moves if move is not None])
        before = self.total
        if taken:
            self._take(taken)
        worth = before - self.total > GAIN * before
        self._fruitless = 0 if worth else self._fruitless + 1

    def _measure(self) -> None:
        """Put points along the path, and add up its cost at them."""
        space, cost = self.space, self.cost
        spacing = max(
            SPACING * space.world.body.radius, total_length(self.vertices, space) / POINTS
        )
        piece, share = equal_parts(self.vertices, min(spacing, cost.spacing(space)), space)
        points = space.interpolated(self.vertices[piece], self.vertices[piece + 1], share)
        # Exactly the points that were proved, where they are kept.
        points[share == 0.0] = self.vertices[piece[share == 0.0]]
        self._points: Float = np.concatenate([points, self.vertices[-1:]])
        self._is_vertex: Bool = np.append(share == 0.0, True)
        pieces = cost.pieces(space, self._points)
        self._station: Float = np.concatenate([[0.0], np.cumsum(pieces)])

    def _drawn(self) -> Move | None:
        """Return a random move."""
        size, rng = len(self._points), self.rng
        gap = int(np.exp(rng.uniform(np.log(2.0), np.log(size - 0.5))))
        first = int(rng.integers(0, size - gap))
        last = first + gap
        if isinstance(self.space, RigidBodySpace) and rng.random() < TURNS:
            return self._spread(first, last)
        if rng.random() < CUTS:
            return Move(first, last, self._points[:0])
        return self._bent(first, last)

    def _spread(self, first: int, last: int) -> Move | None:
        """Return a part with turns spread evenly, or with straight ways; see `advance`.

        Turn and position are shortened apart (Geraerts and Overmars 2007, partial short cuts).
        """
        rows = first + np.flatnonzero(self._is_vertex[first : last + 1])
        rows = rows[(rows > first) & (rows < last)]
        whole = self._station[last] - self._station[first]
        if len(rows) == 0 or not whole > 0.0:
            return None
        share = (self._station[rows] - self._station[first]) / whole
        ends = np.tile(self._points[[first, last], None], (1, len(rows), 1))
        even = self.space.interpolated(ends[0], ends[1], share)
        between = self._points[rows]
        columns = slice(3, 7) if self.rng.random() < 0.5 else slice(0, 3)
        between[:, columns] = even[:, columns]
        return Move(first, last, between)

    def _bent(self, first: int, last: int) -> Move | None:
        """Return a part that goes over one point: one of its own, moved towards the chord."""
        space, rng = self.space, self.rng
        rows = first + np.flatnonzero(self._is_vertex[first : last + 1])
        rows = rows[(rows > first) & (rows < last)]
        middle = int(rng.choice(rows)) if len(rows) else (first + last) // 2
        whole = self._station[last] - self._station[first]
        if not whole > 0.0:
            return None
        share = (self._station[middle] - self._station[first]) / whole
        ends = self._points[first, None], self._points[last, None]
        here = self._points[middle, None]
        chord = space.interpolated(*ends, np.array([share]))
        length = float(self._arc(first, last))
        noise = length * np.exp(rng.uniform(*np.log(NOISE))) * rng.random()
        step = rng.random() * (rng.random() < 0.7) * space.toward(here, chord)
        step = step + noise * random_directions(space, 1, rng)[:, : step.shape[1]]
        via, arrived = space.move(here, step)
        return Move(first, last, via) if arrived[0] else None

    def _arc(self, first: int, last: int) -> float:
        """Return the length of a part [m]."""
        return total_length(self._points[first : last + 1], self.space)

    def _best(self, moves: list[Move]) -> list[tuple[Move, Float]]:
        """Return moves that do not overlap, with their polylines, those of most gain first taken.

        Only moves that may gain something are proved.
        """
        own = [self._station[move.last] - self._station[move.first] for move in moves]
        chains = [
            np.concatenate([self._points[[m.first]], m.between, self._points[[m.last]]])
            for m in moves
        ]
        least = GAIN * self.total / 4.0
        bounds = self._bounds(chains)
        rows = np.flatnonzero(np.array(own) - bounds > least)
        if len(rows) == 0:
            return []
        found = self._proved([chains[row] for row in rows.tolist()])
        gains = np.array(
            [
                -np.inf if line is None else own[row] - cost_of(self.cost, self.space, line)
                for row, line in zip(rows.tolist(), found, strict=True)
            ]
        )
        taken: list[tuple[Move, Float]] = []
        for at in np.argsort(-gains, kind="stable").tolist():
            move, line = moves[rows[at]], found[at]
            free = all(move.last <= o.first or move.first >= o.last for o, _ in taken)
            if line is not None and gains[at] > least and free:
                taken.append((move, line))
        return sorted(taken, key=lambda pair: pair[0].first)

    def _bounds(self, chains: list[Float]) -> Float:
        """Return the least that chains of configurations may cost (P,)."""
        if not chains:
            return np.zeros(0)
        start, end, first = _pairs(chains)
        least: Float = np.add.reduceat(self.cost.least(self.space, start, end), first)
        return least

    def _proved(self, chains: list[Float]) -> list[Float | None]:
        """Return the certified polylines along chains of configurations, None for the others."""
        start, end, first = _pairs(chains)
        motions = self.space.connect(start, end)
        lines: list[Float | None] = []
        for begin, chain in zip(first.tolist(), chains, strict=True):
            own = motions[begin : begin + len(chain) - 1]
            whole = [motion for motion in own if motion is not None]
            lines.append(joined(whole) if len(whole) == len(own) else None)
        return lines

    def _take(self, taken: list[tuple[Move, Float]]) -> None:
        """Replace parts of the path; leave it as it was if that is not cheaper as a whole."""
        rows, parts = 0, []
        for move, line in taken:
            kept = rows + np.flatnonzero(self._is_vertex[rows : move.first + 1])
            parts += [self._points[kept], line]
            rows = move.last
        kept = rows + np.flatnonzero(self._is_vertex[rows:])
        vertices = without_repeats(np.concatenate([*parts, self._points[kept]]))
        total = cost_of(self.cost, self.space, vertices)
        if total < self.total:
            self.vertices, self.total = vertices, total
            self._measure()


def _pairs(chains: list[Float]) -> tuple[Float, Float, Index]:
    """Return starts and ends (P, W) of the motions along chains, and where each chain begins."""
    sizes = np.array([len(chain) - 1 for chain in chains])
    start = np.concatenate([chain[:-1] for chain in chains])
    end = np.concatenate([chain[1:] for chain in chains])
    return start, end, np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp)
