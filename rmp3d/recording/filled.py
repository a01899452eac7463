"""Rows for all members of a run, also for those that are not there at the moment."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rmp3d.geometry.arrays import Float, Index

# Where members are who have not come yet, if nobody is there at the first frame.
NOWHERE: Mapping[str, tuple[float, ...]] = {
    "position": (0.0, 0.0, 0.0),
    "orientation_wxyz": (1.0, 0.0, 0.0, 0.0),
    "subgoal": (0.0, 0.0, 0.0),
}


class FilledRows:
    """Fills the rows of N members, frame by frame: those not there keep what they had last.

    Those that have not come yet have what the first member has that is there.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._last: dict[str, Float] = {}

    def of(self, name: str, value: ArrayLike, member: Index) -> Float:
        """Return the values (N, D) of all by those (n, D) of members that are there.

        Args:
            name: One of `NOWHERE`.
            value: (n, D).
            member: (n,) their rows.
        """
        rows = np.asarray(value, np.float64)
        if name not in self._last:
            first = rows[0] if len(rows) else NOWHERE[name]
            self._last[name] = np.tile(first, (self._count, 1))
        self._last[name][member] = rows
        return self._last[name].copy()

    def forces(self, value: ArrayLike, member: Index) -> NDArray[np.float64]:
        """Return the forces (B, N, 3) of all by those (B, n, 3) of members that are there."""
        force = np.asarray(value, np.float64)
        every = np.zeros((len(force), self._count, 3))
        every[:, member] = force
        return every
