"""A small plot over the timeline: how far apart the same members of two playbacks are."""

import numpy as np

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.viewer.drawings.crowd_maps import round_up
from rmp3d.viewer.overlay.overlay import WHITE, Overlay
from rmp3d.viewer.overlay.timeline import Timeline
from rmp3d.viewer.playback.comparison import Comparison
from rmp3d.viewer.texts import tr

PLATE = np.full(3, 0.07)
MOST, MEDIAN = frozen([0.55, 0.58, 0.62]), frozen([0.95, 0.55, 0.20])
HEIGHT = 4.0  # lines of text
WHOLE = HEIGHT + 1.9  # with the words above
COLUMN = 2.0  # pixels


class DifferencePlot:
    """The columns of one comparison for the width that they were made for."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._course = comparison.course
        self.reach = round_up(float(np.nanmax(self._course, initial=0.01)))

    def draw(self, overlay: Overlay, timeline: Timeline, time: float) -> None:
        """Add it above the timeline, its times over those of the timeline.

        Args:
            overlay: Of the window.
            timeline: Of the first playback.
            time: Now [s].
        """
        line = overlay.atlas.height
        bottom, top = timeline.panel_top, timeline.panel_top + WHOLE * line
        overlay.rectangle(0, bottom, timeline.size[0], top, PLATE, 0.72)
        x = np.arange(timeline.left, timeline.right, COLUMN)
        heights = self.heights(np.array([timeline.time_of(each) for each in x]), HEIGHT * line)
        base = bottom + 0.3 * line
        for color, row in ((MOST, 1), (MEDIAN, 0)):
            for left, height in zip(x.tolist(), heights[:, row].tolist(), strict=True):
                if height > 0.5:
                    overlay.rectangle(left, base, left + COLUMN, base + height, color, 0.9)
        now = timeline.x_of(time)
        overlay.rectangle(now - 1.0, base, now + 1.0, base + HEIGHT * line, WHITE, 0.9)
        median, most = self._comparison.at(time)
        count = len(self._comparison.pairs)
        room = timeline.size[0] - 2.0 * line
        words = self._words(median, most, count)
        fitting = [each for each in words if overlay.atlas.width(each) <= room]
        text = fitting[0] if fitting else overlay.atlas.fitted(words[-1], room)
        overlay.text(text, line, top - 1.4 * line)

    def _words(self, median: float, most: float, count: int) -> list[str]:
        """Return what is said of a moment: all of it, and shorter where there is less room."""
        words = [tr("no member is in both")]
        if np.isfinite(median):
            numbers = {"median": f"{median:.2f}", "most": f"{most:.2f}"}
            full = "distance of the same {count} members: median {median} m, largest {most} m"
            short = "apart: median {median} m, largest {most} m"
            words = [tr(full, count=count, **numbers), tr(short, **numbers)]
        scale = tr("scale to {reach} m", reach=f"{self.reach:g}")
        return [*(f"{each}   ({scale})" for each in words), words[-1]]

    def heights(self, time: Float, full: float) -> Float:
        """Return how high (M, 2) [pixels] median and largest distance are drawn at times (M,)."""
        known = np.nan_to_num(self._course)
        share = np.column_stack(
            [np.interp(time, self._comparison.time, known[:, column]) for column in (0, 1)]
        )
        return np.asarray(full * np.clip(share / self.reach, 0.0, 1.0))
