"""A house with two patios, joined by rooms; every door leaves 0.9 m.

Seen from above, x to the right: the forecourt on the street (x from -15 to -7), the first patio
with its fountain (to 1.25), the sala and the dining room (to 6.5), the second patio, from which a
ramp leads up to the garden terrace (to 18).
"""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import (
    blob,
    box,
    floor,
    frustum,
    loft,
    panel,
    ring,
    sheet,
    turned,
)
from rmp3d.scenes.build.street import GLASS, WOOD, bench, hedge, lamp, tree

DOOR, HEAD, HEIGHT, THICK = 0.9, 2.1, 2.6, 0.25
WEST, EAST, DEEP = -15.0, 18.0, 5.0
TERRACE, RAMP_FROM, RAMP_TO, RAMP_HALF = 0.45, 9.0, 11.55, 1.9
PLASTER, OCHRE, TILE, CLAY = "#efe6d6", "#c98f4e", "#b9583a", "#b4653f"
LEAF, DARK_LEAF = "#5c8a48", "#41693a"


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    rng = np.random.default_rng(5)
    _ground(model)
    _walls(model)
    _forecourt(model, rng)
    _first_patio(model, rng)
    _rooms(model)
    _second_patio(model, rng)
    return model


def _ground(model: Model) -> None:
    """One walkable sheet: paving by room, the doorways, and the ramp to the terrace."""
    doors = [(-2.5, -7.0), (3.0, 1.25), (-3.0, 6.5)]  # (middle y, x of the wall's west face)
    y_lines = [-DEEP, *np.arange(-4.0, 4.5, 1.0), DEEP, -RAMP_HALF, RAMP_HALF, 0.75, 1.0]
    y_lines += [y + s * DOOR / 2 for y, _ in doors for s in (-1, 1)]
    x_lines = [*np.arange(WEST, EAST + 0.1, 1.0), -6.75, 1.25, 1.5, 6.5, 6.75]
    x_lines += [RAMP_FROM, RAMP_TO, 4.0 - DOOR / 2, 4.0 + DOOR / 2]
    xs, ys = _lines(x_lines), _lines(y_lines)
    x, y = np.meshgrid((xs[1:] + xs[:-1]) / 2, (ys[1:] + ys[:-1]) / 2, indexing="ij")
    height = TERRACE * np.clip((xs - RAMP_FROM) / (RAMP_TO - RAMP_FROM), 0.0, 1.0)
    heights = np.broadcast_to(height[:, None], (len(xs), len(ys)))

    def rectangle(x0: float, x1: float, y0: float, y1: float) -> Bool:
        return (x > x0) & (x < x1) & (y > y0) & (y < y1)

    doorways = np.any(
        [rectangle(at, at + THICK, mid - DOOR / 2, mid + DOOR / 2) for mid, at in doors], axis=0
    )
    doorways |= rectangle(4.0 - DOOR / 2, 4.0 + DOOR / 2, 0.75, 1.0)
    checker = (np.floor(x) + np.floor(y)).astype(int) % 2 == 0
    patches = [
        (rectangle(WEST, -7.0, -DEEP, DEEP), "#a9a49b", "#b3aea5"),
        (rectangle(-6.75, 1.25, -DEEP, DEEP), "#c07850", "#c98560"),
        (rectangle(1.5, 6.5, 1.0, DEEP), "#d9cdb4", "#8f6f5a"),
        (rectangle(1.5, 6.5, -DEEP, 0.75), "#d6d0c4", "#7d8b8c"),
        (rectangle(6.75, RAMP_FROM, -DEEP, DEEP), "#bda98a", "#c6b394"),
        (rectangle(RAMP_FROM, RAMP_TO, -RAMP_HALF, RAMP_HALF), "#a8937a", "#a8937a"),
        (rectangle(RAMP_TO, EAST, -DEEP, DEEP), "#a98a62", "#b29369"),
    ]
    for cells, light, dark in patches:
        model.add("ground", light, floor(xs, ys, cells & checker, heights))
        if (cells & ~checker).any():
            model.add("ground", dark, floor(xs, ys, cells & ~checker, heights))
    model.add("ground", "#8a7358", floor(xs, ys, doorways, heights))
    model.add("lawn", "#86a067", sheet(WEST - 1.8, -DEEP - 2, EAST + 2, DEEP + 2, -0.15))
    model.add("street", "#5d6063", sheet(WEST - 5.0, -DEEP - 2, WEST - 1.8, DEEP + 2, -0.12))


def _lines(values: Sequence[float]) -> Float:
    return np.unique(np.round(values, 6))


