"""What groups have learned on a roadmap: a weight for each direction of the links of a search."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rmp3d.geometry import Float, Index, frozen
from rmp3d.geometry.errors import InputError

# Numbers that stand for the start and the goal, which are no nodes of the roadmap.
START_NODE, GOAL_NODE = -1, -2


@dataclass(frozen=True, eq=False)
class LearnedWeights:
    """Weights of the links between nodes of a roadmap; read-only.

    Attributes:
        pairs: (E, 2) nodes that a link joins; -1 stands for the start, -2 for the goal.
        weight: (E, 2) of each link, from its first node to its second, and back; positive.
        provenance: How they were learned, for people and programs: what JSON can hold.
    """

    pairs: Index
    weight: Float
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        pairs, weight = frozen(self.pairs, np.intp), frozen(self.weight)
        if pairs.ndim != 2 or pairs.shape[1] != 2 or weight.shape != pairs.shape:
            raise InputError(
                f"weights must be (E, 2) for as many pairs of nodes, got {weight.shape} for "
                f"{pairs.shape}"
            )
        if not (np.isfinite(weight).all() and (weight > 0.0).all()):
            raise InputError("weights must be positive and finite")
        if (pairs < GOAL_NODE).any():
            raise InputError("weights are of a node that is not there")
        object.__setattr__(self, "pairs", pairs)
        object.__setattr__(self, "weight", weight)

    def between(self) -> dict[tuple[int, int], float]:
        """Return the weight of each direction by its two nodes."""
        weights = {}
        for (a, b), (onward, back) in zip(self.pairs.tolist(), self.weight.tolist(), strict=True):
            weights[a, b], weights[b, a] = onward, back
        return weights
