"""What stands in a water park: palms, sunshades, a slide, a fountain, a balloon, boats."""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, frustum, loft, outward, quad, rod, turned

WOOD, STEEL, WATER, FOAM = "#8a6242", "#c9ced2", "#58b7d6", "#dff3f8"
WICKER, ROPE = "#b98a55", "#5d5347"
GORES = ("#d8432f", "#f2b632", "#f6efe0", "#2f7fb5")


def palm(rng: np.random.Generator, height: float = 5.0) -> Model:
    """Return a palm whose trunk leans a little, with eight drooping leaves."""
    model = Model()
    lean = rng.uniform(-0.35, 0.35, 2)
    rings = []
    for share, radius in ((0.0, 0.2), (0.08, 0.15), (0.5, 0.11), (1.0, 0.1)):
        angle = (np.arange(7) + 0.5) * 2 * np.pi / 7
        middle = np.array([*(lean * share**2), height * share])
        circle = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
        rings.append(middle + radius * circle)
    model.add("", "#8c6d4b", loft(rings))
    top = np.array([*lean, height])
    turn = rng.uniform(0.0, 2 * np.pi)
    for k in range(8):
        color = ("#4f8a43", "#5d9a4c")[k % 2]
        model.add(" leaves", color, _leaf(top, turn + k * np.pi / 4, 1.7 + 0.25 * (k % 3)))
    nuts = turned([(0.05, -0.28), (0.24, -0.16), (0.16, 0.05)], 6)
    model.add(" leaves", "#6b5233", nuts.transformed(np.eye(3), top))
    return model


def _leaf(top: Float, angle: float, size: float) -> TriangleMesh:
    """Return a leaf, folded along its rib, that rises and then hangs."""
    ahead = np.array([np.cos(angle), np.sin(angle), 0.0])
    aside = np.array([-ahead[1], ahead[0], 0.0])
    rib, edges = [], []
    for share, rise, half in (
        (0.0, 0.0, 0.05),
        (0.35, 0.3, 0.24),
        (0.7, 0.2, 0.2),
        (1.0, -0.25, 0.02),
    ):
        point = top + ahead * size * share + (0.0, 0.0, rise)
        rib.append(point)
        edges.append((point + aside * half - (0, 0, 0.1), point - aside * half - (0, 0, 0.1)))
    pieces = []
    for k in range(3):
        pieces.append(quad(edges[k][0], rib[k], rib[k + 1], edges[k + 1][0]))
        pieces.append(quad(rib[k], edges[k][1], edges[k + 1][1], rib[k + 1]))
    vertices = np.concatenate([piece.vertices for piece in pieces])
    faces = np.concatenate([piece.faces + 4 * k for k, piece in enumerate(pieces)])
    return TriangleMesh(np.concatenate([vertices, vertices - (0, 0, 0.004)]),
                        np.concatenate([faces, faces[:, ::-1] + len(vertices)]))  # fmt: skip


def sunshade_table(cloth: str) -> Model:
    """Return a round table with four stools under a sunshade 2.2 m high."""
    model = Model()
    model.add("", "#e9e2d2", turned([(0.28, 0.0), (0.05, 0.04), (0.05, 0.7), (0.45, 0.72),
                                     (0.45, 0.76)], 10))  # fmt: skip
    model.add(" canopy", "#e9e2d2", rod((0.0, 0.0, 0.7), (0.0, 0.0, 2.45), 0.03))
    angle = np.arange(9) * 2 * np.pi / 8
    rim = np.stack([1.35 * np.cos(angle), 1.35 * np.sin(angle), np.full(9, 2.05)], axis=1)
    for k in range(8):
        gore = TriangleMesh(np.array([rim[k], rim[k + 1], (0, 0, 2.5)]), np.array([[0, 1, 2]]))
        under = TriangleMesh(gore.vertices - (0, 0, 0.01), gore.faces[:, ::-1])
        model.add(" canopy", (cloth, "#f7f2e6")[k % 2], gore, under)
    for k in range(4):
        a = np.pi / 4 + k * np.pi / 2
        seat = [(0.16, 0.0), (0.13, 0.4), (0.2, 0.42), (0.2, 0.46)]
        place = (0.85 * np.cos(a), 0.85 * np.sin(a))
        model.add(f" stool {k + 1}", WOOD, turned(seat, 8, place))
    return model


def slide_tower(turns: float, height: float = 5.0) -> Model:
    """Return a tower on four posts, and a chute that winds round it, out along x and down."""
    model = Model()
    for x in (-0.9, 0.9):
        for y in (-0.9, 0.9):
            post = box((x - 0.09, y - 0.09, 0.0), (x + 0.09, y + 0.09, height + 2.2))
            model.add(f" post {x:+.1f} {y:+.1f}", "#f1ece0", post)
    model.add(" deck", WOOD, box((-1.1, -1.1, height), (1.1, 1.1, height + 0.14)))
    model.add(" roof", "#d8432f", frustum((-1.4, -1.4, 1.4, 1.4), (-0.1, -0.1, 0.1, 0.1),
                                          height + 2.2, height + 3.2))  # fmt: skip
    for z in np.arange(0.4, height, 0.4):
        model.add(" ladder", STEEL, rod((-0.95, -0.3, z), (-0.95, 0.3, z), 0.03, 5))
    for y in (-0.3, 0.3):
        model.add(" ladder", STEEL, rod((-0.95, y, 0.0), (-0.95, y, height + 0.9), 0.035, 5))
    model.add(" chute", "#2f9ec4", _chute(turns, height))
    return model


