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
PATIENCE = 4.0
"""Nothing more is made for pages for so long after the last time, in parts of what that took."""


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
        self._made, self._frames, self._not_before = b"", 0, 0.0  # what was made last for pages
        self._made_while_it_went_on = True
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
        """Return what a page lacks that knows so many frames; nothing if there is nothing yet.

        All pages get the same, and the run goes on most of the time however many there are.
        """
        with self._one_at_a_time:
            count, begun = self.playback.frame_count, time.monotonic()
            is_due = begun >= self._not_before or not self.goes_on
            is_last = self._frames == count and not self._made_while_it_went_on
            if is_due and not is_last and (count > after or not self.goes_on):
                self._made_while_it_went_on = self.goes_on
                self._made = ReplayPage().more(self.playback, goes_on=self.goes_on)
                self._frames, end = count, time.monotonic()
                self._not_before = end + PATIENCE * (end - begun)
            has_ended = not self._made_while_it_went_on
            return self._made if self._frames > after or has_ended else b""

    def _take(self, report: Report) -> None:
        match report:
            case Started():
                self._run = ShownRun(report.playback, self._table)
            case Stepped() if self._run is not None:
                self._run.grow(report)
                self._over = report.over
