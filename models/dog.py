"""A herding dog: the visual mesh and the body mesh, facing +x."""

import numpy as np

from rmp3d.models.limbs import barrel, limb
from rmp3d.models.quadrupeds import TROT, Anatomy, Gait, add_gaits, leg_weights, quadruped
from rmp3d.models.rigging import PHASES, RiggedModel, chain
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import outward

BLACK, WHITE, NOSE, TAN, TONGUE = "#26241f", "#eeeae0", "#15130f", "#a8713c", "#c9656b"


def dog() -> RiggedModel:
    """Return a border collie 0.95 m long and 0.6 m tall that trots and runs with its head low."""
    gait = Gait(TROT, (0.85, 2.2), (1.9, 6.0), 0.01, 0.03)
    build = Anatomy(
        (0.0, 0.42), (0.23, 0.45), (0.36, 0.51), (-0.32, 0.44),
        ((0.17, 0.39), (0.18, 0.2), (0.17, 0.032)),
        ((-0.24, 0.39), (-0.275, 0.19), (-0.24, 0.032)), 0.07,
    )  # fmt: skip
    model = quadruped(build, gait, (0.019, 0.057))
    model.look()
    trunk = [
        (-0.34, 0.42, 0.05, 0.06), (-0.28, 0.42, 0.1, 0.1), (-0.08, 0.41, 0.105, 0.105),
        (0.14, 0.41, 0.12, 0.125), (0.24, 0.42, 0.1, 0.12), (0.3, 0.44, 0.05, 0.07),
    ]  # fmt: skip
    model.add(BLACK, barrel(trunk), "trunk")
    ruff = [(0.16, 0.42, 0.115, 0.12), (0.25, 0.44, 0.125, 0.135), (0.32, 0.475, 0.085, 0.095)]
    model.add(WHITE, barrel(ruff, 9), "trunk")
    neck = [(0.24, 0.46, 0.075, 0.09), (0.34, 0.5, 0.065, 0.075), (0.39, 0.52, 0.05, 0.055)]
    model.add(BLACK, barrel(neck, 7), chain(("head", "neck"), (0.36,), 0.03, 0))
    model.add(BLACK, barrel([(0.33, 0.525, 0.065, 0.065), (0.45, 0.505, 0.055, 0.05)], 7), "head")
    blaze = [(0.38, 0.562, 0.02, 0.02), (0.455, 0.53, 0.02, 0.02)]
    model.add(WHITE, barrel(blaze, 5), "head")
    model.add(WHITE, barrel([(0.44, 0.495, 0.038, 0.038), (0.555, 0.47, 0.026, 0.026)], 6), "head")
    model.add(NOSE, barrel([(0.55, 0.482, 0.018, 0.016), (0.567, 0.48, 0.012, 0.012)], 5), "head")
    model.add(TONGUE, barrel([(0.49, 0.447, 0.014, 0.008), (0.55, 0.432, 0.012, 0.006)], 5), "head")
    for side in (1.0, -1.0):
        ear = [
            ((0.35, 0.05 * side, 0.57), 0.022, 0.018),
            ((0.375, 0.075 * side, 0.625), 0.01, 0.01),
        ]
        model.add(BLACK, outward(limb(ear)), "head")
        spot = [
            ((0.425, 0.05 * side, 0.515), 0.016, 0.008), ((0.43, 0.048 * side, 0.54), 0.012, 0.006),
        ]  # fmt: skip
        model.add(TAN, outward(limb(spot)), "head")
        for end, x, back, thick in (("fore", 0.17, 0.01, 0.045), ("hind", -0.24, -0.035, 0.06)):
            y, knee, name = 0.07 * side, x + back, f"{'left' if side > 0.0 else 'right'} {end}"
            bend = leg_weights(name, 0.195, 0.035, 0.03)
            upper = [((knee, y, 0.19), 0.03, 0.028), ((x, y, 0.4), thick, 0.045)]
            model.add(BLACK, limb(upper), bend)
            foot = [((x, y, 0.03), 0.023, 0.022), ((knee, y, 0.195), 0.028, 0.026)]
            model.add(WHITE, limb(foot), bend)
            paw = [((x + 0.015, y, 0.0), 0.042, 0.03), ((x, y, 0.045), 0.026, 0.024)]
            model.add(WHITE, limb(paw), f"{name} foot")
    tail = [
        ((-0.44, 0.0, 0.21), 0.025, 0.022), ((-0.4, 0.0, 0.3), 0.045, 0.04),
        ((-0.32, 0.0, 0.44), 0.032, 0.03),
    ]  # fmt: skip
    model.add(BLACK, limb(tail), "tail")
    tip = [((-0.49, 0.0, 0.195), 0.008, 0.008), ((-0.44, 0.0, 0.215), 0.026, 0.023)]
    model.add(WHITE, limb(tip), "tail")
    for coat, tan in (("#5a3d28", "#c9a06a"), ("#3f4247", "#8a8078"), ("#7a4a22", "#d8b27a")):
        model.also({BLACK: coat, TAN: tan})
    turn = 2.0 * np.pi * np.arange(PHASES) / PHASES
    add_gaits(model, gait, {"neck": 0.06 * np.sin(turn), "head": 0.04 * np.cos(turn)}, 0.3)
    return model


def dog_body() -> Model:
    """Return a barrel around trunk, head and most of the legs, inside the capsule."""
    rows = [
        (-0.38, 0.4, 0.08, 0.1), (-0.26, 0.34, 0.12, 0.2), (0.24, 0.36, 0.13, 0.22),
        (0.4, 0.48, 0.06, 0.08),
    ]  # fmt: skip
    model = Model()
    model.add("body", "#808080", barrel(rows))
    return model
