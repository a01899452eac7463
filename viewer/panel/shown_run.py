"""The run that the panel shows: its frames so far, and its scenario with all changes."""

import numpy as np

from rmp3d.viewer.panel.draft import is_live
from rmp3d.viewer.panel.history import differences
from rmp3d.viewer.panel.protocol import Stepped, Table
from rmp3d.viewer.playback.clock import PlaybackClock
from rmp3d.viewer.playback.growing import GrowingPlayback
from rmp3d.viewer.playback.playback import Playback

AHEAD = 0.4  # [s] of the viewer's time that is simulated before it is shown


class ShownRun:
    """What is known of a run that goes on in the session.

    Attributes:
        table: The scenario with which a file repeats the run.
        has_changed: Whether the draft has a change that the run does not know yet.
        ended: The draft when the run was over; None before that.
    """

    def __init__(self, first: Playback, table: Table) -> None:
        """Begin with the first frames of a run, and the scenario that it was started with."""
        self.table, self.has_changed = table, False
        self.ended: Table | None = None
        self._started = table
        self._growing = GrowingPlayback(first)

    @property
    def playback(self) -> Playback:
        """All frames so far."""
        return self._growing.playback

    @property
    def noted(self) -> list[Table]:
        """What has happened to it since it was started, as `[[changes]]`."""
        changes: list[Table] = self.table.get("changes", [])
        return changes[len(self._started.get("changes", [])) :]

    def waiting(self, draft: Table) -> list[str]:
        """Return the keys of a draft that were changed and take effect in the next run."""
        changed = [path for path in differences(self._started, draft) if not is_live(path)]
        if self.ended is not None:
            changed += [path for path in differences(self.ended, draft) if is_live(path)]
        return [".".join(map(str, path)) for path in changed]

    def regroup(self, playback: Playback) -> None:
        """Go on with the same frames, in which there is room for more members."""
        self._growing = GrowingPlayback(playback)

    def grow(self, report: Stepped) -> None:
        """Add the frames that the session tells of."""
        self._growing.append(
            position=report.position,
            orientation_wxyz=report.orientation_wxyz,
            subgoal=report.subgoal,
            formation_of=report.formation_of,
            formation=report.formation,
            events=report.events,
            force=report.force,
            details=report.details,
            life=report.life,
            clock=report.clock,
        )

    def frames_wanted(self, clock: PlaybackClock) -> int | None:
        """Return how many frames there should be for a clock; None if there are enough."""
        playback = self.playback
        ahead = AHEAD * max(clock.speed, 1.0) if clock.playing else playback.dt
        wanted = int(np.ceil((clock.time + ahead) / playback.dt)) + 1
        return wanted if wanted > playback.frame_count else None

    def take(self, table: Table) -> bool:
        """Go on with another scenario; return whether a change was noted in it."""
        before, self.table = self.table.get("changes", []), table
        return bool(table.get("changes", []) != before)
