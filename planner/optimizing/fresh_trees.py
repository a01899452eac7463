"""Fresh trees of a rigid body, in the box that shorter paths cannot leave."""

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.costs import Cost
from rmp3d.planner.optimizing.samples import box_of_ellipsoid, spread_samples
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.trees.graph import Graph
from rmp3d.planner.trees.shrunk import PATIENCE
from rmp3d.planner.trees.turns import Search

TARGETS = 400  # configurations near which the trees look, 40 % of the time
LEAST_AIM = 0.1  # of what may be saved at most, that a search leaves


class FreshTrees:
    """Searches from nothing, one after the other; each may come out another way.

    A search knows no more than that its path must be worth it: its samples are in the box of the
    ellipsoid of `informed_samples`, and two of five targets are near such samples. It is given up
    as the guide's searches are (Luby, Sinclair and Zuckerman 1993). AORRTC (Wilson and others
    2025), too, searches again and again within a bound.

    Args:
        space: Of the body.
        cost: Of paths.
        start: (7,).
        goal: (7,).
        rng: Source of randomness.
        patience: Work of the first search, in motion queries.

    Attributes:
        left: The graph of the search that ended with the last turn, if one did.
    """

    def __init__(
        self,
        space: RigidBodySpace,
        cost: Cost,
        start: Float,
        goal: Float,
        rng: np.random.Generator,
        patience: float = PATIENCE,
    ) -> None:
        self._space, self._cost, self._rng = space, cost, rng
        self.left: Graph | None = None
        self._ends = start, goal
        self._search: Search | None = None
        self._tries, self._patience = 0, patience

    def advance(self, limit: float) -> Float | None:
        """Go on for one turn; return a path (K, 7) if one is found.

        Args:
            limit: The cost that a path must stay below.
        """
        if self._search is None:
            self._search = self._begun(limit)
            self._tries += 1
        self._search.advance()
        graph, self.left = self._search.graph, None
        patience = self._patience * (self._tries & -self._tries)
        if not (graph.is_joined or self._search.spent > patience):
            return None
        self._search, self.left = None, graph
        return graph.shortest_path() if graph.is_joined else None

    def _begun(self, limit: float) -> Search:
        """Return a search that aims at a random cost between the least possible and the limit."""
        start, goal = self._ends
        least = float(self._cost.least(self._space, start[None], goal[None])[0])
        aim = least + (limit - least) * (LEAST_AIM + (1.0 - LEAST_AIM) * self._rng.random())
        box = box_of_ellipsoid(start[:3], goal[:3], aim / self._cost.per_meter(self._space))
        search = Search(self._space.within(box), start, goal, self._rng)
        search.graph.guide = spread_samples(
            self._space, self._cost, np.stack([start, goal]), aim, TARGETS, self._rng
        )
        return search
