"""Skeletons and clips of animals on four legs."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.models.rigging import PHASES, RiggedModel, Turn, Weights, chain, leg

SIDES = (("left", 1.0), ("right", -1.0))
FOUR_BEAT = {"left hind": 0.125, "left fore": 0.375, "right hind": 0.625, "right fore": 0.875}
"""Phases in the middle of the steps of a walk, each foot on its own."""
TROT = {"left hind": 0.27, "right fore": 0.23, "right hind": 0.77, "left fore": 0.73}
"""Those of a trot: the feet across from each other together."""


class Anatomy(NamedTuple):
    """Where an animal's joints are, its left side [m].

    Attributes:
        trunk: (x, z) of the root, in the middle of the trunk.
        neck: (x, z) where the neck begins.
        head: (x, z) where the head begins.
        tail: (x, z) where the tail begins.
        fore: (x, z) of shoulder, elbow or wrist, and foot.
        hind: The same of hip, hock and foot.
        half: Half of the distance between left and right legs.
    """

    trunk: tuple[float, float]
    neck: tuple[float, float]
    head: tuple[float, float]
    tail: tuple[float, float]
    fore: tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
    hind: tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
    half: float


class Gait(NamedTuple):
    """How an animal goes.

    Attributes:
        order: Phase of each leg, such as `TROT`.
        walk: Stride [m] and speed [m/s] of its usual gait.
        run: The same of its fastest.
        bob: How far the trunk goes up and down at the walk [m].
        nod: How far the neck does [rad].
    """

    order: dict[str, float]
    walk: tuple[float, float]
    run: tuple[float, float]
    bob: float
    nod: float


def quadruped(build: Anatomy, gait: Gait, paw: tuple[float, float]) -> RiggedModel:
    """Return a model with joints and legs, and no shapes yet.

    Args:
        build: Where the joints are.
        gait: For the phases of the legs.
        paw: How far the foot reaches behind the ankle and ahead of it [m].
    """
    joints: dict[str, tuple[str | None, Sequence[float]]] = {
        "trunk": (None, (build.trunk[0], 0.0, build.trunk[1])),
        "neck": ("trunk", (build.neck[0], 0.0, build.neck[1])),
        "head": ("neck", (build.head[0], 0.0, build.head[1])),
        "tail": ("trunk", (build.tail[0], 0.0, build.tail[1])),
    }
    for side, sign in SIDES:
        for end, places in (("fore", build.fore), ("hind", build.hind)):
            above = "trunk"
            for part, (x, z) in zip(("upper", "lower", "foot"), places, strict=True):
                name = f"{side} {end} {part}"
                joints[name] = above, (x, sign * build.half, z)
                above = name
    model = RiggedModel(joints)
    model.legs = tuple(
        leg(model.skeleton, (f"{name} upper", f"{name} lower", f"{name} foot"), swing, *paw)
        for name, swing in gait.order.items()
    )
    return model


def leg_weights(name: str, knee: float, ankle: float, half: float) -> Weights:
    """Return the weights of a leg's shapes by their heights [m]."""
    return chain((f"{name} upper", f"{name} lower", f"{name} foot"), (knee, ankle), half)


def add_gaits(model: RiggedModel, gait: Gait, calm: dict[str, Float], wag: float) -> None:
    """Add the clips ``walk``, ``run``, ``idle``, ``turn_left`` and ``turn_right``.

    Args:
        model: Of `quadruped`.
        gait: How it goes.
        calm: Pitch (R,) of neck and head while it stands.
        wag: How far the tail goes to the sides [rad].
    """
    turn = 2.0 * np.pi * np.arange(PHASES) / PHASES
    c, s, twice = np.cos(turn), np.sin(turn), np.cos(2.0 * turn)
    for name, (stride, speed), duty, bob, pitch, low in (
        ("walk", gait.walk, 0.64, gait.bob, 0.012, 0.012),
        ("run", gait.run, 0.36, 2.5 * gait.bob, 0.09, 0.03),
    ):
        run = name == "run"
        turns: dict[str, Turn] = {
            "trunk": (0.02 * s * (not run), pitch * (s if run else twice), 0.03 * c * (not run)),
            "neck": (0.0, gait.nod * (twice if not run else s) + 0.12 * run, 0.0),
            "head": (0.0, -0.6 * gait.nod * (twice if not run else s) - 0.1 * run, 0.0),
            "tail": (0.0, 0.45 * run + 0.06 * twice, wag * c),
        }
        root = (0.0, 0.008 * s * (not run), -low - bob * (s if run else twice))
        model.clip(name, stride / speed, turns, root, stride=stride, duty=duty)
    standing: dict[str, Turn] = {
        "trunk": (0.0, 0.0, 0.0),
        "neck": (0.0, calm["neck"], 0.12 * s),
        "head": (0.0, calm["head"], 0.1 * s * c),
        "tail": (0.0, 0.0, wag * s),
    }
    model.clip("idle", 5.0, standing, (0.0, 0.0, -0.002 * (1.0 + c)), duty=1.0)
    for name, way in (("turn_left", 1.0), ("turn_right", -1.0)):
        turning: dict[str, Turn] = {
            "trunk": (0.0, 0.008 * twice, 0.0),
            "neck": (0.0, 0.05, 0.4 * way),
            "head": (0.0, 0.0, 0.3 * way),
            "tail": (0.0, 0.1, -0.2 * way + wag * s),
        }
        model.clip(name, gait.walk[0] / gait.walk[1], turning, (0.0, 0.0, -0.012), duty=0.75)
