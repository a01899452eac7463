"""A meadow with hedges, trees and a stone barn, and a fold of hurdles whose gate stands open.

64 m by 48 m of gently rolling grass. The fold is in the east; wings of hurdles lead to its gate.
A hedgerow with a wide gap parts the pasture in the west from the rest.
"""

from itertools import pairwise

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import (
    blob,
    box,
    floor,
    loft,
    outward,
    placed,
    prism,
    quad,
    rod,
    turned,
)

HALF_X, HALF_Y, CELL = 32.0, 24.0, 2.0
GRASS = ("#7f9f4a", "#86a54e", "#7a9a47", "#8caa54")
TROD, SOIL = "#a8a26a", "#9c8a62"
HEDGE = ("#3f5f2f", "#4a6c36", "#365428")
WOOD, POST, STONE, SLATE = "#8f7350", "#6f573b", "#9a9286", "#5a6068"
# The fold: corners, the middle of its gate on the west side, and half the gate's width.
FOLD = (13.0, -8.0, 28.0, 8.0)
GATE_Y, GATE_HALF = 0.0, 3.2
# Ends of hedgerows, (x, y) to (x, y). No hedge makes a dead end, into which a dog could not follow
# a sheep.
HEDGES = (
    ((-5.0, -24.0), (-4.0, -8.0)), ((-4.0, 6.0), (-5.5, 24.0)),
    ((-31.5, -23.0), (-15.0, -23.1)), ((-31.5, 23.1), (-12.0, 23.0)),
    ((7.0, 15.5), (11.0, 22.5)), ((2.0, -16.5), (10.0, -19.0)),
)  # fmt: skip
OAKS = (
    (-14.0, 1.5, 1.0),
    (-24.0, -9.0, 0.8),
    (-20.0, 12.0, 0.9),
    (1.0, 17.0, 0.9),
    (8.0, -22.0, 1.0),
)


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    rng = np.random.default_rng(17)
    _ground(model)
    for number, (start, end) in enumerate(HEDGES, 1):
        _hedge(model, f"hedge {number}", np.array(start), np.array(end), rng)
    _fold(model)
    for number, (x, y, size) in enumerate(OAKS, 1):
        _oak(model, f"oak {number}", (x, y), size, rng)
    _barn(model)
    _trough(model)
    _flowers(model, rng)
    return model


def height(x: Float, y: Float) -> Float:
    """Return the height of the grass [m]; nearly level about the fold."""
    roll = 0.45 * np.sin(0.13 * x + 0.4) * np.cos(0.11 * y) + 0.2 * np.sin(0.21 * y - 0.1 * x)
    return roll * np.clip((20.0 - x) / 26.0, 0.15, 1.0)


def _ground(model: Model) -> None:
    """Grass in patches, a trodden path to the gate, bare soil in the fold."""
    xs = np.arange(-HALF_X, HALF_X + 0.1, CELL)
    ys = np.arange(-HALF_Y, HALF_Y + 0.1, CELL)
    z = height(*np.meshgrid(xs, ys, indexing="ij"))
    x, y = np.meshgrid(xs[:-1] + 0.5 * CELL, ys[:-1] + 0.5 * CELL, indexing="ij")
    patch = (
        np.sin(0.31 * x + 1.0) + np.sin(0.37 * y) + np.sin(0.19 * (x + y)) + 0.4 * np.sin(2.0 * x)
    )
    tone = np.digitize(patch, [-0.8, 0.1, 1.0])
    path = np.abs(y - 0.8 * np.sin(0.25 * x)) < 1.6
    inside = (x > FOLD[0]) & (x < FOLD[2]) & (y > FOLD[1]) & (y < FOLD[3])
    tone = np.where(path & (x > -10.0) & (x < FOLD[0]), 4, tone)
    worn = np.hypot((x - 15.0) / 4.0, y / 3.5) < 1.0
    tone = np.where(
        inside & worn, 5, np.where(inside & (np.sin(1.7 * x) * np.cos(y) > 0.4), 4, tone)
    )
    for row, color in enumerate((*GRASS, TROD, SOIL)):
        model.add("ground", color, floor(xs, ys, tone == row, z))


