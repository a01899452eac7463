"""An open plain with a few things to go around or hide behind: where behaviors show alone."""

import numpy as np

from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import blob, box, floor, placed, turned

HALF_LENGTH, HALF_WIDTH = 20.0, 14.0
# Middle (x, y), radius and height of the round pillars.
PILLARS = ((6.0, 0.0, 1.0, 3.2), (10.0, 6.0, 0.8, 2.6), (-9.0, -7.0, 1.3, 3.6))


def build() -> Model:
    """Return the scene's parts."""
    model = Model()
    xs = np.arange(-HALF_LENGTH, HALF_LENGTH + 0.1, 2.0)
    ys = np.arange(-HALF_WIDTH, HALF_WIDTH + 0.1, 2.0)
    x, y = np.meshgrid(np.arange(len(xs) - 1), np.arange(len(ys) - 1), indexing="ij")
    # Parts that touch share their corners, so that the ground is one surface.
    model.add("ground", "#b9b596", floor(xs, ys, (x + y) % 2 == 0))
    model.add("ground", "#b2ae8e", floor(xs, ys, (x + y) % 2 == 1))
    for number, (px, py, radius, height) in enumerate(PILLARS, start=1):
        profile = [(radius, -0.1), (0.93 * radius, 0.4 * height), (0.8 * radius, height)]
        model.add(f"pillar {number}", "#8f6f57", turned(profile, 14, (px, py)))
    wall = box((-0.2, -4.0, -0.1), (0.2, 4.0, 2.2))
    model.add("wall", "#77838c", placed(wall, (12.0, -7.0, 0.0), 35.0))
    rock = blob((0.0, 0.0, 0.3), (1.9, 1.5, 1.5), np.random.default_rng(4))
    model.add("rock", "#7b766c", placed(rock, (-6.0, 8.0, 0.0)))
    return model
