"""A motorcycle park and a car park, joined by one corridor 2 m wide.

Seen from above, x to the right: the motorcycle yard (x from -24.5 to -4.5), two service buildings
with the corridor between them (x to 4.5, y from -1 to 1), the car yard (x to 24.5).
"""

from collections.abc import Iterable

import numpy as np

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, floor, frustum, panel, sheet
from rmp3d.scenes.build.street import GLASS, bench, block, car, hedge, lamp, motorcycle, tree

NEAR, FAR, DEEP = 4.5, 24.5, 11.0  # half a corridor's length, the outer walls, half a yard's depth
HALF_CORRIDOR = 1.0
PAINT, YELLOW = "#e9e7df", "#e2b33c"
CAR_PAINTS = ("#a83232", "#2f5d8a", "#d8d8d4", "#3b3f45", "#4d7a57", "#c98a2b", "#7c8791")
BIKE_PAINTS = ("#b3261e", "#1f4e79", "#2d2d2d", "#d07a1f", "#3f6f4f")


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    rng = np.random.default_rng(7)
    _ground(model)
    _walls(model)
    _buildings(model)
    _motorcycle_yard(model)
    _car_yard(model)
    _trees_and_lamps(model, rng)
    return model


def _ground(model: Model) -> None:
    """One walkable floor; asphalt in the yards, concrete in the corridor."""
    xs = np.unique(
        [*np.linspace(-FAR, -NEAR, 9), *np.linspace(-NEAR, NEAR, 5), *np.linspace(NEAR, FAR, 9)]
    )
    ys = np.unique([*np.linspace(-DEEP, -HALF_CORRIDOR, 5), *np.linspace(HALF_CORRIDOR, DEEP, 5)])
    x, y = (xs[1:] + xs[:-1]) / 2, (ys[1:] + ys[:-1]) / 2
    in_yard = np.abs(x)[:, None] > NEAR + 0 * y
    in_corridor = ~in_yard & (np.abs(y) < HALF_CORRIDOR)
    model.add("ground", "#55585b", floor(xs, ys, in_yard))
    model.add("ground", "#a8a298", floor(xs, ys, in_corridor))
    model.add("lawn", "#7d9b62", sheet(-FAR - 2.6, -DEEP - 2.6, FAR + 2.6, DEEP + 2.6, -0.06))
    for y in (-DEEP - 2.0, DEEP + 0.8):
        model.add("sidewalk", "#b9b4aa", sheet(-FAR - 2.6, y, FAR + 2.6, y + 1.2, -0.03))


def _walls(model: Model) -> None:
    """The walls around both yards, with a coping, and two closed gates painted on."""
    plaster, coping = "#c9b79c", "#8f7d66"
    thick, top = 0.3, 2.4
    runs = {
        "wall west": ((-FAR - thick, -DEEP - thick), (-FAR, DEEP + thick)),
        "wall east": ((FAR, -DEEP - thick), (FAR + thick, DEEP + thick)),
        "wall north-west": ((-FAR, DEEP), (-NEAR, DEEP + thick)),
        "wall south-west": ((-FAR, -DEEP - thick), (-NEAR, -DEEP)),
        "wall north-east": ((NEAR, DEEP), (FAR, DEEP + thick)),
        "wall south-east": ((NEAR, -DEEP - thick), (FAR, -DEEP)),
    }
    for name, ((x0, y0), (x1, y1)) in runs.items():
        model.add(name, plaster, box((x0, y0, -0.1), (x1, y1, top)))
        model.add(
            "coping", coping, box((x0 - 0.05, y0 - 0.05, top), (x1 + 0.05, y1 + 0.05, top + 0.08))
        )
    for x, facing in ((-FAR, 1), (FAR, -1)):
        gate = [
            (x, 2.5 * facing, 0.0),
            (x, -2.5 * facing, 0.0),
            (x, -2.5 * facing, 2.2),
            (x, 2.5 * facing, 2.2),
        ]
        model.add("gates", "#4c6272", panel(gate, (0.0, 1.0), (0.0, 1.0)))
        for k in range(8):
            model.add(
                "gates", "#3a4c59", panel(gate, (k / 8 + 0.01, k / 8 + 0.03), (0.0, 1.0), 0.02)
            )


def _buildings(model: Model) -> None:
    """Two service buildings; the corridor runs between them under three beams."""
    for name, sign, brick in (("building north", 1, "#b07a5a"), ("building south", -1, "#a8886a")):
        y0, y1 = sorted((sign * HALF_CORRIDOR, sign * (DEEP + 0.3)))
        body, walls = block((-NEAR, y0, -0.1), (NEAR, y1, 2.5))
        model.add(name, brick, body)
        trim = f"{name} trim"
        eave = (-NEAR - 0.15, y0 + 0.02 * (sign > 0), NEAR + 0.15, y1 - 0.02 * (sign < 0))
        model.add(trim, "#7a6655", frustum(eave, eave, 2.5, 2.62))
        for x in (-2.6, 1.4):
            y = (y0 + y1) / 2 + 0.9 * sign
            model.add(trim, "#aeb4b8", box((x, y, 2.62), (x + 1.4, y + 1.1, 3.1)))
            model.add(trim, "#3d4347", sheet(x + 0.2, y + 0.15, x + 1.2, y + 0.95, 3.11))
        for side in ("west", "east"):
            for k in range(3):
                u = (0.18 + 0.28 * k, 0.3 + 0.28 * k)
                model.add(
                    trim, "#ece5d8", panel(walls[side], (u[0] - 0.01, u[1] + 0.01), (0.38, 0.8))
                )
                model.add(trim, GLASS, panel(walls[side], u, (0.41, 0.77), 0.02))
            model.add(trim, "#7b5b42", panel(walls[side], (0.04, 0.13), (0.04, 0.84)))
        inner = walls["south" if sign > 0 else "north"]
        model.add(trim, "#d9c7a8", panel(inner, (0.0, 1.0), (0.03, 0.3)))
        for k in range(4):
            model.add(trim, GLASS, panel(inner, (0.1 + 0.22 * k, 0.2 + 0.22 * k), (0.62, 0.82)))
    for row, x in enumerate((-4.2, 0.0, 4.2), 1):
        model.add(
            f"beam {row}",
            "#7b5b42",
            box((x - 0.12, -HALF_CORRIDOR, 2.3), (x + 0.12, HALF_CORRIDOR, 2.48)),
        )