def _hedge(model: Model, name: str, start: Float, end: Float, rng: np.random.Generator) -> None:
    """A hedgerow: a closed bank of leaves, with bushes that stand out of it."""
    line = end - start
    size = float(np.linalg.norm(line))
    ahead = line / size
    left = np.array([-ahead[1], ahead[0]])
    count = int(np.ceil(size / 1.5)) + 1
    rings = []
    for s in np.linspace(0.0, 1.0, count):
        x, y = start + s * line
        z = float(height(np.array(x), np.array(y)))
        half, top = rng.uniform(0.55, 0.72), rng.uniform(1.45, 1.8)
        outline = [(-half, -0.3), (half, -0.3), (1.08 * half, 0.8), (0.55 * half, top)]
        outline += [(-0.55 * half, top), (-1.08 * half, 0.8)]
        rings.append([(x - u * left[0], y - u * left[1], z + up) for u, up in outline])
    model.add(name, HEDGE[0], outward(loft(rings)))
    for s in np.arange(0.6, size - 0.3, 1.4):
        x, y = start + (s / size) * line + rng.uniform(-0.15, 0.15, 2)
        z = float(height(np.array(x), np.array(y)))
        wide = rng.uniform(0.55, 0.75)
        bush = blob((x, y, z + rng.uniform(0.75, 1.15)), (wide, wide, 0.75), rng, 0.18)
        model.add(f"{name} leaves", HEDGE[int(rng.integers(3))], bush)


def _fold(model: Model) -> None:
    """Hurdles all round, wings that lead to the gate, and the gate swung open."""
    x0, y0, x1, y1 = FOLD
    runs = [
        ((x0, GATE_Y + GATE_HALF), (x0, y1)), ((x0, y1), (x1, y1)), ((x1, y1), (x1, y0)),
        ((x1, y0), (x0, y0)), ((x0, y0), (x0, GATE_Y - GATE_HALF)),
        ((x0, GATE_Y + GATE_HALF), (x0 - 9.0, GATE_Y + 11.0)),
        ((x0, GATE_Y - GATE_HALF), (x0 - 9.0, GATE_Y - 11.0)),
    ]  # fmt: skip
    posts: set[tuple[float, float]] = set()
    for start, end in runs:
        _fence(model, np.array(start), np.array(end), posts)
    hinge = np.array([x0 + 0.2, GATE_Y + GATE_HALF - 0.2])
    tip = hinge + np.array([5.4, 1.8])
    for z in (0.25, 0.55, 0.85, 1.15):
        model.add("gate", "#b9a27a", _rail(hinge, tip, z))
    model.add("gate", "#b9a27a", rod((*tip, 0.2), (*tip, 1.2), 0.05, 6))
    model.add("gate", "#b9a27a", _rail(hinge, tip, 0.4, 1.0))


def _fence(model: Model, start: Float, end: Float, posts: set[tuple[float, float]]) -> None:
    """Posts every two meters, but for those already there, and three rails."""
    size = float(np.linalg.norm(end - start))
    count = max(1, round(round(size / 2.0, 9)))
    spots = start + np.linspace(0.0, 1.0, count + 1)[:, None] * (end - start)
    for x, y in np.round(spots, 6).tolist():
        if (x, y) in posts:
            continue
        posts.add((x, y))
        z = float(height(np.array(x), np.array(y)))
        model.add("fold", POST, placed(turned([(0.075, -0.3), (0.065, 1.2)], 6), (x, y, z)))
    for a, b in pairwise(spots):
        for z in (0.3, 0.65, 1.0):
            model.add("fold", WOOD, _rail(a, b, z))


def _rail(a: Float, b: Float, low: float, high: float | None = None) -> TriangleMesh:
    """Return a plank between two places, at a height over the ground (rising to another)."""
    ends = []
    side = np.array([-(b - a)[1], (b - a)[0]])
    side *= 0.025 / np.linalg.norm(side)
    # Planks end short of each other: solids that touch are not closed.
    a, b = a + 0.01 * (b - a), b - 0.01 * (b - a)
    for (x, y), up in ((a, low), (b, low if high is None else high)):
        z = float(height(np.array(x), np.array(y))) + up
        ends.append([
            (x + side[0], y + side[1], z - 0.06), (x - side[0], y - side[1], z - 0.06),
            (x - side[0], y - side[1], z + 0.06), (x + side[0], y + side[1], z + 0.06),
        ])  # fmt: skip
    return outward(loft(ends))


