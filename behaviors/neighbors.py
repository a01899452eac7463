"""Who is near whom: ordered pairs, found once a step and shared by all behaviors."""

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from geometry.arrays import Bool, Float, Index


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

    @classmethod
    def within(cls, position: Float, reach: float, radius: Float) -> "Neighbors":
        """Find all ordered pairs of agents at most ``reach`` [m] apart.

        Args:
            position: (N, 3) [m].
            reach: Largest distance between two centers [m].
            radius: (N,) of the bodies [m].
        """
        if len(position) < 2:
            none = np.zeros(0, np.intp)
            return cls(none, none, np.zeros((0, 3)), np.zeros(0), none < 0, len(position))
        found = cKDTree(position).query_pairs(reach, output_type="ndarray")
        found = found[np.lexsort((found[:, 1], found[:, 0]))]
        i, j = np.concatenate([found, found[:, ::-1]]).T
        contact = radius[i] + radius[j]
        return cls(i, j, position[j] - position[i], contact, i < j, len(position))

    def of(self, rows: Index) -> "Neighbors":
        """Return the pairs whose seeing agent is one of ``rows``, numbered as in ``rows``.

        The seen agents keep their numbers among all.
        """
        place = np.full(self.agent_count, -1)
        place[rows] = np.arange(len(rows))
        kept = place[self.i] >= 0
        return Neighbors(
            place[self.i[kept]], self.j[kept], self.offset[kept], self.contact[kept],
            self.lower[kept], len(rows),
        )  # fmt: skip

    def sum(self, value: Float) -> Float:
        """Sum a (P, 3) quantity over each agent's neighbors, giving (N, 3)."""
        total = np.zeros((self.agent_count, 3))
        for axis in range(3):  # bincount is far faster than np.add.at
            total[:, axis] = np.bincount(self.i, value[:, axis], self.agent_count)
        return total
