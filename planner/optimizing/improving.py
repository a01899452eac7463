"""Improving the legs of a plan until the time or the work is up; certified all the time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from rmp3d.geometry import Float, Index
from rmp3d.planner.costs import Cost
from rmp3d.planner.costs.cost import cost_of
from rmp3d.planner.errors import ConfirmationError
from rmp3d.planner.optimizing.optimizer import PathOptimizer
from rmp3d.planner.optimizing.settings import Alternative, Better, Improvement, Optimization
from rmp3d.planner.paths.polyline import joined, total_length
from rmp3d.planner.spaces import Space

STEP = 0.005  # a path that is cheaper by less, relative, is confirmed at the end only
HORIZON = 2.5  # alternatives cost at most so many times the best path
UNBOUNDED = 400_000  # work for alternatives where nobody limits it
OTHER_TURNS = 150_000  # work after which paths count that differ only in turns
REFUSED = 3  # times that python-fcl may refuse a path of one leg


@dataclass(eq=False)
class ConfirmedLeg:
    """A leg that is improved, and its cheapest path that python-fcl has confirmed.

    Attributes:
        optimizer: Improves it.
        vertices: (K, W) confirmed.
        total: Its cost.
    """

    optimizer: PathOptimizer
    vertices: Float
    total: float
    refused: int = 0
    _judged: set[bytes] = field(default_factory=set)

    @property
    def is_given_up(self) -> bool:
        """Whether python-fcl has refused too many of its paths."""
        return self.refused >= REFUSED

    def has_gained(self, least: float) -> bool:
        """Return whether a path is there, not confirmed, that is cheaper by a share."""
        return not self.is_given_up and self.optimizer.total < self.total * (1.0 - least)

    def confirm(self) -> bool:
        """Take over the cheapest path if python-fcl confirms it; return whether it does."""
        if not self.is_confirmed(self.optimizer.vertices):
            self.refused += 1
            self.optimizer = self.optimizer.restarted(self.vertices)
            return False
        self.vertices, self.total = self.optimizer.vertices, self.optimizer.total
        return True

    def is_confirmed(self, vertices: Float) -> bool:
        """Let python-fcl judge those motions of a path (K, W) that it has not judged before."""
        keys = [
            vertices[row].tobytes() + vertices[row + 1].tobytes()
            for row in range(len(vertices) - 1)
        ]
        fresh = np.array([key not in self._judged for key in keys], np.bool_)
        edges = np.diff(np.concatenate([[0], fresh, [0]]))
        runs = zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True)
        try:
            for first, last in runs:
                self.optimizer.space.world.confirm(vertices[first : last + 1])
        except ConfirmationError:
            return False
        self._judged.update(keys)
        return True


class Improving:
    """The legs of a plan, improved in turns.

    Args:
        space: What the paths are in.
        cost: What is made small.
        paths: (K, W) certified path of each leg, and what trees have grown for it; see `Leg`.
        settings: What is asked.
        rng: Source of randomness.
        length: Returns the length of a path (K, W) [m], as it is stated to users.

    Attributes:
        improvements: The first path, and every better one.
        stopped: Whether the user stopped it.
    """

    def __init__(
        self,
        space: Space,
        cost: Cost,
        paths: Sequence[tuple[Float, tuple[Float, Index] | None]],
        settings: Optimization,
        rng: np.random.Generator,
        length: Callable[[Float], float],
    ) -> None:
        self._space, self._cost, self._settings, self._length = space, cost, settings, length
        horizon = HORIZON if settings.alternatives > 1 else 1.0
        self.legs = []
        for path, grown in paths:
            own = np.random.default_rng(int(rng.integers(2**62)))
            optimizer = PathOptimizer(space, cost, path, own, settings.rules, horizon, grown)
            self.legs.append(ConfirmedLeg(optimizer, path, optimizer.total))
        self.improvements: list[Improvement] = []
        self.stopped = False
        self._before = 0.0

    @property
    def paths(self) -> list[Float]:
        """The confirmed paths (K, W) of the legs."""
        return [leg.vertices for leg in self.legs]

    @property
    def work(self) -> float:
        """Work so far, in motion queries."""
        return self._before + sum(leg.optimizer.spent for leg in self.legs)

    def run(
        self,
        began: float,
        better: Better = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Improve the legs until time or work is up, or the user stops it.

        Args:
            began: When planning began, a time of `perf_counter` [s].
            better: Called with every better path.
            progress: Called with done and total.
        """
        first, settings = perf_counter(), self._settings
        limit = settings.work or (0 if settings.seconds else UNBOUNDED)
        kept = 0.0  # time for confirming the last path
        try:
            self._state(began, better)
            while True:
                passed = perf_counter() - first
                if settings.seconds and passed + kept >= settings.seconds:
                    break
                if (limit and self.work >= limit) or self._is_enough():
                    break
                if progress is not None:
                    _show(progress, passed, self.work, settings, limit)
                leg = min(self.legs, key=lambda each: each.optimizer.spent)
                leg.optimizer.advance()
                if leg.has_gained(STEP):
                    clock = perf_counter()
                    if leg.confirm():
                        self._state(began, better)
                    kept = max(0.8 * kept, perf_counter() - clock)
            gained = [leg.confirm() for leg in self.legs if leg.has_gained(0.0)]
            if any(gained):
                self._state(began, better)
        except KeyboardInterrupt:
            self.stopped = True

    def alternatives(self) -> tuple[Alternative, ...]:
        """Return confirmed paths of different classes, the cheapest first, as many as asked for.

        Of several legs, one at a time takes another class. Who stops it keeps those confirmed.
        """
        if self._settings.alternatives < 2:
            return ()
        base, most = self.paths, self._settings.alternatives - 1
        found = [self._alternative(base)]
        try:
            for row, leg in enumerate(self.legs):
                for _, path in leg.optimizer.others(leg.vertices)[:most]:
                    if leg.is_confirmed(path):
                        found.append(self._alternative([*base[:row], path, *base[row + 1 :]]))
        except KeyboardInterrupt:
            self.stopped = True
        found[1:] = sorted(found[1:], key=lambda each: each.cost)
        return tuple(found[: self._settings.alternatives])

    def _alternative(self, paths: Sequence[Float]) -> Alternative:
        whole = joined(list(paths))
        cost = sum(cost_of(self._cost, self._space, path) for path in paths)
        return Alternative(whole, self._length(whole), cost)

    def _is_enough(self) -> bool:
        """Return whether only alternatives are asked for, and there are enough, made short."""
        settings = self._settings
        if settings.is_bounded:
            return all(leg.is_given_up for leg in self.legs)
        optimizers = [leg.optimizer for leg in self.legs]
        if not all(each.local.is_settled for each in optimizers):
            return False
        if 1 + sum(len(each.known) - 1 for each in optimizers) < settings.alternatives:
            return False
        if self.work >= OTHER_TURNS:
            return True
        return 1 + sum(each.places() - 1 for each in optimizers) >= settings.alternatives

    def _state(self, began: float, better: Better) -> None:
        """Note the confirmed paths as they are now."""
        found = Improvement(
            perf_counter() - began,
            int(self.work),
            self._length(joined(self.paths)),
            sum(leg.total for leg in self.legs),
        )
        self.improvements.append(found)
        if better is not None:
            better(found)


def _show(
    progress: Callable[[int, int], None],
    passed: float,
    work: float,
    settings: Optimization,
    limit: int,
) -> None:
    """Say how much of the time, or of the work, is spent."""
    if settings.seconds:
        progress(int(passed), int(np.ceil(settings.seconds)))
    else:
        progress(int(work), limit)


def length_in(space: Space, whole: bool) -> Callable[[Float], float]:
    """Return a function for the length of paths [m]: of the space, or of the reference point."""
    if whole:
        return lambda path: total_length(path, space)
    return lambda path: total_length(path[:, :3])
