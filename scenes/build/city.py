"""A town quarter: an avenue and a street, blocks of houses, a park, a square, an overpass.

Seen from above, x to the right, y up: the avenue runs along x, the street along y. North-west is
the park with its pond; south-west four blocks with alleys between them; south-east the square
with its fountain; north-east two blocks and a garden. In the east a footbridge crosses the avenue
(`rmp3d.scenes.build.overpass`): there are two levels to walk on.
"""

from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.scenes.build import overpass
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, floor, frustum, panel, sheet, turned
from rmp3d.scenes.build.street import GLASS, bench, block, car, hedge, lamp, tree

HALF = 30.0
AVENUE, STREET, KERB, DROP = 3.2, 2.6, 0.4, 0.1  # half widths of the roadways; the kerb's slope
PAVED_AVENUE, PAVED_STREET = 5.4, 5.0
ASPHALT, PAVING, EDGE, GRASS, SAND, SETTS = (
    "#54585c", "#b8b2a6", "#8f8a80", "#7a9c5c", "#cdbd96", "#b09a82",
)  # fmt: skip
PAINT = "#e9e7df"
PATH_X, PATH_Y = (-19.0, -16.5), (16.0, 18.5)  # the park's


class House(NamedTuple):
    """A block of houses: its footprint (x0, y0, x1, y1), floors, and colors."""

    name: str
    footprint: tuple[float, float, float, float]
    floors: int
    wall: str
    trim: str


HOUSES = (
    House("house west", (-30.0, -15.5, -18.5, -5.4), 3, "#b9735a", "#e6dccb"),
    House("house corner", (-15.0, -15.5, -5.0, -5.4), 2, "#d8c49a", "#8a6b4d"),
    House("house south-west", (-30.0, -30.0, -18.5, -19.0), 2, "#93a3a8", "#e9e4da"),
    House("house south", (-15.0, -30.0, -5.0, -19.0), 3, "#c9a27e", "#6f5844"),
    House("house hall", (5.0, -30.0, 18.5, -24.5), 2, "#cdb48c", "#7c4f3c"),
    House("house terrace", (26.5, -30.0, 30.0, -5.4), 2, "#a9b18f", "#ece5d6"),
    House("house north", (5.0, 5.4, 16.5, 14.0), 2, "#b86f55", "#eadfce"),
    House("house tower", (5.0, 18.0, 13.5, 30.0), 4, "#8f9aa6", "#dfe3e6"),
    House("house east", (26.5, 5.4, 30.0, 30.0), 2, "#d3a877", "#7a5a44"),
)
CAR_PAINTS = ("#a83232", "#2f5d8a", "#d8d8d4", "#4d7a57", "#c98a2b")


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    rng = np.random.default_rng(23)
    _ground(model)
    _outskirts(model)
    for house in HOUSES:
        _house(model, house)
    overpass.add(model)
    _markings(model)
    _park(model, rng)
    _square(model, rng)
    _furniture(model, rng)
    return model


def _ground(model: Model) -> None:
    """One walkable sheet with sloped kerbs, cut out under houses and the bridge's ramps."""
    x_lines = [-HALF, -24.0, 10.0, HALF, *(x for h in HOUSES for x in h.footprint[::2])]
    y_lines = [-HALF, -24.0, 24.0, HALF, *(y for h in HOUSES for y in h.footprint[1::2])]
    x_lines += [s * w for s in (-1, 1) for w in (STREET, STREET + KERB, PAVED_STREET)]
    y_lines += [s * w for s in (-1, 1) for w in (AVENUE, AVENUE + KERB, PAVED_AVENUE, 10.0)]
    y_lines += [s * w for s in (-1, 1) for w in overpass.GROUND_LINES]
    x_lines += [*PATH_X, overpass.WEST, overpass.EAST]
    y_lines += PATH_Y
    xs, ys = (np.unique(np.round(lines, 6)) for lines in (x_lines, y_lines))
    heights = road_height(xs[:, None], ys[None, :])
    x, y = np.meshgrid((xs[1:] + xs[:-1]) / 2, (ys[1:] + ys[:-1]) / 2, indexing="ij")
    walked = ~overpass.covers(x, y)
    for house in HOUSES:
        x0, y0, x1, y1 = house.footprint
        walked &= ~((x > x0) & (x < x1) & (y > y0) & (y < y1))
    ax, ay = np.abs(x), np.abs(y)
    road = (ax < STREET) | (ay < AVENUE)
    kerb = ~road & ((ax < STREET + KERB) | (ay < AVENUE + KERB))
    paved = ~road & ~kerb & ((ax < PAVED_STREET) | (ay < PAVED_AVENUE))
    rest = ~(road | kerb | paved)
    park, square = rest & (x < 0) & (y > 0), rest & (x > 0) & (x < 18.5) & (y < 0)
    path = park & (((x > PATH_X[0]) & (x < PATH_X[1])) | ((y > PATH_Y[0]) & (y < PATH_Y[1])))
    garden = rest & (x > 13.5) & (y > 24.0)
    colored = (
        (road, ASPHALT), (kerb, EDGE), (paved, PAVING), (park & ~path | garden, GRASS),
        (path, SAND), (square, SETTS), (rest & ~park & ~square & ~garden, "#a39c8f"),
    )  # fmt: skip
    for mask, color in colored:
        model.add("ground", color, floor(xs, ys, walked & mask, heights))


