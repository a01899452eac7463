"""Animals: sheep, wolf, bird and fish; the visual mesh and the body mesh of each, facing +x."""

import numpy as np

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models.limbs import barrel, limb
from rmp3d.models.quadrupeds import (
    FOUR_BEAT,
    SIDES,
    TROT,
    Anatomy,
    Gait,
    add_gaits,
    leg_weights,
    quadruped,
)
from rmp3d.models.rigging import PHASES, RiggedModel, Turn, chain
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import loft, outward

WOOL, FACE, HOOF = "#e9e2d0", "#3a332e", "#2a2522"
COAT, BACK, BELLY = "#8b8880", "#5f5d58", "#b9b3a6"
WING, BREAST, BEAK = "#4a5a70", "#e8e4da", "#e0952b"
SCALES, PALE, FIN, EYE = "#e8862c", "#f2e3c8", "#3b4a6b", "#1b1d22"


def sheep() -> RiggedModel:
    """Return a sheep 1.1 m long and 0.85 m tall that walks, runs and grazes in its clips."""
    gait = Gait(FOUR_BEAT, (0.62, 0.75), (1.5, 3.6), 0.006, 0.04)
    build = Anatomy(
        (0.0, 0.57), (0.14, 0.6), (0.4, 0.75), (-0.48, 0.6),
        ((0.22, 0.49), (0.235, 0.27), (0.22, 0.05)),
        ((-0.24, 0.49), (-0.27, 0.29), (-0.24, 0.05)), 0.12,
    )  # fmt: skip
    model = quadruped(build, gait, (0.034, 0.042))
    model.look()
    fleece = [
        (-0.5, 0.57, 0.1, 0.11), (-0.43, 0.57, 0.19, 0.19), (-0.12, 0.56, 0.245, 0.225),
        (0.2, 0.57, 0.235, 0.22), (0.34, 0.6, 0.16, 0.17), (0.39, 0.62, 0.09, 0.11),
    ]  # fmt: skip
    model.add(WOOL, barrel(fleece, 9), "trunk")
    neck = [(0.22, 0.64, 0.12, 0.13), (0.37, 0.72, 0.11, 0.12), (0.43, 0.77, 0.07, 0.07)]
    model.add(WOOL, barrel(neck, 7), chain(("head", "neck"), (0.4,), 0.04, 0))
    head = [(0.38, 0.75, 0.07, 0.075), (0.47, 0.72, 0.062, 0.07), (0.585, 0.655, 0.035, 0.04)]
    model.add(FACE, barrel(head, 6), "head")
    for side, sign in SIDES:
        ear = [((0.4, 0.05 * sign, 0.79), 0.02, 0.012), ((0.385, 0.15 * sign, 0.755), 0.03, 0.012)]
        model.add(FACE, outward(limb(ear)), "head")
        for end, x, knee in (("fore", 0.22, 0.012), ("hind", -0.24, -0.02)):
            y, name = 0.12 * sign, f"{side} {end}"
            rows = [((x, y, 0.05), 0.032, 0.03), ((x + knee, y, 0.27), 0.038, 0.034),
                    ((x, y, 0.48), 0.055, 0.05)]  # fmt: skip
            model.add(FACE, limb(rows), leg_weights(name, 0.27, 0.06, 0.05))
            hoof = [((x, y, 0.0), 0.042, 0.036), ((x, y, 0.07), 0.034, 0.031)]
            model.add(HOOF, limb(hoof), f"{name} foot")
    tail = [((-0.55, 0.0, 0.4), 0.022, 0.022), ((-0.5, 0.0, 0.6), 0.035, 0.04)]
    model.add(WOOL, limb(tail), "tail")
    for wool, face in (("#d9cdb4", "#2c2622"), ("#f2eee4", "#cfc4b4"), ("#b8a48c", "#3a2d26")):
        model.also({WOOL: wool, FACE: face})
    turn = 2.0 * np.pi * np.arange(PHASES) / PHASES
    add_gaits(model, gait, {"neck": 0.06 * np.sin(turn), "head": 0.05 * np.cos(turn)}, 0.1)
    graze: dict[str, Turn] = {
        "trunk": (0.0, 0.09, 0.0),
        "neck": (0.0, 1.12, 0.15 * np.sin(turn)),
        "head": (0.0, 0.1 + 0.07 * np.sin(4.0 * turn), 0.1 * np.cos(turn)),
        "tail": (0.0, 0.0, 0.12 * np.sin(2.0 * turn)),
    }
    model.clip("graze", 6.0, graze, (0.0, 0.0, -0.015), duty=1.0)
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


