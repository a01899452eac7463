"""The bar at the bottom: where it is, and which pixel is which time."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.weak_cache import weak_cache
from rmp3d.viewer.overlay.overlay import WHITE, Overlay
from rmp3d.viewer.palette import group_color
from rmp3d.viewer.playback.events import QUIET, mark_of
from rmp3d.viewer.playback.playback import Event, Playback

REACH = 0.5  # lines of text around the mouse within which an event is meant
GAP = 0.75  # lines of text between two marks
MOST_MARKS = 40  # of one kind: more are drawn as columns
LOOP = np.array([0.98, 0.75, 0.25])
COLUMN = 0.45  # lines of text that the highest column is high

Marks: TypeAlias = tuple[list[Event], list[tuple[str, float, float]]]
"""Events with a mark of their own, and columns of the many of a kind; see `Timeline.marks`."""


@dataclass(frozen=True)
class Timeline:
    """A bar across the window's lower edge; pixels count from the lower left corner.

    Attributes:
        size: Of the window [pixels].
        line: Height of a line of text [pixels].
        duration: Of the playback [s].
        span: First and last time that it shows [s]; None: all.
        loop: First and last time of what is repeated [s]; None: nothing is.
        hidden: Kinds of events that are not shown.
    """

    size: tuple[int, int]
    line: int
    duration: float
    span: tuple[float, float] | None = None
    loop: tuple[float, float] | None = None
    hidden: frozenset[str] = frozenset()

    @property
    def shown(self) -> tuple[float, float]:
        """First and last time that it shows [s]."""
        return self.span or (0.0, self.duration)

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
        return float(self._columns_of([time])[0])

    def _columns_of(self, times: Sequence[float]) -> Float:
        """Return the pixel columns (T,) of times [s]."""
        first, last = self.shown
        share = np.zeros(len(times))
        if last > first:
            share = np.clip((np.array(times, float) - first) / (last - first), 0.0, 1.0)
        return self.left + share * (self.right - self.left)

    def time_of(self, x: float) -> float:
        """Return the time [s] of a pixel column, taken into the playback."""
        share = min(max((x - self.left) / (self.right - self.left), 0.0), 1.0)
        first, last = self.shown
        return min(first + share * (last - first), self.duration)

    def shows(self, event: Event) -> bool:
        """Return whether an event has a place on the bar."""
        first, last = self.shown
        return event.kind not in self.hidden and first <= event.time <= last

    def holds(self, x: float, y: float) -> bool:
        """Return whether a click at a pixel grabs the bar."""
        return y <= self.top + 0.5 * self.line and 0 <= x <= self.size[0]

    def holds_play(self, x: float, y: float) -> bool:
        """Return whether a click at a pixel is on the sign that plays and pauses."""
        return self.top + 0.5 * self.line < y <= self.panel_top and 0 <= x < 2.4 * self.line

    def event_at(self, x: float, y: float, playback: Playback) -> Event | None:
        """Return the event whose mark is nearest to a pixel on the bar, if one is near."""
        if not self.holds(x, y):
            return None
        near = [
            (abs(self.x_of(each.time) - x), row)
            for row, each in enumerate(playback.events)
            if self.shows(each)
        ]
        gap, row = min(near, default=(np.inf, -1))
        return playback.events[row] if gap <= REACH * self.line else None

    def marks(self, events: Sequence[Event]) -> Marks:
        """Return which events have a mark of their own, and how the many of the others lie.

        Where marks would cover each other, the event of the rarer kind has one. Kinds of which
        there are many have none: they are columns (kind, pixel column, share of the highest).
        """
        shown = [event for event in events if event.kind not in QUIET and self.shows(event)]
        counts = Counter(event.kind for event in shown)
        gap, marked, taken = GAP * self.line, list[Event](), list[float]()
        rare = [event for event in shown if counts[event.kind] <= MOST_MARKS]
        for event in sorted(rare, key=lambda each: (counts[each.kind], each.time)):
            x = self.x_of(event.time)
            if all(abs(x - other) >= gap for other in taken):
                marked.append(event)
                taken.append(x)
        others = [event for event in shown if counts[event.kind] > MOST_MARKS]
        column = (self._columns_of([event.time for event in others]) - self.left) / gap
        kinds = (event.kind for event in others)
        many = Counter(zip(kinds, column.astype(np.intp).tolist(), strict=True))
        most = max(many.values(), default=1)
        columns = [
            (kind, self.left + row * gap, count / most) for (kind, row), count in many.items()
        ]
        return marked, columns

    def _draw_marks(self, overlay: Overlay, playback: Playback) -> None:
        kept = _kept_marks(playback)
        if self not in kept:
            kept.clear()
            kept[self] = self.marks(playback.events)
        marked, columns = kept[self]
        for kind, x, share in columns:
            top = self.top + COLUMN * self.line * share**0.5
            right = x + 0.8 * GAP * self.line
            overlay.rectangle(x, self.top, right, top, mark_of(kind).color, 0.55)
        for event in marked:
            mark = mark_of(event.kind)
            y = self.bottom - 0.28 * self.line
            overlay.text(mark.shape, self.x_of(event.time), y, color=mark.color, align=0.5)

    def _draw_choices(self, overlay: Overlay, thin: float) -> None:
        """The part that is repeated, and below the bar which part of the whole it shows."""
        if self.loop is not None:
            left, right = (self.x_of(time) for time in self.loop)
            overlay.rectangle(left, self.bottom, right, self.top, LOOP, 0.45)
            for x in (left, right):
                overlay.rectangle(
                    x - thin, self.bottom - 3 * thin, x + thin, self.top + 3 * thin, LOOP, 1.0
                )
        if self.span is not None:
            wide = (self.right - self.left) / max(self.duration, 1e-9)
            left, right = (self.left + wide * time for time in self.span)
            low = self.bottom - 5 * thin
            overlay.rectangle(self.left, low, self.right, low + thin, np.full(3, 0.35), 0.9)
            overlay.rectangle(left, low - thin, max(right, left + 2), low + 2 * thin, WHITE, 0.9)

    def draw(self, overlay: Overlay, playback: Playback, time: float) -> None:
        """Add panel, bar, event marks and the present time's mark."""
        thin = max(self.line / 10.0, 1.0)
        overlay.rectangle(0, 0, self.size[0], self.panel_top, np.full(3, 0.07), 0.72)
        overlay.rectangle(self.left, self.bottom, self.right, self.top, np.full(3, 0.35), 0.9)
        color = group_color(0)
        overlay.rectangle(self.left, self.bottom, self.x_of(time), self.top, color, 1.0)
        self._draw_choices(overlay, thin)
        self._draw_marks(overlay, playback)
        x = self.x_of(time)
        overlay.rectangle(
            x - 1.5 * thin, self.bottom - 3 * thin, x + 1.5 * thin, self.top + 3 * thin, WHITE, 1.0
        )


@weak_cache
def _kept_marks(playback: Playback) -> dict[Timeline, Marks]:
    """Return the marks of a playback's events on the bar that was drawn last."""
    return {}
