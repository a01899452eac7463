"""A warehouse: a loading dock, a hall of racks, and a caged mezzanine reached through a hatch.

Seen from above, x to the right: the dock (x from -15 to -5), a fire wall whose gate stands ajar,
the hall with its racks (to 15), and over its eastern half the mezzanine (from 4), 3.2 m up. Bars
close the mezzanine off from the hall, so that what is stored there goes up through the hatch in
its floor. Lengths [m].
"""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, floor, frustum, panel, placed, sheet
from rmp3d.scenes.build.street import TIRE, wheel

WEST, EAST, DEEP, HIGH = -15.0, 15.0, 9.0, 6.4
FIRE_WALL, THICK = -5.0, 0.3
GATE_FROM, GATE_TO, AJAR, GATE_HIGH = -4.0, -0.2, 1.1, 2.8
EDGE, DECK, SLAB = 4.0, 3.2, 0.2
HATCH = (6.45, -0.55, 7.55, 0.55)
BAY, DEPTH, POST = 1.0, 1.25, 0.08
STEEL, BEAM, BOARD, PAINT = "#33507a", "#d9772b", "#b98d5b", "#e2b33c"
GRAY, CONCRETE, BRICK, BAR = "#8f969c", "#a9a8a2", "#b3a08c", "#4a5560"
GOODS = ("#c49a62", "#b5834d", "#d0ac78", "#7f97a8", "#9c6b4a", "#8aa37c")


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    rng = np.random.default_rng(11)
    _ground(model)
    _walls(model)
    _fire_wall(model)
    _mezzanine(model)
    _hall(model, rng)
    _dock(model, rng)
    return model


def _ground(model: Model) -> None:
    """One concrete floor, and what is painted on it."""
    xs, ys = np.linspace(WEST, EAST, 13), np.linspace(-DEEP, DEEP, 7)
    model.add("ground", CONCRETE, floor(xs, ys, np.ones((12, 6), bool)))
    for y in (-6.0, -0.1, 5.8):
        model.add("markings", PAINT, sheet(-4.5, y, 14.5, y + 0.1, 0.012))
    for x in (-14.0, -9.6):
        model.add("markings", PAINT, sheet(x, -5.0, x + 0.1, 5.0, 0.012))


def _walls(model: Model) -> None:
    """The outer walls: those to the north and east whole, the others cut low to look inside."""
    runs = {
        "wall north": ((WEST - 0.3, DEEP), (EAST + 0.3, DEEP + 0.3), HIGH + 0.3),
        "wall east": ((EAST, -DEEP - 0.3), (EAST + 0.3, DEEP), HIGH + 0.3),
        "wall south": ((WEST - 0.3, -DEEP - 0.3), (EAST, -DEEP), 0.5),
        "wall west": ((WEST - 0.3, -DEEP), (WEST, DEEP), 0.5),
    }
    for name, ((x0, y0), (x1, y1), top) in runs.items():
        model.add(name, "#d5d8d6", box((x0, y0, -0.1), (x1, y1, top)))
    for k in range(6):
        x = -13.0 + 4.6 * k
        model.add("windows", "#8fb4c9", _window((x, DEEP - 0.02), (x + 2.8, DEEP - 0.02)))
    for k in range(4):
        y = -7.4 + 4.2 * k
        model.add("windows", "#8fb4c9", _window((EAST - 0.02, y + 2.2), (EAST - 0.02, y)))


def _window(start: Sequence[float], end: Sequence[float]) -> TriangleMesh:
    """Return a pane between two places in plan, facing to the left of the line between them."""
    (x0, y0), (x1, y1) = start, end
    corners = [(x1, y1, 4.7), (x0, y0, 4.7), (x0, y0, 5.8), (x1, y1, 5.8)]
    return panel(corners, (0.0, 1.0), (0.0, 1.0), 0.0)


