"""The layer `slots`: where each member's place in the formation is."""

import numpy as np

from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Seen
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.playback.bounds import LIFTED
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes import lines
from rmp3d.viewer.shapes.rings import rings


@DRAWINGS.register("slots")
class SlotsDrawing(Drawing):
    """A dotted place of the member's size, joined to its member by a thin line."""

    @staticmethod
    def missing(playback: Playback) -> str:
        """Return that no group has any."""
        noted = any(details.track is not None for details in playback.details)
        return "" if noted else "no group travels in formation slots"

    def draw(self, seen: Seen) -> Drawn:
        """Return the slots at a moment."""
        joins, places = [], []
        for group, details in enumerate(self.playback.details):
            slot = details.slots_at(seen.time)
            if slot is None:
                continue
            rows = self.playback.members(group)
            there = seen.pose.there[rows]
            rows, slot = rows[there], slot[there] + LIFTED
            color = 0.45 * group_color(group) + 0.55
            low = self.playback.capsule_axis[rows, 0] - self.playback.radius[rows]
            floor = np.column_stack([np.zeros((len(rows), 2)), low])
            places.append(rings(slot + floor, 0.6 * self.playback.radius[rows], color, 3.0))
            member = seen.pose.position[rows] + LIFTED
            joins.append(lines.segments(member, slot, color, 1.5, (0.3, 0.8)))
        return Drawn.together(
            [Drawn(lines=join, rings=place) for join, place in zip(joins, places, strict=True)]
        )