def road_height(x: Float, y: Float) -> Float:
    """Return the ground's height: roadways lie lower, between sloped kerbs."""
    street = np.clip((STREET + KERB - np.abs(x)) / KERB, 0.0, 1.0)
    avenue = np.clip((AVENUE + KERB - np.abs(y)) / KERB, 0.0, 1.0)
    return -DROP * np.maximum(street, avenue)


def _outskirts(model: Model) -> None:
    """Walls all round, gates over the roads, and what is seen behind them."""
    far, thick = HALF + 4.0, 0.3
    stone, coping = "#b3a892", "#857a68"
    end = HALF + thick
    runs = {
        "wall west": (-end, -end, -HALF, end),
        "wall east": (HALF, -end, end, end),
        "wall south": (-HALF, -end, HALF, -HALF),
        "wall north": (-HALF, HALF, HALF, end),
    }
    for name, (x0, y0, x1, y1) in runs.items():
        model.add(name, stone, box((x0, y0, -0.4), (x1, y1, 1.3)))
        model.add("coping", coping, box((x0, y0, 1.3), (x1, y1, 1.38)))
    for x0, y0, x1, y1 in (
        (-far, -far, far, -end), (-far, end, far, far), (-far, -end, -end, end),
        (end, -end, far, end),
    ):  # fmt: skip
        model.add("outskirts", "#86a067", sheet(x0, y0, x1, y1, -0.16))
    for s in (-1, 1):
        low, high = sorted((s * end, s * far))
        model.add("outskirts", ASPHALT, sheet(low, -AVENUE, high, AVENUE, -0.12))
        model.add("outskirts", ASPHALT, sheet(-STREET, low, STREET, high, -0.12))
        for half, along_x in ((AVENUE, False), (STREET, True)):
            for k in range(8):
                at = -half + k * half / 4
                color = ("#c4453a", "#efece4")[k % 2]
                near, off = sorted((s * (HALF - 0.02), s * (HALF - 0.01)))
                board = (
                    (at, near, at + half / 4, off) if along_x else (near, at, off, at + half / 4)
                )
                model.add("gates", color, frustum(board, board, 0.35, 0.75))


def _house(model: Model, house: House) -> None:
    """A block with a cornice, rows of windows, doors, and a hipped roof or a flat one."""
    x0, y0, x1, y1 = house.footprint
    top = 3.1 * house.floors + 0.4
    body, walls = block((x0, y0, -0.4), (x1, y1, top))
    model.add(house.name, house.wall, body)
    trim = f"{house.name} trim"
    model.add(trim, house.trim, box((x0 - 0.2, y0 - 0.2, top), (x1 + 0.2, y1 + 0.2, top + 0.25)))
    wide = min(x1 - x0, y1 - y0)
    inset = 0.35 * wide
    roof = "#8e4a38" if house.floors < 4 else "#6f757b"
    if house.floors < 4:
        lower = (x0 - 0.1, y0 - 0.1, x1 + 0.1, y1 + 0.1)
        upper = (x0 + inset, y0 + inset, x1 - inset, y1 - inset)
        model.add(trim, roof, frustum(lower, upper, top + 0.25, top + 0.25 + 0.17 * wide))
    else:
        model.add(trim, roof, box((x0 + 2, y0 + 3, top + 0.25), (x0 + 4.5, y0 + 6, top + 1.6)))
        model.add(trim, "#aeb4b8", box((x1 - 3, y1 - 4, top + 0.25), (x1 - 1, y1 - 2, top + 1.1)))
    for wall in walls.values():
        _facade(model, house, wall, trim)


