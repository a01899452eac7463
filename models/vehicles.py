"""Vehicles on wheels: a motorbike with its rider and a small car; visual and body mesh, facing +x.

A body must fit into an upright capsule, whose lower end is round. So bodies narrow towards the
floor, and the wheels, which are only drawn, stick out.
"""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models.limbs import barrel, limb
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, frustum, loft, outward, rod, turned
from rmp3d.scenes.build.street import CHROME, GLASS, TIRE, wheel

PAINT, DARK, LIGHT, REAR = "#d8432f", "#2b2d30", "#f3efd2", "#a52a2a"
HELMET, JACKET, TROUSERS, GLOVE = "#f2b632", "#3a4149", "#34466b", "#2b2723"


def motorbike() -> Model:
    """Return a motorbike 1.75 m long with a rider, 1.5 m tall to the helmet."""
    model = Model()
    for x in (-0.59, 0.6):
        model.add("bike", TIRE, wheel((x, 0.0, 0.28), 0.28, 0.12, 10))
        model.add("bike", CHROME, wheel((x, 0.0, 0.28), 0.13, 0.15, 6))
    engine = frustum((-0.26, -0.14, 0.3, 0.14), (-0.2, -0.12, 0.24, 0.12), 0.2, 0.52)
    model.add("bike", "#55585c", engine)
    for color, half, profile in (
        (PAINT, 0.15, [(-0.1, 0.56), (0.34, 0.56), (0.4, 0.7), (0.26, 0.83), (-0.04, 0.77)]),
        (DARK, 0.13, [(-0.72, 0.63), (-0.08, 0.58), (-0.08, 0.68), (-0.42, 0.7), (-0.76, 0.78)]),
        (PAINT, 0.1, [(-0.84, 0.54), (-0.46, 0.52), (-0.42, 0.62), (-0.82, 0.73)]),
    ):
        rings = [[(x, y, z) for x, z in profile] for y in (half, -half)]
        model.add("bike", color, outward(loft(rings)))
    for y in (-0.09, 0.09):
        model.add("bike", CHROME, rod((0.6, y, 0.28), (0.37, y, 0.88), 0.03, 5))
    model.add("bike", CHROME, rod((-0.78, -0.18, 0.32), (0.05, -0.18, 0.25), 0.05, 6))
    model.add("bike", DARK, rod((0.33, -0.32, 0.91), (0.33, 0.32, 0.91), 0.026, 5))
    shield = frustum((0.36, -0.13, 0.52, 0.13), (0.38, -0.09, 0.46, 0.09), 0.72, 0.98)
    model.add("bike", PAINT, shield)
    model.add("bike", LIGHT, box((0.5, -0.07, 0.78), (0.53, 0.07, 0.87)))
    model.add("bike", REAR, box((-0.86, -0.06, 0.62), (-0.83, 0.06, 0.7)))
    _add_rider(model)
    return model


def _add_rider(model: Model) -> None:
    """Add a rider who leans on the handlebar."""
    torso = [((-0.28, 0.0, 0.72), 0.1, 0.15), ((-0.12, 0.0, 1.05), 0.11, 0.17),
             ((-0.04, 0.0, 1.22), 0.08, 0.17)]  # fmt: skip
    model.add("rider", JACKET, limb(torso))
    for side in (1.0, -1.0):
        shoulder, elbow = (-0.04, 0.17 * side, 1.19), (0.12, 0.24 * side, 0.98)
        hand = (0.31, 0.26 * side, 0.93)
        model.add("rider", JACKET, limb([(elbow, 0.05, 0.045), (shoulder, 0.06, 0.05)]))
        model.add("rider", JACKET, rod(elbow, hand, 0.04, 5))
        glove = rod((0.29, 0.22 * side, 0.93), (0.36, 0.3 * side, 0.92), 0.045, 5)
        model.add("rider", GLOVE, glove)
        hip, knee = (-0.25, 0.12 * side, 0.72), (0.14, 0.2 * side, 0.64)
        foot = (-0.02, 0.2 * side, 0.3)
        model.add("rider", TROUSERS, rod(hip, knee, 0.075, 6))
        model.add("rider", TROUSERS, limb([(foot, 0.05, 0.045), (knee, 0.075, 0.06)]))
        boot = box((-0.08, 0.2 * side - 0.05, 0.22), (0.14, 0.2 * side + 0.05, 0.31))
        model.add("rider", GLOVE, boot)
    head = turned([(0.07, 1.2), (0.125, 1.27), (0.135, 1.38), (0.1, 1.47), (0.03, 1.5)], 8)
    model.add("rider", HELMET, head.transformed(np.eye(3), np.array([0.02, 0.0, 0.0])))
    model.add("rider", GLASS, box((0.1, -0.09, 1.33), (0.16, 0.09, 1.42)))


