"""The layer `forces`: what steering behaviors ask for."""

import numpy as np

from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Label, Seen
from rmp3d.viewer.palette import BEHAVIOR_COLORS, SELECTED, group_color
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes import lines

HEIGHTS = 1.6  # length of the largest force that a member has, in heights of it
LEAST = 0.01  # of the largest force: shorter arrows are left out


@DRAWINGS.register("forces")
class ForcesDrawing(Drawing):
    """The sum for every member; of the selected, each behavior's with its name."""

    @staticmethod
    def missing(playback: Playback) -> str:
        """Return that none were recorded, and how they would be."""
        if playback.force is None:
            return "no forces are recorded; run with `simulation.record_forces = true`"
        return ""

    def draw(self, seen: Seen) -> Drawn:
        """Return the arrows of the frame at a moment."""
        playback = self.playback
        if playback.force is None or playback.member_count == 0:
            return Drawn()
        force = playback.force[playback.frame_at(seen.time)[0]].astype(float)  # (B, N, 3)
        low, high = playback.capsule_axis[:, 0], playback.capsule_axis[:, 1]
        size = HEIGHTS * (high - low + 2.0 * playback.radius)
        most = np.array(
            [playback.characters[k].parameters.max_force for k in playback.character_of]
        )
        scale = (size / most)[:, None]
        middle = seen.pose.position + np.column_stack([np.zeros((len(low), 2)), (low + high) / 2])
        total = np.where(seen.pose.there[:, None], scale * force.sum(axis=0), 0.0)
        colors = group_color(playback.group_of)
        if seen.selected >= 0:
            colors[seen.selected] = SELECTED
        drawn = [Drawn(lines=lines.arrows(middle, total, colors, 2.5, LEAST * float(size.max())))]
        if seen.selected >= 0:
            drawn.append(self._each(force[:, seen.selected] * scale[seen.selected], middle, seen))
        return Drawn.together(drawn)

    def _each(self, parts: np.ndarray, middle: np.ndarray, seen: Seen) -> Drawn:
        at = middle[seen.selected]
        shown = np.flatnonzero(np.linalg.norm(parts, axis=1) > 0.02)
        colors = BEHAVIOR_COLORS[shown % len(BEHAVIOR_COLORS)]
        start = np.tile(at, (len(shown), 1))
        labels = tuple(
            Label(
                self.playback.force_names[row],
                at + parts[row],
                BEHAVIOR_COLORS[row % len(BEHAVIOR_COLORS)],
            )
            for row in shown
        )
        return Drawn(lines=lines.arrows(start, parts[shown], colors, 4.0, 0.0), labels=labels)
