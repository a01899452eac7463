"""Animals: sheep, wolf, bird and fish; the visual mesh and the body mesh of each, facing +x."""

import numpy as np

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models.limbs import barrel, limb
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import loft, outward

WOOL, FACE, HOOF = "#e9e2d0", "#3a332e", "#2a2522"
COAT, BACK, BELLY = "#8b8880", "#5f5d58", "#b9b3a6"
WING, BREAST, BEAK = "#4a5a70", "#e8e4da", "#e0952b"
SCALES, PALE, FIN, EYE = "#e8862c", "#f2e3c8", "#3b4a6b", "#1b1d22"


def sheep() -> Model:
    """Return a sheep 1.1 m long and 0.85 m tall, walking."""
    model = Model()
    fleece = [
        (-0.5, 0.57, 0.1, 0.11), (-0.43, 0.57, 0.19, 0.19), (-0.12, 0.56, 0.245, 0.225),
        (0.2, 0.57, 0.235, 0.22), (0.34, 0.6, 0.16, 0.17), (0.39, 0.62, 0.09, 0.11),
    ]  # fmt: skip
    model.add("sheep", WOOL, barrel(fleece, 9))
    neck = [(0.26, 0.65, 0.12, 0.13), (0.37, 0.72, 0.11, 0.12), (0.43, 0.77, 0.07, 0.07)]
    model.add("sheep", WOOL, barrel(neck, 7))
    head = [(0.38, 0.75, 0.07, 0.075), (0.47, 0.72, 0.062, 0.07), (0.585, 0.655, 0.035, 0.04)]
    model.add("sheep", FACE, barrel(head, 6))
    for side in (1.0, -1.0):
        ear = [((0.4, 0.05 * side, 0.79), 0.02, 0.012), ((0.385, 0.15 * side, 0.755), 0.03, 0.012)]
        model.add("sheep", FACE, outward(limb(ear)))
        for x, stride in ((0.22, 0.05 * side), (-0.24, -0.05 * side)):
            y = 0.12 * side
            leg = [((x + stride, y, 0.05), 0.032, 0.03), ((x, y, 0.46), 0.05, 0.045)]
            model.add("sheep", FACE, limb(leg))
            hoof = [((x + stride, y, 0.0), 0.042, 0.036), ((x + stride, y, 0.07), 0.034, 0.031)]
            model.add("sheep", HOOF, limb(hoof))
    tail = [((-0.55, 0.0, 0.4), 0.022, 0.022), ((-0.5, 0.0, 0.6), 0.035, 0.04)]
    model.add("sheep", WOOL, limb(tail))
    return model


def sheep_body() -> Model:
    """Return a barrel around the fleece and most of the legs, inside the capsule."""
    rows = [
        (-0.45, 0.56, 0.12, 0.12), (-0.33, 0.5, 0.24, 0.27), (0.28, 0.5, 0.24, 0.28),
        (0.44, 0.62, 0.1, 0.14),
    ]  # fmt: skip
    model = Model()
    model.add("body", "#808080", barrel(rows))
    return model


def wolf() -> Model:
    """Return a wolf 1.3 m long and 0.95 m tall to its ears, trotting."""
    model = Model()
    trunk = [
        (-0.5, 0.62, 0.06, 0.07), (-0.42, 0.63, 0.115, 0.12), (-0.15, 0.62, 0.115, 0.12),
        (0.15, 0.61, 0.135, 0.17), (0.32, 0.63, 0.11, 0.15), (0.38, 0.66, 0.06, 0.09),
    ]  # fmt: skip
    model.add("wolf", COAT, barrel(trunk))
    saddle = [(-0.46, 0.7, 0.05, 0.03), (-0.1, 0.72, 0.075, 0.045), (0.3, 0.75, 0.07, 0.05)]
    model.add("wolf", BACK, barrel(saddle, 6))
    neck = [(0.22, 0.67, 0.1, 0.13), (0.36, 0.77, 0.085, 0.105), (0.43, 0.82, 0.07, 0.075)]
    model.add("wolf", COAT, barrel(neck, 7))
    model.add("wolf", COAT, barrel([(0.39, 0.84, 0.08, 0.085), (0.53, 0.81, 0.07, 0.062)], 7))
    model.add("wolf", BELLY, barrel([(0.51, 0.8, 0.042, 0.045), (0.66, 0.775, 0.028, 0.03)], 6))
    model.add("wolf", FACE, barrel([(0.655, 0.782, 0.02, 0.018), (0.68, 0.78, 0.012, 0.012)], 6))
    for side in (1.0, -1.0):
        ear = [
            ((0.42, 0.05 * side, 0.89), 0.022, 0.032),
            ((0.41, 0.056 * side, 0.985), 0.005, 0.007),
        ]
        model.add("wolf", BACK, limb(ear))
        for x, stride, thick in ((0.21, 0.06 * side, 0.055), (-0.265, -0.06 * side, 0.075)):
            y, knee = 0.085 * side, x + 0.4 * stride - (0.05 if x < 0 else 0.0)
            leg = [
                ((x + stride, y, 0.04), 0.027, 0.026), ((knee, y, 0.27), 0.035, 0.033),
                ((x, y, 0.58), thick, 0.05),
            ]  # fmt: skip
            model.add("wolf", COAT, limb(leg))
            paw = [((x + stride + 0.02, y, 0.0), 0.055, 0.04), ((x + stride, y, 0.06), 0.033, 0.03)]
            model.add("wolf", BELLY, limb(paw))
    tail = [
        ((-0.59, 0.0, 0.26), 0.015, 0.012), ((-0.58, 0.0, 0.41), 0.05, 0.045),
        ((-0.49, 0.0, 0.64), 0.04, 0.035),
    ]  # fmt: skip
    model.add("wolf", BACK, limb(tail))
    return model


