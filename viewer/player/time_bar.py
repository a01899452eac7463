"""What part of the time the bar at the bottom shows, which events, and what part is repeated."""

from rmp3d.viewer.overlay.text import GlyphAtlas
from rmp3d.viewer.overlay.timeline import Timeline
from rmp3d.viewer.playback.clock import PlaybackClock

ZOOM = 0.8  # of the time that is shown, per notch of the wheel
LEAST = 10.0  # frames that are shown
MARGIN = 0.1  # of what is shown, left before the present time when that has run out of it
MOVED = 3.0  # pixels: less is a click


class TimeBar:
    """The user's choices about the bar.

    Attributes:
        span: First and last time that is shown [s]; None: all of it.
        hidden: Kinds of events that are not shown, and not gone to.
    """

    def __init__(self) -> None:
        self.span: tuple[float, float] | None = None
        self.hidden: frozenset[str] = frozenset()
        self._marked_at: float | None = None  # pixel column where a mark of the loop began

    def timeline(self, size: tuple[int, int], atlas: GlyphAtlas, clock: PlaybackClock) -> Timeline:
        """Return the bar as it is drawn in a window of a size [pixels]."""
        duration = clock.playback.duration
        return Timeline(size, atlas.height, duration, self.span, clock.loop, self.hidden)

    def zoom(self, line: Timeline, x: float, notches: float, dt: float) -> None:
        """Show less time around a pixel column, or more; ``dt`` is that of a frame [s]."""
        middle, (first, last) = line.time_of(x), line.shown
        length = max((last - first) * ZOOM**notches, LEAST * dt)
        if length >= line.duration:
            self.span = None
            return
        share = (middle - first) / max(last - first, 1e-9)
        self._show(middle - share * length, length, line.duration)

    def pan(self, line: Timeline, pixels: float) -> None:
        """Show what is so many pixels later."""
        if self.span is not None:
            first, last = line.shown
            length = last - first
            later = pixels / (line.right - line.left) * length
            self._show(first + later, length, line.duration)

    def follow(self, clock: PlaybackClock) -> None:
        """Go on with the clock, when it has run out of what is shown."""
        if self.span is not None and not self.span[0] <= clock.time <= self.span[1]:
            length = self.span[1] - self.span[0]
            self._show(clock.time - MARGIN * length, length, clock.playback.duration)

    def _show(self, first: float, length: float, duration: float) -> None:
        first = min(max(first, 0.0), max(duration - length, 0.0))
        self.span = (first, first + length)

    def begin_loop(self, x: float) -> None:
        """Take where a part to repeat begins, or ends."""
        self._marked_at = x

    def drag_loop(self, line: Timeline, x: float, clock: PlaybackClock) -> None:
        """Repeat from where it began up to a pixel column; nothing if that is no way from it."""
        if self._marked_at is None:
            return
        first, last = sorted((line.time_of(self._marked_at), line.time_of(x)))
        wide = abs(x - self._marked_at) >= MOVED and last > first
        clock.loop = (first, last) if wide else None

    def switch(self, kind: str) -> None:
        """Show events of a kind, or no longer."""
        self.hidden = self.hidden ^ {kind}
