"""Which parts the patterns of a scene fit, such as ``car *``; the work is bounded."""

import re
from collections.abc import Callable, Iterable, Sequence
from fnmatch import translate

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.printable import printable, shortened

MOST_LETTERS = 500_000_000
"""Letters of names times letters of patterns that are compared for one key, such as `roles`."""
LONGEST_SHOWN = 60
"""Letters of a pattern in an error."""
WILD = frozenset("*?[")


class Patterns:
    """Patterns of one key of a scene, such as `scene.roles`.

    Args:
        globs: The patterns; those without ``*``, ``?`` and ``[`` are names.
        names: Of the parts.
        where: The key; errors begin with it.

    Raises:
        InputError: So many patterns and parts take too long to be compared.
    """

    def __init__(self, globs: Iterable[str], names: Sequence[str], where: str) -> None:
        self._globs, self._names, self._where = list(globs), names, where
        self._row_of = {name: row for row, name in enumerate(names)}
        self._plain: dict[str, int] = {}
        self._wild: dict[int, Callable[[str], object]] = {}
        wild = [glob for glob in self._globs if not WILD.isdisjoint(glob)]
        letters = sum(map(len, wild)) * (sum(map(len, names)) + len(names))
        if letters > MOST_LETTERS:
            raise InputError(
                f"{where}: {len(wild):,} pattern(s) of {len(names):,} parts are too much to "
                f"compare; use fewer or shorter ones (letters of patterns times letters of names "
                f"may be at most {MOST_LETTERS:,})"
            )
        for row, glob in enumerate(self._globs):
            if WILD.isdisjoint(glob):
                self._plain.setdefault(glob, row)
            else:
                self._wild[row] = re.compile(translate(glob)).match

    def first(self, name: str) -> int:
        """Return the row of the first pattern that fits a name; -1 if none does."""
        best = self._plain.get(name, len(self._globs))
        for row, match in self._wild.items():
            if row >= best:
                break
            if match(name):
                return row
        return best if best < len(self._globs) else -1

    def rows(self, row: int, where: str = "") -> list[int]:
        """Return which names a pattern fits.

        Args:
            row: Of the pattern.
            where: What an error begins with; the key, if nothing is given.

        Raises:
            InputError: None does; names the pattern and some parts.
        """
        glob, match = self._globs[row], self._wild.get(row)
        if match is not None:
            found = [k for k, name in enumerate(self._names) if match(name)]
        else:
            found = [self._row_of[glob]] if glob in self._row_of else []
        if not found:
            shown = ", ".join(self._names[:8]) + (", ..." if len(self._names) > 8 else "")
            asked = shortened(printable(glob), LONGEST_SHOWN)
            raise InputError(
                f"{where or self._where}: no part fits `{asked}`; the parts are {shown}"
            )
        return found

    def refuse_unused(self) -> None:
        """Refuse a pattern that fits no part.

        Raises:
            InputError: Names the key, the pattern and some parts.
        """
        for row in range(len(self._globs)):
            self.rows(row)