def _wall(
    model: Model,
    name: str,
    start: tuple[float, float],
    end: tuple[float, float],
    doors: Sequence[float] = (),
    height: float = HEIGHT,
) -> None:
    """Add a wall along x or y between opposite corners of its plan, with doors and tiles on top.

    Args:
        model: Takes the parts.
        name: Of the wall; its trim follows it.
        start: Lower corner (x, y) of its plan.
        end: Upper corner of its plan.
        doors: Middle of each door along the wall's length, as a world coordinate.
        height: Of the wall [m].
    """
    (x0, y0), (x1, y1) = start, end
    along_x = x1 - x0 > y1 - y0
    first, last = (x0, x1) if along_x else (y0, y1)
    outline = [(first, -0.2)]
    for middle in doors:
        low, high = middle - DOOR / 2, middle + DOOR / 2
        outline += [(low, -0.2), (low, HEAD), (high, HEAD), (high, -0.2)]
    outline += [(last, -0.2), (last, height), (first, height)]
    if along_x:
        rings = [[(s, y, z) for s, z in outline] for y in (y1, y0)]
    else:
        rings = [[(x, s, z) for s, z in outline] for x in (x0, x1)]
    model.add(name, PLASTER, loft(rings))
    eave = 0.14
    low_tiles = (x0 - eave, y0 - eave, x1 + eave, y1 + eave)
    ridge = 0.1
    high_tiles = (x0 + ridge, y0 + ridge, x1 - ridge, y1 - ridge)
    model.add(f"{name} tiles", TILE, frustum(low_tiles, high_tiles, height, height + 0.18))
    for middle in doors:
        _door_frame(model, f"{name} trim", middle, (x0, y0, x1, y1), along_x)


def _door_frame(
    model: Model, part: str, middle: float, plan: tuple[float, float, float, float], along_x: bool
) -> None:
    """Add a wooden frame around a doorway, on both faces of the wall."""
    x0, y0, x1, y1 = plan
    half, rail = DOOR / 2 + 0.01, 0.1
    for low, high in ((-half - rail, -half), (half, half + rail), (-half - rail, half + rail)):
        bottom = 0.0 if high - low < 0.5 else HEAD
        top = HEAD + (0.0 if high - low < 0.5 else rail)
        for near, far in ((-0.03, 0.0), (0.0, 0.03)):
            if along_x:
                base = y0 if near < 0 else y1
                model.add(
                    part,
                    WOOD,
                    box((middle + low, base + near, bottom), (middle + high, base + far, top)),
                )
            else:
                base = x0 if near < 0 else x1
                model.add(
                    part,
                    WOOD,
                    box((base + near, middle + low, bottom), (base + far, middle + high, top)),
                )


def _walls(model: Model) -> None:
    """All walls of the house; the forecourt's are lower."""
    t = THICK
    _wall(model, "street wall", (WEST - t, -DEEP - t), (WEST, DEEP + t), height=1.3)
    _wall(model, "forecourt wall north", (WEST, DEEP), (-7.0, DEEP + t), height=1.3)
    _wall(model, "forecourt wall south", (WEST, -DEEP - t), (-7.0, -DEEP), height=1.3)
    _wall(model, "facade", (-7.0, -DEEP - t), (-7.0 + t, DEEP + t), doors=[-2.5], height=3.0)
    _wall(model, "north wall", (-6.75, DEEP), (EAST, DEEP + t))
    _wall(model, "south wall", (-6.75, -DEEP - t), (EAST, -DEEP))
    _wall(model, "east wall", (EAST, -DEEP - t), (EAST + t, DEEP + t))
    _wall(model, "sala wall", (1.25, -DEEP), (1.5, DEEP), doors=[3.0])
    _wall(model, "middle wall", (1.5, 0.75), (6.5, 1.0), doors=[4.0])
    _wall(model, "dining wall", (6.5, -DEEP), (6.75, DEEP), doors=[-3.0])
    _windows(model)


def _windows(model: Model) -> None:
    """Shuttered windows on the facade and on the walls to the patios, an ochre base below."""
    for x, facing, tall in ((-7.0, -1, 3.0), (1.25, -1, HEIGHT), (6.75, 1, HEIGHT)):
        wall = [
            (x, -5 * facing, 0.0),
            (x, 5 * facing, 0.0),
            (x, 5 * facing, tall),
            (x, -5 * facing, tall),
        ]
        spots = {-7.0: (0.3, 3.1), 1.25: (-3.2, -0.6), 6.75: (0.2, 2.9)}[x]
        for y in spots:
            share = (y * facing + 5.0) / 10.0
            model.add(
                "windows", WOOD, panel(wall, (share - 0.065, share + 0.065), (0.3, 0.82), 0.015)
            )
            model.add(
                "windows", GLASS, panel(wall, (share - 0.05, share + 0.05), (0.33, 0.79), 0.022)
            )
            for low, high in ((-0.115, -0.066), (0.066, 0.115)):
                model.add(
                    "windows",
                    "#3f7d78",
                    panel(wall, (share + low, share + high), (0.3, 0.82), 0.02),
                )
        doors = {-7.0: -2.5, 1.25: 3.0, 6.75: -3.0}[x]
        middle = (doors * facing + 5.0) / 10.0
        for low, high in ((0.0, middle - 0.06), (middle + 0.06, 1.0)):
            model.add("windows", OCHRE, panel(wall, (low, high), (0.0, 0.16), 0.008))