def wolf() -> RiggedModel:
    """Return a wolf 1.3 m long and 0.95 m tall to its ears that trots and runs in its clips."""
    gait = Gait(TROT, (1.0, 1.7), (2.3, 4.8), 0.012, 0.03)
    build = Anatomy(
        (0.0, 0.62), (0.24, 0.67), (0.4, 0.83), (-0.49, 0.64),
        ((0.21, 0.56), (0.225, 0.29), (0.21, 0.045)),
        ((-0.265, 0.57), (-0.31, 0.27), (-0.265, 0.045)), 0.085,
    )  # fmt: skip
    model = quadruped(build, gait, (0.0245, 0.075))
    model.look()
    trunk = [
        (-0.5, 0.62, 0.06, 0.07), (-0.42, 0.63, 0.115, 0.12), (-0.15, 0.62, 0.115, 0.12),
        (0.15, 0.61, 0.135, 0.17), (0.32, 0.63, 0.11, 0.15), (0.38, 0.66, 0.06, 0.09),
    ]  # fmt: skip
    model.add(COAT, barrel(trunk), "trunk")
    saddle = [(-0.46, 0.7, 0.05, 0.03), (-0.1, 0.72, 0.075, 0.045), (0.3, 0.75, 0.07, 0.05)]
    model.add(BACK, barrel(saddle, 6), "trunk")
    neck = [(0.22, 0.67, 0.1, 0.13), (0.36, 0.77, 0.085, 0.105), (0.43, 0.82, 0.07, 0.075)]
    model.add(COAT, barrel(neck, 7), chain(("head", "neck"), (0.4,), 0.03, 0))
    model.add(COAT, barrel([(0.39, 0.84, 0.08, 0.085), (0.53, 0.81, 0.07, 0.062)], 7), "head")
    muzzle = [(0.51, 0.8, 0.042, 0.045), (0.66, 0.775, 0.028, 0.03)]
    model.add(BELLY, barrel(muzzle, 6), "head")
    nose = [(0.655, 0.782, 0.02, 0.018), (0.68, 0.78, 0.012, 0.012)]
    model.add(FACE, barrel(nose, 6), "head")
    for side, sign in SIDES:
        ear = [
            ((0.42, 0.05 * sign, 0.89), 0.022, 0.032),
            ((0.41, 0.056 * sign, 0.985), 0.005, 0.007),
        ]
        model.add(BACK, limb(ear), "head")
        for end, x, knee, thick in (("fore", 0.21, 0.012, 0.055), ("hind", -0.265, -0.04, 0.08)):
            y, name = 0.085 * sign, f"{side} {end}"
            rows = [((x, y, 0.04), 0.027, 0.026), ((x + knee, y, 0.28), 0.035, 0.033),
                    ((x, y, 0.58), thick, 0.05)]  # fmt: skip
            model.add(COAT, limb(rows), leg_weights(name, 0.28, 0.05, 0.05))
            paw = [((x + 0.02, y, 0.0), 0.055, 0.04), ((x, y, 0.06), 0.033, 0.03)]
            model.add(BELLY, limb(paw), f"{name} foot")
    tail = [
        ((-0.59, 0.0, 0.26), 0.015, 0.012), ((-0.58, 0.0, 0.41), 0.05, 0.045),
        ((-0.49, 0.0, 0.64), 0.04, 0.035),
    ]  # fmt: skip
    model.add(BACK, limb(tail), "tail")
    for coat, back in (("#a39a88", "#6b6152"), ("#5c5a58", "#38373a"), ("#b8ada0", "#85796a")):
        model.also({COAT: coat, BACK: back})
    turn = 2.0 * np.pi * np.arange(PHASES) / PHASES
    add_gaits(model, gait, {"neck": 0.05 * np.sin(turn), "head": 0.05 * np.cos(turn)}, 0.12)
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


