"""Undo and redo: the drafts before the present one, and where two drafts differ."""

import copy
from typing import Any

from rmp3d.viewer.panel.protocol import Table

MOST = 200  # drafts that are kept
Path = tuple[str | int, ...]


class History:
    """The drafts so far; the present one is known by `note`."""

    def __init__(self, table: Table) -> None:
        """Begin with a first draft."""
        self._present = copy.deepcopy(table)
        self._before: list[Table] = []
        self._after: list[Table] = []

    def note(self, table: Table) -> None:
        """Take the draft as it is now; a change of it can be undone."""
        if table != self._present:
            self._before = [*self._before[-MOST + 1 :], self._present]
            self._after = []
            self._present = copy.deepcopy(table)

    @property
    def can_undo(self) -> bool:
        """Whether there is an earlier draft."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Whether there is a draft that was undone."""
        return bool(self._after)

    def undo(self) -> Table:
        """Return the draft before the present one; the present one if there is none."""
        return self._go(self._before, self._after)

    def redo(self) -> Table:
        """Return the draft that was undone last; the present one if there is none."""
        return self._go(self._after, self._before)

    def _go(self, source: list[Table], other: list[Table]) -> Table:
        if source:
            other.append(self._present)
            self._present = source.pop()
        return copy.deepcopy(self._present)


def differences(before: Any, after: Any, path: Path = ()) -> list[Path]:
    """Return the paths of the keys in which two tables differ; of lists as long, of their items."""
    if before == after:
        return []
    if before is None and isinstance(after, dict):
        before = {} if after else before
    if after is None and isinstance(before, dict):
        after = {} if before else after
    if isinstance(before, dict) and isinstance(after, dict):
        keys = [*before, *(key for key in after if key not in before)]
        pairs = [(key, before.get(key), after.get(key)) for key in keys]
        return [each for key, a, b in pairs for each in differences(a, b, (*path, key))]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        rows = enumerate(zip(before, after, strict=True))
        return [each for row, (a, b) in rows for each in differences(a, b, (*path, row))]
    return [path]