def _facade(model: Model, house: House, wall: Float, trim: str) -> None:
    """Windows in rows, a door or two, and a plinth on one wall; none on the town's outer side."""
    if (np.abs(wall[:, :2]) > HALF - 0.1).all(axis=0).any():
        return
    wide, high = float(np.linalg.norm(wall[1] - wall[0])), float(wall[2, 2] - wall[0, 2])
    ground = 0.4 / high
    model.add(trim, "#7d766b", panel(wall, (0.0, 1.0), (ground, (0.4 + 0.45) / high), 0.02))
    bays = max(1, int(wide / 2.4 + 1e-9))
    for row in range(house.floors):
        sill = (0.4 + 3.1 * row + 1.0) / high
        lintel = sill + 1.45 / high
        for bay in range(bays):
            middle = (bay + 0.5) / bays
            if row == 0 and bay % 4 == 1 % bays:
                half = 0.55 / wide
                door = (ground, (0.4 + 2.3) / high)
                model.add(trim, house.trim, panel(wall, (middle - half, middle + half), door, 0.03))
                half *= 0.8
                door = (ground, (0.4 + 2.15) / high)
                model.add(trim, "#5d4030", panel(wall, (middle - half, middle + half), door, 0.04))
                continue
            half = 0.5 / wide
            frame = (sill - 0.08 / high, lintel + 0.08 / high)
            span = (middle - half * 1.2, middle + half * 1.2)
            model.add(trim, house.trim, panel(wall, span, frame, 0.025))
            model.add(
                trim, GLASS, panel(wall, (middle - half, middle + half), (sill, lintel), 0.04)
            )


def _markings(model: Model) -> None:
    """Middle lines, and a zebra crossing on every arm of the junction."""
    z = -DROP + 0.012
    for at in np.arange(-28.0, 28.1, 4.0):
        if abs(at) > 7.0:
            model.add("markings", PAINT, sheet(at - 1.0, -0.07, at + 1.0, 0.07, z))
            model.add("markings", PAINT, sheet(-0.07, at - 1.0, 0.07, at + 1.0, z))
    for s in (-1, 1):
        for k in range(7):
            y = -3.0 + 0.9 * k
            low, high = sorted((s * 3.4, s * 5.0))
            model.add("markings", PAINT, sheet(low, y, high, y + 0.5, z))
        for k in range(6):
            x = -2.45 + 0.9 * k
            low, high = sorted((s * 3.9, s * 5.5))
            model.add("markings", PAINT, sheet(x, low, x + 0.5, high, z))


def _park(model: Model, rng: np.random.Generator) -> None:
    """Trees on the lawns, a round pond, benches along the paths, a hedge to the street."""
    stone, water = "#a49a88", "#4f93a8"
    pond = (-24.5, 24.5)
    model.add("pond", stone, turned([(3.3, -0.2), (3.3, 0.35), (3.1, 0.42)], 20, pond))
    model.add("pond water", water, turned([(2.85, 0.425), (2.85, 0.43)], 20, pond))
    places = [
        (-27.5, 8.5), (-22.5, 9.5), (-9.0, 9.0), (-12.5, 12.8), (-27.0, 13.5), (-22.0, 13.0),
        (-9.0, 22.0), (-13.0, 26.5), (-8.0, 27.5), (-27.8, 20.3), (-20.8, 28.0), (-14.0, 20.8),
    ]  # fmt: skip
    for number, (x, y) in enumerate(places, 1):
        model.placed(tree(rng, 4.6 + 0.4 * (number % 4)), f"park tree {number}", (x, y, 0.0))
    for number, (x, y, turn) in enumerate(
        [(-20.0, 11.0, 90.0), (-15.5, 14.5, -90.0), (-11.0, 15.2, 180.0), (-20.0, 22.0, 90.0),
         (-15.4, 23.5, -90.0), (-25.0, 19.4, 0.0)], 1,
    ):  # fmt: skip
        model.placed(bench(), f"park bench {number}", (x, y, 0.0), turn)
    green = "#5c8148"
    hedges = [
        (-29.6, 6.2, -20.2, 6.9), (-15.3, 6.2, -6.6, 6.9),
        (-6.6, 6.2, -5.9, 15.0), (-6.6, 19.5, -5.9, 29.4),
    ]  # fmt: skip
    for number, (x0, y0, x1, y1) in enumerate(hedges, 1):
        model.add(f"park hedge {number}", green, hedge((x0, y0, -0.05), (x1, y1, 0.95)))


