"""What stands in streets and yards: cars, motorcycles, trees, lamps, benches, buildings."""

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import (
    blob,
    box,
    frustum,
    loft,
    panel,
    quad,
    rod,
    sheet,
    turned,
)

GLASS, TIRE, CHROME, WOOD = "#2f4858", "#1d1e20", "#b9bec4", "#8a6242"


def wheel(center: ArrayLike, radius: float, width: float, sides: int = 10) -> TriangleMesh:
    """Return a wheel that rolls along x."""
    x, y, z = np.asarray(center, float)
    return rod((x, y - width / 2, z), (x, y + width / 2, z), radius, sides)


def car(paint: str) -> Model:
    """Return a car 4.3 m long that heads along x, middle of its footprint at the origin."""
    model = Model()
    half = 0.87
    side = [(-2.12, 0.2), (2.12, 0.2), (2.15, 0.55), (1.95, 0.78), (0.95, 0.95), (-1.95, 0.98)]
    side += [(-2.15, 0.6)]
    rings = [[(x, y, z) for x, z in side] for y in (half, -half)]
    model.add("", paint, loft(rings))
    cabin = frustum((-1.75, -0.8, 1.05, 0.8), (-1.2, -0.62, 0.2, 0.62), 0.94, 1.47)
    model.add("", paint, cabin)
    for window in _car_windows():
        model.add(" trim", GLASS, window)
    for x in (-1.3, 1.32):
        for y in (-0.8, 0.8):
            model.add(" trim", TIRE, wheel((x, y, 0.32), 0.32, 0.2, 12))
            model.add(" trim", CHROME, wheel((x, y * 1.005, 0.32), 0.17, 0.205, 8))
    front = [(2.12, -half, 0.2), (2.12, half, 0.2), (2.15, half, 0.55), (2.15, -half, 0.55)]
    back = [(-2.12, half, 0.2), (-2.12, -half, 0.2), (-2.15, -half, 0.6), (-2.15, half, 0.6)]
    for u in ((0.03, 0.25), (0.75, 0.97)):
        model.add(" trim", "#f3efd2", panel(front, u, (0.62, 0.95)))
        model.add(" trim", "#a52a2a", panel(back, u, (0.6, 0.92)))
    model.add(" trim", "#26282b", panel(front, (0.3, 0.7), (0.5, 0.9)))
    model.add(" trim", "#e6e6e0", panel(back, (0.36, 0.64), (0.35, 0.6)))
    return model


def _car_windows() -> list[TriangleMesh]:
    """Return the windows: front, back, and two on each side."""
    low = [(-1.75, -0.8, 0.94), (1.05, -0.8, 0.94), (1.05, 0.8, 0.94), (-1.75, 0.8, 0.94)]
    high = [(-1.2, -0.62, 1.47), (0.2, -0.62, 1.47), (0.2, 0.62, 1.47), (-1.2, 0.62, 1.47)]
    faces = [(low[k], low[(k + 1) % 4], high[(k + 1) % 4], high[k]) for k in range(4)]
    windows = [panel(faces[k], (0.06, 0.94), (0.1, 0.92)) for k in (1, 3)]
    for k in (0, 2):
        windows += [panel(faces[k], u, (0.12, 0.9)) for u in ((0.06, 0.48), (0.52, 0.94))]
    return windows


def motorcycle(paint: str) -> Model:
    """Return a motorcycle 2.1 m long that heads along x, leaning on nothing."""
    model = Model()
    for x in (-0.72, 0.74):
        model.add("", TIRE, wheel((x, 0.0, 0.31), 0.31, 0.13, 12))
        model.add("", CHROME, wheel((x, 0.0, 0.31), 0.16, 0.16, 8))
    model.add(
        "", "#55585c", frustum((-0.3, -0.16, 0.35, 0.16), (-0.22, -0.13, 0.28, 0.13), 0.2, 0.6)
    )
    tank = [(-0.12, 0.66), (0.4, 0.66), (0.46, 0.8), (0.3, 0.95), (-0.05, 0.88)]
    model.add("", paint, loft([[(x, y, z) for x, z in tank] for y in (0.17, -0.17)]))
    seat = [(-0.85, 0.72), (-0.1, 0.68), (-0.1, 0.78), (-0.5, 0.8), (-0.9, 0.9)]
    model.add("", "#2b2320", loft([[(x, y, z) for x, z in seat] for y in (0.14, -0.14)]))
    tail = [(-1.0, 0.62), (-0.55, 0.6), (-0.5, 0.71), (-0.98, 0.84)]
    model.add("", paint, loft([[(x, y, z) for x, z in tail] for y in (0.1, -0.1)]))
    for y in (-0.1, 0.1):
        model.add("", CHROME, rod((0.74, y, 0.31), (0.45, y, 1.02), 0.03))
        model.add("", "#6b6f74", rod((-0.72, y, 0.31), (-0.2, y, 0.4), 0.03))
    model.add("", CHROME, rod((-0.95, -0.2, 0.36), (0.05, -0.2, 0.28), 0.055))
    model.add("", "#2b2d30", rod((0.4, -0.36, 1.06), (0.4, 0.36, 1.06), 0.028))
    model.add("", paint, frustum((0.44, -0.14, 0.62, 0.14), (0.46, -0.1, 0.58, 0.1), 0.84, 1.1))
    model.add(
        " trim",
        "#f3efd2",
        quad((0.63, -0.08, 0.9), (0.63, 0.08, 0.9), (0.61, 0.07, 1.0), (0.61, -0.07, 1.0)),
    )
    model.add(
        " trim",
        "#a52a2a",
        quad((-1.01, 0.06, 0.72), (-1.01, -0.06, 0.72), (-1.0, -0.06, 0.8), (-1.0, 0.06, 0.8)),
    )
    return model


