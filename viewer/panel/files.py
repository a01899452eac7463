"""What the panel opens and saves, and what it asks before work is lost."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rmp3d.viewer.export.exporter import EXPORTERS
from rmp3d.viewer.panel.browsing import ALL, KINDS, Browser
from rmp3d.viewer.panel.draft import Draft
from rmp3d.viewer.panel.protocol import (
    AddCharacter,
    Export,
    Failed,
    Open,
    Opened,
    Saved,
    SaveRecording,
    SaveScenario,
    Table,
    Working,
)
from rmp3d.viewer.panel.session import Session
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.settings import WindowSettings
from rmp3d.viewer.texts import tr

RECORDING_SUFFIX = ".rmp3d"
STEPS = {"UP": -1, "DOWN": 1, "PAGEUP": -10, "PAGEDOWN": 10, "HOME": -100_000, "END": 100_000}
"""Keys that mark another entry of a folder, and how many rows below."""
FIRST_FILE = "my-scenario.toml"


@dataclass
class Notice:
    """A line for the user; ``is_error`` says what went wrong."""

    text: str = ""
    is_error: bool = False


@dataclass(frozen=True)
class Question:
    """What the user must answer before it goes on; the last answer leaves everything as it is."""

    text: str
    answers: tuple[tuple[str, Callable[[], None]], ...]


class Work(Protocol):
    """What is opened and saved; see `PanelState`."""

    session: Session
    draft: Draft
    notice: Notice
    working: Working
    playback: Playback | None

    @property
    def phase(self) -> str:
        """How far the draft has come."""
        ...

    @property
    def has_frames(self) -> bool:
        """Whether there is a run or a recording."""
        ...

    @property
    def is_live(self) -> bool:
        """Whether there is a run of this session."""
        ...

    @property
    def noted(self) -> list[Table]:
        """What has happened to the run since it was started, as `[[changes]]`."""
        ...

    def refuse(self, text: str) -> None:
        """Say what cannot be done, and why."""
        ...

    def table_to_save(self) -> Table:
        """Return the scenario that a file is to have."""
        ...

    def take_opened(self, report: Opened) -> None:
        """Go on with what was read."""
        ...


class Files:
    """Opens and saves, and asks before that loses anything.

    Attributes:
        path: What *Open* and *Save* are about.
        camera: Name of the camera of an export.
        source: The file that is seen, beside which views are kept; None if there is none.
        browser: The folder that is looked through for a file, None if none is.
        question: What is asked of the user, if anything.
        leaving: Whether the window is to be closed.
        exporting: The export that goes on beside all else.
    """

    def __init__(self, work: Work, settings: WindowSettings) -> None:
        """Begin with a draft that is as good as saved, and the files of earlier sessions."""
        self._work, self._settings = work, settings
        self.path = FIRST_FILE
        self.camera = "iso"
        self.source: Path | None = None
        self.browser: Browser | None = None
        self.question: Question | None = None
        self.leaving = False
        self.exporting = Working("")
        self._kept = work.draft.copy()  # the draft as it was opened or saved
        self._ours: set[str] = set()  # files that were opened or saved in this window
        self._saving: Table = {}
        self._kept_noted: list[Table] = []  # changes of the run that a file has
        self._saving_noted: list[Table] = []
        self._opening = ""
        self._after_saving: Callable[[], None] | None = None

    @property
    def recent(self) -> list[str]:
        """Files that were opened or saved, also in earlier sessions; the last one first."""
        return self._settings.recent

    @property
    def unsaved(self) -> bool:
        """Whether the draft, or the run, has changes that are in no file."""
        noted = self._work.noted
        return self._work.draft.table != self._kept or bool(noted and noted != self._kept_noted)

    @property
    def has_dialog(self) -> bool:
        """Whether something is over panel and scene that must be answered first."""
        return self.question is not None or self.browser is not None

    def open(self, target: str) -> None:
        """Open a scenario, a recording or a mesh, whichever the file is.

        What is there stays until the file is read, so a wrong name loses nothing.
        """
        work = self._work
        if work.phase == "building":
            work.refuse(tr("the roadmap is being built; press Cancel first, then Open"))
            return
        self._opening = _expanded(target)
        work.working, work.notice = Working("opening"), Notice()
        work.session.send(Open(self._opening))

    def browse(self, *, saving: bool) -> None:
        """Look through folders, from that of the present file on."""
        self.browser = Browser(_expanded(self.path), saving=saving)

    def browser_key(self, name: str, *, typing: bool) -> None:
        """Take a key, by its name in pyglet; while a text is edited only some are the list's."""
        browser = self.browser
        if browser is None:
            return
        if name == "ESCAPE":
            self.browser = None
        elif name in STEPS and not (typing and name in ("HOME", "END")):
            browser.move(STEPS[name])
        elif not typing and name in ("RETURN", "ENTER", "NUM_ENTER"):
            self.browsed(browser.enter())
        elif not typing and name == "BACKSPACE":
            browser.up()

    def browsed(self, path: str) -> None:
        """Open or save the file that was found; "" while none is."""
        browser = self.browser
        if browser is not None and path:
            self.browser = None
            (self.save if browser.saving else self.open)(path)

    def ask_about_bones(self, path: str) -> None:
        """Ask whether a file with bones is a character or a scene."""
        work = self._work
        work.working = Working("")

        def character() -> None:
            work.working = Working("opening")
            work.session.send(AddCharacter(path))

        def scene() -> None:
            work.working = Working("opening")
            work.session.send(Open(path, as_scene=True))

        self.question = Question(
            tr("{name} has bones.", name=Path(path).name),
            (("Make a character of it", character), ("Open as a scene", scene),
             ("Cancel", self._stay)),
        )  # fmt: skip

    def opened(self, report: Opened) -> None:
        """Take what was read; ask before it takes the place of changes that are in no file."""
        self._work.working = Working("")
        self._unless_unsaved(lambda: self._take(report), "Open without saving")

    def _take(self, report: Opened) -> None:
        self._work.take_opened(report)
        self._kept = self._work.draft.copy()
        self.source = Path(self._opening) if Path(self._opening).is_file() else None
        if Path(self._opening).is_file():
            self._remember(self._opening)
        if Path(self._opening).suffix == ".toml":
            self.path = self._opening

    def save(self, path: str) -> None:
        """Save the draft (``.toml``), or what was simulated (``.rmp3d``, or a format of exports).

        A file that was neither opened nor saved before is not replaced without a question.
        """
        path, work = _expanded(path), self._work
        if _is_recording(path) and not work.is_live:
            work.refuse(tr("there is no run to save; press Run first"))
        elif _is_export(path) and not work.has_frames:
            work.refuse(tr("there is no run to export; press Run first"))
        elif Path(path).exists() and path not in self._ours:
            answers = (("Replace it", lambda: self._save(path)), ("Cancel", self._stay))
            self.question = Question(tr("{path} exists already.", path=path), answers)
        else:
            self._save(path)

    def export(self, suffix: str) -> None:
        """Write what is seen beside the recording that is played, or the file of the scenario."""
        played = self.source if self._work.phase == "recording" else None
        self.save(str(Path(self.path if played is None else played).with_suffix(suffix)))

    def _save(self, path: str) -> None:
        self._work.notice = Notice()
        if not _is_export(path):
            self._saving_noted = self._work.noted
        if _is_recording(path):
            self._work.working = Working("saving")
            self._work.session.send(SaveRecording(path))
        elif _is_export(path) and self._work.playback is not None:
            self.exporting = Working("exporting")
            self._work.session.send(Export(self._work.playback, path, self.camera))
        else:
            self._saving = self._work.draft.copy()
            self._work.session.send(SaveScenario(self._work.table_to_save(), path))

    def saved(self, report: Saved) -> None:
        """Take that a file is written."""
        self._work.notice = Notice(tr("saved {path}", path=report.path))
        if report.path.lower().endswith(KINDS[ALL]):
            self._remember(report.path)
        else:  # a film cannot be opened again
            self._ours.add(report.path)
        if _is_export(report.path):
            return
        self._kept_noted = self._saving_noted
        if _is_recording(report.path):
            return
        self._kept, self.path = self._saving, report.path
        self.source = Path(report.path)
        after, self._after_saving = self._after_saving, None
        if after is not None:
            after()

    def take_of_export(self, report: Working | Saved | Failed) -> None:
        """Take how far an export is, and how it ended."""
        self.exporting = report if isinstance(report, Working) else Working("")
        if isinstance(report, Saved):
            self.saved(report)
        elif isinstance(report, Failed) and not report.cancelled:
            self._work.refuse(report.text)

    def end_exports(self) -> None:
        """Give up the export that is under way, and those that wait."""
        self._work.session.cancel_exports()
        self.exporting, self._work.notice = Working(""), Notice(tr("cancelled"))

    def failed(self) -> None:
        """Take that a file cannot be read or written."""
        self._after_saving = None

    def leave(self) -> None:
        """Close the window; ask before that loses changes that are in no file."""
        self._unless_unsaved(self._unless_writing, "Leave without saving")

    def _unless_writing(self) -> None:
        def go() -> None:
            self.leaving = True

        if self._work.working.what != "saving" and not self.exporting.what:
            go()
            return
        answers = (("Leave without the file", go), ("Cancel", self._stay))
        self.question = Question(tr("A file is still being written."), answers)

    def _unless_unsaved(self, action: Callable[[], None], without: str) -> None:
        if not self.unsaved:
            action()
            return

        is_scenario = not (_is_recording(self.path) or _is_export(self.path))
        file = self.path if is_scenario else FIRST_FILE

        def save_first() -> None:
            self._after_saving = action
            self.save(file)

        self.question = Question(
            "\n".join(
                (
                    tr("The scenario has changes that are not saved."),
                    tr("Save first writes {path}", path=file),
                )
            ),
            (("Save first", save_first), (without, action), ("Cancel", self._stay)),
        )

    def answer(self, row: int) -> None:
        """Take the answer to the question; -1 is the last one, that leaves everything as it is."""
        question, self.question = self.question, None
        if question is not None:
            question.answers[row][1]()

    def _stay(self) -> None:
        self._after_saving = None

    def _remember(self, path: str) -> None:
        self._ours.add(path)
        self._settings.remember(path)


def _expanded(path: str) -> str:
    return str(Path(path.strip()).expanduser())


def _is_export(path: str) -> bool:
    return Path(path).suffix.lower() in EXPORTERS


def _is_recording(path: str) -> bool:
    return Path(path).suffix == RECORDING_SUFFIX
