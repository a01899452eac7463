"""A car park of three decks: a ring of lanes on each, joined by ramps one over the other.

Seen from above, x to the right: a forecourt in the west, the gate, and straight ahead the ramps,
which climb to the east in the middle of the building. Around them, on each deck, lanes 5.5 and 6 m
wide lead from the top of one ramp back to the foot of the next; bays are along the north and south.
"""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, floor, frustum, loft, panel, quad, rod, sheet
from rmp3d.scenes.build.street import GLASS, bench, block, car, hedge, lamp, motorcycle, tree

DECKS, STOREY = 3, 3.0  # the uppermost deck is the roof
SLAB = 0.3  # from a deck down to its slab's underside
SUNK = 0.2  # what is driven on is so far above slabs: a vehicle's capsules reach below a slope
TOP, HALF_RAMP = 11.0, 3.0  # ramps go from x = -TOP to TOP
EAST, DEEP, STREET = 17.0, 13.4, -30.0  # half a deck's length and depth; where the forecourt ends
BAYS = 8.8  # |y| from which the bays begin
THICK, PARAPET = 0.3, 0.95  # of parapets; height over a deck
SIDE = HALF_RAMP + THICK  # |y| at which the lanes begin
BAY = 2.6
ONE_FACE = np.array([[0, 1, 2]])
CONCRETE, ASPHALT, LANE, PAINT, STEEL, YELLOW = (
    "#b4b1a9", "#54585c", "#6d7074", "#e9e7df", "#5d6a70", "#e2b33c",
)  # fmt: skip
INNER = "#d6d0c2"
DECK_PAINTS = ("#c9b79c", "#8fa9b8", "#b7a08f")
CAR_PAINTS = ("#a83232", "#2f5d8a", "#d8d8d4", "#3b3f45", "#4d7a57", "#c98a2b", "#7c8791")
BIKE_PAINTS = ("#b3261e", "#1f4e79", "#2d2d2d", "#d07a1f")


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    _ground(model)
    _ramps(model)
    for deck in range(DECKS):
        _slab(model, deck)
        _parapets(model, deck)
        _bays(model, deck)
        if deck < DECKS - 1:
            _pillars(model, deck)
    _arrows(model)
    _forecourt(model, np.random.default_rng(11))
    return model


def height(x: Float) -> Float:
    """Return how far a ramp's surface is over its foot."""
    return STOREY * np.clip((x + TOP) / (2.0 * TOP), 0.0, 1.0)


def _ground(model: Model) -> None:
    """The forecourt, the decks and the ramps: one surface."""
    outside = EAST + THICK
    xs = np.array([STREET, -24.0, -outside, -EAST, -TOP, -5.5, 0.0, 5.5, TOP, EAST])
    ys = np.array([-DEEP, -BAYS, -SIDE, -HALF_RAMP, 0.0, HALF_RAMP, SIDE, BAYS, DEEP])
    x, y = np.meshgrid((xs[1:] + xs[:-1]) / 2, (ys[1:] + ys[:-1]) / 2, indexing="ij")
    middle = (np.abs(x) < TOP) & (np.abs(y) < SIDE)
    wall = (x > -outside) & (x < -EAST) & (np.abs(y) > HALF_RAMP)
    inside = (x > -EAST) & ~middle
    model.add("ground", ASPHALT, floor(xs, ys, ~inside & ~middle & ~wall))
    for deck in range(DECKS):
        model.add("ground", LANE, floor(xs, ys, inside, deck * STOREY))
    xs, ys = xs[(xs >= -TOP) & (xs <= TOP)], np.array([-HALF_RAMP, 0.0, HALF_RAMP])
    for deck in range(DECKS - 1):
        rise = (deck * STOREY + height(xs))[:, None]
        model.add("ground", ASPHALT, floor(xs, ys, np.ones((len(xs) - 1, 2), bool), rise))


def _ramps(model: Model) -> None:
    """An embankment below the lowest ramp, slabs below the others, and parapets at their sides."""
    for deck in range(DECKS - 1):
        foot, top = deck * STOREY, (deck + 1) * STOREY
        low = (-0.3, -0.3) if deck == 0 else (foot - SLAB, top - SLAB)
        outline = [(-TOP, low[0]), (TOP, low[1]), (TOP, top - SUNK), (-TOP, foot - SUNK)]
        name = f"ramp {deck + 1}"
        model.add(name, CONCRETE, _between(outline, -SIDE, SIDE))
        for side, y in (("south", -SIDE), ("north", HALF_RAMP)):
            low_edge, high_edge = foot - SUNK - 0.1, top - SUNK - 0.1
            outline = [(-TOP, low_edge), (TOP, high_edge), (TOP, top + PARAPET)]
            outline.append((-TOP, foot + PARAPET))
            solid = _between(outline, y + 0.01, y + THICK - 0.01)
            model.add(f"ramp {deck + 1} parapet {side}", INNER, solid)


