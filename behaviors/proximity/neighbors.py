"""Neighbors: ordered pairs of near agents, found once a step and shared by all behaviors."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.proximity.kept_pairs import LOOKED_THROUGH, KeptPairs
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.compiled import compiled, released
from rmp3d.geometry.parallel import in_blocks
from rmp3d.geometry.short_repr import short_repr


@dataclass(frozen=True, eq=False)
class Neighbors:
    """Ordered pairs: agent i sees agent j.

    Attributes:
        i: (P,) the seeing agent.
        j: (P,) the seen agent.
        offset: (P, 3) position of j relative to i [m], world.
        contact: (P,) distance at which their bodies would touch: the sum of their radii [m].
        lower: (P,) whether i is the lower row of the two, among all; breaks ties.
        agent_count: N.
    """

    i: Index
    j: Index
    offset: Float
    contact: Float
    lower: Bool
    agent_count: int

    __repr__ = short_repr

    @classmethod
    def none(cls, agent_count: int) -> "Neighbors":
        """Return that nobody sees anybody."""
        rows = np.zeros(0, np.intp)
        return cls(rows, rows, np.zeros((0, 3)), np.zeros(0), np.zeros(0, np.bool_), agent_count)

    @classmethod
    def within(
        cls, position: Float, reach: float, radius: Float, kept: KeptPairs | None = None
    ) -> "Neighbors":
        """Find all ordered pairs of agents at most ``reach`` [m] apart.

        Args:
            position: (N, 3) [m].
            reach: Largest distance between two centers [m].
            radius: (N,) of the bodies [m].
            kept: The flock's pairs; None: they are searched for.
        """
        position = np.ascontiguousarray(position, dtype=np.float64)
        pairs = (kept or KeptPairs()).within(position, np.full(len(position), 0.5 * reach))
        position = position.reshape(-1, 3)
        radius = np.ascontiguousarray(radius, dtype=np.float64)
        count = 2 * len(pairs)
        i, j, lower = np.empty(count, np.intp), np.empty(count, np.intp), np.empty(count, np.bool_)
        offset, contact = np.empty((count, 3)), np.empty(count)

        def some(rows: slice) -> None:
            _both_ways(rows.start, rows.stop, pairs, position, radius, i, j, offset, contact, lower)

        in_blocks(some, len(pairs), LOOKED_THROUGH)
        return cls(i, j, offset, contact, lower, len(position))

    def of(self, rows: Index) -> "Neighbors":
        """Return the pairs whose seeing agent is one of ``rows``, numbered as in ``rows``.

        The seen agents keep their numbers among all.
        """
        if np.array_equal(rows, np.arange(self.agent_count)):
            return self
        place = np.full(self.agent_count, -1)
        place[rows] = np.arange(len(rows))
        i, j, offset, contact, lower = _seen_by(
            place, self.i, self.j, self.offset, self.contact, self.lower
        )
        return Neighbors(i, j, offset, contact, lower, len(rows))

    def sum(self, value: Float) -> Float:
        """Sum a (P, 3) quantity over each agent's neighbors, giving (N, 3)."""
        total = np.zeros((self.agent_count, 3))
        _add_up(self.i, np.ascontiguousarray(value, dtype=np.float64), total)
        return total


@released
def _both_ways(begin, end, pairs, position, radius, seeing, seen, offset, contact, lower):
    """Fill in the arrays of `Neighbors`: pairs as they are, and behind all of them reversed."""
    half = pairs.shape[0]
    for k in range(begin, end):
        i, j = pairs[k, 0], pairs[k, 1]
        r = half + k
        seeing[k], seen[k], seeing[r], seen[r] = i, j, j, i
        lower[k], lower[r] = True, False
        contact[k] = radius[i] + radius[j]
        contact[r] = contact[k]
        for axis in range(3):
            offset[k, axis] = position[j, axis] - position[i, axis]
            offset[r, axis] = position[i, axis] - position[j, axis]


@compiled
def _seen_by(place, seeing, seen, offset, contact, lower):
    """Return the arrays of `Neighbors` of those that have a place (N,), which is their number."""
    count = 0
    for k in range(seeing.shape[0]):
        count += place[seeing[k]] >= 0
    i, j, is_lower = np.empty(count, np.intp), np.empty(count, np.intp), np.empty(count, np.bool_)
    apart, touching = np.empty((count, 3)), np.empty(count)
    row = 0
    for k in range(seeing.shape[0]):
        own = place[seeing[k]]
        if own < 0:
            continue
        i[row], j[row], touching[row], is_lower[row] = own, seen[k], contact[k], lower[k]
        for axis in range(3):
            apart[row, axis] = offset[k, axis]
        row += 1
    return i, j, apart, touching, is_lower


@compiled
def _add_up(rows, value, total):
    for k in range(rows.shape[0]):
        for axis in range(3):
            total[rows[k], axis] += value[k, axis]
