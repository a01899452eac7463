"""The search for one body: trees and milestones take turns on one graph, by counted work."""

from collections.abc import Generator

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.graph import Graph
from rmp3d.planner.trees.growth import CONTACT_WORK
from rmp3d.planner.trees.milestones import Milestones

MILESTONES = 5000  # random ones, at most; then the trees go on alone
TREE_SHARE = 1.0  # work of the trees for one of the milestones
LEAD = 3000.0  # work that trees have before the first milestones, where the body turns
TURN = 300.0  # work of the trees at a time

Turns = Generator[None, None, Float]
"""Work in turns that returns a path (K, 7), or none (0, 7)."""


class Search:
    """Grows a graph until start and goal are joined.

    Args:
        space: Of the body; its world counts the queries.
        start: (7,), free.
        goal: (7,), free.
        rng: Source of randomness.
        most: Random milestones, at most.

    Attributes:
        graph: What was built so far.
        spent: Work so far, in motion queries.
    """

    def __init__(
        self,
        space: RigidBodySpace,
        start: Float,
        goal: Float,
        rng: np.random.Generator,
        most: int = MILESTONES,
    ) -> None:
        self.graph = Graph(space, start, goal, rng)
        self.spent = 0.0
        self._most = most
        self._milestones = Milestones(self.graph, space.turns, rng)
        # The milestones' work, and what they must wait for.
        self._on_milestones = LEAD / TREE_SHARE if space.turns else 0.0
        self._on_trees = 0.0

    def advance(self) -> None:
        """Go on for one turn."""
        counts, milestones = self.graph.space.world.counts, self._milestones
        before = work_of(counts) + milestones.search_work
        turn_of_trees = self._on_trees < TREE_SHARE * self._on_milestones
        if turn_of_trees or milestones.count >= self._most:
            self.graph.grow(TURN)
        else:
            milestones.advance()
        work = work_of(counts) + milestones.search_work - before
        self.spent += work
        if turn_of_trees:
            self._on_trees += work
        else:
            self._on_milestones += work


def work_of(counts: QueryCounts) -> float:
    """Return the work of queries, in motion queries."""
    return counts.collision + CONTACT_WORK * counts.distance
