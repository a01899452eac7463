"""What a group knew and planned, beyond where its members were: for the layers that show it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from geometry.arrays import Bool, Float, Index, frozen


def _no_points() -> Float:
    return frozen(np.zeros((0, 3)))


def _empty(*shape: int) -> Float:
    return frozen(np.zeros(shape))


def _no_rows(*shape: int) -> Index:
    return frozen(np.zeros(shape), np.intp)


@dataclass(frozen=True)
class Sight:
    """How far members perceive others [m], and the full opening of their field of view [rad]."""

    reach: float
    angle: float = 2.0 * np.pi


@dataclass(frozen=True, eq=False, kw_only=True)
class PathRoom:
    """Room and formations planned along a path.

    Attributes:
        station: (J,) arc lengths of the path [m], ascending.
        left: (J,) how far members may move to the left [m].
        right: (J,) the same to the right, positive.
        formation: (J,) row in `names` of what the leader's group forms there, -1 for nothing.
        names: Of formations.
    """

    station: Float
    left: Float
    right: Float
    formation: Index = field(default_factory=partial(_no_rows, 0))
    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class GroupDetails:
    """Of one group with n members; what a recording does not hold is empty or None.

    Attributes:
        nodes: (V, 3) of its roadmap [m].
        edges: (E, 2) rows of `nodes`.
        component: (V,) connected component of each node.
        weight_time: (S,) when the weights of edges were noted [s], ascending.
        weight: (S, E) how much the group avoids each edge.
        room: Along its path.
        slot_time: (S,) when slots were noted [s], ascending.
        slot: (S, n, 3) each member's place in the formation [m]; NaN for none.
        sight: How members perceive others.
        rejected: Returns the samples (R, 3) [m] in collision; may take seconds.
    """

    nodes: Float = field(default_factory=partial(_empty, 0, 3))
    edges: Index = field(default_factory=partial(_no_rows, 0, 2))
    component: Index = field(default_factory=partial(_no_rows, 0))
    weight_time: Float = field(default_factory=partial(_empty, 0))
    weight: Float = field(default_factory=partial(_empty, 0, 0))
    room: PathRoom | None = None
    slot_time: Float = field(default_factory=partial(_empty, 0))
    slot: Float = field(default_factory=partial(_empty, 0, 0, 3))
    sight: Sight | None = None
    rejected: Callable[[], Float] = _no_points

    def weights_at(self, time: float) -> Float | None:
        """Return the weight (E,) of each edge noted last before a moment [s]; None for none."""
        if len(self.weight_time) == 0 or self.weight.shape[1] != len(self.edges):
            return None
        return np.asarray(self.weight[_row_before(self.weight_time, time)])

    def slots_at(self, time: float) -> tuple[Float, Bool] | None:
        """Return slots (n, 3) [m] at a moment [s], and which members have one; None for none.

        Between two notes a slot is taken to move straight and evenly.
        """
        if len(self.slot_time) == 0:
            return None
        row = _row_before(self.slot_time, time)
        after = min(row + 1, len(self.slot_time) - 1)
        span = self.slot_time[after] - self.slot_time[row]
        share = float(np.clip((time - self.slot_time[row]) / span, 0.0, 1.0)) if span > 0.0 else 0.0
        place = (1.0 - share) * self.slot[row] + share * self.slot[after]
        return place, np.isfinite(place).all(axis=1)


def _row_before(times: Float, time: float) -> int:
    return max(int(np.searchsorted(times, time + 1e-9, side="right")) - 1, 0)
