"""Vehicles on wheels: a motorbike with its rider and a small car; visual and body mesh, facing +x.

A body must fit into an upright capsule, whose lower end is round. So bodies narrow towards the
floor, and the wheels, which are only drawn, stick out.
"""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models.limbs import barrel, limb
from rmp3d.models.rigging import PHASES, RiggedModel
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, frustum, loft, outward, rod, turned
from rmp3d.scenes.build.street import CHROME, GLASS, TIRE, wheel

PAINT, DARK, LIGHT, REAR = "#d8432f", "#2b2d30", "#f3efd2", "#a52a2a"
HELMET, JACKET, TROUSERS, GLOVE = "#f2b632", "#3a4149", "#34466b", "#2b2723"


def motorbike() -> RiggedModel:
    """Return a motorbike 1.75 m long with a rider, 1.5 m tall to the helmet; its wheels roll."""
    model = RiggedModel(
        {
            "frame": (None, (0.0, 0.0, 0.5)),
            "fork": ("frame", (0.42, 0.0, 0.8)),
            "rear wheel": ("frame", (-0.59, 0.0, 0.28)),
            "front wheel": ("fork", (0.6, 0.0, 0.28)),
        }
    )
    model.steered, model.wheelbase = ("fork",), 1.19
    model.look()
    for name in ("rear wheel", "front wheel"):
        _add_wheel(model, name, model.skeleton.position[model.skeleton.row(name)], 0.28, 0.12, 10)
    engine = frustum((-0.26, -0.14, 0.3, 0.14), (-0.2, -0.12, 0.24, 0.12), 0.2, 0.52)
    model.add("#55585c", engine, "frame")
    for color, half, profile in (
        (PAINT, 0.15, [(-0.1, 0.56), (0.34, 0.56), (0.4, 0.7), (0.26, 0.83), (-0.04, 0.77)]),
        (DARK, 0.13, [(-0.72, 0.63), (-0.08, 0.58), (-0.08, 0.68), (-0.42, 0.7), (-0.76, 0.78)]),
        (PAINT, 0.1, [(-0.84, 0.54), (-0.46, 0.52), (-0.42, 0.62), (-0.82, 0.73)]),
    ):
        rings = [[(x, y, z) for x, z in profile] for y in (half, -half)]
        model.add(color, outward(loft(rings)), "frame")
    for y in (-0.09, 0.09):
        model.add(CHROME, rod((0.6, y, 0.28), (0.37, y, 0.88), 0.03, 5), "fork")
    model.add(CHROME, rod((-0.78, -0.18, 0.32), (0.05, -0.18, 0.25), 0.05, 6), "frame")
    model.add(DARK, rod((0.33, -0.32, 0.91), (0.33, 0.32, 0.91), 0.026, 5), "fork")
    shield = frustum((0.36, -0.13, 0.52, 0.13), (0.38, -0.09, 0.46, 0.09), 0.72, 0.98)
    model.add(PAINT, shield, "fork")
    model.add(LIGHT, box((0.5, -0.07, 0.78), (0.53, 0.07, 0.87)), "fork")
    model.add(REAR, box((-0.86, -0.06, 0.62), (-0.83, 0.06, 0.7)), "frame")
    _add_rider(model)
    _add_rolling(model, ("rear wheel", "front wheel"), 0.28)
    return model


def _add_rider(model: RiggedModel) -> None:
    """Add a rider who leans on the handlebar."""
    torso = [((-0.28, 0.0, 0.72), 0.1, 0.15), ((-0.12, 0.0, 1.05), 0.11, 0.17),
             ((-0.04, 0.0, 1.22), 0.08, 0.17)]  # fmt: skip
    model.add(JACKET, limb(torso), "frame")
    for side in (1.0, -1.0):
        shoulder, elbow = (-0.04, 0.17 * side, 1.19), (0.12, 0.24 * side, 0.98)
        hand = (0.31, 0.26 * side, 0.93)
        model.add(JACKET, limb([(elbow, 0.05, 0.045), (shoulder, 0.06, 0.05)]), "frame")
        model.add(JACKET, rod(elbow, hand, 0.04, 5), "frame")
        glove = rod((0.29, 0.22 * side, 0.93), (0.36, 0.3 * side, 0.92), 0.045, 5)
        model.add(GLOVE, glove, "frame")
        hip, knee = (-0.25, 0.12 * side, 0.72), (0.14, 0.2 * side, 0.64)
        foot = (-0.02, 0.2 * side, 0.3)
        model.add(TROUSERS, rod(hip, knee, 0.075, 6), "frame")
        model.add(TROUSERS, limb([(foot, 0.05, 0.045), (knee, 0.075, 0.06)]), "frame")
        boot = box((-0.08, 0.2 * side - 0.05, 0.22), (0.14, 0.2 * side + 0.05, 0.31))
        model.add(GLOVE, boot, "frame")
    head = turned([(0.07, 1.2), (0.125, 1.27), (0.135, 1.38), (0.1, 1.47), (0.03, 1.5)], 8)
    model.add(HELMET, head.transformed(np.eye(3), np.array([0.02, 0.0, 0.0])), "frame")
    model.add(GLASS, box((0.1, -0.09, 1.33), (0.16, 0.09, 1.42)), "frame")


