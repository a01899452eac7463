"""The ground of a goal region: a floor below it, or a deck above it, is another place."""

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.planner.spaces import GroundSpace, Space
from rmp3d.scenes import Region

NEAR = 0.5  # [m] between a member and the ground it stands on, or an end of a path and its ground


class GoalGround:
    """Where members have arrived: in the region, on ground that joins the path's end in it.

    Args:
        space: Where one member can be; for flyers only the region counts.
        region: The goal.
        end: (3,) of the path to it [m].
    """

    def __init__(self, space: Space, region: Region, end: Float) -> None:
        self._region = region
        self._surface = None
        if isinstance(space, GroundSpace):
            face = int(space.surface.locate(end, NEAR, NEAR)[1][0])
            if face >= 0:
                self._surface = space.surface
                self._joined = space.surface.joined_within(face, region.bounds)

    def contains(self, position: Float) -> Bool:
        """Return which members (n, 3) have arrived."""
        inside = self._region.contains(position)
        rows = np.flatnonzero(inside)
        if self._surface is not None and len(rows):
            _, face = self._surface.locate(position[rows], NEAR, NEAR)
            inside[rows] = (face < 0) | self._joined[face]
        return inside
