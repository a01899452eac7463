"""Several costs at once: paths of which none is better than another in every cost (Pareto).

Each cost is made small alone, then sums of them with different weights, which all count relative to
the path that was there first. So only paths are found that are best for some weights: those on the
convex hull of what is possible (Das and Dennis 1997, "A closer look at drawbacks of minimizing
weighted sums of objectives for Pareto set generation").
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, Self

import numpy as np

from rmp3d.geometry import Bool, Float
from rmp3d.models import Character
from rmp3d.planner.costs import Cost
from rmp3d.planner.spaces import Space

ALIKE = 1e-6  # relative; by less, no path is better than another
MIXES = {2: (0.75, 0.5, 0.25)}  # weights of the first of two costs; of more costs, halves


@dataclass(frozen=True)
class BlendedCost:
    """A weighted sum of costs.

    Attributes:
        parts: The costs.
        weights: Of each, not negative.
    """

    parts: tuple[Cost, ...]
    weights: tuple[float, ...]

    unit: ClassVar[str] = ""

    def of_body(self, character: Character | None) -> Self:
        """Return the sum with the figures of the character that moves."""
        return replace(self, parts=tuple(part.of_body(character) for part in self.parts))

    def spacing(self, space: Space) -> float:
        """Return the least spacing that a part asks for [m]."""
        return min(part.spacing(space) for part in self.parts)

    def pieces(self, space: Space, points: Float) -> Float:
        """Return the costs (K - 1,)."""
        return self._sum([part.pieces(space, points) for part in self.parts])

    def least(self, space: Space, start: Float, end: Float) -> Float:
        """Return the sum of the lower bounds (M,)."""
        return self._sum([part.least(space, start, end) for part in self.parts])

    def per_meter(self, space: Space) -> float:
        """Return the sum of what a meter costs."""
        rates = [part.per_meter(space) for part in self.parts]
        return float(np.dot(self.weights, rates))

    def _sum(self, values: Sequence[Float]) -> Float:
        total: Float = np.tensordot(self.weights, np.array(values), axes=1)
        return total


def blends(costs: Sequence[Cost], values: Sequence[float]) -> list[Cost]:
    """Return the costs that are made small one after the other: each alone first, then sums.

    Args:
        costs: At least two.
        values: Of the path that was there first.
    """
    count = len(costs)
    scale = [1.0 / value if value > 0.0 else 1.0 for value in values]
    sums: list[Cost] = []
    for pair in combinations(range(count), 2):
        for share in MIXES.get(count, (0.5,)):
            parts = costs[pair[0]], costs[pair[1]]
            weights = share * scale[pair[0]], (1.0 - share) * scale[pair[1]]
            sums.append(BlendedCost(parts, weights))
    return [*costs, *sums]


def not_dominated(values: Float) -> Bool:
    """Return which rows of costs (N, C) no other row is at least as good as in every cost.

    Of rows that are alike, the first one stays.
    """
    kept = np.ones(len(values), np.bool_)
    for row, own in enumerate(values):
        as_good = (values <= own * (1.0 + ALIKE)).all(axis=1)
        better = (values < own * (1.0 - ALIKE)).any(axis=1)
        earlier = np.arange(len(values)) < row
        kept[row] = not (as_good & kept & (better | earlier)).any()
    return kept