def motorbike_body() -> Model:
    """Return a spindle around frame and rider, inside the capsule."""
    rows = [
        (-0.82, 0.7, 0.08, 0.1), (-0.4, 0.65, 0.22, 0.4), (0.0, 0.86, 0.34, 0.72),
        (0.4, 0.8, 0.34, 0.55), (0.82, 0.64, 0.08, 0.09),
    ]  # fmt: skip
    model = Model()
    model.add("body", "#808080", barrel(rows, 6))
    return model


def car() -> RiggedModel:
    """Return a town car 2.4 m long with two doors; its wheels roll, the front ones steer."""
    joints: dict[str, tuple[str | None, Sequence[float]]] = {"frame": (None, (0.0, 0.0, 0.5))}
    for name, sign in (("left", 1.0), ("right", -1.0)):
        joints[f"{name} hub"] = "frame", (0.78, 0.6 * sign, 0.27)
        joints[f"{name} front wheel"] = f"{name} hub", (0.78, 0.6 * sign, 0.27)
        joints[f"{name} rear wheel"] = "frame", (-0.76, 0.6 * sign, 0.27)
    model = RiggedModel(joints)
    model.steered, model.wheelbase = ("left hub", "right hub"), 1.54
    model.look()
    shell = _hull([
        (-1.2, 0.5, 0.36, 0.66), (-1.1, 0.64, 0.26, 0.86), (-0.3, 0.7, 0.2, 0.9),
        (0.6, 0.7, 0.2, 0.87), (1.1, 0.6, 0.26, 0.72), (1.2, 0.47, 0.36, 0.6),
    ])  # fmt: skip
    model.add(PAINT, shell, "frame")
    cabin = ((-1.02, -0.63, 0.78, 0.63), (-0.78, -0.5, 0.28, 0.5))
    model.add(GLASS, frustum(*cabin, 0.86, 1.38), "frame")
    roof = ((-0.83, -0.53, 0.33, 0.53), (-0.72, -0.44, 0.22, 0.44))
    model.add(PAINT, frustum(*roof, 1.36, 1.46), "frame")
    for side in (1.0, -1.0):
        for low, high in ((0.78, 0.28), (-1.02, -0.78)):
            pillar = rod((low, 0.63 * side, 0.86), (high, 0.5 * side, 1.38), 0.045, 5)
            model.add(PAINT, pillar, "frame")
        post = rod((-0.2, 0.635 * side, 0.86), (-0.22, 0.51 * side, 1.38), 0.035, 5)
        model.add(PAINT, post, "frame")
        for color, (x, y, z), (length, width, height) in (
            (LIGHT, (1.15, 0.4, 0.58), (0.1, 0.18, 0.12)),
            (REAR, (-1.15, 0.46, 0.69), (0.1, 0.14, 0.18)),
            (DARK, (0.55, 0.7, 0.93), (0.1, 0.1, 0.1)),
        ):
            middle, half = np.array([x, y * side, z]), 0.5 * np.array([length, width, height])
            model.add(color, box(middle - half, middle + half), "frame")
    model.add(DARK, box((1.15, -0.22, 0.42), (1.215, 0.22, 0.52)), "frame")
    wheels = [name for name in joints if name.endswith("wheel")]
    for name in wheels:
        _add_wheel(model, name, joints[name][1], 0.27, 0.18, 12)
    _add_rolling(model, wheels, 0.27)
    return model


def _add_wheel(
    model: RiggedModel, name: str, at: Sequence[float], radius: float, width: float, sides: int
) -> None:
    """Add a wheel with a hub of spokes that show its turning."""
    x, y, z = at
    model.add(TIRE, wheel((x, y, z), radius, width, sides), name)
    out = y + np.sign(y) * 0.01
    model.add(CHROME, wheel((x, out, z), 0.5 * radius, 1.05 * width, 4), name)


def _add_rolling(model: RiggedModel, wheels: Sequence[str], radius: float) -> None:
    """Add the clip of one turn of all wheels."""
    turn = 2.0 * np.pi * np.arange(PHASES) / PHASES
    turns = {name: (0.0, turn, 0.0) for name in wheels}
    model.clip("roll", 1.0, turns, stride=2.0 * np.pi * radius)


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
