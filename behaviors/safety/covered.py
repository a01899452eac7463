"""The space that bodies may cover until they have stopped."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.geometry.arrays import Float, Index


@dataclass(frozen=True, eq=False)
class Covered:
    """What N members may cover until they have stopped.

    Attributes:
        start: (N, 3) reference points [m].
        end: (N, 3) where these stop [m].
        low: (N,) lower ends of the upright segments over them [m].
        high: (N,) upper ends.
        radius: (N,) [m].
    """

    start: Float
    end: Float
    low: Float
    high: Float
    radius: Float

    @property
    def boxes(self) -> tuple[Float, Float]:
        """Lower and upper corners (N, 3) of boxes around what is covered."""
        least, most = np.minimum(self.start, self.end), np.maximum(self.start, self.end)
        wide = np.stack([self.radius] * 3, axis=1)
        least, most = least - wide, most + wide
        least[:, 2] += self.low
        most[:, 2] += self.high
        return least, most

    @property
    def middle(self) -> Float:
        """(N, 3) the middles of the bodies where they are now [m]."""
        middle = self.start.copy()
        middle[:, 2] += 0.5 * (self.low + self.high)
        return middle

    @classmethod
    def at_rest(cls, flock: Flock) -> "Covered":
        """Return what members cover that stay where they are."""
        low, high = flock.bodies.capsule_axis.T
        return cls(flock.position, flock.position, low, high, flock.bodies.radius)

    def select(self, rows: Index) -> "Covered":
        """Return some rows."""
        return Covered(
            self.start[rows], self.end[rows], self.low[rows], self.high[rows], self.radius[rows]
        )