def _chute(turns: float, height: float) -> TriangleMesh:
    """Return a closed trough that winds down round the z axis and runs out along its end."""
    rings = []
    steps = 40
    for k in range(steps + 1):
        share = k / steps
        angle = np.pi / 2 - 2 * np.pi * turns * share
        radius = 2.3 + 0.5 * share
        middle = np.array([radius * np.cos(angle), radius * np.sin(angle), 0.0])
        middle[2] = height * (1.0 - share) ** 1.15 - 0.35
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        outer = [(-0.55, 0.55), (-0.5, 0.05), (0.0, -0.1), (0.5, 0.05), (0.55, 0.55)]
        inner = [(0.47, 0.55), (0.42, 0.12), (0.0, -0.02), (-0.42, 0.12), (-0.47, 0.55)]
        rings.append([middle + out * a + (0.0, 0.0, z) for a, z in (*outer, *inner)])
    return outward(loft(rings))


def fountain() -> Model:
    """Return a round basin 3.6 m across with a bowl and a jet of water."""
    model = Model()
    rim = [(1.8, 0.0), (1.8, 0.45), (1.55, 0.45), (1.55, 0.3), (0.3, 0.3), (0.2, 1.3), (0.75, 1.5),
           (0.78, 1.6), (0.05, 1.55)]  # fmt: skip
    model.add("", "#d9d2c2", turned(rim, 16))
    for radius, z in ((1.55, 0.36), (0.72, 1.57)):
        model.add(" water", WATER, _disc(radius, z))
    model.add(" water", FOAM, turned([(0.06, 1.55), (0.1, 2.3), (0.03, 2.6)], 6))
    for k in range(6):
        a = k * np.pi / 3
        drop = rod((0.75 * np.cos(a), 0.75 * np.sin(a), 1.58),
                   (1.05 * np.cos(a), 1.05 * np.sin(a), 0.36), 0.035, 5)  # fmt: skip
        model.add(" water", FOAM, drop)
    return model


def _disc(radius: float, z: float, sides: int = 16) -> TriangleMesh:
    angle = np.arange(sides) * 2 * np.pi / sides
    rim = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full(sides, z)], axis=1)
    fan = np.array([[0, k, k + 1] for k in range(1, sides - 1)])
    return TriangleMesh(rim, fan)


def balloon() -> Model:
    """Return a hot-air balloon 13 m high, tethered, its basket on the ground at the origin."""
    model = Model()
    model.add(
        " basket", WICKER, frustum((-0.6, -0.6, 0.6, 0.6), (-0.72, -0.72, 0.72, 0.72), 0.0, 1.1)
    )
    rim = frustum((-0.78, -0.78, 0.78, 0.78), (-0.78, -0.78, 0.78, 0.78), 1.1, 1.2)
    model.add(" basket trim", "#7a5230", rim)
    for x in (-0.65, 0.65):
        for y in (-0.65, 0.65):
            model.add(
                " ropes", ROPE, rod((x, y, 1.2), (0.55 * x / 0.65, 0.55 * y / 0.65, 2.5), 0.03, 5)
            )
            model.add(
                " ropes", ROPE, rod((0.8 * x, 0.8 * y, 2.5), (1.1 * x, 1.1 * y, 4.3), 0.02, 5)
            )
            model.add(
                " ropes", ROPE, rod((1.1 * x, 1.1 * y, 1.1), (4.2 * x, 4.2 * y, 0.05), 0.02, 5)
            )
    model.add(" burner", STEEL, box((-0.35, -0.35, 2.4), (0.35, 0.35, 2.6)))
    profile = [(0.8, 4.2), (1.7, 5.4), (3.0, 7.2), (3.75, 9.0), (3.9, 10.2), (3.5, 11.6),
               (2.4, 12.7), (1.0, 13.3), (0.15, 13.4)]  # fmt: skip
    envelope = turned(profile, 24)
    center = envelope.triangles.mean(axis=1)
    # The rings' corners are half a side off the x axis; two sides make a gore.
    side = (np.arctan2(center[:, 1], center[:, 0]) / (2 * np.pi) % 1.0) * 24 - 0.5
    gore = np.floor(side / 2).astype(int)
    flat = np.abs(envelope.normals[:, 2]) > 0.999  # the mouth and the crown
    gore = np.where(flat, 0, gore % len(GORES))
    for row, color in enumerate(GORES):
        model.add(" envelope", color, envelope.select(gore == row))
    return model


def pedal_boat(paint: str) -> Model:
    """Return a pedal boat 2.4 m long with two seats, afloat at the origin's height."""
    model = Model()
    for y in (-0.5, 0.5):
        hull = [(-1.1, 0.0), (1.0, 0.0), (1.25, 0.35), (-1.15, 0.35)]
        model.add("", paint, loft([[(x, y + s, z) for x, z in hull] for s in (0.22, -0.22)]))
    model.add("", "#f4efe2", box((-1.0, -0.45, 0.2), (0.95, 0.45, 0.34)))
    for y in (-0.25, 0.25):
        model.add("", paint, box((-0.7, y - 0.2, 0.34), (-0.2, y + 0.2, 0.5)))
        model.add("", paint, box((-0.8, y - 0.2, 0.34), (-0.68, y + 0.2, 0.95)))
    return model
