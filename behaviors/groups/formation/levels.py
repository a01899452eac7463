"""Levels: on stairs and under decks a member keeps to the level of its place in the formation.

A place moves along the path. A member that is pushed off the path next to a stair stands on the
floor below; straight on there leads under the stair, not to its place. At the inner corner of a
landing a body straight on would touch the steps of the other flight. So a place waits where its
member can walk straight to it over the ground, and comes back to a member that cannot.
"""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.surface import CURB, WalkableSurface
from rmp3d.geometry.vectors import length
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.spaces import GroundSpace, Space

# Ground so far above or below other ground is another level [m].
ANOTHER = 0.25
# Other levels are looked for as far to both sides of the path [m], at points so far apart [m].
BESIDE, APART = 6.0, 0.5
# A walk that stops at a border this far from its end, in plan, may go round to it [m] ...
AT_BORDER = 0.5
# ... by a point this far beside the middle of what is left, as a share of that ...
ROUND = (0.25, -0.25, 0.5, -0.5)
# ... and is there when this near to it, in plan [m].
THERE = 0.03
# Between a point and the ground it stands on [m].
NEAR = 0.05
# A place comes back to its member over the path in steps of this length [m].
BACK = 0.2
# A member this near to its place, in plan, goes on with it over the path, as narrow as it is [m].
AT_PLACE = 0.02


@dataclass(frozen=True, eq=False)
class Levels:
    """The ground along a path that has steps, or other ground above or below it.

    Attributes:
        space: Of the ground.
        path: Over it.
        apart: Ends of walks to one point that are farther apart in height are on two levels [m].
    """

    space: GroundSpace
    path: CertifiedPath
    apart: float

    @classmethod
    def along(cls, space: Space, path: CertifiedPath) -> "Levels | None":
        """Return the levels along a path; None where there is but one."""
        if not isinstance(space, GroundSpace):
            return None
        surface = space.surface
        if surface.step_height <= CURB and not _has_other_level(surface, path):
            return None
        return cls(space, path, max(ANOTHER, surface.step_height))

    def reach(self, position: Float, places: Float, station: Float) -> Bool:
        """Return which members (n,) come straight to their places over the ground.

        Args:
            position: (n, 3) of the members [m].
            places: (n, 3) beside the path [m]; heights are those of the path.
            station: (n,) arc lengths of these [m].
        """
        ground = self._walked(self.path.at(np.clip(station, 0.0, self.path.length)), places)
        return self.joins(position, ground)

    def joins(self, start: Float, end: Float) -> Bool:
        """Return which straight walks from start[i] to end[i], (n, 3) on the ground, arrive.

        Walks that stop at a border beside their end arrive if they can slide along it to there: at
        the well of a spiral stair even short walks cross the border. Across a gap beside a flight
        of stairs the end may be as near, but no walk gets there.
        """
        walked = self._walked(start, end)
        arrived = self._are_there(walked, end, THERE)
        stopped = np.flatnonzero(self._are_there(walked, end, AT_BORDER) & ~arrived)
        for share in ROUND:
            if len(stopped) == 0:
                break
            slides = self._slide(walked[stopped], end[stopped], share)
            arrived[stopped[slides]] = True
            stopped = stopped[~slides]
        return arrived

    def _slide(self, start: Float, end: Float, share: float) -> Bool:
        """Return which walks from start[i] by a point beside the straight line come to end[i]."""
        onward = (end - start)[:, :2]
        aside = np.stack([-onward[:, 1], onward[:, 0]], axis=1)
        by = start.copy()
        by[:, :2] += 0.5 * onward + share * aside
        middle = self._walked(start, by)
        comes_by: Bool = length((by - middle)[:, :2]) < THERE
        return comes_by & self._are_there(self._walked(middle, end), end, THERE)

    def _are_there(self, point: Float, end: Float, reach: float) -> Bool:
        """Return which points (n, 3) are on the level of ends (n, 3), and nearer than ``reach``."""
        gap = end - point
        there: Bool = (length(gap[:, :2]) < reach) & (np.abs(gap[:, 2]) < self.apart)
        return there

    def are_free(self, start: Float, end: Float) -> Bool:
        """Return on which straight walks from start[i] towards end[i], (n, 3), nothing is touched.

        Walks end at borders, as in `joins`.
        """
        found, _ = self.space.surface.locate(start, NEAR, NEAR)
        return self.space.connects(found, self._walked(start, end))

    def _walked(self, start: Float, end: Float) -> Float:
        """Return where (n, 3) straight walks from start[i] towards end[i], (n, 3), come to."""
        surface = self.space.surface
        found, face = surface.locate(start, NEAR, NEAR)
        return surface.walk(found, face, (end - start)[:, :2])[0]

    def stations_back(self, station: float) -> Float:
        """Return the arc lengths (K,) [m] that a place may come back to, the nearest first."""
        return np.arange(station, min(station, 0.0) - 0.5 * BACK, -BACK)


def _has_other_level(surface: WalkableSurface, path: CertifiedPath) -> bool:
    """Return whether there is ground above or below the path and what is beside it."""
    station = np.arange(0.0, path.length + APART, APART)
    left = path.frames(station)[:, :, 1]
    lanes = np.arange(-BESIDE, BESIDE + APART, APART)
    points = (path.at(station) + lanes[:, None, None] * left).reshape(-1, 3)
    found, face = surface.locate(points)
    points = found[face >= 0]
    height = float(surface.extent[2] - surface.extent[1])
    if height <= ANOTHER or len(points) == 0:
        return False
    for side in (1.0, -1.0):
        middle = points + side * np.array([0.0, 0.0, ANOTHER + 0.5 * height])
        if (surface.locate(middle, 0.5 * height, 0.5 * height)[1] >= 0).any():
            return True
    return False
