"""The layer `samples`: sampled configurations, free and in collision."""

import numpy as np

from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Seen
from rmp3d.viewer.palette import FREE, REJECTED
from rmp3d.viewer.playback.bounds import group_radius, lift
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.shapes import lines

CROSS = 0.25  # [m]; less where a body is smaller


@DRAWINGS.register("samples")
class SamplesDrawing(Drawing):
    """Free ones as dots, those in collision as crosses."""

    moves = False

    @staticmethod
    def missing(playback: Playback) -> str:
        """Return that no group has a roadmap."""
        found = any(len(details.nodes) for details in playback.details)
        return "" if found else "no group has a roadmap"

    def draw(self, seen: Seen) -> Drawn:
        """Return the same at every moment; asks for the rejected ones once."""
        rows = []
        for group, details in enumerate(self.playback.details):
            up = lift(self.playback, group)
            free, rejected = details.nodes + up, details.rejected() + up
            size = min(CROSS, group_radius(self.playback, group)) if not up.any() else CROSS
            rows.append(lines.dots(free, FREE, 4.5))
            rows.append(lines.crosses(rejected, np.tile(REJECTED, (len(rejected), 1)), size))
        return Drawn(lines=np.concatenate([lines.NO_LINES, *rows]))