def _pot(
    model: Model,
    name: str,
    x: float,
    y: float,
    rng: np.random.Generator,
    z: float = 0.0,
    size: float = 1.0,
) -> None:
    """Add a clay pot with a bush."""
    profile = [(0.17 * size, z), (0.27 * size, z + 0.42 * size), (0.24 * size, z + 0.44 * size)]
    model.add(name, CLAY, turned(profile, 8, (x, y)))
    top = z + 0.82 * size
    color = LEAF if rng.uniform() < 0.5 else DARK_LEAF
    model.add(
        f"{name} leaves",
        color,
        blob((x, y, top), (0.34 * size, 0.34 * size, 0.42 * size), rng, 0.3),
    )


def _forecourt(model: Model, rng: np.random.Generator) -> None:
    """Two trees, a closed iron gate, a lamp, and a path of slabs to the door."""
    for number, (x, y) in enumerate(((-13.9, 3.9), (-13.9, -3.9), (-8.3, 3.9)), 1):
        model.placed(tree(rng, 3.9), f"tree {number}", (x, y, 0.0))
    model.placed(lamp(3.2), "lamp", (-7.6, -4.3, 0.0), 90.0)
    for k in range(14):
        y = -1.5 + k * 3.0 / 13
        model.add(
            "gate", "#2f3338", box((WEST + 0.01, y - 0.02, 0.0), (WEST + 0.05, y + 0.02, 1.6))
        )
    model.add("gate", "#2f3338", box((WEST + 0.055, -1.55, 1.2), (WEST + 0.09, 1.55, 1.28)))
    for number, (x, y) in enumerate(((-7.45, -1.35), (-7.45, -3.6)), 1):
        _pot(model, f"door pot {number}", x, y, rng, size=0.8)


def _first_patio(model: Model, rng: np.random.Generator) -> None:
    """The fountain, the columns of a gallery along the north side, pots and a bench."""
    x, y = -2.75, 0.0
    model.add("fountain", "#cbbfa9", turned([(1.35, 0.0), (1.35, 0.5), (1.1, 0.52)], 8, (x, y)))
    model.add("fountain water", "#5fa6b8", _disc(x, y, 1.08, 0.535))
    stem = [(0.16, 0.52), (0.12, 1.0), (0.5, 1.15), (0.48, 1.2), (0.08, 1.21), (0.05, 1.45)]
    model.add("fountain basin", "#cbbfa9", turned(stem, 8, (x, y)))
    model.add("fountain water", "#5fa6b8", _disc(x, y, 0.44, 1.215))
    for number, at in enumerate(np.linspace(-6.1, 0.6, 5), 1):
        shaft = [(0.2, 0.0), (0.2, 0.12), (0.13, 0.16), (0.11, 2.25), (0.19, 2.38)]
        model.add(f"column {number}", "#e2d3b8", turned(shaft, 8, (float(at), 3.9)))
    model.add("gallery beam", WOOD, box((-6.75, 3.78, 2.38), (1.25, 4.02, 2.6)))
    for k in range(9):
        at = -6.4 + 0.92 * k
        model.add("gallery rafters", "#75512f", box((at, 3.7, 2.61), (at + 0.1, DEEP, 2.71)))
    for number, (at_x, at_y) in enumerate(
        ((-6.3, -4.5), (-4.6, -4.6), (-1.0, -4.6), (0.8, -4.5), (0.85, 0.9), (-6.3, 1.2)), 1
    ):
        _pot(model, f"pot {number}", at_x, at_y, rng)
    model.placed(bench(), "patio bench", (-2.75, -4.6, 0.0), 180.0)


def _disc(x: float, y: float, radius: float, z: float) -> TriangleMesh:
    corners = ring(radius, z, 8, (x, y))
    return TriangleMesh(corners, np.array([[0, k, k + 1] for k in range(1, 7)]))


