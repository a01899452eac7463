"""An interchange: a road over a road, and a slip ramp that joins the two levels.

Seen from above, x to the right, y up: the upper road runs along x, up a ramp from the west, over
a deck, and down a ramp to the east; the lower road runs along y below the deck, between noise
barriers. In the north-east a slip ramp leads from the deck down to the lower road, through a gap
in its barrier.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, floor, loft, rod, sheet
from rmp3d.scenes.build.street import bench, car, hedge, lamp, tree

WEST, EAST, SOUTH, NORTH = -36.0, 40.0, -26.0, 26.0
HALF = 4.0  # half width of the upper road
DECK, SLAB = 3.6, 0.21  # height; thickness
SUNK = 0.2  # the structure ends below the surface: a car's capsules reach below a slope
WEST_FOOT, WEST_TOP, EAST_TOP, EAST_FOOT = -26.0, -8.0, 12.0, 30.0
SLIP, SLIP_FOOT = 8.0, 22.0  # the slip ramp lies between x = SLIP and EAST_TOP
ROAD, LANE = 8.0, 4.6  # half widths of the lower road, with and without its footways
PARAPET, RAIL = 0.2, 1.05
PROUD = 0.03  # of a barrier before the wall behind it
CONCRETE, STEEL, ASPHALT, PAVING, GRASS, PAINT = (
    "#b4b1a9", "#5d6a70", "#54585c", "#b8b2a6", "#7f9f60", "#e9e7df",
)  # fmt: skip

Line = Sequence[tuple[float, float]]


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    rng = np.random.default_rng(31)
    _ground(model)
    _upper_road(model)
    _structure(model)
    _parapets(model)
    _barriers(model)
    _markings(model)
    _furniture(model, rng)
    return model


def height(x: Float) -> Float:
    """Return the height of the upper road's surface."""
    up = (x - WEST_FOOT) / (WEST_TOP - WEST_FOOT)
    down = (EAST_FOOT - x) / (EAST_FOOT - EAST_TOP)
    return DECK * np.clip(np.minimum(up, down), 0.0, 1.0)


def _under_ramps(x: Float, y: Float) -> Bool:
    """Return where embankments stand, so that there is no ground to walk on."""
    upper = (np.abs(y) < HALF) & (x > WEST_FOOT) & (x < EAST_FOOT)
    slip = (x > SLIP) & (x < EAST_TOP) & (y > 0.0) & (y < SLIP_FOOT)
    return (upper & ((x < WEST_TOP) | (x > SLIP))) | slip


def _ground(model: Model) -> None:
    xs = np.array([
        WEST, -31.0, WEST_FOOT, -20.0, -14.0, WEST_TOP, -LANE, 0.0, LANE, SLIP, EAST_TOP, 18.0,
        24.0, EAST_FOOT, 35.0, EAST,
    ])  # fmt: skip
    ys = np.array([SOUTH, -19.0, -12.0, -HALF, 0.0, HALF, 10.0, 16.0, SLIP_FOOT, NORTH])
    x, y = np.meshgrid((xs[1:] + xs[:-1]) / 2, (ys[1:] + ys[:-1]) / 2, indexing="ij")
    walked = ~_under_ramps(x, y)
    lower = np.abs(x) < ROAD
    upper = ~lower & (np.abs(y) < HALF)
    slip = (x > SLIP) & (x < EAST_TOP) & (y > SLIP_FOOT)
    paved = lower & (np.abs(x) > LANE)
    road = (lower & ~paved) | upper | slip
    for mask, color in ((road, ASPHALT), (paved, PAVING), (~lower & ~upper & ~slip, GRASS)):
        model.add("ground", color, floor(xs, ys, walked & mask))


