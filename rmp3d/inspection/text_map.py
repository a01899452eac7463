"""The plan of a storey in letters, for a terminal."""

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.viewer.plots.storeys import CLOSED, LEVEL, NARROW, NOTHING, StoreyPlan

COLUMNS, ROWS = 72, 40  # letters at most
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
SIGNS = {NOTHING: " ", NARROW: "#", CLOSED: "!", -1: "."}
MEANING = "# the body does not fit   ! not reached   . reached"


def text_map(plan: StoreyPlan) -> str:
    """Return a plan in letters, and, where the ground is not level, one in heights.

    A letter is about twice as high as wide, and stands for the cell in its middle. Coordinates [m]
    are beside the rows and under the columns.
    """
    rows, columns, low, size = _sampling(plan)
    code = plan.code[np.ix_(columns, rows)].T
    height = plan.height[np.ix_(columns, rows)].T
    lines = [plan.title, *_framed(plan, _letters(code), low, size), _legend(plan)]
    known = plan.height[np.isfinite(plan.height)]
    if len(known) and np.ptp(known) >= LEVEL:
        lowest, highest = float(known.min()), float(known.max())
        step = (highest - lowest) / 10.0
        digit = np.clip((height - lowest) / step, 0, 9)
        signs = [["" if np.isnan(v) else str(int(v)) for v in row] for row in digit]
        text = ["".join(sign or " " for sign in row) for row in signs]
        lines += ["", *_framed(plan, text, low, size)]
        lines.append(f"heights: 0 from {lowest:.2f} m, 9 up to {highest:.2f} m")
    return "\n".join(lines)


def _sampling(plan: StoreyPlan) -> tuple[Index, Index, Float, Float]:
    """Return which cells are printed, from the top row down, and where they lie."""
    across, up = plan.code.shape
    wide = max(across / COLUMNS, 0.5 * up / ROWS, 0.5)
    columns = (np.arange(0.5, across / wide) * wide).astype(int)
    rows = (np.arange(0.5, up / (2.0 * wide)) * 2.0 * wide).astype(int)[::-1]
    columns, rows = np.minimum(columns, across - 1), np.minimum(rows, up - 1)
    return rows, columns, plan.low, np.array([wide, 2.0 * wide]) * plan.cell


def _letters(code: Index) -> list[str]:
    return [
        "".join(SIGNS[c] if c < 0 else LETTERS[c % len(LETTERS)] for c in row)
        for row in code.tolist()
    ]


def _framed(plan: StoreyPlan, text: list[str], low: Float, size: Float) -> list[str]:
    """Return rows with their y beside them, and x below."""
    count = len(text)
    height = plan.code.shape[1] * plan.cell
    lines = []
    for row, line in enumerate(text):
        y = low[1] + height - (row + 0.5) * height / count
        label = f"{y:8.1f} |" if row % 4 == 0 else " " * 9 + "|"
        lines.append(f"{label}{line}|")
    scale = " " * 10
    for column in range(0, max(len(text[0]) - 8, 1), 12):
        scale = scale.ljust(10 + column) + f"^{low[0] + (column + 0.5) * size[0]:.1f}"
    return [*lines, scale]


def _legend(plan: StoreyPlan) -> str:
    rooms = np.unique(plan.code[plan.code >= 0]).tolist()[: len(LETTERS)]
    if len(rooms) < 2:
        return MEANING
    names = "  ".join(f"{LETTERS[row % len(LETTERS)]} room_{row + 1}" for row in rooms[:12])
    return f"{names}\n{MEANING}"
