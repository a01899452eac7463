"""A box of air between rock needles and balloons: where flyers show alone."""

import numpy as np

from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import blob, floor, turned

HALF_LENGTH, HALF_WIDTH = 32.0, 24.0
# Middle (x, y), radius and height of the needles; middle and radius of the balloons.
NEEDLES = ((12.0, 0.0, 1.8, 16.0), (-14.0, 12.0, 2.2, 13.0), (20.0, -13.0, 2.4, 18.0))
BALLOONS = (((-6.0, -12.0, 9.0), 2.2, "#b5523b"), ((2.0, 14.0, 12.0), 2.4, "#3d6b8c"))


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    xs = np.arange(-HALF_LENGTH, HALF_LENGTH + 0.1, 4.0)
    ys = np.arange(-HALF_WIDTH, HALF_WIDTH + 0.1, 4.0)
    x, y = np.meshgrid(np.arange(len(xs) - 1), np.arange(len(ys) - 1), indexing="ij")
    model.add("ground", "#aab79a", floor(xs, ys, (x + y) % 2 == 0))
    model.add("ground", "#a3b092", floor(xs, ys, (x + y) % 2 == 1))
    for number, (px, py, radius, height) in enumerate(NEEDLES, start=1):
        profile = [(radius, -0.2), (0.8 * radius, 0.5 * height), (0.35 * radius, height)]
        model.add(f"needle {number}", "#8d7a68", turned(profile, 12, (px, py)))
    for number, (center, radius, color) in enumerate(BALLOONS, start=1):
        ball = blob(center, (radius, radius, radius), np.random.default_rng(0), 0.0)
        model.add(f"balloon {number}", color, ball)
    return model
