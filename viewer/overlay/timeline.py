"""The bar at the bottom: where it is, and which pixel is which time."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.viewer.overlay.overlay import WHITE, Overlay
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.playback.events import QUIET, mark_of
from rmp3d.viewer.playback.playback import Event, Playback

REACH = 0.5  # lines of text around the mouse within which an event is meant
GAP = 0.75  # lines of text between two marks
MOST_MARKS = 40  # of one kind: more are drawn as columns
COLUMN = 0.45  # lines of text that the highest column is high


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
        """Return whether a click at a pixel grabs the bar."""
        return y <= self.top + 0.5 * self.line and 0 <= x <= self.size[0]

    def event_at(self, x: float, y: float, playback: Playback) -> Event | None:
        """Return the event whose mark is nearest to a pixel on the bar, if one is near."""
        if not self.holds(x, y):
            return None
        near = [(abs(self.x_of(each.time) - x), row) for row, each in enumerate(playback.events)]
        gap, row = min(near, default=(np.inf, -1))
        return playback.events[row] if gap <= REACH * self.line else None

    def marks(self, events: Sequence[Event]) -> tuple[list[Event], list[tuple[str, float, float]]]:
        """Return which events have a mark of their own, and how the many of the others lie.

        Where marks would cover each other, the event of the rarer kind has one. Kinds of which
        there are many have none: they are columns (kind, pixel column, share of the highest).
        """
        shown = [event for event in events if event.kind not in QUIET]
        counts = Counter(event.kind for event in shown)
        gap, marked = GAP * self.line, list[Event]()
        for event in sorted(shown, key=lambda each: (counts[each.kind], each.time)):
            x = self.x_of(event.time)
            is_rare = counts[event.kind] <= MOST_MARKS
            if is_rare and all(abs(x - self.x_of(other.time)) >= gap for other in marked):
                marked.append(event)
        many = Counter(
            (event.kind, int((self.x_of(event.time) - self.left) / gap))
            for event in shown
            if counts[event.kind] > MOST_MARKS
        )
        most = max(many.values(), default=1)
        columns = [
            (kind, self.left + row * gap, count / most) for (kind, row), count in many.items()
        ]
        return marked, columns

    def _draw_marks(self, overlay: Overlay, playback: Playback) -> None:
        marked, columns = self.marks(playback.events)
        for kind, x, share in columns:
            top = self.top + COLUMN * self.line * share**0.5
            right = x + 0.8 * GAP * self.line
            overlay.rectangle(x, self.top, right, top, mark_of(kind).color, 0.55)
        for event in marked:
            mark = mark_of(event.kind)
            y = self.bottom - 0.28 * self.line
            overlay.text(mark.shape, self.x_of(event.time), y, color=mark.color, align=0.5)

    def draw(self, overlay: Overlay, playback: Playback, time: float) -> None:
        """Add panel, bar, event marks and the present time's mark."""
        thin = max(self.line / 10.0, 1.0)
        overlay.rectangle(0, 0, self.size[0], self.panel_top, np.full(3, 0.07), 0.72)
        overlay.rectangle(self.left, self.bottom, self.right, self.top, np.full(3, 0.35), 0.9)
        color = group_color(0)
        overlay.rectangle(self.left, self.bottom, self.x_of(time), self.top, color, 1.0)
        self._draw_marks(overlay, playback)
        x = self.x_of(time)
        overlay.rectangle(
            x - 1.5 * thin, self.bottom - 3 * thin, x + 1.5 * thin, self.top + 3 * thin, WHITE, 1.0
        )
