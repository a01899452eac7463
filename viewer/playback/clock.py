"""The clock of a playback: plays, steps, jumps; knows nothing of windows."""

from collections.abc import Collection

from rmp3d.viewer.playback.playback import Event, Playback

SPEEDS = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


class PlaybackClock:
    """Where in the playback we are, and whether and how fast time goes on.

    Attributes:
        playback: What is played.
        time: Now [s], from 0 to the playback's duration.
        playing: Whether `advance` moves it.
        loop: First and last time [s] of what is played again and again; None: nothing is.
        open_ended: Whether more frames may come, so that it waits at the end rather than stops.
    """

    def __init__(self, playback: Playback, time: float = 0.0) -> None:
        self.playback = playback
        self.playing = self.open_ended = False
        self.time = 0.0
        self.loop: tuple[float, float] | None = None
        self._speed = SPEEDS.index(1.0)
        self.seek(time)

    @property
    def speed(self) -> float:
        """Seconds of the playback per second."""
        return SPEEDS[self._speed]

    @property
    def at_end(self) -> bool:
        """Whether the last frame is reached."""
        return self.time >= self.playback.duration

    def advance(self, seconds: float) -> None:
        """Let ``seconds`` of real time pass; begins the loop anew, or stops at the end."""
        if self.playing and self.loop is not None and self.time + 1e-9 >= self.loop[1]:
            self.time = self.loop[0]
        elif self.playing and self.loop is not None and self.time < self.loop[1]:
            self.time = min(self.time + seconds * self.speed, self.loop[1])
        elif self.playing:
            self.time = min(self.time + seconds * self.speed, self.playback.duration)
            self.playing = self.open_ended or not self.at_end

    def toggle(self) -> None:
        """Play or pause; at the end, play from the start."""
        if not self.playing and self.at_end and not self.open_ended:
            self.time = 0.0
        goes_on = self.playback.duration > 0.0 or self.open_ended
        self.playing = not self.playing and goes_on

    def seek(self, time: float) -> None:
        """Jump to a time, taken into the playback; playing goes on."""
        self.time = min(max(time, 0.0), self.playback.duration)

    def step(self, frames: int) -> None:
        """Pause and move by whole frames, first to the nearest one."""
        self.playing = False
        self.seek((round(self.time / self.playback.dt) + frames) * self.playback.dt)

    def change_speed(self, steps: int) -> None:
        """Go ``steps`` up or down the list of speeds."""
        self._speed = min(max(self._speed + steps, 0), len(SPEEDS) - 1)

    def next_event(self, but: Collection[str] = ()) -> Event | None:
        """Jump to the next event and return it; None, and nothing is done, after the last one.

        Args:
            but: Kinds of events that are passed over.
        """
        event = self.playback.next_event(self.time, but=but)
        if event is not None:
            self.seek(event.time)
        return event

    def previous_event(self, but: Collection[str] = ()) -> Event | None:
        """Jump to the event before and return it; None, and nothing is done, before the first."""
        event = self.playback.previous_event(self.time, but=but)
        if event is not None:
            self.seek(event.time)
        return event
