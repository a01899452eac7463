"""The state of the panel: what is asked of the session, and what follows from its answers.

Knows nothing of windows or widgets. A draft of a scenario is edited; it is shown, built, run; what
can be changed while it runs is passed on to the run, the rest waits for the next one.
"""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.viewer.explaining import explained
from rmp3d.viewer.panel.draft import Draft, is_live
from rmp3d.viewer.panel.files import Files, Notice
from rmp3d.viewer.panel.history import History, differences
from rmp3d.viewer.panel.intervening import Intervening
from rmp3d.viewer.panel.painting import Painting
from rmp3d.viewer.panel.preview import Preview
from rmp3d.viewer.panel.protocol import (
    COMPILING,
    Adopted,
    Advance,
    BonesFound,
    Build,
    Built,
    Changed,
    ChangeRun,
    Compare,
    Compared,
    Failed,
    Grown,
    OfExport,
    Opened,
    Place,
    PlaceTried,
    Regrouped,
    Report,
    Saved,
    Show,
    Shown,
    Started,
    StartRun,
    Stepped,
    Table,
    Working,
)
from rmp3d.viewer.panel.session import Session
from rmp3d.viewer.panel.shown_run import ShownRun
from rmp3d.viewer.playback.clock import PlaybackClock
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.settings import WindowSettings
from rmp3d.viewer.texts import tr

NOTHING_BUILT = Built((), ())
Phase = Literal["draft", "building", "built", "running", "over", "recording"]


