"""A run that browsers watch while it is simulated."""

import threading
import time
from typing import Any

from rmp3d.geometry.errors import Rmp3dError
from rmp3d.live.backend import LiveBackend
from rmp3d.live.live_run import BLOCK
from rmp3d.scenario import Scenario
from rmp3d.scenario.saving import scenario_table
from rmp3d.viewer.export.web_news import first_news
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

    def __init__(self, scenario: Scenario) -> None:
        """Plan.

        Args:
            scenario: Its scene is read once, also if it was read before.

        Raises:
            Rmp3dError: It cannot be planned or begun.
        """
        self._one_at_a_time = threading.Lock()
        self._over, self.problem = False, ""
        self._made: dict[int, bytes] = {}  # what was made last for pages, by its first frame
        self._made_of: Playback | None = None
        self._made_while_it_went_on, self._not_before = True, 0.0
        self._run: ShownRun | None = None
        self._table: dict[str, Any] = scenario_table(scenario.table)
        self._backend = LiveBackend(self._take, known=scenario)
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

        Pages that know about as much get the same, and the run goes on most of the time however
        many pages there are.
        """
        with self._one_at_a_time:
            self._renew(after)
            shown = self._made_of
            if shown is None or (shown.frame_count <= after and self._made_while_it_went_on):
                return b""
            first, begun = first_news(min(after, shown.frame_count), shown.dt), time.monotonic()
            if first not in self._made:
                page, goes_on = ReplayPage(), self._made_while_it_went_on
                self._made[first] = page.more(shown, first, goes_on=goes_on)
                end = time.monotonic()
                self._not_before = max(end, self._not_before) + PATIENCE * (end - begun)
            return self._made[first]

    def _renew(self, after: int) -> None:
        """Take the run as it is now for what pages get, if that is due."""
        now = self.playback
        is_due = time.monotonic() >= self._not_before or not self.goes_on
        is_last = self._made_of is now and not self._made_while_it_went_on
        if is_due and not is_last and (now.frame_count > after or not self.goes_on):
            self._made, self._made_of = {}, now
            self._made_while_it_went_on = self.goes_on

    def _take(self, report: Report) -> None:
        match report:
            case Started():
                self._run = ShownRun(report.playback, self._table)
            case Stepped() if self._run is not None:
                self._run.grow(report)
                self._over = report.over