def _between(outline: list[tuple[float, float]], y0: float, y1: float) -> TriangleMesh:
    """Return the solid over an outline (x, z) between two y."""
    return loft([[(x, y, z) for x, z in outline] for y in (y1, y0)])


def _slab(model: Model, deck: int) -> None:
    """What carries a deck: four slabs around the ramps."""
    if deck == 0:
        return
    low, high = deck * STOREY - SLAB, deck * STOREY - SUNK
    x, y = EAST + THICK, DEEP + THICK
    for name, (x0, y0, x1, y1) in (
        ("south", (-x, -y, x, -SIDE)),
        ("north", (-x, SIDE, x, y)),
        ("west", (-x, -SIDE, -TOP, SIDE)),
        ("east", (TOP, -SIDE, x, SIDE)),
    ):
        model.add(f"deck {deck} {name}", CONCRETE, box((x0, y0, low), (x1, y1, high)))


def _parapets(model: Model, deck: int) -> None:
    """Low walls around a deck, and where it ends at the ramps; a gate in the lowest one."""
    z, x, y = deck * STOREY, EAST + THICK, DEEP + THICK
    high = z + PARAPET
    walls = {
        "south": ((-x, -y), (x, -DEEP)),
        "north": ((-x, DEEP), (x, y)),
        "east": ((EAST, -DEEP), (x, DEEP)),
        "west": ((-x, -DEEP), (-EAST, DEEP)),
    }
    if deck == 0:
        del walls["west"]
        walls["south-west"] = ((-x, -DEEP), (-EAST, -HALF_RAMP))
        walls["north-west"] = ((-x, HALF_RAMP), (-EAST, DEEP))
    else:
        walls["inner south"] = ((-TOP, -SIDE), (TOP, -HALF_RAMP))
        walls["inner north"] = ((-TOP, HALF_RAMP), (TOP, SIDE))
    if deck == DECKS - 1:
        walls["inner west"] = ((-TOP, -HALF_RAMP), (-TOP + THICK, HALF_RAMP))
    for name, ((x0, y0), (x1, y1)) in walls.items():
        inner = name.startswith("inner")
        low = z - (SLAB if inner or deck == 0 else SUNK)
        paint = INNER if inner else DECK_PAINTS[deck]
        model.add(f"parapet {deck} {name}", paint, box((x0, y0, low), (x1, y1, high)))
    for at in (-DEEP - 0.15, DEEP + 0.15):
        rail = rod((-x + 0.1, at, high + 0.12), (x - 0.1, at, high + 0.12), 0.035)
        model.add("parapet rail", STEEL, rail)


def _lines() -> Float:
    return np.arange(-EAST + 0.1, EAST, BAY)


def _bays(model: Model, deck: int) -> None:
    """Two rows of bays, half of them taken; a corner of the first deck is for motorcycles."""
    z, lines = deck * STOREY, _lines()
    for side in (-1, 1):
        y0, y1 = sorted((side * BAYS, side * DEEP))
        for x in lines:
            model.add("markings", PAINT, sheet(x - 0.05, y0, x + 0.05, y1, z + 0.012))
        for k, x in enumerate((lines[1:] + lines[:-1]) / 2):
            number = 100 * deck + (50 if side > 0 else 0) + k + 1
            at = (x, side * (DEEP - 2.4), z)
            if deck == 1 and side > 0 and k < 2:
                for row, shift in enumerate((-0.75, 0.0, 0.75)):
                    paint = BIKE_PAINTS[(k + row) % len(BIKE_PAINTS)]
                    place = (x + shift, side * (DEEP - 1.3), z)
                    model.placed(motorcycle(paint), f"motorcycle {3 * k + row + 1}", place, 90.0)
            elif (5 * k + 3 * deck + side) % 7 < 3 + (deck == 0) - (deck == DECKS - 1):
                turn = 90.0 * side if number % 3 else -90.0 * side
                model.placed(car(CAR_PAINTS[number % len(CAR_PAINTS)]), f"car {number}", at, turn)


def _pillars(model: Model, deck: int) -> None:
    """Pillars between every third bay, with a painted foot, and at the corners of the ramps."""
    low, high = deck * STOREY - 0.1, (deck + 1) * STOREY - SLAB
    spots = [(x, side * (BAYS + 0.5)) for side in (-1, 1) for x in _lines()[1:-1:3]]
    spots += [(x, side * (SIDE - 0.15)) for side in (-1, 1) for x in (-TOP + 0.2, TOP - 0.2)]
    for number, (x, y) in enumerate(spots, 1):
        name, half = f"pillar {deck}-{number}", 0.15 if abs(y) < BAYS else 0.2
        model.add(name, CONCRETE, box((x - half, y - half, low), (x + half, y + half, high)))
        foot = deck * STOREY
        for k in range(4):
            if abs(y) < BAYS:
                break
            turn = np.pi / 2 * np.array([k, k + 1]) + np.pi / 4
            a, b = (
                (x + 0.212 * np.sqrt(2) * np.cos(t), y + 0.212 * np.sqrt(2) * np.sin(t))
                for t in turn
            )
            band = quad((*a, foot + 0.1), (*b, foot + 0.1), (*b, foot + 0.9), (*a, foot + 0.9))
            model.add("pillar trim", YELLOW, band)


