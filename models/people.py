"""People: an adult and a child with bones, in several bodies and clothes, facing +x."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models.rigging import PHASES, RiggedModel, Turn, chain, leg
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import loft, turned

NECK = 1.52  # height of a person's [m]
SKIN, HAIR, SHIRT, TROUSERS, SHOES = "#d9a27c", "#3a2a20", "#d8573c", "#34466b", "#2b2723"
SIDES = (("left", 1.0), ("right", -1.0))
JOINTS = {
    "hips": (None, (0.0, 0.0, 0.92)),
    "spine": ("hips", (0.0, 0.0, 1.06)),
    "chest": ("spine", (0.0, 0.0, 1.22)),
    "neck": ("chest", (0.0, 0.0, 1.46)),
    "head": ("neck", (0.01, 0.0, 1.54)),
} | {
    f"{side} {name}": (above if above in ("hips", "chest") else f"{side} {above}", (x, y * sign, z))
    for side, sign in SIDES
    for name, above, (x, y, z) in (
        ("arm", "chest", (0.0, 0.185, 1.4)),
        ("forearm", "arm", (-0.01, 0.212, 1.13)),
        ("thigh", "hips", (0.0, 0.088, 0.89)),
        ("shin", "thigh", (0.012, 0.088, 0.485)),
        ("foot", "shin", (-0.012, 0.088, 0.085)),
    )
}


SEAT = 0.13
"""Height of the hips of somebody who sits on the ground [m]."""


class Style(NamedTuple):
    """How one of the people looks.

    Attributes:
        hair: ``short``, ``long``, ``bun`` or ``cap``.
        dress: ``trousers``, ``shorts`` or ``skirt``.
        girth: Width of the trunk and the limbs, of the usual one.
        sleeves: Whether the sleeves end at the hands, not at the elbows.
        colors: Of skin, hair, shirt, trousers and shoes.
    """

    hair: str
    dress: str
    girth: float
    sleeves: bool
    colors: tuple[str, str, str, str, str]


STYLES = (
    Style("short", "trousers", 1.0, False, (SKIN, HAIR, SHIRT, TROUSERS, SHOES)),
    Style("long", "trousers", 0.9, True, ("#e6bd9a", "#6b4426", "#a81c0a", "#2a2d33", "#5a3b2a")),
    Style("short", "shorts", 1.08, False, ("#8a5a3b", "#1a1614", "#ff9d66", "#8a7f63", "#e8e6e0")),
    Style("bun", "skirt", 0.92, True, ("#c98d66", "#23191a", "#e0603a", "#3b3f4f", "#3a2326")),
    Style("cap", "trousers", 1.12, True, ("#e3b48f", "#8c8479", "#c9401c", "#5a4a3a", "#333333")),
    Style("long", "shorts", 0.94, False, ("#5f3c29", "#15110f", "#f0703c", "#46566b", "#d8d3c8")),
)
"""The first is that of the mesh without bones."""
YOUNG = (
    {SHIRT: "#e8b13c", TROUSERS: "#566f86", HAIR: "#74502f", SHOES: "#7c3f3a"},
    {"#a81c0a": "#c2185b", "#2a2d33": "#4a5d7a", "#6b4426": "#c08a4a"},
    {"#ff9d66": "#ff8a3c", "#8a7f63": "#52606b"},
    {"#e0603a": "#e04a6a", "#3b3f4f": "#6a4a7a"},
    {"#c9401c": "#e06a1c", "#5a4a3a": "#3f4d3a", "#8c8479": "#3a2a20"},
    {"#f0703c": "#f0a03c"},
)


def pedestrian() -> RiggedModel:
    """Return people 1.75 m tall who stand, and walk, run and sit in their clips."""
    model = RiggedModel(JOINTS)
    for style in STYLES:
        model.look()
        _trunk(model, style)
        _head(model, style)
        for side, sign in SIDES:
            _limbs(model, style, side, sign)
    _clips(model, tall=1.0)
    return model


def child() -> RiggedModel:
    """Return children 1.19 m tall: people with shorter limbs and larger heads."""
    model = pedestrian().mapped(_childlike, YOUNG)
    _clips(model, tall=0.7)
    return model


def pedestrian_body() -> Model:
    """Return a column that narrows to the feet and the head, inside the capsule."""
    model = Model()
    profile = [(0.12, 0.03), (0.27, 0.28), (0.27, 1.46), (0.15, 1.7)]
    model.add("body", "#808080", turned(profile, 8))
    return model


def child_body() -> Model:
    """Return a column that narrows to the feet and the head, inside the capsule."""
    model = Model()
    profile = [(0.085, 0.025), (0.19, 0.2), (0.19, 1.0), (0.11, 1.17)]
    model.add("body", "#808080", turned(profile, 8))
    return model


def _clips(model: RiggedModel, tall: float) -> None:
    """Add legs and clips; lengths are those of an adult times ``tall``."""
    model.legs = tuple(
        leg(model.skeleton, (f"{side} thigh", f"{side} shin", f"{side} foot"), swing,
            0.073 * tall, 0.117 * tall)
        for (side, _), swing in zip(SIDES, (0.75, 0.25), strict=True)
    )  # fmt: skip
    turn = 2.0 * np.pi * np.arange(PHASES) / PHASES
    c, s, twice = np.cos(turn), np.sin(turn), np.cos(2.0 * turn)
    pace = float(np.sqrt(tall))  # a shorter leg swings faster
    for name, stride, speed, duty, arm, elbow, lean, low, bob in (
        ("walk", 1.3, 1.3, 0.58, 0.3, 0.26, 0.02, 0.035, 0.012),
        ("run", 2.3, 3.4, 0.36, 0.75, 1.45, 0.14, 0.06, 0.03),
    ):
        turns: dict[str, Turn] = {
            "hips": (0.035 * s, lean, -0.09 * c),
            "spine": (-0.02 * s, 0.0, 0.1 * c),
            "chest": (-0.015 * s, 0.0, 0.12 * c),
            "head": (0.0, -lean, -0.12 * c),
        }
        for side, sign in SIDES:
            turns[f"{side} arm"] = (0.05 * sign, sign * arm * c, 0.0)
            bend = elbow + 0.3 * arm * (1.0 - sign * c)
            turns[f"{side} forearm"] = (0.0, -bend, 0.0)
        sway = 0.018 if name == "walk" else 0.005
        root = (0.0, tall * sway * s, -tall * (low + bob * twice))
        model.clip(name, stride * tall / (speed * pace), turns, root,
                   stride=stride * tall, duty=duty)  # fmt: skip
    calm: dict[str, Turn] = {
        "spine": (0.012 * s, 0.01, 0.0),
        "chest": (-0.012 * s, 0.012 * twice, 0.02 * c),
        "head": (0.0, 0.02 * s, 0.1 * c * s),
        "left arm": (0.05, 0.03 * s, 0.0),
        "right arm": (-0.05, -0.03 * s, 0.0),
        "left forearm": (0.0, -0.16 - 0.03 * s, 0.0),
        "right forearm": (0.0, -0.16 + 0.03 * s, 0.0),
    }
    model.clip("idle", 6.0, calm, (0.0, tall * 0.012 * s, -0.006 * tall), duty=1.0)
    _add_seat(model, tall)
    _add_turns(model, tall)


def _add_seat(model: RiggedModel, tall: float) -> None:
    """Add a clip of people who sit on the ground behind their feet, knees up, arms around them."""
    turn = 2.0 * np.pi * np.arange(PHASES) / PHASES
    c, s, twice = np.cos(turn), np.sin(turn), np.cos(2.0 * turn)
    seated: dict[str, Turn] = {
        "hips": (0.0, -0.45, 0.0),
        "spine": (0.0, 0.45, 0.0),
        "chest": (0.0, 0.3 + 0.012 * twice, 0.02 * c),
        "head": (0.0, -0.25 + 0.02 * s, 0.15 * c * s),
    }
    for side, sign in SIDES:
        seated |= {
            f"{side} arm": (0.12 * sign, -0.75, -0.15 * sign),
            f"{side} forearm": (0.0, -0.5, -0.25 * sign),
        }
    low = float(model.skeleton.position[0, 2]) - SEAT * tall
    model.clip("sit", 5.0, seated, (-0.34 * tall, 0.0, -low), duty=1.0)


def _add_turns(model: RiggedModel, tall: float) -> None:
    """Add clips of turning on the spot: first the head, then the chest, arms close by."""
    turn = 2.0 * np.pi * np.arange(PHASES) / PHASES
    c, s, twice = np.cos(turn), np.sin(turn), np.cos(2.0 * turn)
    for name, way in (("turn_left", 1.0), ("turn_right", -1.0)):
        turns: dict[str, Turn] = {
            "hips": (0.02 * s, 0.02, 0.04 * way),
            "spine": (-0.01 * s, 0.02, 0.1 * way),
            "chest": (0.0, 0.0, 0.16 * way + 0.03 * c),
            "head": (0.0, 0.05, 0.42 * way),
        }
        for side, sign in SIDES:
            turns[f"{side} arm"] = (0.14 * sign, 0.12 * sign * way, 0.0)
            turns[f"{side} forearm"] = (0.0, -0.4, 0.0)
        root = (0.0, 0.012 * tall * s, -tall * (0.018 + 0.006 * twice))
        model.clip(name, 1.1 * float(np.sqrt(tall)), turns, root, duty=0.8)


def _trunk(model: RiggedModel, style: Style) -> None:
    """Add the hips, the shirt and, below, a skirt."""
    skin, _, shirt, trousers, _ = style.colors
    w = style.girth
    spine = chain(("chest", "spine", "hips"), (1.2, 1.03), 0.06)
    hips = [(0.85, 0.1, 0.15), (0.93, 0.106, 0.155), (0.99, 0.094, 0.138)]
    model.add(trousers, _stack(_wide(hips, w)), "hips")
    torso = [
        (0.955, 0.104, 0.15), (1.07, 0.093, 0.132), (1.22, 0.108, 0.16), (1.33, 0.112, 0.18),
        (1.425, 0.09, 0.185), (1.475, 0.055, 0.08),
    ]  # fmt: skip
    model.add(shirt, _stack(_wide(torso, w)), spine)
    if style.dress == "skirt":
        skirt = [(0.56, 0.18, 0.2), (0.75, 0.15, 0.18), (0.98, 0.1, 0.145)]
        model.add(trousers, _stack(_wide(skirt, w)), _skirt)
    model.add(skin, _stack([(1.45, 0.046, 0.048), (1.54, 0.044, 0.044)], 0.005, 6), "neck")


def _skirt(points: Float) -> dict[str, Float]:
    """A skirt hangs on the hips, and from its middle on it lies on both thighs."""
    down = 0.97 * np.clip((0.95 - points[:, 2]) / 0.25, 0.0, 1.0)
    left = np.clip(0.5 + points[:, 1] / 0.16, 0.0, 1.0)
    return {
        "hips": 1.0 - down,
        "left thigh": down * left,
        "right thigh": down * (1.0 - left),
    }


def _head(model: RiggedModel, style: Style) -> None:
    skin, hair, shirt, _, _ = style.colors
    head = [
        (1.51, 0.048, 0.04), (1.55, 0.076, 0.062), (1.61, 0.092, 0.074), (1.67, 0.09, 0.072),
        (1.71, 0.07, 0.055),
    ]  # fmt: skip
    model.add(skin, _stack(head, 0.02, 6), "head")
    model.add(skin, _nose(), "head")
    crown = [(1.575, 0.058, 0.072), (1.65, 0.088, 0.082), (1.71, 0.08, 0.07), (1.745, 0.04, 0.036)]
    if style.hair == "cap":
        cap = [(1.655, 0.096, 0.082), (1.7, 0.09, 0.076), (1.745, 0.05, 0.045)]
        model.add(shirt, _stack(cap, 0.012, 8), "head")
        brim = [(1.655, 0.065, 0.06), (1.672, 0.06, 0.055)]
        model.add(shirt, _stack(brim, 0.09, 6), "head")
        model.add(hair, _stack([(1.56, 0.06, 0.07), (1.66, 0.085, 0.078)], -0.01, 8), "head")
        return
    model.add(hair, _stack(crown, -0.012, 6), "head")
    if style.hair == "long":
        fall = [(1.4, 0.03, 0.085), (1.5, 0.045, 0.09), (1.6, 0.05, 0.083)]
        model.add(hair, _stack(fall, -0.06, 6), chain(("head", "neck", "chest"), (1.5, 1.43), 0.04))
    elif style.hair == "bun":
        model.add(hair, _stack([(1.62, 0.02, 0.022), (1.65, 0.042, 0.04), (1.69, 0.02, 0.022)],
                               -0.11, 6), "head")  # fmt: skip


def _limbs(model: RiggedModel, style: Style, side: str, sign: float) -> None:
    """Add an arm and a leg."""
    skin, _, shirt, trousers, shoes = style.colors
    w, y = style.girth, 0.088 * sign
    thigh = chain((f"{side} thigh", f"{side} shin"), (0.485,), 0.07)
    lower = chain((f"{side} thigh", f"{side} shin", f"{side} foot"), (0.485, 0.09), 0.05)
    whole = [
        (0.92, 0.06, 0.05), (0.84, 0.088, 0.076), (0.57, 0.068, 0.062), (0.485, 0.062, 0.057),
        (0.4, 0.06, 0.054), (0.07, 0.05, 0.044),
    ]  # fmt: skip
    if style.dress == "trousers":
        model.add(trousers, _tube(whole, y, w), lower)
    elif style.dress == "shorts":
        model.add(trousers, _tube([(z, 1.08 * a, 1.08 * b) for z, a, b in whole[:3]], y, w), thigh)
        model.add(skin, _tube([(z, 0.86 * a, 0.86 * b) for z, a, b in whole[2:]], y, w), lower)
    else:  # under a skirt the legs begin in its middle
        under = [(0.8, 0.07, 0.06), *whole[2:]]
        model.add(skin, _tube([(z, 0.82 * a, 0.82 * b) for z, a, b in under], y, w), lower)
    model.add(shoes, _shoe(y), f"{side} foot")
    at = [(1.435, 0.17, 0.0), (1.39, 0.188, 0.0), (1.2, 0.206, -0.006), (1.13, 0.212, -0.01),
          (1.06, 0.214, -0.006), (0.9, 0.216, 0.012), (0.82, 0.212, 0.018)]  # fmt: skip
    size = [(0.03, 0.03), (0.052, 0.046), (0.044, 0.039), (0.04, 0.036), (0.038, 0.034),
            (0.03, 0.024), (0.024, 0.014)]  # fmt: skip
    arm = chain((f"{side} arm", f"{side} forearm"), (1.13,), 0.05)
    cut = 6 if style.sleeves else 3
    rows = [(z, a, b, x, own * sign) for (z, own, x), (a, b) in zip(at, size, strict=True)]
    grown = [(z, 1.07 * a, 1.07 * b, x, own) for z, a, b, x, own in rows]
    model.add(shirt, _bent(grown[:cut], w), arm)
    model.add(skin, _bent(rows[cut - 1 :], 0.5 + 0.5 * w), arm)


def _wide(
    rows: Sequence[tuple[float, float, float]], girth: float
) -> list[tuple[float, float, float]]:
    """Return rows of a stack as wide and, half as much, as deep as a girth says."""
    return [(z, a * (0.4 + 0.6 * girth), b * (0.55 + 0.45 * girth)) for z, a, b in rows]


def _stack(
    rows: Sequence[tuple[float, float, float]], x: float = 0.0, sides: int = 8
) -> TriangleMesh:
    """Return an upright solid through rows (height, half depth, half width)."""
    angle = (np.arange(sides) + 0.5) * 2 * np.pi / sides
    circle = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    return loft([np.array((x, 0.0, z)) + circle * (a, b, 0.0) for z, a, b in sorted(rows)])


def _tube(rows: Sequence[tuple[float, float, float]], y: float, girth: float) -> TriangleMesh:
    """Return a leg through rows (height, half depth, half width) at y."""
    knee = [(z, a, b, 0.012 if 0.3 < z < 0.6 else 0.0, y) for z, a, b in rows]
    return _bent(knee, girth)


def _bent(rows: Sequence[tuple[float, float, float, float, float]], girth: float) -> TriangleMesh:
    """Return a five-sided limb through rows (height, half depth, half width, x, y)."""
    angle = np.arange(5) * 2 * np.pi / 5
    circle = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    wide = 0.3 + 0.7 * girth
    return loft(
        [np.array((x, y, z)) + circle * (a * wide, b * wide, 0.0) for z, a, b, x, y in sorted(rows)]
    )


def _shoe(y: float) -> TriangleMesh:
    """Return a shoe that stands on the floor under an ankle, its tip up a little."""
    rows = [(-0.085, 0.04, 0.0, 0.09), (-0.03, 0.045, 0.0, 0.095), (0.105, 0.045, 0.0, 0.05),
            (0.155, 0.03, 0.022, 0.04)]  # fmt: skip
    return loft(
        [[(x, y - half, low), (x, y + half, low), (x, y + 0.75 * half, high),
          (x, y - 0.75 * half, high)] for x, half, low, high in rows]
    )  # fmt: skip


def _nose() -> TriangleMesh:
    base = [(0.1, -0.016, 1.6), (0.1, 0.016, 1.6), (0.1, 0.0, 1.645)]
    tip = (0.128, 0.0, 1.607)
    return TriangleMesh(
        np.array([*base, tip]), np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    )


def _childlike(points: Float) -> Float:
    """Return points of a person moved to a child's shape: the head shrinks less than the body."""
    height = points[:, 2]
    tall = np.interp(
        height, [0.0, NECK, 2.0], [0.0, 0.655 * NECK, 0.655 * NECK + 0.86 * (2.0 - NECK)]
    )
    wide = np.interp(height, [NECK - 0.06, NECK], [0.7, 0.86])
    return np.column_stack([points[:, :2] * wide[:, None], tall])