def motorbike_body() -> Model:
    """Return a spindle around frame and rider, inside the capsule."""
    rows = [
        (-0.82, 0.7, 0.08, 0.1), (-0.4, 0.65, 0.22, 0.4), (0.0, 0.86, 0.34, 0.72),
        (0.4, 0.8, 0.34, 0.55), (0.82, 0.64, 0.08, 0.09),
    ]  # fmt: skip
    model = Model()
    model.add("body", "#808080", barrel(rows, 6))
    return model


def car() -> Model:
    """Return a town car 2.4 m long with two doors."""
    model = Model()
    model.add("car", PAINT, _hull([
        (-1.2, 0.5, 0.36, 0.66), (-1.1, 0.64, 0.26, 0.86), (-0.3, 0.7, 0.2, 0.9),
        (0.6, 0.7, 0.2, 0.87), (1.1, 0.6, 0.26, 0.72), (1.2, 0.47, 0.36, 0.6),
    ]))  # fmt: skip
    cabin = ((-1.02, -0.63, 0.78, 0.63), (-0.78, -0.5, 0.28, 0.5))
    model.add("car", GLASS, frustum(*cabin, 0.86, 1.38))
    roof = ((-0.83, -0.53, 0.33, 0.53), (-0.72, -0.44, 0.22, 0.44))
    model.add("car", PAINT, frustum(*roof, 1.36, 1.46))
    for side in (1.0, -1.0):
        for low, high in ((0.78, 0.28), (-1.02, -0.78)):
            pillar = rod((low, 0.63 * side, 0.86), (high, 0.5 * side, 1.38), 0.045, 5)
            model.add("car", PAINT, pillar)
        post = rod((-0.2, 0.635 * side, 0.86), (-0.22, 0.51 * side, 1.38), 0.035, 5)
        model.add("car", PAINT, post)
        for x in (-0.76, 0.78):
            model.add("car", TIRE, wheel((x, 0.6 * side, 0.27), 0.27, 0.18, 12))
            model.add("car", CHROME, wheel((x, 0.61 * side, 0.27), 0.14, 0.18, 8))
        for color, (x, y, z), (length, width, height) in (
            (LIGHT, (1.15, 0.4, 0.58), (0.1, 0.18, 0.12)),
            (REAR, (-1.15, 0.46, 0.69), (0.1, 0.14, 0.18)),
            (DARK, (0.55, 0.7, 0.93), (0.1, 0.1, 0.1)),
        ):
            middle, half = np.array([x, y * side, z]), 0.5 * np.array([length, width, height])
            model.add("car", color, box(middle - half, middle + half))
    model.add("car", DARK, box((1.15, -0.22, 0.42), (1.215, 0.22, 0.52)))
    return model


def car_body() -> Model:
    """Return a hull around the car that is short and narrow below its bumpers."""
    rows = [
        (-1.15, 0.8, 0.45, 0.12), (-0.85, 0.87, 0.7, 0.48), (0.0, 0.88, 0.76, 0.66),
        (0.85, 0.78, 0.7, 0.32), (1.12, 0.75, 0.45, 0.1),
    ]  # fmt: skip
    model = Model()
    model.add("body", "#808080", barrel(rows, 6))
    return model


def _hull(rows: list[tuple[float, float, float, float]]) -> TriangleMesh:
    """Return a solid along x through rows (x, half width, bottom, top), its edges cut."""
    return outward(loft([_section(*row) for row in rows]))


def _section(x: float, half: float, bottom: float, top: float) -> Float:
    """Return an eight-sided ring (8, 3) across the x axis."""
    cut = 0.28 * min(half, top - bottom)
    outline = [
        (half, bottom + cut), (half, top - cut), (half - cut, top), (-half + cut, top),
        (-half, top - cut), (-half, bottom + cut), (-half + cut, bottom), (half - cut, bottom),
    ]  # fmt: skip
    return np.array([(x, y, z) for y, z in outline])
