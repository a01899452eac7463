"""Notes of what each steering behavior asks each character for."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from rmp3d.geometry.arrays import Float, Index


@dataclass(eq=False)
class ForceLog:
    """The forces of one step.

    Attributes:
        count: Characters N of all groups.
        force: By the behavior's name, (N, 3) [N], world, weighted.
    """

    count: int
    force: dict[str, Float] = field(default_factory=dict)
    _deaf: set[int] = field(default_factory=set)

    def listen_to(self, rows: Index, members: Index) -> None:
        """Note from now on nothing of ``rows`` of the flock that are not ``members`` of them."""
        self._deaf.difference_update(rows.tolist())
        self._deaf.update(np.setdiff1d(rows, members).tolist())

    def note(self, name: str, rows: Index, force: Float) -> None:
        """Add what a behavior asks ``rows`` (n,) of the flock for, (n, 3) [N]."""
        total = self.force.setdefault(name, np.zeros((self.count, 3)))
        heard = np.array([row not in self._deaf for row in rows.tolist()], np.bool_)
        total[rows[heard]] += force[heard]

    def stacked(self, names: Sequence[str]) -> Float:
        """Return the forces (B, N, 3) [N] of behaviors by name, zero for those not asked."""
        none = np.zeros((self.count, 3))
        return np.array([self.force.get(name, none) for name in names]).reshape(-1, self.count, 3)
