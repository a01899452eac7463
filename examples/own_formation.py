"""A formation of one's own: stairs, each member behind and to the left of the one before.

rmp3d run parking --with examples/own_formation.py --formation stairs
"""

from dataclasses import dataclass

import numpy as np

import rmp3d as rp
from rmp3d.behaviors import FORMATIONS


@FORMATIONS.register("stairs")
@dataclass(frozen=True)
class Stairs:
    """Stand behind and to the left of the one before.

    Attributes:
        slope: How far to the left, for each spacing back.
    """

    slope: float = 1.0

    def slots(self, count, spacing):
        """Return (count, 3) slots: lag, left, up [m]."""
        row = np.arange(count)
        left = self.slope * (row - 0.5 * (count - 1))
        return spacing * np.column_stack([row, left, np.zeros(count)])


if __name__ == "__main__":
    group = rp.Group(members=4, start="west", goal="east", behavior=rp.NarrowPassages(Stairs()))
    print(rp.run("plain", group, duration=2.0).header.formations)
