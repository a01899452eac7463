"""A way to a path of the body itself, gone in turns of counted work."""

from abc import ABC, abstractmethod
from collections.abc import Generator

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.turns import Search, Turns, work_of


class GuidingWay(ABC):
    """What is found by `_all`, one turn after the other.

    Args:
        whole: Space of the body itself; its world counts the queries of all bodies.
        rng: Source of randomness.

    Attributes:
        path: (G, 7) along the best path so far, maybe that of a shrunk body; may be empty.
        answer: (K, 7) a path of the body itself, once there is one; else empty.
        spent: Work so far, in motion queries.
        is_done: Whether there is nothing left to do.
    """

    def __init__(self, whole: RigidBodySpace, rng: np.random.Generator) -> None:
        self.path = self.answer = np.zeros((0, 7))
        self.spent = 0.0
        self.is_done = False
        self._whole, self._rng = whole, rng
        self._uncounted = 0.0  # work that the counts do not have
        self._turns = self._all()

    def advance(self) -> None:
        """Go on for one turn."""
        before = self._work()
        try:
            next(self._turns)
        except StopIteration:
            self.is_done = True
        self.spent += self._work() - before

    def _work(self) -> float:
        return work_of(self._whole.world.counts) + self._uncounted

    @abstractmethod
    def _all(self) -> Generator[None, None, None]:
        """Do all there is to do, in turns."""

    def _searched(self, space: RigidBodySpace, ends: Float, patience: float, guide: Float) -> Turns:
        """Return the path (K, 7) of one search, none if it is given up.

        Args:
            space: Of a body.
            ends: (2, 7), free.
            patience: Work, at most.
            guide: (G, 7) configurations near which the trees look for a path; may be empty.
        """
        search = Search(space, ends[0], ends[1], self._rng)
        search.graph.guide = guide
        while not search.graph.is_joined:
            if search.spent > patience:
                return np.zeros((0, 7))
            before = work_of(space.world.counts), search.spent
            search.advance()
            counted = work_of(space.world.counts) - before[0]
            self._uncounted += search.spent - before[1] - counted
            yield
        return search.graph.shortest_path()