def _motorcycle_yard(model: Model) -> None:
    """Two rows of bays, 1.25 m wide, most of them taken."""
    lines = np.arange(-22.5, -6.4, 1.25)
    _bays(model, lines, 2.6)
    number = 0
    for side in (-1, 1):
        for k, x in enumerate((lines[1:] + lines[:-1]) / 2):
            if (3 * k + side) % 5 == 0:
                continue
            number += 1
            paint = BIKE_PAINTS[(number * 3) % len(BIKE_PAINTS)]
            turn = 90.0 * side + (-4.0, 3.0, 0.0)[number % 3]
            model.placed(
                motorcycle(paint), f"motorcycle {number}", (x, side * (DEEP - 1.35), 0.0), turn
            )
    model.placed(bench(), "bench 1", (-23.8, 5.0, 0.0), 90.0)
    model.placed(bench(), "bench 2", (-23.8, -5.0, 0.0), 90.0)
    _crossing(model, -8.3)


def _car_yard(model: Model) -> None:
    """Two rows of bays, 2.6 m wide, most of them taken; arrows on the lane; a booth."""
    lines = np.arange(7.2, 23.0, 2.6)
    _bays(model, lines, 4.8)
    number = 0
    for side in (-1, 1):
        for k, x in enumerate((lines[1:] + lines[:-1]) / 2):
            if (k, side) in ((1, -1), (4, 1)):
                continue
            number += 1
            turn = 90.0 * side if number % 3 else -90.0 * side
            paint = CAR_PAINTS[number % len(CAR_PAINTS)]
            model.placed(car(paint), f"car {number}", (x, side * (DEEP - 2.45), 0.0), turn)
    for x in (12.0, 19.0):
        model.add("markings", PAINT, sheet(x - 1.4, -0.12, x + 0.3, 0.12, 0.012))
        model.add("markings", PAINT, _arrow_head(x))
    _booth(model)
    _crossing(model, 5.3)


def _arrow_head(x: float) -> TriangleMesh:
    corners = [(x + 0.3, -0.45, 0.012), (x + 1.3, 0.0, 0.012), (x + 0.3, 0.45, 0.012)]
    return TriangleMesh(np.array(corners), np.array([[0, 1, 2]]))


def _bays(model: Model, lines: Iterable[float], depth: float) -> None:
    for side in (-1, 1):
        for x in lines:
            y0, y1 = sorted((side * (DEEP - depth), side * DEEP))
            model.add("markings", PAINT, sheet(x - 0.05, y0, x + 0.05, y1, 0.012))


def _crossing(model: Model, x: float) -> None:
    """A zebra crossing before the corridor."""
    for k in range(6):
        y = -2.75 + k
        model.add("markings", PAINT, sheet(x, y, x + 3.0, y + 0.5, 0.012))


def _booth(model: Model) -> None:
    x, y = 22.6, 0.0
    body, walls = block((x, y - 1.1, 0.0), (x + 1.6, y + 1.1, 2.5))
    model.add("booth", "#d9d4c6", body)
    for side in ("south", "west", "north"):
        model.add("booth trim", GLASS, panel(walls[side], (0.12, 0.88), (0.42, 0.82)))
    roof = frustum((x - 0.3, y - 1.4, x + 1.7, y + 1.4), (x, y - 1.1, x + 1.6, y + 1.1), 2.5, 2.72)
    model.add("booth trim", "#a83232", roof)
    model.add("booth trim", YELLOW, panel(walls["west"], (0.0, 1.0), (0.02, 0.1)))


def _trees_and_lamps(model: Model, rng: np.random.Generator) -> None:
    corners = [
        (-23.2, 9.6),
        (-23.2, -9.6),
        (-5.6, 9.4),
        (-5.6, -9.4),
        (5.8, 9.4),
        (5.8, -9.4),
        (23.5, 3.6),
        (23.5, -3.6),
    ]
    for number, (x, y) in enumerate(corners, 1):
        model.placed(tree(rng, 4.6 + 0.3 * (number % 3)), f"tree {number}", (x, y, 0.0))
    lamps = [
        (-24.1, 0.0, 0.0),
        (-14.5, 10.7, -90.0),
        (-14.5, -10.7, 90.0),
        (14.5, 10.75, -90.0),
        (14.5, -10.75, 90.0),
    ]
    for number, (x, y, turn) in enumerate(lamps, 1):
        model.placed(lamp(), f"lamp {number}", (x, y, 0.0), turn)
    for number, (x0, y0) in enumerate([(-5.3, 1.6), (-5.3, -6.6), (4.6, 1.6), (4.6, -6.6)], 1):
        model.add(f"hedge {number}", "#5c8148", hedge((x0, y0, 0.0), (x0 + 0.7, y0 + 5.0, 0.9)))
