"""A water park: three islands in a lake, joined by two arched footbridges.

Seen from above, x to the right: the island of the restaurant (x from -34 to -13), the island of the
slide and the fountain (-5 to 13), the island of the balloon (22 to 45).
"""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.islands import BridgeSpan, Island, add_bridge, add_island, ribbon
from rmp3d.scenes.build.leisure import (
    balloon,
    fountain,
    palm,
    pedal_boat,
    slide_tower,
    sunshade_table,
)
from rmp3d.scenes.build.shapes import box, frustum, panel, quad, sheet
from rmp3d.scenes.build.street import GLASS, WOOD, bench, block, hedge, tree

ISLANDS = {
    "restaurant": Island((-23.5, 0.0), (10.5, 10.0), 0.4),
    "slide": Island((4.0, 2.0), (9.0, 11.5), 2.0),
    "balloon": Island((33.5, 0.0), (11.0, 11.0), 4.0),
}
BRIDGES = {
    "west bridge": BridgeSpan((-12.9, -1.0), (-4.7, 1.0), 2.0, 1.0),
    "east bridge": BridgeSpan((13.5, 2.0), (22.0, 0.0), 2.0, 1.1),
}
MIDDLE = (5.5, 0.0)
LAKE, DEEP_LAKE, PATH, LEVEL = "#3f9cc0", "#2f86ad", "#d6c7ab", -0.55
CLOTHS = ("#d8432f", "#2f7fb5", "#e0952b")


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    rng = np.random.default_rng(17)
    _lake(model, rng)
    _islands(model)
    _paths(model)
    _restaurant(model)
    _terrace(model)
    _slide(model)
    _balloon(model)
    _palms(model, rng)
    return model


def _lake(model: Model, rng: np.random.Generator) -> None:
    """The water with lighter streaks on it, a green shore with trees all round, and boats."""
    waterline, bank, far = (_oval(*radii) for radii in ((54.0, 28.0), (55.5, 29.5), (66.0, 40.0)))
    middle = np.array([[*MIDDLE, LEVEL]])
    count = len(waterline)
    fan = np.array([[count, k, (k + 1) % count] for k in range(count)])
    lake = np.insert(waterline, 2, LEVEL, axis=1)
    model.add("water", LAKE, TriangleMesh(np.concatenate([lake, middle]), fan))
    model.add("shore", "#d9c690", ribbon(lake, np.insert(bank, 2, -0.1, axis=1)))
    model.add(
        "shore", "#7ba45c", ribbon(*(np.insert(loop, 2, -0.1, axis=1) for loop in (bank, far)))
    )
    for _ in range(60):
        angle, share = rng.uniform(0.0, 2 * np.pi), np.sqrt(rng.uniform(0.0, 0.75))
        x, y = np.array(MIDDLE) + share * np.array([50.0 * np.cos(angle), 26.0 * np.sin(angle)])
        size, wide = rng.uniform(1.5, 4.0), rng.uniform(0.1, 0.3)
        color = ("#67b5d1", DEEP_LAKE)[int(rng.integers(2))]
        model.add("water", color, sheet(x, y, x + size, y + wide, LEVEL + 0.01))
    for k in range(22):
        angle = 2 * np.pi * (k + rng.uniform(0.2, 0.8)) / 22
        x, y = np.array(MIDDLE) + np.array([60.5 * np.cos(angle), 34.5 * np.sin(angle)])
        model.placed(tree(rng, rng.uniform(5.0, 7.5)), "shore tree", (x, y, -0.1))
    boats = [(-10.0, -9.0, 40.0), (-7.0, -11.5, -15.0), (17.5, 9.5, 120.0), (18.5, -8.0, 75.0)]
    for number, (x, y, turn) in enumerate(boats):
        model.placed(pedal_boat(CLOTHS[number % 3]), "boats", (x, y, LEVEL - 0.1), turn)


def _oval(along: float, across: float) -> Float:
    """Return a wavy oval (K, 2) round the lake's middle."""
    angle = np.arange(48) * 2 * np.pi / 48
    swell = 1.0 + 0.03 * np.sin(3 * angle + 1.0) + 0.02 * np.sin(7 * angle)
    circle = np.stack([along * np.cos(angle), across * np.sin(angle)], axis=1)
    return np.array(MIDDLE) + circle * swell[:, None]


def _islands(model: Model) -> None:
    """Ground of the islands and the bridges: one sheet."""
    west, east = BRIDGES["west bridge"], BRIDGES["east bridge"]
    ends = {
        "restaurant": [west.corners(0.0)],
        "slide": [west.corners(1.0), east.corners(0.0)],
        "balloon": [east.corners(1.0)],
    }
    for name, island in ISLANDS.items():
        add_island(model, island, [(right[:2], left[:2]) for right, left in ends[name]])
    for name, bridge in BRIDGES.items():
        add_bridge(model, name, bridge)


def _paths(model: Model) -> None:
    """Paving from the restaurant over the bridges to the balloon."""
    stretches = [
        ((-27.5, 0.0), (-13.0, -1.0)), ((-4.6, 1.0), (13.4, 2.0)), ((22.1, 0.0), (33.0, 0.0)),
    ]  # fmt: skip
    for (x0, y0), (x1, y1) in stretches:
        half = 1.05
        corners = [(x0, y0 - half), (x1, y1 - half), (x1, y1 + half), (x0, y0 + half)]
        model.add("paving", PATH, quad(*[(x, y, 0.012) for x, y in corners]))
    angle = np.arange(20) * 2 * np.pi / 20
    for number, (x, y, radius) in enumerate(((-23.5, 0.0, 4.6), (33.5, 0.0, 5.2))):
        z = 0.014 + 0.002 * number
        rim = [(x + radius * np.cos(a), y + radius * np.sin(a), z) for a in angle]
        for k in range(1, 19, 2):
            model.add("paving", PATH, quad(rim[0], rim[k], rim[k + 1], rim[min(k + 2, 19)]))


