"""The parts of a scene as a table that fits the terminal: many are grouped by their names."""

import re
import shutil
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rmp3d.terminal.text_table import table

MOST_ROWS = 40
"""More parts are grouped, and more groups are left out."""
USUAL_WIDTH, SHORTEST = 120, 12
"""Letters of a line where there is no terminal; letters of a name that are shown at least."""
WIDE = 100
"""Letters of a line from which boxes have centimeters."""
COUNTED = re.compile(r"[\s._\-#(\[]*\d+[)\]]*$")


def part_table(parts: Sequence[Mapping[str, Any]], width: int | None = None) -> str:
    """Return the table.

    Args:
        parts: Each with ``name``, ``role``, ``triangles``, ``watertight`` and ``bounds``.
        width: Letters of a line; default: as wide as the terminal.
    """
    width = width or shutil.get_terminal_size((USUAL_WIDTH, 24)).columns
    if len(parts) <= MOST_ROWS:
        single = [
            [part["name"], part["role"], part["triangles"], part["watertight"], _box([part], width)]
            for part in parts
        ]
        return _fitted(single, ("part", "role", "triangles", "watertight", "from .. to [m]"), width)
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for part in parts:
        groups.setdefault((family(part["name"]), part["role"]), []).append(part)
    ranked = sorted(groups.items(), key=lambda item: -_triangles(item[1]))
    header = ("part", "role", "parts", "triangles", "watertight", "from .. to [m]")
    rows = [
        [
            own[0]["name"] if len(own) == 1 else f"{name}*",
            role,
            len(own),
            _triangles(own),
            _share(own),
            _box(own, width),
        ]
        for (name, role), own in ranked[:MOST_ROWS]
    ]
    text = _fitted(rows, header, width)
    left = ranked[MOST_ROWS:]
    if left:
        count = sum(len(own) for _, own in left)
        text += f"\n... and {count} more parts of fewer triangles (--json lists all)"
    return text


def family(name: str) -> str:
    """Return what names have in common that differ by the numbers at their ends."""
    while (shorter := COUNTED.sub("", name)) not in ("", name):
        name = shorter
    return name


def _fitted(rows: list[list[Any]], header: tuple[str, ...], width: int) -> str:
    """Return a table in which names that make it too wide are shortened."""
    text = table(rows, header)
    longest = max(len(line) for line in text.splitlines())
    if longest <= width:
        return text
    names = max(len(row[0]) for row in rows)
    room = max(names - (longest - width), SHORTEST)
    return table([[_cut(row[0], room), *row[1:]] for row in rows], header)


def _cut(name: str, room: int) -> str:
    if len(name) <= room:
        return name
    head = (room - 3) // 2
    return f"{name[:head]}...{name[len(name) - (room - 3 - head) :]}"


def _triangles(parts: Sequence[Mapping[str, Any]]) -> int:
    return sum(part["triangles"] for part in parts)


def _share(parts: Sequence[Mapping[str, Any]]) -> str:
    closed = sum(bool(part["watertight"]) for part in parts)
    return {0: "no", len(parts): "yes"}.get(closed, f"{closed} of {len(parts)}")


def _box(parts: Sequence[Mapping[str, Any]], width: int) -> str:
    boxes = np.array([part["bounds"] for part in parts])
    corners = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    digits = 2 if width >= WIDE else 1
    low, high = (" ".join(f"{value:.{digits}f}" for value in corner) for corner in corners)
    return f"({low}) .. ({high})"