def bird() -> RiggedModel:
    """Return a swallow-like bird, 0.68 m across its wings, that beats them and glides."""
    joints: dict[str, tuple[str | None, tuple[float, float, float]]] = {
        "trunk": (None, (0.0, 0.0, 0.0))
    }
    for side, sign in SIDES:
        joints[f"{side} wing"] = "trunk", (0.03, 0.035 * sign, 0.03)
        joints[f"{side} tip"] = f"{side} wing", (0.02, 0.18 * sign, 0.03)
    model = RiggedModel(joints)
    model.look()
    trunk = [
        (-0.2, 0.0, 0.02, 0.012), (-0.08, 0.0, 0.05, 0.045), (0.06, 0.0, 0.055, 0.052),
        (0.15, 0.015, 0.04, 0.042), (0.21, 0.02, 0.028, 0.03),
    ]  # fmt: skip
    model.add(BREAST, barrel(trunk), "trunk")
    back = [(-0.14, 0.035, 0.02, 0.012), (0.17, 0.05, 0.03, 0.02)]
    model.add(WING, barrel(back, 6), "trunk")
    beak = [(0.2, 0.018, 0.014, 0.012), (0.27, 0.012, 0.004, 0.004)]
    model.add(BEAK, barrel(beak, 5), "trunk")
    for side, sign in SIDES:
        parts, cuts = ("tip", "wing", "trunk"), (0.18, 0.04)
        names = [each if each == "trunk" else f"{side} {each}" for each in parts]
        if sign < 0.0:
            names, cuts = names[::-1], (-0.04, -0.18)
        model.add(WING, _wing(sign), chain(names, cuts, 0.03, 1))
        fork = [(-0.14, 0.005 * sign), (-0.14, 0.035 * sign), (-0.32, 0.075 * sign)]
        model.add(WING, _plate(fork, 0.0, 0.008), "trunk")
    model.also({WING: "#5a5148", BREAST: "#d9b48a"})
    model.also({WING: "#33405c", BREAST: "#f4f0e6"})
    turn = 2.0 * np.pi * np.arange(PHASES) / PHASES
    beat, lag = 0.75 * np.cos(turn) + 0.1, 0.55 * np.cos(turn - 0.9)
    turns: dict[str, Turn] = {}
    glide: dict[str, Turn] = {}
    for side, sign in SIDES:
        turns[f"{side} wing"] = sign * beat, 0.12 * np.sin(turn), 0.0
        turns[f"{side} tip"] = sign * lag, 0.0, -0.1 * sign * (1.0 - np.cos(turn))
        glide[f"{side} wing"] = sign * (0.14 + 0.02 * np.sin(turn)), 0.0, 0.0
        glide[f"{side} tip"] = -0.1 * sign, 0.0, -0.25 * sign
    model.clip("fly", 0.3, turns, (0.0, 0.0, -0.02 * np.cos(turn)))
    model.clip("glide", 1.0, glide)
    return model


def bird_body() -> Model:
    """Return a flat diamond from wing tip to wing tip and from beak to tail, in the sphere."""
    model = Model()
    rows = [(-0.31, 0.0, 0.05, 0.02), (0.0, 0.015, 0.345, 0.06), (0.26, 0.01, 0.03, 0.03)]
    model.add("body", "#808080", barrel(rows))
    return model


def fish() -> RiggedModel:
    """Return a reef fish 0.6 m long, taller than wide, that swims with its tail."""
    model = RiggedModel(
        {"head": (None, (0.08, 0.0, 0.0)), "mid": ("head", (-0.02, 0.0, 0.0)),
         "tail": ("mid", (-0.15, 0.0, 0.0))}
    )  # fmt: skip
    model.look()
    bend = chain(("head", "mid", "tail"), (0.0, -0.15), 0.06, 0)
    trunk = [
        (-0.2, 0.0, 0.018, 0.04), (-0.1, 0.0, 0.05, 0.095), (0.03, 0.0, 0.078, 0.135),
        (0.15, -0.005, 0.072, 0.115), (0.24, -0.01, 0.045, 0.07), (0.29, -0.015, 0.02, 0.028),
    ]  # fmt: skip
    model.add(SCALES, barrel(trunk, 10), bend)
    model.add(PALE, barrel([(-0.06, -0.075, 0.035, 0.03), (0.18, -0.07, 0.045, 0.03)], 6), bend)
    model.add(PALE, barrel([(0.155, 0.0, 0.0755, 0.108), (0.185, 0.0, 0.068, 0.1)], 10), bend)
    tail = [(-0.19, 0.03), (-0.19, -0.03), (-0.3, -0.11), (-0.26, 0.0), (-0.3, 0.11)]
    model.add(FIN, _fin(tail, 0.0, 0.0), bend)
    back = [(-0.12, 0.08), (0.1, 0.12), (0.02, 0.19), (-0.13, 0.15)]
    model.add(FIN, _fin(back[::-1], 0.0, 0.0), bend)
    belly = [(-0.12, -0.08), (0.0, -0.12), (-0.05, -0.17), (-0.13, -0.13)]
    model.add(FIN, _fin(belly, 0.0, 0.0), bend)
    for side in (1.0, -1.0):
        breast = [(0.11, -0.03), (0.1, -0.065), (-0.03, -0.1), (0.0, -0.04)]
        model.add(FIN, _fin(breast, 0.065 * side, 0.075 * side), bend)
        eye = [(0.205, 0.028, 0.012, 0.012), (0.235, 0.028, 0.012, 0.012)]
        rings = barrel(eye, 6)
        model.add(EYE, rings.transformed(translation=np.array([0.0, 0.048 * side, 0.0])), bend)
    for scales, fin in (("#2f86c9", "#1f3f73"), ("#d9b52f", "#5a4a2a"), ("#c94f86", "#4a2a5f")):
        model.also({SCALES: scales, FIN: fin})
    turn = 2.0 * np.pi * np.arange(PHASES) / PHASES
    stroke = {
        "head": (0.0, 0.0, 0.07 * np.cos(turn)),
        "mid": (0.0, 0.0, 0.2 * np.cos(turn - 1.1)),
        "tail": (0.0, 0.0, 0.45 * np.cos(turn - 2.0)),
    }
    model.clip("swim", 0.55, stroke, stride=0.5)
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
