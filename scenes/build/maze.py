"""A hedge maze with dead ends and rings: the fountain court in it is seen only from close by.

The lanes join the cells of a grid. A random spanning tree opens them (depth first, with a fixed
seed), which leaves many dead ends; a few more openings make rings.
"""

import numpy as np

from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import floor, turned
from rmp3d.scenes.build.street import bench, hedge

Cell = tuple[int, int]

PITCH, THICK, HEIGHT = 3.0, 0.6, 2.3
COLUMNS, ROWS = 12, 9
COURT = 9.0  # depth of the court before the entrance [m]
SEED, RINGS = 5, 7
# Cells of the fountain court, from and to; the gate leads into the cell beside the entrance court.
FOUNTAIN = ((8, 3), (11, 6))
GATE = 4


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    left, low = -0.5 * (COLUMNS * PITCH + COURT) + COURT, -0.5 * ROWS * PITCH
    xs = np.array([left - COURT, *(left + PITCH * np.arange(COLUMNS + 1))])
    ys = low + PITCH * np.arange(ROWS + 1)
    _lawn(model, xs, ys)
    opened = _openings()
    number = 0
    half = 0.5 * THICK
    for column, (first, last) in _upright_runs(opened):
        number += 1
        x = left + PITCH * column
        ends = low + PITCH * first - half, low + PITCH * last + half
        shape = hedge((x - half, ends[0], -0.1), (x + half, ends[1], HEIGHT))
        model.add(f"hedge {number}", "#4f7a3a", shape)
    for row, (first, last) in _level_runs(opened):
        number += 1
        y = low + PITCH * row
        ends = left + PITCH * first - half, left + PITCH * last + half
        shape = hedge((ends[0], y - half, -0.1), (ends[1], y + half, HEIGHT))
        model.add(f"hedge {number}", "#4f7a3a", shape)
    for y in (low, low + PITCH * ROWS):
        number += 1
        lower, upper = (left - COURT - half, y - half, -0.1), (left, y + half, HEIGHT)
        model.add(f"hedge {number}", "#4f7a3a", hedge(lower, upper))
    x = left - COURT
    upper = (x + half, -low + half, HEIGHT)
    model.add("west hedge", "#4f7a3a", hedge((x - half, low - half, -0.1), upper))
    middle = left + 0.5 * PITCH * (FOUNTAIN[0][0] + FOUNTAIN[1][0])
    level = low + 0.5 * PITCH * (FOUNTAIN[0][1] + FOUNTAIN[1][1])
    basin = turned([(0.9, -0.1), (0.9, 0.5), (0.75, 0.55)], 16, (middle, level))
    model.add("fountain", "#b8b2a6", basin)
    model.placed(bench(), "bench ", (left - COURT + 1.0, 0.0, 0.0), 90.0)
    return model


def _openings() -> set[frozenset[Cell]]:
    """Return the pairs of neighboring cells without a hedge between them."""
    rng = np.random.default_rng(SEED)
    cells = {(i, j) for i in range(COLUMNS) for j in range(ROWS)}
    (i0, j0), (i1, j1) = FOUNTAIN
    court = {(i, j) for i, j in cells if i0 <= i < i1 and j0 <= j < j1}
    opened = {frozenset((a, b)) for a in court for b in _near(a) if b in court}
    stack, seen = [(0, GATE)], {(0, GATE)}
    while stack:
        fresh = [cell for cell in _near(stack[-1]) if cell in cells - seen]
        if not fresh:
            stack.pop()
            continue
        cell = fresh[rng.integers(len(fresh))]
        opened.add(frozenset((stack[-1], cell)))
        # The court is one place: it is entered once, and left by no other opening of the tree.
        seen |= court if cell in court else {cell}
        if cell not in court:
            stack.append(cell)
    closed = [
        frozenset((a, b)) for a in sorted(cells - court) for b in _near(a)
        if a < b and b in cells - court and frozenset((a, b)) not in opened
    ]  # fmt: skip
    rings = rng.choice(len(closed), RINGS, replace=False)
    return opened | {closed[row] for row in rings}


def _near(cell: Cell) -> list[Cell]:
    i, j = cell
    return [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]


def _upright_runs(opened: set[frozenset[Cell]]) -> list[tuple[int, Cell]]:
    """Return the column line, first and last row line of each hedge that runs along y."""
    runs = []
    for column in range(COLUMNS + 1):
        stands = [
            frozenset(((column - 1, row), (column, row))) not in opened
            and (column, row) != (0, GATE)
            for row in range(ROWS)
        ]
        runs += [(column, run) for run in _runs(stands)]
    return runs


def _level_runs(opened: set[frozenset[Cell]]) -> list[tuple[int, Cell]]:
    """Return the row line, first and last column line of each hedge that runs along x."""
    runs = []
    for row in range(ROWS + 1):
        stands = [
            frozenset(((column, row - 1), (column, row))) not in opened for column in range(COLUMNS)
        ]
        runs += [(row, run) for run in _runs(stands)]
    return runs


def _runs(stands: list[bool]) -> list[Cell]:
    """Return the first and the last line of each run of cells that are true."""
    steps = np.diff([0, *map(int, stands), 0])
    first, last = np.flatnonzero(steps == 1).tolist(), np.flatnonzero(steps == -1).tolist()
    return list(zip(first, last, strict=True))


def _lawn(model: Model, xs: np.ndarray, ys: np.ndarray) -> None:
    """Gravel on the lanes and in the court before the entrance, stone round the fountain."""
    (i0, j0), (i1, j1) = FOUNTAIN
    stone = np.zeros((len(xs) - 1, len(ys) - 1), np.bool_)
    stone[i0 + 1 : i1 + 1, j0:j1] = True
    model.add("ground", "#d3c4a0", floor(xs, ys, ~stone))
    model.add("ground", "#c2bcae", floor(xs, ys, stone))
