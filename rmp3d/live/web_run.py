"""A run that browsers watch while it is simulated."""

import threading
import time
from typing import Any

from rmp3d.geometry.errors import Rmp3dError
from rmp3d.live.backend import LiveBackend
from rmp3d.live.live_run import BLOCK
from rmp3d.scenario import ScenarioTable
from rmp3d.scenario.saving import scenario_table
from rmp3d.viewer.export.web_page import ReplayPage
from rmp3d.viewer.panel.protocol import Advance, Report, Started, StartRun, Stepped
from rmp3d.viewer.panel.shown_run import ShownRun
from rmp3d.viewer.playback.playback import Playback

TURN = 0.002  # [s] between two blocks of frames, in which a browser gets its page


class WebRun:
    """A scenario that is planned at once, simulated by `go_on`, and shown by pages meanwhile.

    Pages are made in the threads of a server. Nothing is simulated while one is made: compiled
    code that uses all cores is not called from two threads at a time.

    Attributes:
        problem: Why the run cannot go on; empty: it can, or is over.
    """

    def __init__(self, scenario: ScenarioTable) -> None:
        """Plan.

        Raises:
            Rmp3dError: It cannot be planned or begun.
        """
        self._one_at_a_time = threading.Lock()
        self._over, self.problem = False, ""
        self._run: ShownRun | None = None
        self._table: dict[str, Any] = scenario_table(scenario)
        self._backend = LiveBackend(self._take)
        self._backend.handle(StartRun(self._table))

    @property
    def playback(self) -> Playback:
        """All frames so far."""
        assert self._run is not None
        return self._run.playback

    @property
    def goes_on(self) -> bool:
        """Whether there are frames to come."""
        return not (self._over or self.problem)

    def go_on(self) -> None:
        """Simulate until the run is over."""
        while self.goes_on:
            with self._one_at_a_time:
                try:
                    self._backend.handle(Advance(self.playback.frame_count + BLOCK))
                except Rmp3dError as error:
                    self.problem = str(error)
            time.sleep(TURN)

    def page(self) -> bytes:
        """Return a page with all frames so far; it asks for `more` while the run goes on."""
        with self._one_at_a_time:
            return ReplayPage().page(self.playback, goes_on=self.goes_on)

    def more(self, after: int) -> bytes:
        """Return what a page that knows so many frames lacks; nothing if there are no others."""
        with self._one_at_a_time:
            if self.goes_on and self.playback.frame_count <= after:
                return b""
            return ReplayPage().more(self.playback, goes_on=self.goes_on)

    def _take(self, report: Report) -> None:
        match report:
            case Started():
                self._run = ShownRun(report.playback, self._table)
            case Stepped() if self._run is not None:
                self._run.grow(report)
                self._over = report.over