def _oak(
    model: Model, name: str, place: tuple[float, float], size: float, rng: np.random.Generator
) -> None:
    """A broad tree; walkers pass under its crown."""
    x, y = place
    z = float(height(np.array(x), np.array(y)))
    profile = [(0.5 * size, -0.4), (0.34 * size, 0.5), (0.28 * size, 2.6)]
    model.add(name, "#6b5440", placed(turned(profile, 8), (x, y, z)))
    for k in range(4):
        angle = 0.5 * np.pi * k + rng.uniform(0.0, 0.6)
        out = 1.35 * size
        center = (x + out * np.cos(angle), y + out * np.sin(angle), z + 3.6 * size + 0.9)
        radii = (1.5 * size, 1.5 * size, 1.15 * size)
        model.add(f"{name} crown", HEDGE[k % 3], blob(center, radii, rng, 0.16))
    top = (x, y, z + 4.4 * size + 1.2)
    model.add(f"{name} crown", HEDGE[1], blob(top, (1.7 * size, 1.7 * size, 1.3 * size), rng, 0.16))


def _barn(model: Model) -> None:
    """A stone barn with a slate roof, north of the fold."""
    x0, y0, x1, y1 = 18.0, 13.0, 28.5, 19.5
    model.add("barn", STONE, box((x0, y0, -0.5), (x1, y1, 3.0)))
    ridge = 0.5 * (y0 + y1)
    rings = []
    for x in (x0 - 0.4, x1 + 0.4):
        rings.append([(x, y0 - 0.5, 2.85), (x, y1 + 0.5, 2.85), (x, ridge, 5.6)])
    model.add("barn", SLATE, outward(loft(rings)))
    door = quad((x0 + 3.0, y0 - 0.02, 0.0), (x0 + 6.2, y0 - 0.02, 0.0),
                (x0 + 6.2, y0 - 0.02, 2.5), (x0 + 3.0, y0 - 0.02, 2.5))  # fmt: skip
    model.add("barn front", "#7a4a35", door)
    for x in (x0 + 1.2, x0 + 8.2):
        window = quad((x, y0 - 0.02, 1.2), (x + 0.8, y0 - 0.02, 1.2),
                      (x + 0.8, y0 - 0.02, 2.0), (x, y0 - 0.02, 2.0))  # fmt: skip
        model.add("barn front", "#2c3a44", window)


def _trough(model: Model) -> None:
    """A water trough and hay against the far side of the fold."""
    model.add("trough", STONE, box((26.9, -2.0, -0.1), (27.8, 1.0, 0.55)))
    model.add("trough", "#7fa9bd", box((27.0, -1.9, 0.5), (27.7, 0.9, 0.57)))
    hay = prism([(25.8, 6.4), (27.7, 6.4), (27.7, 7.7), (25.8, 7.7)], -0.1, 0.8)
    model.add("hay", "#d8c06a", hay)


def _flowers(model: Model, rng: np.random.Generator) -> None:
    """Tufts and flowers: decor that characters walk through."""
    colors = ("#e7d95a", "#f2f0e6", "#c86f9a", "#5f8238", "#6d9140")
    for k in range(260):
        x, y = rng.uniform(-HALF_X + 1, HALF_X - 1), rng.uniform(-HALF_Y + 1, HALF_Y - 1)
        if FOLD[0] - 1 < x < FOLD[2] + 1 and FOLD[1] - 1 < y < FOLD[3] + 1:
            continue
        z = float(height(np.array(x), np.array(y)))
        size = rng.uniform(0.05, 0.1)
        tall = rng.uniform(0.08, 0.18)
        tuft = turned([(size, -0.05), (0.25 * size, tall)], 4)
        model.add("flowers", colors[k % 5], placed(tuft, (x, y, z)))
