"""The layer `grid`: level lines over the scene, and the axes."""

import numpy as np

from rmp3d.viewer.drawings.drawing import DRAWINGS, Drawing, Drawn, Label, Seen
from rmp3d.viewer.palette import AXES
from rmp3d.viewer.playback.bounds import LIFT, scene_bounds
from rmp3d.viewer.shapes import lines


@DRAWINGS.register("grid")
class GridDrawing(Drawing):
    """Lines of round spacing at height zero; x red, y green, z blue."""

    moves = False

    def draw(self, seen: Seen) -> Drawn:
        """Return the same at every moment."""
        bounds = scene_bounds(self.playback)
        size = 0.12 * float(np.max(bounds[1] - bounds[0]))
        origin = np.array([0.0, 0.0, LIFT])
        rows = [lines.grid(bounds, LIFT), lines.axes(origin, size, AXES)]
        tips = origin + 1.05 * size * np.eye(3)
        labels = [
            Label(name, tip, color) for name, tip, color in zip("xyz", tips, AXES, strict=True)
        ]
        return Drawn(lines=np.concatenate(rows), labels=tuple(labels))
