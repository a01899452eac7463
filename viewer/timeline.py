"""The bar at the bottom: where it is, and which pixel is which time."""

from dataclasses import dataclass

import numpy as np

from viewer.overlay import WHITE, Overlay
from viewer.palette import group_color
from viewer.playback import Playback

EVENT_COLORS = {
    "formation": np.array([1.0, 0.78, 0.20]),
    "arrived": np.array([0.30, 0.85, 0.50]),
    "jam": np.array([0.95, 0.35, 0.25]),
}
QUIET = frozenset({"start", "end"})  # marked by the bar's ends themselves


@dataclass(frozen=True)
class Timeline:
    """A bar across the window's lower edge; pixels count from the lower left corner.

    Attributes:
        size: Of the window [pixels].
        line: Height of a line of text [pixels].
        duration: Of the playback [s].
    """

    size: tuple[int, int]
    line: int
    duration: float

    @property
    def left(self) -> float:
        """Where time zero is [pixels]."""
        return float(self.line)

    @property
    def right(self) -> float:
        """Where the last frame is [pixels]."""
        return max(float(self.size[0] - self.line), self.left + 1.0)

    @property
    def bottom(self) -> float:
        """Lower edge of the bar [pixels]."""
        return 0.75 * self.line

    @property
    def top(self) -> float:
        """Upper edge of the bar [pixels]."""
        return 1.25 * self.line

    @property
    def panel_top(self) -> float:
        """Upper edge of the panel with bar and text [pixels]."""
        return 3.1 * self.line

    def x_of(self, time: float) -> float:
        """Return the pixel column of a time [s]."""
        share = min(max(time / self.duration, 0.0), 1.0) if self.duration > 0.0 else 0.0
        return self.left + share * (self.right - self.left)

    def time_of(self, x: float) -> float:
        """Return the time [s] of a pixel column, taken into the playback."""
        share = (x - self.left) / (self.right - self.left)
        return min(max(share, 0.0), 1.0) * self.duration

    def holds(self, x: float, y: float) -> bool:
        """Return whether a click at a pixel takes hold of the bar."""
        return y <= self.top + 0.5 * self.line and 0 <= x <= self.size[0]

    def draw(self, overlay: Overlay, playback: Playback, time: float) -> None:
        """Add panel, bar, event marks and the present time's mark."""
        thin = max(self.line / 10.0, 1.0)
        overlay.rectangle(0, 0, self.size[0], self.panel_top, np.full(3, 0.07), 0.72)
        overlay.rectangle(self.left, self.bottom, self.right, self.top, np.full(3, 0.35), 0.9)
        color = group_color(0)
        overlay.rectangle(self.left, self.bottom, self.x_of(time), self.top, color, 1.0)
        for event in playback.events:
            if event.kind not in QUIET:
                x = self.x_of(event.time)
                mark = EVENT_COLORS.get(event.kind, WHITE)
                reach = 2.0 * thin
                overlay.rectangle(
                    x - thin, self.bottom - reach, x + thin, self.top + reach, mark, 1.0
                )
        x = self.x_of(time)
        overlay.rectangle(
            x - 1.5 * thin, self.bottom - 3 * thin, x + 1.5 * thin, self.top + 3 * thin, WHITE, 1.0
        )