def _upper_road(model: Model) -> None:
    """Ramps, deck and slip ramp: the second level that people walk on."""
    xs = np.array([WEST_FOOT, -20.0, -14.0, WEST_TOP, 0.0, SLIP, EAST_TOP, 18.0, 24.0, EAST_FOOT])
    ys = np.array([-HALF, 0.0, HALF])
    walked = np.ones((len(xs) - 1, 2), bool)
    model.add("ground", "#61656a", floor(xs, ys, walked, height(xs)[:, None]))
    ys = np.array([HALF, 10.0, 16.0, SLIP_FOOT])
    fall = DECK * (SLIP_FOOT - ys) / (SLIP_FOOT - HALF)
    model.add(
        "ground", "#61656a", floor([SLIP, EAST_TOP], ys, np.ones((1, 3), bool), fall[None, :])
    )


def _structure(model: Model) -> None:
    """Embankments below the ramps, the deck's slab, and pillars."""
    side = HALF + PARAPET
    low = -0.3
    for name, foot, top in (("ramp west", WEST_FOOT, WEST_TOP), ("ramp east", EAST_FOOT, EAST_TOP)):
        outline = [(top, low), (foot, low), (foot, -SUNK), (top, DECK - SUNK)]
        outline = outline if foot > top else outline[::-1]
        rings = [[(x, y, z) for x, z in outline] for y in (side, -side)]
        model.add(name, CONCRETE, loft(rings))
    model.add("abutment", CONCRETE, box((SLIP, -side, low), (EAST_TOP, HALF, DECK - SUNK)))
    outline = [(HALF, low), (SLIP_FOOT, low), (SLIP_FOOT, -SUNK), (HALF, DECK - SUNK)]
    rings = [[(x, y, z) for y, z in outline] for x in (SLIP - PARAPET, EAST_TOP + PARAPET)]
    model.add("slip ramp", CONCRETE, loft(rings))
    top = DECK - SUNK
    model.add("deck", CONCRETE, box((WEST_TOP, -side, top - SLAB), (SLIP, side, top)))
    for x in (-5.2, 5.2):
        for y in (-3.0, 3.0):
            pillar = box((x - 0.3, y - 0.3, low), (x + 0.3, y + 0.3, top - SLAB))
            model.add(f"pillar {x:+.0f} {y:+.0f}", CONCRETE, pillar)


def _parapets(model: Model) -> None:
    """Low walls with rails along both sides of the upper road and the slip ramp."""
    ends = (WEST_FOOT, WEST_TOP, SLIP - PARAPET, EAST_TOP + PARAPET, EAST_FOOT)
    tops = [(x, float(height(np.array(x)))) for x in ends]
    _parapet(model, "parapet south", tops, -HALF - PARAPET, along_x=True)
    _parapet(model, "parapet north-west", tops[:3], HALF, along_x=True)
    _parapet(model, "parapet north-east", tops[3:], HALF, along_x=True)
    slip = [(HALF, DECK), (SLIP_FOOT, 0.0)]
    _parapet(model, "parapet slip west", slip, SLIP - PARAPET, along_x=False)
    _parapet(model, "parapet slip east", slip, EAST_TOP, along_x=False)


def _parapet(model: Model, name: str, line: Line, at: float, *, along_x: bool) -> None:
    """A wall over a profile (along, height), with a rail on posts, from ``at`` on across it."""
    outline = [(along, z - SUNK - 0.06) for along, z in line] + [
        (along, z + 0.6) for along, z in line[::-1]
    ]
    across = (at + PARAPET, at) if along_x else (at, at + PARAPET)

    def point(along: float, side: float, z: float) -> tuple[float, float, float]:
        return (along, side, z) if along_x else (side, along, z)

    rings = [[point(along, side, z) for along, z in outline] for side in across]
    model.add(name, CONCRETE, loft(rings))
    middle = at + PARAPET / 2
    for (a, az), (b, bz) in pairwise(line):
        rail = rod(point(a, middle, az + RAIL), point(b, middle, bz + RAIL), 0.035)
        model.add(f"{name} rail", STEEL, rail)
        for share in np.linspace(0.03, 0.97, max(2, int(abs(b - a) / 1.6))):
            along, z = a + share * (b - a), az + share * (bz - az)
            post = rod(point(along, middle, z + 0.6), point(along, middle, z + RAIL), 0.022, 5)
            model.add(f"{name} rail", STEEL, post)


