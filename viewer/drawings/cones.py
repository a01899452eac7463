"""The layer `cones`: what members can see, by their perception."""

import numpy as np

from geometry.rotations import rotate
from viewer.bounds import LIFTED, feet
from viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Seen
from viewer.lines import polyline
from viewer.palette import group_color
from viewer.patches import NO_PATCHES, fans
from viewer.playback import Playback

MOST = 24  # members shown when none is selected: more would cover the ground
CORNERS = 65
FULL = 2.0 * np.pi - 1e-6  # [rad]


@DRAWINGS.register("cones")
class Cones(Drawing):
    """A sector about the heading; of the selected member, or of all in a small crowd.

    One who sees all around has a circle without a fill.
    """

    @staticmethod
    def missing(playback: Playback) -> str:
        """Return that no group perceives, or that one of many is to be chosen."""
        if not any(details.sight for details in playback.details):
            return "no group perceives others"
        return ""

    def draw(self, seen: Seen) -> Drawn:
        """Return the sectors at a moment."""
        playback = self.playback
        if not playback.details:
            return Drawn()
        sights = [playback.details[group].sight for group in playback.group_of]
        rows = [row for row, sight in enumerate(sights) if sight is not None]
        if seen.selected >= 0:
            rows = [row for row in rows if row == seen.selected]
        drawn = []
        for row in rows[:MOST]:
            sight = sights[row]
            assert sight is not None
            half = min(sight.angle, 2.0 * np.pi) / 2.0
            turn = np.linspace(-half, half, CORNERS)
            ahead = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=-1)
            center = (feet(playback, seen.pose)[row] + LIFTED)[None]
            ways = rotate(seen.pose.orientation_wxyz[row][None], ahead)
            rim = center[:, None] + sight.reach * ways[None]
            color = group_color(playback.group_of[row])
            sides = [rim[0]] if sight.angle >= FULL else [center, rim[0], center]
            edge = polyline(np.concatenate(sides), color, 2.0, 0.8)
            fill = NO_PATCHES if sight.angle >= FULL else fans(center, rim, color[None], 0.2)
            drawn.append(Drawn(patches=fill, lines=edge))
        return Drawn.together(drawn)
