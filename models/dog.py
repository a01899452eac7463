"""A herding dog: the visual mesh and the body mesh, facing +x."""

from rmp3d.models.limbs import barrel, limb
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import outward

BLACK, WHITE, NOSE, TAN, TONGUE = "#26241f", "#eeeae0", "#15130f", "#a8713c", "#c9656b"


def dog() -> Model:
    """Return a border collie 0.95 m long and 0.6 m tall, creeping with its head low."""
    model = Model()
    trunk = [
        (-0.34, 0.42, 0.05, 0.06), (-0.28, 0.42, 0.1, 0.1), (-0.08, 0.41, 0.105, 0.105),
        (0.14, 0.41, 0.12, 0.125), (0.24, 0.42, 0.1, 0.12), (0.3, 0.44, 0.05, 0.07),
    ]  # fmt: skip
    model.add("dog", BLACK, barrel(trunk))
    ruff = [(0.16, 0.42, 0.115, 0.12), (0.25, 0.44, 0.125, 0.135), (0.32, 0.475, 0.085, 0.095)]
    model.add("dog", WHITE, barrel(ruff, 9))
    neck = [(0.24, 0.46, 0.075, 0.09), (0.34, 0.5, 0.065, 0.075), (0.39, 0.52, 0.05, 0.055)]
    model.add("dog", BLACK, barrel(neck, 7))
    model.add("dog", BLACK, barrel([(0.33, 0.525, 0.065, 0.065), (0.45, 0.505, 0.055, 0.05)], 7))
    blaze = [(0.38, 0.562, 0.02, 0.02), (0.455, 0.53, 0.02, 0.02)]
    model.add("dog", WHITE, barrel(blaze, 5))
    model.add("dog", WHITE, barrel([(0.44, 0.495, 0.038, 0.038), (0.555, 0.47, 0.026, 0.026)], 6))
    model.add("dog", NOSE, barrel([(0.55, 0.482, 0.018, 0.016), (0.567, 0.48, 0.012, 0.012)], 5))
    model.add("dog", TONGUE, barrel([(0.49, 0.447, 0.014, 0.008), (0.55, 0.432, 0.012, 0.006)], 5))
    for side in (1.0, -1.0):
        ear = [
            ((0.35, 0.05 * side, 0.57), 0.022, 0.018),
            ((0.375, 0.075 * side, 0.625), 0.01, 0.01),
        ]
        model.add("dog", BLACK, outward(limb(ear)))
        model.add("dog", TAN, outward(limb([
            ((0.425, 0.05 * side, 0.515), 0.016, 0.008), ((0.43, 0.048 * side, 0.54), 0.012, 0.006),
        ])))  # fmt: skip
        for x, stride, thick in ((0.17, 0.07 * side, 0.045), (-0.24, -0.07 * side, 0.06)):
            y, knee = 0.07 * side, x + 0.4 * stride - (0.04 if x < 0 else 0.0)
            upper = [((knee, y, 0.19), 0.03, 0.028), ((x, y, 0.4), thick, 0.045)]
            model.add("dog", BLACK, limb(upper))
            foot = [
                ((x + stride, y, 0.03), 0.023, 0.022), ((knee, y, 0.195), 0.028, 0.026),
            ]  # fmt: skip
            model.add("dog", WHITE, limb(foot))
            paw = [
                ((x + stride + 0.015, y, 0.0), 0.042, 0.03),
                ((x + stride, y, 0.045), 0.026, 0.024),
            ]
            model.add("dog", WHITE, limb(paw))
    tail = [
        ((-0.44, 0.0, 0.21), 0.025, 0.022), ((-0.4, 0.0, 0.3), 0.045, 0.04),
        ((-0.32, 0.0, 0.44), 0.032, 0.03),
    ]  # fmt: skip
    model.add("dog", BLACK, limb(tail))
    tip = [((-0.49, 0.0, 0.195), 0.008, 0.008), ((-0.44, 0.0, 0.215), 0.026, 0.023)]
    model.add("dog", WHITE, limb(tip))
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
