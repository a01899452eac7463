"""Making a path cheaper within its class: short cuts, bends that move, turns that are spread.

A path is its vertices (K, W): from each to the next the body goes straight, as the metric of the
space interpolates. A move replaces what is between two of its points by proved motions.
"""

from dataclasses import dataclass, field

import numpy as np

from rmp3d.geometry import Bool, Float, Index
from rmp3d.planner.costs import Cost
from rmp3d.planner.costs.cost import cost_of
from rmp3d.planner.optimizing.classes import slides_onto
from rmp3d.planner.paths.polyline import (
    equal_parts,
    joined,
    stations,
    total_length,
    without_repeats,
)
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
        in_class: Whether the path stays in its class. A short cut may lead through another door
            than the part that it replaces; then only moves count onto which that part slides.

    Attributes:
        total: The cost of the path as it is now.
    """

    space: Space
    cost: Cost
    vertices: Float
    rng: np.random.Generator
    in_class: bool = False
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
        taken = self._best(self._drawn())
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
        self._rows = np.flatnonzero(self._is_vertex)
        self._arc = stations(self._points, space)
        pieces = cost.pieces(space, self._points)
        self._station: Float = np.concatenate([[0.0], np.cumsum(pieces)])

    def _drawn(self) -> list[Move]:
        """Return random moves; fewer than `BATCH` where one would leave the space."""
        size, rng = len(self._points), self.rng
        gap = np.exp(rng.uniform(np.log(2.0), np.log(size - 0.5), BATCH)).astype(np.intp)
        first = rng.integers(0, size - gap)
        last = first + gap
        spreads = np.zeros(BATCH, np.bool_)
        if isinstance(self.space, RigidBodySpace):
            spreads = rng.random(BATCH) < TURNS
        cuts = ~spreads & (rng.random(BATCH) < CUTS)
        bends = ~spreads & ~cuts
        cut = [
            Move(a, b, self._points[:0])
            for a, b in zip(first[cuts].tolist(), last[cuts].tolist(), strict=True)
        ]
        return (
            self._spread(first[spreads], last[spreads])
            + cut
            + self._bent(first[bends], last[bends])
        )

    def _inner(self, first: Index, last: Index) -> tuple[Index, Index]:
        """Return where the vertices between points begin and end (M,) in ``_rows``."""
        begin = np.searchsorted(self._rows, first, side="right")
        return begin, np.maximum(begin, np.searchsorted(self._rows, last, side="left"))

    def _spread(self, first: Index, last: Index) -> list[Move]:
        """Return parts (M,) with turns spread evenly, or with straight ways; see `advance`.

        Turn and position are shortened apart (Geraerts and Overmars 2007, partial short cuts).
        """
        begin, end = self._inner(first, last)
        some = (end > begin) & (self._station[last] > self._station[first])
        first, last, begin, end = first[some], last[some], begin[some], end[some]
        if len(first) == 0:
            return []
        counts = end - begin
        owner = np.repeat(np.arange(len(first)), counts)
        after = np.cumsum(counts)
        rows = self._rows[np.arange(after[-1]) - np.repeat(after - counts - begin, counts)]
        along = self._station[rows] - self._station[first][owner]
        share = along / (self._station[last] - self._station[first])[owner]
        even = self.space.interpolated(self._points[first[owner]], self._points[last[owner]], share)
        turns = (self.rng.random(len(first)) < 0.5)[owner, None]
        between = np.where(turns == (np.arange(7) >= 3), even, self._points[rows])
        parts = np.split(between, after[:-1])
        return list(map(Move, first.tolist(), last.tolist(), parts))

    def _bent(self, first: Index, last: Index) -> list[Move]:
        """Return parts (M,) that go over one point: one of its own, moved towards the chord."""
        space, rng = self.space, self.rng
        some = self._station[last] > self._station[first]
        first, last = first[some], last[some]
        count = len(first)
        if count == 0:
            return []
        begin, end = self._inner(first, last)
        drawn = begin + (rng.random(count) * (end - begin)).astype(np.intp)
        own = self._rows[np.minimum(drawn, len(self._rows) - 1)]
        middle = np.where(end > begin, own, (first + last) // 2)
        whole = self._station[last] - self._station[first]
        share = (self._station[middle] - self._station[first]) / whole
        here = self._points[middle]
        chord = space.interpolated(self._points[first], self._points[last], share)
        noise = (self._arc[last] - self._arc[first]) * rng.random(count)
        noise *= np.exp(rng.uniform(np.log(NOISE[0]), np.log(NOISE[1]), count))
        pull = rng.random(count) * (rng.random(count) < 0.7)
        step = pull[:, None] * space.toward(here, chord)
        step = step + noise[:, None] * random_directions(space, count, rng)[:, : step.shape[1]]
        via, arrived = space.move(here, step)
        return [
            Move(int(first[at]), int(last[at]), via[at : at + 1]) for at in np.flatnonzero(arrived)
        ]

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
            if line is None or gains[at] <= least or not free:
                continue
            if not self.in_class or self._slides(move, line):
                taken.append((move, line))
        return sorted(taken, key=lambda pair: pair[0].first)

    def _slides(self, move: Move, line: Float) -> bool:
        """Return whether the part of the path that a move replaces slides onto its polyline."""
        part = self._points[move.first : move.last + 1]
        return slides_onto(self.space, part, line)

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