def _square(model: Model, rng: np.random.Generator) -> None:
    """A fountain in the middle, trees in tubs, benches, and three market stalls."""
    middle = (11.8, -13.0)
    stone = "#a59b8a"
    model.add("fountain", stone, turned([(2.2, -0.2), (2.2, 0.45), (2.05, 0.5)], 16, middle))
    model.add("fountain water", "#5aa0b4", turned([(1.85, 0.505), (1.85, 0.51)], 16, middle))
    model.add("fountain bowl", stone, turned([(0.28, 0.51), (0.2, 1.2), (0.75, 1.6)], 12, middle))
    model.add("fountain jet", "#d7ecf2", turned([(0.1, 1.6), (0.16, 1.9), (0.04, 2.4)], 8, middle))
    for number, (x, y) in enumerate([(6.6, -7.2), (16.9, -7.2), (6.6, -18.6), (16.9, -18.6)], 1):
        model.add(
            f"tub {number}", "#8a6b4f", box((x - 0.7, y - 0.7, -0.1), (x + 0.7, y + 0.7, 0.5))
        )
        model.placed(tree(rng, 4.2), f"square tree {number}", (x, y, 0.0))
    for number, turn in enumerate((90.0, 180.0, 270.0), 1):
        angle = np.radians(turn)
        x, y = middle[0] - 3.7 * np.sin(angle), middle[1] + 3.7 * np.cos(angle)
        model.placed(bench(), f"square bench {number}", (x, y, 0.0), turn)
    for number, x in enumerate((8.0, 11.8, 15.6), 1):
        _stall(model, f"stall {number}", x, -23.0, ("#b8433a", "#3d6f8e", "#d09a35")[number - 1])


def _stall(model: Model, name: str, x: float, y: float, cloth: str) -> None:
    model.add(name, "#8a6242", box((x - 1.1, y - 0.5, -0.05), (x + 1.1, y + 0.5, 0.95)))
    for dx in (-1.05, 0.95):
        for dy in (-0.45, 0.35):
            post = box((x + dx, y + dy, 0.95), (x + dx + 0.1, y + dy + 0.1, 2.2))
            model.add(f"{name} awning", "#6d5138", post)
    lower, upper = (x - 1.4, y - 0.9, x + 1.4, y + 0.9), (x - 1.2, y - 0.1, x + 1.2, y + 0.1)
    model.add(f"{name} awning", cloth, frustum(lower, upper, 2.2, 2.7))


def _furniture(model: Model, rng: np.random.Generator) -> None:
    """Lamps and parked cars along the roads, trees in the garden and the street."""
    lamps = [(x, 4.9, -90.0) for x in (-25.0, -11.0, 10.5)]
    lamps += [(x, -4.9, 90.0) for x in (-17.0, 9.0, 17.5)]
    lamps += [(-4.5, 12.5, 0.0), (-4.5, 25.0, 0.0), (4.5, -10.0, 180.0), (4.5, -22.0, 180.0)]
    lamps += [(4.5, 22.0, 180.0), (-4.5, -24.0, 0.0)]
    for number, (x, y, turn) in enumerate(lamps, 1):
        model.placed(lamp(), f"lamp {number}", (x, y, 0.0), turn)
    cars = [
        (-22.0, -2.1, 0.0), (-12.5, 2.15, 180.0), (12.5, -2.1, 0.0), (-1.55, 19.0, -90.0),
        (1.55, -20.0, 90.0),
    ]  # fmt: skip
    for number, (x, y, turn) in enumerate(cars, 1):
        paint = CAR_PAINTS[number % len(CAR_PAINTS)]
        model.placed(car(paint), f"car {number}", (x, y, -DROP), turn)
    for number, (x, y) in enumerate([(16.0, 27.5), (19.5, 27.8), (23.5, 27.3), (24.8, 24.6)], 1):
        model.placed(tree(rng, 4.4), f"garden tree {number}", (x, y, 0.0))
