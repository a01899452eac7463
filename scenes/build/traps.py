"""A garden of U-shaped hedges: a walker that goes straight for the goal is caught in one.

Three hedges open towards the start, one within reach of another, and two screens force a detour.
The goal can be seen over the hedges, but a straight walk does not reach it.
"""

import numpy as np

from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, floor, placed, turned
from rmp3d.scenes.build.street import bench, hedge, tree

HALF_LENGTH, HALF_WIDTH, THICK, HEIGHT = 24.0, 14.0, 0.6, 1.5
# Of each U: x of its bottom, y of its middle, depth, and width inside [m]; open towards -x.
CUPS = ((0.0, 0.0, 9.0, 10.0), (9.5, 6.5, 5.0, 6.0), (9.5, -6.5, 5.0, 6.0))
# Straight hedges: x, y of both ends [m].
SCREENS = ((13.5, -3.4, 3.4), (3.6, 8.6, 13.0), (3.6, -13.0, -8.6))
TREES = ((-17.0, 11.0), (-13.0, -11.5), (18.0, 11.0), (19.5, -10.5), (-4.0, 11.5), (-21.0, -7.0))


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    rng = np.random.default_rng(8)
    _lawn(model)
    number = 0
    for bottom, middle, depth, width in CUPS:
        side = 0.5 * width
        for x0, y0, x1, y1 in (
            (bottom, middle - side - THICK, bottom + THICK, middle + side + THICK),
            (bottom - depth, middle + side, bottom, middle + side + THICK),
            (bottom - depth, middle - side - THICK, bottom, middle - side),
        ):
            number += 1
            model.add(f"hedge {number}", "#5d8a46", hedge((x0, y0, -0.1), (x1, y1, HEIGHT)))
    for x, y0, y1 in SCREENS:
        number += 1
        model.add(f"hedge {number}", "#517c3f", hedge((x, y0, -0.1), (x + THICK, y1, HEIGHT)))
    for row, place in enumerate(TREES, 1):
        model.placed(tree(rng, 4.0), f"tree {row} ", (*place, 0.0))
    model.placed(bench(), "bench ", (21.5, 0.0, 0.0), 90.0)
    basin = turned([(1.3, -0.1), (1.3, 0.5), (1.1, 0.55)], 16, (-2.6, 0.0))
    model.add("fountain", "#b8b2a6", basin)
    model.add("fountain column", "#a9a294", turned([(0.25, 0.3), (0.18, 1.4)], 10, (-2.6, 0.0)))
    wall = box((-0.15, -HALF_WIDTH, -0.1), (0.15, HALF_WIDTH, 0.9))
    for name, x in (("west wall", -HALF_LENGTH), ("east wall", HALF_LENGTH)):
        model.add(name, "#a48a72", placed(wall, (x, 0.0, 0.0)))
    return model


def _lawn(model: Model) -> None:
    """Mown stripes, and gravel where the groups meet."""
    xs = np.arange(-HALF_LENGTH, HALF_LENGTH + 0.1, 2.0)
    ys = np.arange(-HALF_WIDTH, HALF_WIDTH + 0.1, 2.0)
    x, y = np.meshgrid(np.arange(len(xs) - 1), np.arange(len(ys) - 1), indexing="ij")
    gravel = ((x < 4) | (x >= len(xs) - 5)) & (y > 2) & (y < len(ys) - 4)
    model.add("ground", "#d3c4a0", floor(xs, ys, gravel))
    model.add("ground", "#93b06a", floor(xs, ys, ~gravel & (y % 2 == 0)))
    model.add("ground", "#8aa862", floor(xs, ys, ~gravel & (y % 2 == 1)))
