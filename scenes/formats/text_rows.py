"""Rows of numbers in a text file; an error names the line and the word."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import shown_path
from rmp3d.geometry.printable import printable, shortened
from rmp3d.geometry.registry import LONGEST_NAME
from rmp3d.scenes.tokens import number


class TextRows:
    """The lines of a text that are not blank, without comments, in order.

    Args:
        path: The file; each error begins with it.
        text: Its content.
        first_line: The number of the text's first line in the file.
    """

    def __init__(self, path: Path, text: str, first_line: int = 1) -> None:
        self._path = path
        self._lines: list[str] = []
        self._numbers: list[int] = []
        for line_number, line in enumerate(text.splitlines(), first_line):
            bare = line.partition("#")[0].strip()
            if bare:
                self._lines.append(bare)
                self._numbers.append(line_number)
        self._next = 0

    @property
    def left(self) -> int:
        """Number of rows left."""
        return len(self._lines) - self._next

    def error(self, message: str, row: int = 0) -> InputError:
        """Return an error about a row, counted from the next one."""
        at = min(self._next + row, len(self._numbers) - 1)
        line = self._numbers[at] if self._numbers else 1
        return InputError(f"{shown_path(self._path)}: line {line}: {message}")

    def take(self, what: str) -> list[str]:
        """Return the words of the next row, which must be there."""
        self.refuse_fewer(1, what)
        self._next += 1
        return self._lines[self._next - 1].split()

    def refuse_fewer(self, count: int, what: str) -> None:
        """Raise `InputError` if fewer rows are left."""
        if self.left < count:
            raise InputError(
                f"{shown_path(self._path)}: its header says {count:,} {what}, but {self.left:,} "
                "lines follow; is the file cut short?"
            )

    def skip(self, count: int, what: str) -> None:
        """Pass over rows, which must be there."""
        self.refuse_fewer(count, what)
        self._next += count

    def take_table(self, count: int, width: int, what: str, *, at_least: bool = False) -> Float:
        """Return ``count`` rows of ``width`` numbers (count, width).

        Args:
            count: How many rows.
            width: How many numbers each has.
            what: Of what, in the plural.
            at_least: Whether a row may have more, which are passed over.
        """
        self.refuse_fewer(count, what)
        rows = self._lines[self._next : self._next + count]
        words = [word for row in rows for word in row.split()[: width if at_least else None]]
        try:
            table = np.array(words, np.float64).reshape(count, width)
        except ValueError:
            raise self._wrong_row(rows, width) from None
        if len(rows) and any(len(row.split()) < width for row in (rows[0], rows[-1])):
            raise self._wrong_row(rows, width)
        self._next += count
        return table

    def take_lists(self, count: int, what: str, beside: int = 0) -> tuple[Index, Index, Float]:
        """Return ``count`` rows, each a length and so many whole numbers, then other numbers.

        Args:
            count: How many rows.
            what: Of what, in the plural.
            beside: How many numbers follow the list in each row.

        Returns:
            All whole numbers (I,), how many each row has (count,), and the numbers after them
            (count, beside).
        """
        self.refuse_fewer(count, what)
        items: list[int] = []
        counts, others = np.empty(count, np.intp), np.empty((count, beside))
        for row in range(count):
            words = self._lines[self._next + row].split()
            try:
                length = counts[row] = int(words[0])
                found = [int(word) for word in words[1 : 1 + length]] if length > 0 else []
                if len(words) < 1 + length + beside or length < 0:
                    raise self.error(f"has fewer numbers than it says ({words[0]})", row)
                if beside:
                    others[row] = words[1 + length : 1 + length + beside]
            except (ValueError, OverflowError):
                raise self._wrong_word(words, row) from None
            items += found
        self._next += count
        return _whole(items), counts, others

    def _wrong_row(self, rows: Sequence[str], width: int) -> InputError:
        for row, line in enumerate(rows):
            words = line.split()
            if any(number(word) is None for word in words[:width]):
                return self._wrong_word(words[:width], row)
            if len(words) < width:
                return self.error(f"needs {width} numbers, got {len(words)}", row)
        most = next(row for row, line in enumerate(rows) if len(line.split()) != width)
        return self.error(f"needs {width} numbers, got {len(rows[most].split())}", most)

    def _wrong_word(self, words: Sequence[str], row: int) -> InputError:
        bad = next((word for word in words if number(word) is None), " ".join(words))
        shown = shortened(printable(bad), LONGEST_NAME)
        return self.error(f"`{shown}` is not a number", row)


def _whole(items: list[int]) -> Index:
    """Return whole numbers as indices; one beyond all indices becomes -1."""
    try:
        return np.array(items, np.intp)
    except OverflowError:
        return np.array([item if abs(item) < 2**62 else -1 for item in items], np.intp)
