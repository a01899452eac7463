"""Legends of colors: a title with the unit, a ramp, and what its ends mean."""

from collections.abc import Sequence

import numpy as np

from rmp3d.viewer.drawings.drawing import Legend
from rmp3d.viewer.overlay.overlay import Overlay

PLATE = np.full(3, 0.07)
STEPS = 48  # colors of a ramp
WIDTH = 11.0  # lines of text


def draw_legends(overlay: Overlay, legends: Sequence[Legend], right: float, bottom: float) -> None:
    """Add legends above each other, their lower right corner at a pixel."""
    line = overlay.atlas.height
    for legend in legends:
        width = max(WIDTH * line, overlay.atlas.width(legend.title) + 1.2 * line)
        left, top = right - width, bottom + 3.6 * line
        overlay.rectangle(left, bottom, right, top, PLATE, 0.72)
        x, wide = left + 0.6 * line, width - 1.2 * line
        overlay.text(legend.title, x, top - 1.3 * line)
        stops = np.linspace(0.0, 1.0, len(legend.colors))
        for step in range(STEPS):
            color = np.array(
                [np.interp((step + 0.5) / STEPS, stops, legend.colors[:, k]) for k in range(3)]
            )
            begin, end = (x + wide * (step + k) / STEPS for k in (0, 1))
            overlay.rectangle(begin, bottom + 1.45 * line, end, bottom + 2.05 * line, color, 1.0)
        overlay.text(legend.low, x, bottom + 0.25 * line)
        overlay.text(legend.high, x + wide, bottom + 0.25 * line, align=1.0)
        bottom = top + 0.4 * line
