"""What the window remembers from one time to the next: language, theme, size of letters, files.

`RMP3D_CONFIG` says where the file is: ``off`` is nowhere, anything else is a folder. If it is not
set, it is in the folder for such files that the system has for each user. What is in it is not
trusted: anything that is not as it should be is left out.
"""

import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rmp3d.geometry.errors import Rmp3dError
from rmp3d.geometry.input_files import read_input
from rmp3d.geometry.whole_file import whole_file
from rmp3d.viewer.player.scale import STEPS
from rmp3d.viewer.texts import LANGUAGES, system_language

SWITCH = "RMP3D_CONFIG"
OFF = ("off", "0", "no", "none")
NAME = "window.json"
MOST_BYTES = 256 * 1024
MOST_RECENT = 10
LONGEST_PATH = 4096
THEMES = ("dark", "light")


@dataclass
class WindowSettings:
    """What is remembered.

    Attributes:
        language: Code of a language, as of `rmp3d.viewer.texts.LANGUAGES`.
        theme: ``dark`` or ``light``.
        letters: How much larger letters and widgets are than by themselves: one of `STEPS`.
        recent: Absolute paths of files that were opened or saved, the last one first.
        path: The file that it is kept in, None for nowhere.
    """

    language: str = "en"
    theme: str = "dark"
    letters: float = 1.0
    recent: list[str] = field(default_factory=list)
    path: Path | None = None

    def remember(self, path: str) -> None:
        """Put a file to the front of the recent ones."""
        absolute = str(Path(path).absolute())
        self.recent = _paths([absolute, *self.recent])
        self.keep()

    def keep(self) -> None:
        """Write the file; where that is not possible nothing is remembered."""
        if self.path is None:
            return
        names = ("language", "theme", "letters", "recent")
        content = {name: getattr(self, name) for name in names}
        with suppress(Rmp3dError, OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(self.path) as file:
                file.write(json.dumps(content, indent=1).encode())


def settings_folder() -> Path | None:
    """Return the folder of the file; None if that is switched off or there is no such folder."""
    stated = os.environ.get(SWITCH, "")
    if stated:
        return None if stated.lower() in OFF else Path(stated).absolute()
    with suppress(RuntimeError):  # a user without a home
        if sys.platform == "win32":
            base = Path(os.environ.get("APPDATA") or Path.home() / "AppData/Roaming")
        elif sys.platform == "darwin":
            base = Path.home() / "Library/Application Support"
        else:
            base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
        return base / "rmp3d" if base.is_absolute() else None
    return None


def read_settings() -> WindowSettings:
    """Return what was remembered, with defaults for what is missing or wrong."""
    folder = settings_folder()
    found = WindowSettings(language=system_language(), path=folder / NAME if folder else None)
    if found.path is None:
        return found
    content: Any = None
    with suppress(Rmp3dError, OSError, ValueError, RecursionError):
        content = json.loads(read_input(found.path, MOST_BYTES).decode())
    if not isinstance(content, dict):
        return found
    for name, known in (("language", LANGUAGES), ("theme", THEMES)):
        if isinstance(content.get(name), str) and content[name] in known:
            setattr(found, name, content[name])
    letters = content.get("letters")
    found.letters = float(letters) if letters in STEPS else found.letters
    recent = content.get("recent")
    found.recent = _paths(recent if isinstance(recent, list) else ())
    return found


def _paths(given: Iterable[Any]) -> list[str]:
    """Return what can be the path of a file, each once."""
    fit = (
        each
        for each in given
        if isinstance(each, str) and len(each) <= LONGEST_PATH and each.isprintable()
        if Path(each).is_absolute()
    )
    return list(dict.fromkeys(fit))[:MOST_RECENT]