class PanelState:
    """What the panel shows, and what its buttons do.

    Attributes:
        settings: What the window remembers from one time to the next.
        draft: The scenario that is edited.
        phase: How far it has come.
        playback: What is seen; None until the first scene is there.
        places: Starts and goals of the draft.
        roadmaps: By group, as far as they are built.
        built: The paths, and what is said of the roadmaps.
        problems: What is wrong with the draft's places.
        notice: What was last said.
        working: What is under way, for a progress bar.
        placing: ``start`` or ``goal`` while the next click on the ground puts it there, else "".
        history: The drafts that can be gone back to.
        files: Opens and saves.
        preview: The ghost of a member that is being placed.
        intervening: Lets members of a run come, leave, and follow the mouse.
        painting: The brush of the chosen group's flow field.
        compared: A recording whose members are seen as ghosts beside those of `playback`.
        side_by_side: Whether it is seen in a view of its own instead.
    """

    def __init__(
        self,
        session: Session,
        table: Table,
        *,
        target: str = "",
        settings: WindowSettings | None = None,
    ) -> None:
        """Begin with a draft, or with what is read from ``target``."""
        self.session, self.settings = session, settings or WindowSettings()
        self.draft = Draft(table, session.forms["group"])
        self.phase: Phase = "draft"
        self.playback: Playback | None = None
        self.places: tuple[Place, ...] = ()
        self.roadmaps: dict[int, Grown] = {}
        self.built = NOTHING_BUILT
        self.problems: tuple[str, ...] = ()
        self.notice = Notice()
        self.working = Working("")
        self.placing: Literal["", "start", "goal"] = ""
        self.history = History(self.draft.table)
        self.files = Files(self, self.settings)
        self.intervening = Intervening(self)
        self.painting = Painting(self)
        self.compared: Playback | None = None
        self.side_by_side = False
        self.preview = Preview(self)
        self._run: ShownRun | None = None
        self._shown: Table | None = None
        self._started: Table = {}  # the scenario that a run was last started with
        self._play_on_start = False
        if target:
            self.files.open(target)

    @property
    def is_live(self) -> bool:
        """Whether what is seen is a run of this session."""
        return self.phase in ("running", "over")

    @property
    def has_frames(self) -> bool:
        """Whether there is more to see than the draft: a run, or a recording."""
        return self.is_live or self.phase == "recording"

    @property
    def has_two_views(self) -> bool:
        """Whether a recording that is compared is in a view of its own."""
        return self.side_by_side and self.compared is not None

    @property
    def simulated(self) -> float:
        """Time up to which the run is simulated [s]."""
        return self.playback.duration if self.playback is not None else 0.0

    @property
    def noted(self) -> list[Table]:
        """What has happened to the run since it was started, as `[[changes]]`."""
        return self._run.noted if self._run is not None and self.is_live else []

    @property
    def waiting(self) -> list[str]:
        """Keys that were changed and take effect in the next run."""
        run = self._run if self.is_live else None
        return [] if run is None else run.waiting(self.draft.table)

    def edit(self, path: Sequence[str | int], value: Any) -> None:
        """Set a key of the draft, None to leave it out."""
        self.draft.set(path, value)
        self._changed(path)

    def refuse(self, text: str) -> None:
        """Say why what was typed is not taken."""
        self.notice = Notice(explained(text), True)

    def add_group(self) -> None:
        """Add a group like the chosen one."""
        self.draft.add_group()
        self._changed(["groups"])

    def remove_group(self) -> None:
        """Remove the chosen group."""
        self.draft.remove_group()
        self._changed(["groups"])

    def undo(self) -> None:
        """Go back to the draft before the last change."""
        self.history.note(self.draft.table)
        self._go_to(self.history.undo(), tr("there is nothing to undo"))

    def redo(self) -> None:
        """Make the change again that was undone last."""
        self.history.note(self.draft.table)
        self._go_to(self.history.redo(), tr("there is nothing to redo"))

    def _go_to(self, table: Table, nothing: str) -> None:
        changed = differences(self.draft.table, table)
        self.draft.table = table
        self.draft.group = min(self.draft.group, len(self.draft.groups) - 1)
        for path in changed:
            self._changed(path)
        if not changed:
            self.notice = Notice(nothing)

    def _changed(self, path: Sequence[str | int]) -> None:
        """Pass a change of the draft on to a run that can take it."""
        self.notice = Notice()
        if self.phase == "running" and self._run is not None and is_live(path):
            self._run.has_changed = True
        elif self.phase in ("built", "recording"):
            self.phase = "draft"

    def choose_behavior(self, name: str) -> None:
        """Give the chosen group another behavior; a run takes it when it begins anew."""
        self.draft.choose_behavior(name)
        self.edit(["groups", self.draft.group, "behavior", "name"], name)

    def choose_scene(self, name: str) -> None:
        """Go to another scene; its regions become start and goal, the rest of the draft stays."""
        self.stop()
        self.compared = None
        self.draft.choose_scene(name)

    def place(self, point: ArrayLike) -> None:
        """Put the chosen group's start or goal, whichever is being placed, to a point (3,) [m]."""
        if self.placing:
            self.draft.place(self.placing, np.asarray(point, np.float64))
            if self.placing == "start" and self.preview.turned_to is not None:
                self.draft.turn(self.preview.turned_to)
            self.preview.clear()
            self.placing = ""
            self.stop()

    def make_point(self, role: str) -> None:
        """Let the chosen group's start or goal be a point: the middle of where it is now."""
        for place in self.places:
            if (place.role, place.group) == (role, self.draft.group):
                self.draft.place(role, place.mark)
                self._changed(["groups", self.draft.group, role])

    def compare(self, target: str) -> None:
        """Show the members of another recording as ghosts; of none if ``target`` is empty."""
        self.compared, self.notice = None, Notice()
        if target.strip():
            self.working = Working("reading")
            self.session.send(Compare(target.strip()))

    def build(self) -> None:
        """Build roadmaps and find paths."""
        self._begin(Build(self.draft.copy()))

    def run(self) -> None:
        """Simulate from the start."""
        self._play_on_start = True
        self._begin(StartRun(self.draft.copy()))
        self._started = self.draft.copy()

    def replan(self) -> None:
        """Plan anew with another seed, and run."""
        self.draft.set(["seed"], int(self.draft.get(["seed"], 0)) + 1)
        self.run()

    def stop(self) -> None:
        """Leave the run, or what is under way, and go back to the draft."""
        self.session.cancel()
        self.phase, self.working, self._shown = "draft", Working(""), None
        self._run = None
        self.intervening.stop()
        self.roadmaps, self.built = {}, NOTHING_BUILT
        self.notice, self.problems = Notice(), ()

    def end_work(self) -> None:
        """Give up what is under way, an export if nothing else is; a run stays as it is."""
        if not self.working.what:
            return self.files.end_exports()
        self.session.cancel()
        self.working, self._shown = Working(""), None
        self.files.failed()
        self.notice = Notice(tr("cancelled"))

    def table_to_save(self) -> Table:
        """Return the scenario that a file is to have: that of the run, as long as it holds."""
        ran = self._run if self.is_live and not self.waiting else None
        return self.draft.copy() if ran is None else ran.table

    def update(self, clock: PlaybackClock | None) -> bool:
        """Take what the session has told, and ask it for what is needed next.

        Args:
            clock: The clock of what is seen; None if nothing is.

        Returns:
            Whether there is anything new to draw.
        """
        self.history.note(self.draft.table)
        reports = self.session.reports()
        for report in reports:
            self._take(report)
        if not self.session.busy:
            self._ask(clock)
        return bool(reports)

    def _ask(self, clock: PlaybackClock | None) -> None:
        if self.phase in ("draft", "built") and self._shown != self.draft.table:
            self._shown = self.draft.copy()
            self.session.send(Show(self._shown))
        elif self.phase != "building" and (wish := self.preview.wanted()) is not None:
            self.session.send(wish)
        elif self.phase == "running" and self._run is not None:
            self.intervening.update(clock is not None and clock.playing)
            if self._run.has_changed:
                self._run.has_changed = False
                self.session.send(ChangeRun(self.draft.copy()))
            elif self._play_on_start:
                pass  # the clock is still that of what was seen before
            elif clock is not None and (wanted := self._run.frames_wanted(clock)):
                self.session.send(Advance(wanted))

    def _begin(self, command: Build | StartRun) -> None:
        self.stop()
        self.phase, self.working = "building", Working("planning")
        self._shown = self.draft.copy()
        self.notice, self.problems = Notice(), ()
        self.session.send(command)

    def _take(self, report: Report) -> None:
        if isinstance(report, OfExport):
            self.files.take_of_export(report.report)
            return
        if self.working.what == COMPILING:  # it has told of something else since
            self.working = Working("")
        match report:
            case Working():
                self.working = report
            case Shown():
                self._show(report)
            case PlaceTried():
                self.preview.take(report)
            case Grown():
                self.roadmaps = {**self.roadmaps, report.group: report}
            case Built():
                self.built, self.phase, self.working = report, "built", Working("")
                names = [str(group["name"]) for group in self.draft.groups]
                self.notice = Notice(report.summary(names))
            case Started():
                self._run = ShownRun(report.playback, self._started)
                self.playback, self.phase = report.playback, "running"
                self.working = Working("")
            case Regrouped():
                if self._run is not None:
                    self._run.regroup(report.playback)
                    self.playback = report.playback
            case Stepped():
                self._grow(report)
            case Changed():
                self._note_changed(report)
            case Opened():
                self.files.opened(report)
            case BonesFound():
                self.files.ask_about_bones(report.path)
            case Adopted():
                self._adopt(report.path)
            case Compared():
                self.compared, self.working = report.playback, Working("")
                self.notice = Notice(report.summary(self.playback))
            case Saved():
                self.working = Working("")
                self.files.saved(report)
            case Failed():
                self._failed(report)

    def _show(self, report: Shown) -> None:
        self.places, self.problems = report.places, tuple(map(explained, report.problems))
        self.draft.regions = sorted(report.playback.scene.regions)
        self.working = Working("")
        if self.phase == "draft":
            self.playback = report.playback

    def _grow(self, report: Stepped) -> None:
        if self._run is None:
            return
        self._run.grow(report)
        self.playback = self._run.playback
        if report.over:
            self.phase, self._run.ended = "over", self.draft.copy()

    def _note_changed(self, report: Changed) -> None:
        if self._run is not None and self._run.take(report.table):
            self.notice = Notice(tr("changed from {time} s on", time=f"{self.simulated:.1f}"))

    def take_opened(self, report: Opened) -> None:
        """Go on with what was read from a file."""
        self.stop()
        self.compared = None
        self.draft = Draft(report.table, self.session.forms["group"])
        self.notice = Notice(tr("opened {name}", name=report.name))
        if report.playback is not None:
            self.playback, self.phase = report.playback, "recording"

    def _adopt(self, path: str) -> None:
        """Give the members of the chosen group a character of the user's own."""
        self.working = Working("")
        kinds = [*self.draft.characters[:-1], path]
        self.edit(["groups", self.draft.group, "character"], kinds if len(kinds) > 1 else path)
        self.notice = Notice(tr("character: {path}", path=path))

    def _failed(self, report: Failed) -> None:
        self.working = Working("")
        self.files.failed()
        if not report.cancelled:
            self.refuse(report.text)
        if self.phase == "building":
            self.phase = "draft"

    def take_start(self) -> bool:
        """Return whether a run has just begun that is to play at once; only once true."""
        begins = self._play_on_start and self.phase == "running"
        self._play_on_start = self._play_on_start and not begins
        return begins
