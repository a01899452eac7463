"""The layer `markers`: a ring at each walking member's feet; and the ring of the selected."""

import numpy as np

from rmp3d.geometry.rotations import rotate
from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Seen
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.playback.bounds import feet
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes.rings import rings

MOST = 3000  # walkers: the rings of more would cover the ground


@DRAWINGS.register("markers")
class MarkersDrawing(Drawing):
    """A ring of the group's color, with a stroke towards the heading."""

    def __init__(self, playback: Playback) -> None:
        super().__init__(playback)
        walks = np.array([kind.grounded for kind in playback.characters], np.bool_)
        self._rows = np.flatnonzero(walks[playback.character_of])
        self._colors = group_color(playback.group_of[self._rows])

    def draw(self, seen: Seen) -> Drawn:
        """Return the rings at a moment."""
        there = seen.pose.there[self._rows]
        rows = self._rows[there]
        if not 0 < len(rows) <= MOST:
            return Drawn()
        heading = rotate(seen.pose.orientation_wxyz[rows], np.array([[1.0, 0.0, 0.0]]))[:, :2]
        at, radius = feet(self.playback, seen.pose)[rows], self.playback.radius[rows]
        return Drawn(rings=rings(at, radius, self._colors[there], heading=heading))