def tree(rng: np.random.Generator, height: float = 5.0) -> Model:
    """Return a broad-leaved tree in a square of soil."""
    model = Model()
    crown = height * 0.55
    model.add("", "#6d4f36", turned([(0.17, 0.0), (0.12, 0.5 * height)], 6))
    greens = ["#4f7942", "#5a8a4a", "#476f3c"]
    low = blob((0.0, 0.0, height - crown * 0.62), (1.35, 1.35, crown * 0.45), rng)
    high = blob((0.25, -0.15, height - crown * 0.18), (0.9, 0.95, crown * 0.36), rng)
    model.add(" crown", greens[int(rng.integers(3))], low)
    model.add(" crown", greens[int(rng.integers(3))], high)
    model.add(" soil", "#5b4636", sheet(-0.6, -0.6, 0.6, 0.6, 0.02))
    return model


def lamp(height: float = 4.6) -> Model:
    """Return a street lamp whose arm points along x."""
    model = Model()
    model.add("", "#3c4248", turned([(0.14, 0.0), (0.1, 0.35), (0.06, 0.4), (0.045, height)], 8))
    model.add(" head", "#3c4248", rod((0.0, 0.0, height - 0.06), (1.1, 0.0, height + 0.1), 0.035))
    head = frustum((0.75, -0.16, 1.45, 0.16), (0.8, -0.1, 1.4, 0.1), height + 0.06, height + 0.18)
    model.add(" head", "#2f3439", head)
    z = height + 0.05
    glow = quad((0.8, 0.13, z), (1.4, 0.13, z), (1.4, -0.13, z), (0.8, -0.13, z))
    model.add(" head", "#fff2c4", glow)
    return model


def bench() -> Model:
    """Return a bench 1.6 m long, its back along x, facing -y."""
    model = Model()
    model.add("", WOOD, box((-0.8, -0.22, 0.4), (0.8, 0.2, 0.47)))
    back = [(0.19, 0.46), (0.27, 0.46), (0.34, 0.88), (0.28, 0.88)]
    rings = [[(x, y, z) for y, z in back] for x in (-0.8, 0.8)]
    model.add("", WOOD, loft(rings))
    for x in (-0.65, 0.55):
        model.add("", "#4a4d50", box((x, -0.2, 0.0), (x + 0.1, 0.18, 0.41)))
    return model


def block(lower: ArrayLike, upper: ArrayLike) -> tuple[TriangleMesh, dict[str, Float]]:
    """Return a box and its walls: the corners (4, 3) of each side, seen from outside."""
    (x0, y0, z0), (x1, y1, z1) = np.asarray(lower, float), np.asarray(upper, float)

    def wall(a: tuple[float, float], b: tuple[float, float]) -> Float:
        return np.array([(*a, z0), (*b, z0), (*b, z1), (*a, z1)])

    walls = {
        "south": wall((x0, y0), (x1, y0)),
        "east": wall((x1, y0), (x1, y1)),
        "north": wall((x1, y1), (x0, y1)),
        "west": wall((x0, y1), (x0, y0)),
    }
    return box(lower, upper), walls


def hedge(lower: ArrayLike, upper: ArrayLike) -> TriangleMesh:
    """Return a clipped hedge, narrower at its top."""
    (x0, y0, z0), (x1, y1, z1) = np.asarray(lower, float), np.asarray(upper, float)
    inset = 0.08
    return frustum((x0, y0, x1, y1), (x0 + inset, y0 + inset, x1 - inset, y1 - inset), z0, z1)
