"""The layer `path`: the planned path of each group."""

import numpy as np

from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Seen
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.playback.bounds import group_radius, lift
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes import lines


@DRAWINGS.register("path")
class PathDrawing(Drawing):
    """A line with arrow heads in the group's color."""

    moves = False

    @staticmethod
    def missing(playback: Playback) -> str:
        """Return that no group has a path."""
        return "" if any(len(path) > 1 for path in playback.paths) else "no group has a path"

    def draw(self, seen: Seen) -> Drawn:
        """Return the same at every moment."""
        rows = [lines.NO_LINES]
        for group, path in enumerate(self.playback.paths):
            if len(path) < 2:
                continue
            lifted, color = path + lift(self.playback, group), group_color(group)
            size = 0.6 * group_radius(self.playback, group)
            rows.append(lines.polyline(lifted, color, 3.0, 0.85))
            rows.append(lines.arrow_heads(lifted, color, 8.0 * size, size))
        return Drawn(lines=np.concatenate(rows))
