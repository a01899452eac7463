"""A footbridge over the city's avenue: two ramps and a deck that people walk over and under."""

from itertools import pairwise

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, floor, loft, rod

WEST, EAST = 21.0, 24.0
DECK, DECK_END, FOOT = 3.2, 7.0, 19.6  # height; where the deck ends and the ramps' feet are
GROUND_LINES = (DECK_END, FOOT)
SLAB, SUNK = 0.3, 0.06  # the structure ends this far below the surface that is walked on
RAIL, PARAPET = 1.0, 0.2
CONCRETE, STEEL = "#b4b1a9", "#5d6a70"


def covers(x: Float, y: Float) -> Bool:
    """Return where the ramps' foundations stand, so that there is no ground to walk on."""
    return (x > WEST) & (x < EAST) & (np.abs(y) > DECK_END) & (np.abs(y) < FOOT)


def height(y: Float) -> Float:
    """Return the height of the surface over the ramps and the deck."""
    return DECK * np.clip((FOOT - np.abs(y)) / (FOOT - DECK_END), 0.0, 1.0)


def add(model: Model) -> None:
    """Add the walkable surface (to the part ``ground``), the structure under it, and parapets."""
    ys = np.array([-FOOT, -13.3, -DECK_END, 0.0, DECK_END, 13.3, FOOT])
    xs = np.array([WEST, EAST])
    walked = np.ones((1, len(ys) - 1), bool)
    model.add("ground", "#9c968b", floor(xs, ys, walked, height(ys)[None, :]))
    x0, x1 = WEST - PARAPET, EAST + PARAPET
    for name, s in (("ramp south", -1.0), ("ramp north", 1.0)):
        side = [(s * DECK_END, -0.3), (s * FOOT, -0.3), (s * FOOT, -SUNK)]
        side.append((s * DECK_END, DECK - SUNK))
        side = side if s > 0 else side[::-1]
        model.add(name, CONCRETE, loft([[(x, y, z) for y, z in side] for x in (x0, x1)]))
    model.add(
        "deck", CONCRETE, box((x0, -DECK_END, DECK - SUNK - SLAB), (x1, DECK_END, DECK - SUNK))
    )
    for y in (-4.6, 4.6):
        for x in (x0 + 0.35, x1 - 0.35):
            model.add(f"pillar {x:.0f} {y:+.0f}", CONCRETE, _pillar(x, y))
    for name, x in (("parapet west", x0), ("parapet east", EAST)):
        stations = (-FOOT, -DECK_END, DECK_END, FOOT)
        low = [(y, float(height(np.array(y))) - 0.12) for y in stations]
        high = [(y, z + 0.12 + 0.55) for y, z in low]
        outline = low + high[::-1]
        rings = [[(at, y, z) for y, z in outline] for at in (x, x + PARAPET)]
        model.add(name, CONCRETE, loft(rings))
        middle = x + PARAPET / 2
        for (ay, az), (by, bz) in pairwise(high):
            top = RAIL - 0.55
            rail = rod((middle, ay, az + top), (middle, by, bz + top), 0.035)
            model.add(f"{name} rail", STEEL, rail)
            for share in np.linspace(0.04, 0.96, 9):
                y, z = ay + share * (by - ay), az + share * (bz - az)
                model.add(
                    f"{name} rail", STEEL, rod((middle, y, z), (middle, y, z + top), 0.022, 5)
                )


def _pillar(x: float, y: float) -> TriangleMesh:
    return box((x - 0.2, y - 0.25, -0.3), (x + 0.2, y + 0.25, DECK - SUNK - SLAB))