def _fire_wall(model: Model) -> None:
    """The wall from floor to roof between dock and hall, and its sliding gate, which is ajar."""
    x0, x1 = FIRE_WALL, FIRE_WALL + THICK
    model.add("fire wall south", BRICK, box((x0, -DEEP, -0.1), (x1, GATE_FROM, HIGH)))
    model.add("fire wall north", BRICK, box((x0, GATE_TO, -0.1), (x1, DEEP, HIGH)))
    model.add("fire wall lintel", BRICK, box((x0, GATE_FROM, GATE_HIGH), (x1, GATE_TO, HIGH)))
    closed = box((x0 + 0.1, GATE_FROM, 0.0), (x1 - 0.08, GATE_TO - AJAR, GATE_HIGH))
    model.add("gate", "#9d3b33", closed)
    for y in (GATE_FROM - 0.12, GATE_TO):
        model.add("gate trim", PAINT, box((x0 - 0.03, y, 0.0), (x0 - 0.005, y + 0.12, GATE_HIGH)))
    face = [(x0, y, z) for y, z in ((DEEP, 0.0), (-DEEP, 0.0), (-DEEP, HIGH), (DEEP, HIGH))]
    model.add("gate trim", "#c9bba6", panel(face, (0.0, 1.0), (0.62, 0.7)))


def _mezzanine(model: Model) -> None:
    """The deck with its hatch on columns, the bars at its edge, and two rows of racks."""
    x0, y0, x1, y1 = HATCH
    low = DECK - SLAB
    pieces = [
        ((EDGE, -DEEP), (x0, DEEP)), ((x1, -DEEP), (EAST, DEEP)),
        ((x0, -DEEP), (x1, y0)), ((x0, y1), (x1, DEEP)),
    ]  # fmt: skip
    for number, (lower, upper) in enumerate(pieces, 1):
        model.add(f"deck {number}", "#9aa0a3", box((*lower, low), (*upper, DECK)))
    frame = [(x0 - 0.12, y0 - 0.12, x1 + 0.12, y0), (x0 - 0.12, y1, x1 + 0.12, y1 + 0.12),
             (x0 - 0.12, y0, x0, y1), (x1, y0, x1 + 0.12, y1)]  # fmt: skip
    for a, b, c, d in frame:
        model.add("hatch trim", PAINT, sheet(a, b, c, d, DECK + 0.012))
    number = 0
    for x in (EDGE + 0.3, 9.4, 14.5):
        for y in (-6.6, -1.9, 1.9, 6.6):
            number += 1
            column = box((-0.11, -0.11, 0.0), (0.11, 0.11, low))
            model.add(f"column {number}", GRAY, placed(column, (x, y, 0.0)))
    for number, y in enumerate(np.arange(-DEEP + 0.15, DEEP, 0.3), 1):
        bar = box((EDGE + 0.02, y - 0.02, DECK), (EDGE + 0.06, y + 0.02, HIGH))
        model.add(f"bar {number}", BAR, bar)
    for z in (DECK + 1.1, HIGH - 0.12):
        rail = box((EDGE + 0.01, -DEEP, z), (EDGE + 0.07, DEEP, z + 0.1))
        model.add(f"rail {z:.1f}", BAR, rail)
    for row, y in enumerate((-2.6 - DEPTH, 2.6), 1):
        _rack(model, f"upper rack {row}", (5.4, y, DECK), 9, (0.35, 1.4))


def _rack(
    model: Model, name: str, corner: Sequence[float], bays: int, levels: Sequence[float]
) -> None:
    """Add a rack along x: frames between bays, and a board on beams at each level.

    The bars of the frames let a long crate in lengthwise only.
    """
    x, y, z = corner
    for bay in range(bays + 1):
        for depth in (0.0, DEPTH - POST):
            at = (x + bay * BAY - POST / 2, y + depth, z)
            size = np.array([POST, POST, levels[-1] + 0.9])
            model.add(f"{name} post {bay} {depth:.0f}", STEEL, box(at, at + size))
        for level in levels:
            bar = np.array([x + bay * BAY - 0.02, y + POST, z + level + 0.18])
            size = np.array([0.04, DEPTH - 2.0 * POST, 0.05])
            model.add(f"{name} bar {bay} {level:.1f}", STEEL, box(bar, bar + size))
    for level in levels:
        top = z + level
        for depth in (0.005, DEPTH - 0.055):
            lower = (x + POST, y + depth, top - 0.13)
            beam = box(lower, (x + bays * BAY - POST, y + depth + 0.05, top - 0.031))
            model.add(f"{name} beam {level:.1f} {depth:.0f}", BEAM, beam)
        lower = (x + POST, y + 0.01, top - 0.03)
        board = box(lower, (x + bays * BAY - POST, y + DEPTH - 0.01, top))
        model.add(f"{name} board {level:.1f}", BOARD, board)


