"""Text files as tokens with line numbers, so that an error names the line."""

import math
from array import array
from pathlib import Path

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import read_input, shown_path
from rmp3d.geometry.printable import printable, shortened
from rmp3d.geometry.registry import LONGEST_NAME

MAX_BYTES = 64 * 2**20
"""As words a text takes some ten times its size in memory."""


def read_text(path: Path, limit: int = MAX_BYTES) -> str:
    """Return the text of a file.

    Raises:
        InputError: The file is missing, empty, too large or not readable.
    """
    text = read_input(path, limit).decode("utf-8", "replace")
    if not text.strip():
        raise InputError(f"{shown_path(path)}: the file is empty")
    return text


def confined(folder: Path, name: str, where: str) -> Path:
    """Return the path of a file that another file refers to, which must lie in its folder.

    Args:
        folder: The folder of the file that refers to the other one.
        name: The name as it is written there.
        where: The start of the error text: file and line, or key.

    Raises:
        InputError: The file is outside the folder, or missing.
    """
    shown = shown_word(name)
    folder = Path(folder).resolve()
    try:
        path = (folder / name).resolve()
        inside, exists = path.is_relative_to(folder), path.exists()
    except (OSError, ValueError, RuntimeError):
        raise InputError(f"{where}: `{shown}` is not a file's name") from None
    if not inside:
        raise InputError(f"{where}: it refers to `{shown}`, which is outside its folder")
    if not exists:
        raise InputError(f"{where}: it refers to `{shown}`, which is not in {shown_path(folder)}")
    return path


class Tokens:
    """The words of a text file in order, without comments.

    Args:
        path: The file; each error begins with it.
        text: Its content.
        comment: The text that begins a comment; empty: there are no comments.
    """

    def __init__(self, path: Path, text: str, comment: str = "#") -> None:
        self.path = path
        self._words: list[str] = []
        self._lines = array("q")  # of each word
        for number, line in enumerate(text.splitlines(), 1):
            found = (line.partition(comment)[0] if comment else line).split()
            self._words += found
            self._lines.extend([number] * len(found))
        self._next = 0

    @property
    def line(self) -> int:
        """The line of the next word, or of the last one at the end."""
        if not self._words:
            return 1
        return self._lines[min(self._next, len(self._words) - 1)]

    @property
    def left(self) -> int:
        """Number of words left."""
        return len(self._words) - self._next

    def peek(self) -> str:
        """Return the next word without taking it; an empty text at the end."""
        return self._words[self._next] if self.left else ""

    def take(self, what: str) -> str:
        """Return the next word.

        Raises:
            InputError: The file ends here; the error says that ``what`` is missing.
        """
        if not self.left:
            raise InputError(f"{self.path}: line {self.line}: ends where {what} should be")
        self._next += 1
        return self._words[self._next - 1]

    def take_line(self) -> list[str]:
        """Return the rest of the line, from the next word on; empty at the end."""
        line, words = self.line, []
        while self.left and self.line == line:
            words.append(self.take("a word"))
        return words

    def take_int(self, what: str, least: int = 0, most: int = 2**31 - 1) -> int:
        """Return the next word as a whole number in a range, or raise `InputError`."""
        word = self.take(what)
        try:
            value = int(word)
        except ValueError:
            raise self.error(f"{what} should be a whole number, not `{shown_word(word)}`") from None
        if not least <= value <= most:
            raise self.error(f"{what} is {shown_word(word)}, but must be in {least} to {most}")
        return value

    def take_float(self, what: str) -> float:
        """Return the next word as a finite number, or raise `InputError`."""
        word = self.take(what)
        value = number(word)
        if value is None:
            raise self.error(f"{what} should be a number, not `{shown_word(word)}`")
        return value

    def error(self, message: str) -> InputError:
        """Return an error with the line of the word that was taken last."""
        line = self._lines[max(self._next - 1, 0)] if self._words else 1
        return InputError(f"{self.path}: line {line}: {message}")


def shown_word(word: str) -> str:
    """Return a word of a file for an error: printable, and not too long."""
    return shortened(printable(word), LONGEST_NAME)


def number(word: str) -> float | None:
    """Return a word as a finite number, None if it is not one."""
    try:
        value = float(word)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