def _arrows(model: Model) -> None:
    """The lines in the middle of the ramps, and arrows on the lanes: around to the left."""
    for deck in range(DECKS):
        z = deck * STOREY + 0.012
        for x, y, way in ((0.0, 6.05, -1.0), (-9.0, 6.05, -1.0), (0.0, -6.05, 1.0)):
            model.add("markings", PAINT, sheet(x - 0.9, y - 0.1, x + 0.9, y + 0.1, z))
            tip, left = (x + way * 1.8, y, z), (x + way * 0.9, y + way * 0.4, z)
            right = (x + way * 0.9, y - way * 0.4, z)
            model.add("markings", PAINT, TriangleMesh(np.array([left, right, tip]), ONE_FACE))
    for deck in range(DECKS - 1):
        for x in np.arange(-TOP + 0.5, TOP - 1.5, 3.0):
            ends = np.array([x, x + 1.5])
            (a, b) = deck * STOREY + height(ends) + 0.014
            line = quad((ends[0], -0.06, a), (ends[1], -0.06, b), (ends[1], 0.06, b),
                        (ends[0], 0.06, a))  # fmt: skip
            model.add("markings", PAINT, line)


def _forecourt(model: Model, rng: np.random.Generator) -> None:
    """A booth beside the gate, hedges, trees, benches; lamps here and on the roof."""
    x = -EAST - THICK
    body, walls = block((x - 2.0, HALF_RAMP + 0.9, 0.0), (x - 0.2, HALF_RAMP + 2.7, 2.4))
    model.add("booth", "#d9d4c6", body)
    for side in ("south", "west", "north"):
        model.add("booth trim", GLASS, panel(walls[side], (0.12, 0.88), (0.42, 0.82)))
    roof = frustum((x - 2.3, HALF_RAMP + 0.6, x - 0.1, HALF_RAMP + 3.0),
                   (x - 2.0, HALF_RAMP + 0.9, x - 0.2, HALF_RAMP + 2.7), 2.4, 2.6)  # fmt: skip
    model.add("booth trim", "#a83232", roof)
    sign = [(x, -HALF_RAMP - 2.6, 1.2), (x, -HALF_RAMP - 0.6, 1.2)]
    model.add("sign", "#2f5d8a", box((x - 0.25, sign[0][1], 0.0), (x - 0.1, sign[1][1], 3.4)))
    face = [(x - 0.25, sign[1][1], 1.4), (x - 0.25, sign[0][1], 1.4),
            (x - 0.25, sign[0][1], 3.2), (x - 0.25, sign[1][1], 3.2)]  # fmt: skip
    for u, v in (((0.3, 0.42), (0.1, 0.9)), ((0.42, 0.7), (0.78, 0.9)), ((0.42, 0.7), (0.42, 0.54)),
                 ((0.6, 0.7), (0.54, 0.78))):  # fmt: skip
        model.add("sign trim", PAINT, panel(face, u, v))
    for number, (x0, y0, x1, y1) in enumerate(
        [(STREET, -DEEP, x - 0.4, -DEEP + 0.7), (STREET, DEEP - 0.7, x - 0.4, DEEP)], 1
    ):
        model.add(f"hedge {number}", "#5c8148", hedge((x0, y0, -0.05), (x1, y1, 0.95)))
    for number, (at, y) in enumerate(
        [(-28.0, 11.0), (-21.0, 11.2), (-28.0, -11.0), (-21.0, -11.2)], 1
    ):
        model.placed(tree(rng, 4.6 + 0.4 * (number % 3)), f"tree {number}", (at, y, 0.0))
    model.placed(bench(), "bench 1", (-24.5, 11.9, 0.0), 0.0)
    model.placed(bench(), "bench 2", (-24.5, -11.9, 0.0), 180.0)
    roof_height = (DECKS - 1) * STOREY
    lamps = [(-24.5, 12.6, 0.0, -90.0), (-12.0, DEEP - 0.4, roof_height, -90.0),
             (12.0, DEEP - 0.4, roof_height, -90.0), (-12.0, -DEEP + 0.4, roof_height, 90.0),
             (12.0, -DEEP + 0.4, roof_height, 90.0)]  # fmt: skip
    for number, (at, y, z, turn) in enumerate(lamps, 1):
        model.placed(lamp(), f"lamp {number}", (at, y, z), turn)