def _hall(model: Model, rng: np.random.Generator) -> None:
    """Rows of full racks along the aisles of the hall."""
    for row, (x, y, bays) in enumerate(
        [(-3.2, -7.9, 17), (-3.2, 6.6, 17), (-2.2, 3.2, 5), (-2.2, -5.2, 5)], 1
    ):
        _rack(model, f"rack {row}", (x, y, 0.0), bays, (0.2, 1.25))
        for bay in range(bays):
            for level in (0.2, 1.25):
                if rng.random() < 0.75:
                    place = (x + (bay + 0.5) * BAY, y + DEPTH / 2, level)
                    _goods(model, f"goods {row}", place, rng)


def _goods(model: Model, part: str, place: Sequence[float], rng: np.random.Generator) -> None:
    """Add a carton on a shelf."""
    x, y, z = place
    z += 0.004
    color = GOODS[int(rng.integers(len(GOODS)))]
    width, depth, height = rng.uniform(0.3, 0.4), rng.uniform(0.35, 0.5), rng.uniform(0.4, 0.7)
    model.add(part, color, box((x - width, y - depth, z), (x + width, y + depth, z + height)))


def _dock(model: Model, rng: np.random.Generator) -> None:
    """Closed doors for lorries in the west, pallets, and a forklift at the side."""
    for y in (-5.6, -1.4, 2.8):
        corners = [(WEST + 0.01, y + 2.8, 0.0), (WEST + 0.01, y, 0.0),
                   (WEST + 0.01, y, 0.49), (WEST + 0.01, y + 2.8, 0.49)]  # fmt: skip
        model.add("dock doors", "#c8ccd0", panel(corners, (0.0, 1.0), (0.0, 1.0)))
    for number, (x, y, turn) in enumerate(
        [(-7.0, 6.9, 0.0), (-9.6, 7.4, 90.0), (-6.6, -7.2, 0.0), (-13.6, -7.6, 90.0)], 1
    ):
        _pallet(model, f"pallet {number}", (x, y, 0.0), turn, rng)
    model.placed(_forklift(), "forklift", (-12.4, 7.0, 0.0), -35.0)


def _pallet(
    model: Model, name: str, place: Sequence[float], turn: float, rng: np.random.Generator
) -> None:
    """Add a pallet with cartons, stacked and set back."""
    load = Model()
    for y in (-0.35, 0.0, 0.3):
        load.add("", BOARD, box((-0.6, y, 0.0), (0.6, y + 0.06, 0.1)))
    load.add("", "#cda672", box((-0.61, -0.41, 0.105), (0.61, 0.41, 0.14)))
    z = 0.145
    for _ in range(3):
        for x in (-0.56, 0.01):
            color = GOODS[int(rng.integers(len(GOODS)))]
            load.add("", color, box((x, -0.37, z), (x + 0.54, 0.37, z + 0.38)))
        z += 0.385
    model.placed(load, name, place, turn)


def _forklift() -> Model:
    """Return a forklift that heads along x, its forks down."""
    model = Model()
    model.add("", PAINT, frustum((-1.0, -0.5, 0.6, 0.5), (-0.95, -0.46, 0.3, 0.46), 0.16, 0.95))
    for y in (-0.46, 0.4):
        model.add("", BAR, box((-0.7, y, 0.96), (-0.64, y + 0.06, 2.05)))
        model.add("", BAR, box((0.1, y, 0.97), (0.16, y + 0.06, 2.05)))
        model.add("", GRAY, box((0.66, 1.0 * y, 0.05), (0.74, y + 0.08, 2.3)))
        model.add("", GRAY, box((0.76, 0.6 * y, 0.06), (1.75, 0.6 * y + 0.1, 0.1)))
    model.add("", BAR, box((-0.75, -0.5, 2.055), (0.2, 0.5, 2.1)))
    model.add("", TIRE, box((-0.55, -0.22, 0.955), (-0.1, 0.22, 1.15)))
    for x, radius in ((-0.75, 0.22), (0.35, 0.28)):
        for y in (-0.56, 0.56):
            model.add(" trim", TIRE, wheel((x, y, radius), radius, 0.12, 12))
    return model