def _rooms(model: Model) -> None:
    """The sala with sofa, rug and shelf; the dining room with table, chairs and sideboard."""
    model.add("rug", "#8e3b35", sheet(4.6, 2.0, 6.3, 4.2, 0.012))
    model.add("rug", "#c9a15a", sheet(4.75, 2.15, 6.15, 4.05, 0.02))
    model.add("sofa", "#41607a", box((5.6, 2.1, 0.0), (6.4, 4.1, 0.42)))
    model.add("sofa back", "#395569", box((6.2, 2.1, 0.43), (6.45, 4.1, 0.85)))
    for y0 in (2.1, 3.92):
        model.add("sofa arms", "#395569", box((5.65, y0, 0.43), (6.19, y0 + 0.18, 0.62)))
    model.add("shelf", WOOD, box((1.9, 4.65, 0.0), (4.4, 4.97, 1.9)))
    books = ["#a23b3b", "#3f6f8f", "#c7a24a", "#5f7f4f", "#7a4f7f"]
    shelf = [(4.4, 4.65, 0.0), (1.9, 4.65, 0.0), (1.9, 4.65, 1.9), (4.4, 4.65, 1.9)]
    shelf = [shelf[1], shelf[0], shelf[3], shelf[2]]
    for k in range(20):
        u, v = 0.03 + 0.19 * (k % 5), 0.06 + 0.235 * (k // 5)
        model.add("books", books[(k * 3) % 5], panel(shelf, (u, u + 0.15), (v, v + 0.16)))
    _table(model, 3.6, -2.1)
    model.add("sideboard", "#6f4a30", box((2.3, -4.97, 0.0), (5.0, -4.5, 0.9)))
    model.add(
        "sideboard trim",
        "#caa66b",
        *(box((2.45 + 0.9 * k, -4.49, 0.15), (3.1 + 0.9 * k, -4.47, 0.75)) for k in range(3)),
    )


def _table(model: Model, x: float, y: float) -> None:
    model.add("table", WOOD, box((x - 1.0, y - 0.5, 0.7), (x + 1.0, y + 0.5, 0.76)))
    model.add("table", WOOD, box((x - 0.75, y - 0.1, 0.0), (x + 0.75, y + 0.1, 0.69)))
    number = 0
    for dx in (-0.55, 0.55):
        for side in (-1, 1):
            number += 1
            cy = y + side * 0.62
            model.add(
                f"chair {number}",
                "#8f5f3a",
                box((x + dx - 0.21, cy - 0.21, 0.0), (x + dx + 0.21, cy + 0.21, 0.46)),
            )
            back = cy + side * 0.19
            model.add(
                f"chair {number}",
                "#7a4f2f",
                box((x + dx - 0.2, back - 0.03, 0.47), (x + dx + 0.2, back + 0.03, 0.95)),
            )


def _second_patio(model: Model, rng: np.random.Generator) -> None:
    """Planters on both sides of the ramp; on the terrace hedges, a tree, pots and a lamp."""
    for name, y0, y1 in (("planter north", RAMP_HALF, DEEP), ("planter south", -DEEP, -RAMP_HALF)):
        model.add(name, "#d2b48c", box((RAMP_FROM, y0, -0.2), (RAMP_TO, y1, 0.85)))
        model.add(
            f"{name} soil",
            "#5b4636",
            sheet(RAMP_FROM + 0.12, y0 + 0.12, RAMP_TO - 0.12, y1 - 0.12, 0.86),
        )
        for k in range(5):
            at = (rng.uniform(RAMP_FROM + 0.5, RAMP_TO - 0.5), rng.uniform(y0 + 0.5, y1 - 0.5), 1.1)
            size = rng.uniform(0.3, 0.5)
            color = (LEAF, DARK_LEAF, "#b5526d", "#d7a13b", LEAF)[k]
            model.add(f"{name} flowers", color, blob(at, (size, size, 0.75 * size), rng, 0.3))
    hedges = [
        ((12.0, 4.4), (17.9, 4.95)),
        ((12.0, -4.95), (17.9, -4.4)),
        ((17.35, -4.3), (17.9, 4.3)),
    ]
    for number, ((x0, y0), (x1, y1)) in enumerate(hedges, 1):
        model.add(
            f"hedge {number}", DARK_LEAF, hedge((x0, y0, TERRACE - 0.1), (x1, y1, TERRACE + 0.8))
        )
    for number, (x, y) in enumerate(((7.3, 4.4), (7.3, 0.6), (8.4, -4.5)), 1):
        _pot(model, f"court pot {number}", x, y, rng)
    model.placed(lamp(3.0), "garden lamp", (12.3, 4.1, TERRACE), -45.0)
    model.placed(tree(rng, 3.8), "lemon tree", (16.7, 3.7, TERRACE))
