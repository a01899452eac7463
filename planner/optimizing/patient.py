"""Patient searches for another way, one after the other, ever more seldom."""

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.costs import Cost
from rmp3d.planner.optimizing.fresh_trees import FreshTrees
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.graph import Graph
from rmp3d.planner.trees.guide import Guide

PATIENT = 50_000.0  # work of one search, at most
SHARE = 1.0 / 3.0  # of all work, that trees have while they last
SHRUNK_SHARE = 1.0 / 8.0  # that shrunk bodies have; a query of theirs takes twice the time
PAUSE = 2.0  # the next one begins when so many times the work is spent that was at the end


class PatientSearches:
    """Trees of the body itself and paths of shrunk bodies take turns, each from nothing.

    The path that is known may lead far round: of five seeds one is such. Which way a search comes
    out is chance, so another one helps; and searches that are given up soon do not come out of a
    tight place. A shrunk body fits through places that the body finds only by going far round, and
    the other way about, so both are tried. The pauses grow with the work: of many searches that
    end at once, each would leave a path to be shortened, and little time for anything else.

    Args:
        space: Of the body.
        cost: Of paths.
        start: (7,).
        goal: (7,).
        rng: Source of randomness.

    Attributes:
        left: The graph of the trees that ended with the last turn, if they did.
        work: Of all searches, in motion queries; whoever lets them go on counts it.
        ended: How many have.
    """

    def __init__(
        self,
        space: RigidBodySpace,
        cost: Cost,
        start: Float,
        goal: Float,
        rng: np.random.Generator,
    ) -> None:
        self._space, self._cost, self._ends, self._rng = space, cost, (start, goal), rng
        self.left: Graph | None = None
        self.work = 0.0
        self.ended = 0
        self._search: FreshTrees | Guide | None = None
        self._begun = 0.0, 0.0  # work of the searches, and of all, when this one began
        self._next = 0.0  # all work from which the next one begins

    def is_due(self, spent: float) -> bool:
        """Return whether it is their turn, when so much work is spent in all."""
        if self._search is None:
            return spent >= self._next
        own, everything = self._begun
        share = SHARE if isinstance(self._search, FreshTrees) else SHRUNK_SHARE
        return self.work - own <= share * (spent - everything)

    def advance(self, limit: float, spent: float) -> Float | None:
        """Go on for one turn; return a path (K, 7) if one is found.

        Args:
            limit: The cost that a path of trees must stay below.
            spent: Work so far, of everybody.
        """
        self.left = None
        if self._search is None:
            self._search = self._fresh()
            self._begun = self.work, spent
        search = self._search
        if isinstance(search, FreshTrees):
            found = search.advance(limit)
            self.left, is_over = search.left, search.left is not None
        else:
            search.advance()
            found = search.answer if len(search.answer) else None
            is_over = search.is_done or self.work - self._begun[0] > PATIENT
        if is_over:
            self._search = None
            self._next = PAUSE * spent
            self.ended += 1
        return found

    def _fresh(self) -> FreshTrees | Guide:
        """Return the next search."""
        if self.ended % 2 == 1:
            return Guide(self._space, *self._ends, self._rng)
        return FreshTrees(self._space, self._cost, *self._ends, self._rng, PATIENT)