def _restaurant(model: Model) -> None:
    """A long low building with a hipped roof, a veranda and a sign, at the island's west."""
    (x0, y0), (x1, y1) = (-31.6, -4.6), (-28.6, 4.6)
    body, walls = block((x0, y0, -0.1), (x1, y1, 2.9))
    model.add("restaurant", "#efe3cc", body)
    trim = "restaurant trim"
    eave = (x0 - 0.6, y0 - 0.6, x1 + 0.9, y1 + 0.6)
    model.add(trim, "#a4532f", frustum(eave, (-30.4, -3.0, -29.8, 3.0), 2.9, 4.3))
    front = walls["east"]
    model.add(trim, "#7b5b42", panel(front, (0.44, 0.56), (0.03, 0.78)))
    for u in ((0.05, 0.17), (0.21, 0.33), (0.67, 0.79), (0.83, 0.95)):
        model.add(trim, "#f8f3e8", panel(front, (u[0] - 0.01, u[1] + 0.01), (0.33, 0.8)))
        model.add(trim, GLASS, panel(front, u, (0.36, 0.77), 0.02))
    for side in ("north", "south"):
        model.add(trim, GLASS, panel(walls[side], (0.25, 0.75), (0.36, 0.77), 0.02))
    board = [(x1 + 0.95, 1.6, 2.95), (x1 + 0.95, -1.6, 2.95), (x1 + 0.95, -1.6, 3.6)]
    board.append((x1 + 0.95, 1.6, 3.6))
    model.add(trim, "#2f7fb5", quad(*board[::-1]), quad(*board))
    for y in (-4.4, -1.5, 1.5, 4.4):
        post = box((x1 + 0.72, y - 0.08, 0.0), (x1 + 0.88, y + 0.08, 2.92))
        model.add(f"veranda post {y:+.1f}", WOOD, post)


def _terrace(model: Model) -> None:
    """Tables under sunshades on both sides of the place before the restaurant."""
    places = [(-26.2, 6.1), (-22.8, 7.2), (-19.2, 6.6), (-26.2, -6.1), (-22.8, -7.2), (-19.2, -6.8)]
    for number, (x, y) in enumerate(places, 1):
        model.placed(
            sunshade_table(CLOTHS[number % 3]), f"table {number}", (x, y, 0.0), 20.0 * number
        )
    model.add("hedge 1", "#5c8148", hedge((-17.2, 3.6, 0.0), (-16.5, 6.2, 0.8)))
    model.add("hedge 2", "#5c8148", hedge((-17.2, -7.0, 0.0), (-16.5, -4.4, 0.8)))


def _slide(model: Model) -> None:
    """The slide's tower on the north shore, its chute out into the lake; a fountain, benches."""
    model.placed(slide_tower(1.15), "slide", (4.2, 11.2, 0.0), -20.0)
    model.placed(fountain(), "fountain", (4.0, -6.3, 0.0))
    for number, (x, y, turn) in enumerate(((0.6, -5.6, 60.0), (7.6, -5.4, -60.0)), 1):
        model.placed(bench(), f"bench {number}", (x, y, 0.0), turn)


def _balloon(model: Model) -> None:
    """The balloon at the island's east, a ticket hut and flower beds."""
    model.placed(balloon(), "balloon", (40.2, 0.0, 0.0), 45.0)
    body, walls = block((36.2, 6.6, -0.1), (38.2, 8.4, 2.3))
    model.add("ticket hut", "#f2b632", body)
    model.add("ticket hut trim", GLASS, panel(walls["south"], (0.2, 0.8), (0.42, 0.78)))
    roof = frustum((36.0, 6.4, 38.4, 8.6), (37.1, 7.4, 37.3, 7.6), 2.3, 3.1)
    model.add("ticket hut trim", "#d8432f", roof)
    for number, (x, y) in enumerate(((30.0, 8.0), (30.5, -8.2), (36.8, -7.2)), 1):
        model.add(f"flower bed {number}", "#b5734f", frustum((x - 0.9, y - 0.5, x + 0.9, y + 0.5),
                  (x - 0.8, y - 0.4, x + 0.8, y + 0.4), 0.0, 0.35))  # fmt: skip
        for k in range(7):
            color = ("#e0559a", "#f2d23c", "#ffffff")[k % 3]
            low = (x - 0.65 + 0.2 * k, y - 0.2 + 0.13 * (k % 4), 0.35)
            model.add("flowers trim", color, box(low, (low[0] + 0.13, low[1] + 0.13, 0.6)))


def _palms(model: Model, rng: np.random.Generator) -> None:
    """Palms near the shores."""
    places = [
        (-27.0, 8.2), (-17.5, 7.8), (-27.0, -8.2), (-17.8, -7.9), (-1.5, 8.0), (9.3, 8.2),
        (-1.2, -4.2), (9.2, -4.4), (4.0, -8.8), (26.5, 7.2), (26.2, -7.0), (33.0, 9.4),
        (34.0, -9.4), (42.0, 5.6), (42.0, -5.6),
    ]  # fmt: skip
    for number, (x, y) in enumerate(places, 1):
        model.placed(palm(rng, 4.4 + 0.5 * (number % 4)), f"palm {number}", (x, y, 0.0))
