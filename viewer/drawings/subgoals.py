"""The layer `subgoals`: what each member wants now."""

import numpy as np

from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Seen
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.playback.bounds import LIFTED
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes import lines


@DRAWINGS.register("subgoals")
class SubgoalsDrawing(Drawing):
    """A cross, joined to its member by a thin line."""

    @staticmethod
    def missing(playback: Playback) -> str:
        """Return that none were recorded."""
        return "no subgoals are recorded" if playback.subgoal is None else ""

    def draw(self, seen: Seen) -> Drawn:
        """Return those of the frame at a moment."""
        playback = self.playback
        if playback.subgoal is None:
            return Drawn()
        there = seen.pose.there
        colors = group_color(playback.group_of[there])
        subgoal = playback.subgoal[playback.frame_at(seen.time)[0]][there] + LIFTED
        joins = lines.segments(seen.pose.position[there], subgoal, colors, 1.2, (0.55, 0.55))
        return Drawn(lines=np.concatenate([lines.crosses(subgoal, colors, 0.35), joins]))
