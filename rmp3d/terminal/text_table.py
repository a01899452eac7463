"""Tables as plain text, for a terminal."""

from collections.abc import Sequence

from rmp3d.geometry.printable import printable


def table(rows: Sequence[Sequence[object]], header: Sequence[str] = ()) -> str:
    """Return rows as text in aligned columns; numbers are aligned to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    numeric = [
        all(isinstance(row[column], int | float) or row[column] is None for row in rows)
        for column in range(len(rows[0]) if rows else 0)
    ]
    lines = [list(header), *cells] if header else cells
    widths = [max(len(line[column]) for line in lines) for column in range(len(numeric))]
    text = []
    for line in lines:
        padded = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ]
        text.append("  ".join(padded).rstrip())
    return "\n".join(text)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    return str(value) if str(value).isprintable() else printable(str(value))
