"""What carries members along: a lift, seen from which they stand, takes their feet with it."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.scenes import Scene

ON = 0.1
"""Feet [m] so far below or above all of a part are not on it."""


@dataclass(frozen=True, eq=False)
class CarriedWay:
    """How far parts that carry have taken one member by each of T frames.

    Attributes:
        way: (T, 3) [m], since the first frame; who has left a part keeps what it was taken.
        rides: (T,) whether it is on such a part.
    """

    way: Float
    rides: Bool

    def at(self, row: Float) -> Float:
        """Return how far it was taken (..., 3) [m] at rows (...), also between frames."""
        frames = np.arange(len(self.way))
        return np.stack([np.interp(row, frames, column) for column in self.way.T], axis=-1)

    def rides_at(self, row: Float) -> Bool:
        """Return whether it is on a part that carries in the frames nearest to rows (...)."""
        nearest = np.clip(np.round(row), 0, len(self.rides) - 1)
        return np.asarray(self.rides[nearest.astype(np.intp)])


def carried_way(scene: Scene, position: Float, clocks: Float) -> CarriedWay | None:
    """Return how a member is carried, or None if it never is.

    Args:
        scene: With the parts.
        position: (T, 3) of the member [m].
        clocks: (T, K) of the moving parts [s].
    """
    step = np.zeros_like(position)
    rides = np.zeros(len(position), np.bool_)
    for clock, row in zip(clocks.T, scene.moving.tolist(), strict=True):
        part = scene.parts[row]
        if part.motion is None or not part.carries:
            continue
        way = part.motion.displacements(clock)
        low, high = part.mesh.bounds + ON * np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])
        on = ((position - way >= low) & (position - way <= high)).all(axis=1)
        step[1:] += np.where((on[1:] & on[:-1])[:, None], np.diff(way, axis=0), 0.0)
        rides |= on
    return CarriedWay(np.cumsum(step, axis=0), rides) if rides.any() else None