def wolf_body() -> Model:
    """Return a barrel around trunk, head and most of the legs, inside the capsule."""
    rows = [
        (-0.5, 0.6, 0.12, 0.14), (-0.36, 0.52, 0.15, 0.3), (0.34, 0.52, 0.15, 0.32),
        (0.53, 0.76, 0.08, 0.11),
    ]  # fmt: skip
    model = Model()
    model.add("body", "#808080", barrel(rows))
    return model


def bird() -> Model:
    """Return a swallow-like bird, 0.68 m across its wings, gliding."""
    model = Model()
    trunk = [
        (-0.2, 0.0, 0.02, 0.012), (-0.08, 0.0, 0.05, 0.045), (0.06, 0.0, 0.055, 0.052),
        (0.15, 0.015, 0.04, 0.042), (0.21, 0.02, 0.028, 0.03),
    ]  # fmt: skip
    model.add("bird", BREAST, barrel(trunk))
    model.add("bird", WING, barrel([(-0.14, 0.035, 0.02, 0.012), (0.17, 0.05, 0.03, 0.02)], 6))
    model.add("bird", BEAK, barrel([(0.2, 0.018, 0.014, 0.012), (0.27, 0.012, 0.004, 0.004)], 5))
    for side in (1.0, -1.0):
        model.add("bird", WING, _wing(side))
        fork = [(-0.14, 0.005 * side), (-0.14, 0.035 * side), (-0.32, 0.075 * side)]
        model.add("bird", WING, _plate(fork, 0.0, 0.008))
    return model


def bird_body() -> Model:
    """Return a flat diamond from wing tip to wing tip and from beak to tail, in the sphere."""
    model = Model()
    rows = [(-0.31, 0.0, 0.05, 0.02), (0.0, 0.015, 0.345, 0.06), (0.26, 0.01, 0.03, 0.03)]
    model.add("body", "#808080", barrel(rows))
    return model


def fish() -> Model:
    """Return a reef fish 0.6 m long, taller than wide, in mid-stroke of its tail."""
    model = Model()
    trunk = [
        (-0.2, 0.0, 0.018, 0.04), (-0.1, 0.0, 0.05, 0.095), (0.03, 0.0, 0.078, 0.135),
        (0.15, -0.005, 0.072, 0.115), (0.24, -0.01, 0.045, 0.07), (0.29, -0.015, 0.02, 0.028),
    ]  # fmt: skip
    model.add("fish", SCALES, barrel(trunk, 10))
    model.add("fish", PALE, barrel([(-0.06, -0.075, 0.035, 0.03), (0.18, -0.07, 0.045, 0.03)], 6))
    model.add("fish", PALE, barrel([(0.155, 0.0, 0.0755, 0.108), (0.185, 0.0, 0.068, 0.1)], 10))
    tail = [(-0.19, 0.03), (-0.19, -0.03), (-0.3, -0.11), (-0.26, 0.0), (-0.3, 0.11)]
    model.add("fish", FIN, _fin(tail, 0.0, -0.03))
    back = [(-0.12, 0.08), (0.1, 0.12), (0.02, 0.19), (-0.13, 0.15)]
    model.add("fish", FIN, _fin(back[::-1], 0.0, 0.0))
    belly = [(-0.12, -0.08), (0.0, -0.12), (-0.05, -0.17), (-0.13, -0.13)]
    model.add("fish", FIN, _fin(belly, 0.0, 0.0))
    for side in (1.0, -1.0):
        breast = [(0.11, -0.03), (0.1, -0.065), (-0.03, -0.1), (0.0, -0.04)]
        model.add("fish", FIN, _fin(breast, 0.065 * side, 0.075 * side))
        eye = [(0.205, 0.028, 0.012, 0.012), (0.235, 0.028, 0.012, 0.012)]
        rings = barrel(eye, 6)
        model.add("fish", EYE, rings.transformed(translation=np.array([0.0, 0.048 * side, 0.0])))
    return model


def fish_body() -> Model:
    """Return a spindle that is taller than wide, in the sphere."""
    model = Model()
    rows = [(-0.31, 0.0, 0.02, 0.07), (0.03, 0.0, 0.11, 0.19), (0.29, 0.0, 0.02, 0.03)]
    model.add("body", "#808080", barrel(rows))
    return model


def _fin(outline: list[tuple[float, float]], y: float, sweep: float) -> TriangleMesh:
    """Return a thin upright plate over an outline in x and z, its rear moved sideways."""
    corners = np.array(outline)
    rear = corners[:, 0].max() - corners[:, 0]
    aside = y + sweep * rear / max(float(rear.max()), 1e-9)
    rings = [np.stack([corners[:, 0], aside + thick, corners[:, 1]], 1) for thick in (0.0, 0.008)]
    return outward(loft(np.array(rings)))


def _wing(side: float) -> TriangleMesh:
    """Return a swept wing: chords (x of both edges, y, z) from the shoulder to the tip."""
    chords = [(-0.05, 0.12, 0.035, 0.02), (-0.05, 0.13, 0.16, 0.05), (-0.13, -0.06, 0.335, 0.035)]
    rings = []
    for back, front, y, z in chords:
        middle = 0.5 * (back + front)
        ring = [(back, z), (middle, z - 0.01), (front, z), (middle, z + 0.014)]
        rings.append([(x, side * y, up) for x, up in ring])
    return outward(loft(rings))


def _plate(outline: list[tuple[float, float]], z: float, thick: float) -> TriangleMesh:
    """Return a thin plate over an outline in x and y."""
    rings = [[(x, y, at) for x, y in outline] for at in (z, z + thick)]
    return outward(loft(np.array(rings)))