def _barriers(model: Model) -> None:
    """Noise barriers along the lower road; in the north-east they leave the slip ramp's gap.

    There it stands a little out of the ramp's wall, so that no two faces are in one place.
    """
    side = HALF + PARAPET
    for name, x, low, high in (
        ("barrier south-west", -ROAD - PARAPET, SOUTH, -side),
        ("barrier south-east", ROAD, SOUTH, -side),
        ("barrier north-west", -ROAD - PARAPET, side, NORTH),
        ("barrier north-east", ROAD - PARAPET - PROUD, side, SLIP_FOOT),
    ):
        model.add(name, "#8d9a8f", box((x, low, -0.3), (x + PARAPET, high, 2.2)))
        for y in np.arange(low + 0.3, high, 3.0):
            post = box((x - 0.06, y, 0.0), (x + PARAPET + 0.06, y + 0.16, 2.35))
            model.add(f"{name} posts", STEEL, post)


def _markings(model: Model) -> None:
    """Middle lines of both roads, and edge lines of the lower one."""
    z = 0.012
    for y in np.arange(SOUTH + 2.0, NORTH - 1.0, 4.0):
        model.add("markings", PAINT, sheet(-0.07, y - 1.0, 0.07, y + 1.0, z))
    for x in (-LANE + 0.25, LANE - 0.25):
        model.add("markings", PAINT, sheet(x - 0.06, SOUTH, x + 0.06, NORTH, z))
    for x in np.arange(-6.0, 10.1, 4.0):
        model.add("markings", PAINT, sheet(x - 1.0, -0.07, x + 1.0, 0.07, DECK + z))


def _furniture(model: Model, rng: np.random.Generator) -> None:
    """Cars parked at the verge, lamps, trees and hedges on the lawns."""
    for number, (x, y, turn) in enumerate(
        [(17.0, -6.6, 0.0), (23.0, -6.4, 180.0), (-15.0, 6.5, 0.0)], 1
    ):
        model.placed(car(("#a83232", "#2f5d8a", "#d8d8d4")[number - 1]), f"car {number}",
                     (x, y, 0.0), turn)  # fmt: skip
    lamps = [(-7.5, -20.0, 0.0), (7.5, -8.0, 180.0), (-7.5, 9.0, 0.0), (7.5, 12.0, 180.0)]
    for number, (x, y, turn) in enumerate(lamps, 1):
        model.placed(lamp(), f"lamp {number}", (x, y, 0.0), turn)
    places = [
        (-32.0, 14.0), (-25.0, 20.0), (-17.0, 15.0), (-12.0, 22.5), (-30.0, -16.0), (-21.0, -13.0),
        (-13.0, -20.0), (16.0, -15.0), (22.0, -21.5), (30.0, -13.0), (36.0, -20.0), (18.0, 12.0),
        (25.0, 19.0), (33.0, 15.0), (15.5, 20.5),
    ]  # fmt: skip
    for number, (x, y) in enumerate(places, 1):
        model.placed(tree(rng, 4.4 + 0.5 * (number % 4)), f"tree {number}", (x, y, 0.0))
    for number, (x, y, turn) in enumerate([(-19.0, 10.0, 180.0), (26.0, 9.0, 180.0)], 1):
        model.placed(bench(), f"bench {number}", (x, y, 0.0), turn)
    for number, (x0, y0, x1, y1) in enumerate(
        [(-35.5, -25.6, -9.0, -24.9), (-35.5, 24.9, -9.0, 25.6), (9.0, -25.6, 39.5, -24.9),
         (13.0, 24.9, 39.5, 25.6)], 1,
    ):  # fmt: skip
        model.add(f"hedge {number}", "#5c8148", hedge((x0, y0, -0.05), (x1, y1, 0.95)))
