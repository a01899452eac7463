"""A folder that is looked through for a file: what is in it, what of it fits, and what is marked.

Knows nothing of widgets. A folder that cannot be read is said, not raised.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from rmp3d.geometry.printable import printable
from rmp3d.scenes.formats import MESH_FORMATS
from rmp3d.viewer.cameras.saved_views import SUFFIX as VIEWS
from rmp3d.viewer.export.exporter import EXPORTERS
from rmp3d.viewer.texts import tr

ALL = "all that can be opened"
MESHES = tuple(MESH_FORMATS)
KINDS: Mapping[str, tuple[str, ...]] = {
    ALL: (".toml", ".rmp3d", *MESHES),
    "scenarios": (".toml",),
    "recordings": (".rmp3d",),
    "meshes": MESHES,
    "films, pictures, tables": tuple(EXPORTERS),
    "all files": (),
}
"""What a file may be, and the suffixes of such files; none: any."""
MOST_ENTRIES = 5000


@dataclass(frozen=True)
class FolderEntry:
    """A file or folder; ``name`` is as the system has it, ``text`` as it can be shown."""

    name: str
    is_folder: bool
    size: int = 0

    @property
    def text(self) -> str:
        """The name without what cannot be printed; folders end with a slash."""
        return printable(self.name) + ("/" if self.is_folder else "")


class Browser:
    """Looks for a file to open, or for a place to save one.

    Attributes:
        saving: Whether a file is to be saved.
        folder: Absolute path of the folder that is shown.
        kind: Of the files that are shown, of `KINDS`.
        name: Name of the file, as typed or marked.
        entries: Folders, then files, each in the order of their names.
        marked: Row of the entry that keys are about, -1 for none.
        problem: Why the folder cannot be shown, or not all of it.
    """

    def __init__(self, start: str, *, saving: bool) -> None:
        """Begin where a path is; its folder need not be there."""
        path = Path(start).expanduser().absolute()
        self.saving, self.kind = saving, ALL
        self.name = path.name if saving else ""
        self.folder, self.marked, self.problem = path.parent, -1, ""
        self.entries: list[FolderEntry] = []
        self._typed = ""
        while not self.folder.is_dir() and self.folder != self.folder.parent:
            self.folder = self.folder.parent
        self.read()

    @property
    def path(self) -> str:
        """The file that is named, with the suffix of a scenario if it is saved without any."""
        name = self.name.strip()
        if self.saving and name and not Path(name).suffix and not (self.folder / name).is_dir():
            name += ".toml"
        return str(self.folder / Path(name).expanduser()) if name else ""

    def read(self) -> None:
        """Look into the folder again."""
        self.entries, self.marked, self.problem, self._typed = [], -1, "", ""
        try:
            with os.scandir(self.folder) as found:
                rows = list(islice(found, MOST_ENTRIES + 1))
        except PermissionError:
            self.problem = tr("you may not look into this folder")
            return
        except OSError as error:
            self.problem = tr("this folder cannot be read: {why}", why=error.strerror or error)
            return
        if len(rows) > MOST_ENTRIES:
            self.problem = tr("only {count} entries are shown; type the name", count=MOST_ENTRIES)
        shown = [_entry(row) for row in rows[:MOST_ENTRIES] if not row.name.startswith(".")]
        suffixes = KINDS[self.kind]
        fit = [
            each
            for each in shown
            if each.is_folder or not suffixes or _fits(each.name.lower(), suffixes)
        ]
        self.entries = sorted(fit, key=lambda each: (not each.is_folder, each.name.lower()))

    def show(self, kind: str) -> None:
        """Show files of another kind."""
        self.kind = kind
        self.read()

    def go(self, folder: Path) -> None:
        """Show another folder."""
        before, self.folder = self.folder, folder.absolute()
        self.read()
        if self.folder == before.parent:  # so that Enter goes back
            self.mark(next((row for row, each in enumerate(self.entries)
                            if each.name == before.name), -1))  # fmt: skip

    def up(self) -> None:
        """Show the folder that this one is in."""
        self.go(self.folder.parent)

    def mark(self, row: int) -> None:
        """Mark an entry; a file is named by it."""
        if 0 <= row < len(self.entries):
            self.marked = row
            if not self.entries[row].is_folder:
                self.name = self.entries[row].name
            elif not self.saving:
                self.name = ""

    def move(self, steps: int) -> None:
        """Mark the entry so many rows below."""
        self._typed = ""
        if self.entries:
            first = -1 if steps > 0 else 0
            row = (self.marked if self.marked >= 0 else first) + steps
            self.mark(min(max(row, 0), len(self.entries) - 1))

    def find(self, letter: str) -> None:
        """Mark the first entry that begins with what was typed so far."""
        for typed in (self._typed + letter.lower(), letter.lower()):
            for row, each in enumerate(self.entries):
                if each.name.lower().startswith(typed):
                    self.mark(row)
                    self._typed = typed
                    return

    def enter(self) -> str:
        """Go into the marked folder, or return the path of the marked file; "" for none."""
        if 0 <= self.marked < len(self.entries) and self.entries[self.marked].is_folder:
            self.go(self.folder / self.entries[self.marked].name)
            return ""
        return self.take()

    def take(self) -> str:
        """Return the path of the file that is named; "" for none. A folder is gone into."""
        if not self.path:
            return self.enter() if self.marked >= 0 else ""
        if Path(self.path).is_dir():
            self.go(Path(self.path))
            self.name = ""
            return ""
        return self.path


def _fits(name: str, suffixes: tuple[str, ...]) -> bool:
    # Kept views end as scenarios do, and cannot be opened.
    return name.endswith(suffixes) and not name.endswith(VIEWS)


def _entry(found: "os.DirEntry[str]") -> FolderEntry:
    try:
        is_folder = found.is_dir()
        return FolderEntry(found.name, is_folder, 0 if is_folder else found.stat().st_size)
    except OSError:  # a link to nothing, or what may not be looked at
        return FolderEntry(found.name, False)
