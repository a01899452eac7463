"""Rebuild the meshes of the built-in characters: ``python -m rmp3d.models.build``.

All face +x. The visual mesh is drawn; the body mesh is tested for collisions.
"""

import sys
from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models import animals, people, vehicles
from rmp3d.models.crate import crate, crate_body
from rmp3d.models.dog import dog, dog_body
from rmp3d.models.limbs import oval
from rmp3d.models.loading import BUILTIN
from rmp3d.models.rigging import PHASES, RiggedModel
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, frustum, loft, placed, quad, rod, turned

CORNERS = ((-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0))


def drone() -> RiggedModel:
    """Return a quadcopter 0.78 m across; the orange nose shows its heading; its rotors turn."""
    joints: dict[str, tuple[str | None, Sequence[float]]] = {"frame": (None, (0.0, 0.0, 0.0))}
    rotors = {f"rotor {k}": (0.18 * x, 0.18 * y) for k, (x, y) in enumerate(CORNERS)}
    for name, (x, y) in rotors.items():
        joints[name] = "frame", (x, y, 0.06)
    model = RiggedModel(joints)
    model.look()
    dark, shell, orange = "#2c3036", "#dfe3e6", "#f07f1e"
    hull = [(-0.17, 0.05, 0.025), (-0.02, 0.085, 0.045), (0.1, 0.075, 0.045), (0.2, 0.03, 0.025)]
    rings = [oval(x, half, height) for x, half, height in hull]
    model.add(shell, loft(rings[:3]), "frame")
    model.add(orange, loft(rings[2:]), "frame")
    lid = frustum((-0.12, -0.05, 0.05, 0.05), (-0.09, -0.03, 0.03, 0.03), 0.04, 0.075)
    model.add(dark, lid, "frame")
    for name, (x, y) in rotors.items():
        color = orange if x > 0 else dark
        model.add(dark, rod((x * 0.25, y * 0.3, 0.0), (x, y, 0.02), 0.016, 5), "frame")
        motor = placed(turned([(0.03, -0.01), (0.024, 0.055)], 7), (x, y, 0.0))
        model.add(color, motor, "frame")
        disc = turned([(0.128, 0.06), (0.128, 0.064)], 12)
        model.add("#aeb8c2", placed(disc, (x, y, 0.0)), name)
        blade = box((-0.125, -0.012, 0.064), (0.125, 0.012, 0.07))
        model.add(dark, placed(blade, (x, y, 0.0), 35.0 if x * y > 0 else -25.0), name)
    for y in (-0.11, 0.11):
        model.add(dark, rod((-0.14, y, -0.15), (0.14, y, -0.15), 0.011, 5), "frame")
        for x in (-0.08, 0.08):
            model.add(dark, rod((x, y, -0.15), (x * 0.8, y * 0.45, -0.02), 0.009, 5), "frame")
    model.add(dark, box((0.06, -0.03, -0.1), (0.13, 0.03, -0.035)), "frame")
    model.add("#79c7e3", _lens(), "frame")
    turn = 2.0 * np.pi * np.arange(PHASES) / PHASES
    spin = {name: (0.0, 0.0, np.sign(x * y) * turn) for name, (x, y) in rotors.items()}
    model.clip("hover", 0.22, spin)
    return model


def drone_body() -> Model:
    """Return a flat spindle around the rotors and the skids, inside the sphere."""
    model = Model()
    profile = [(0.2, -0.17), (0.375, -0.01), (0.385, 0.085)]
    model.add("body", "#808080", turned(profile, 8))
    return model


def _lens() -> TriangleMesh:
    low, high = -0.09, -0.045
    return quad(
        (0.132, -0.022, low), (0.132, 0.022, low), (0.132, 0.022, high), (0.132, -0.022, high)
    )


def main() -> None:
    """Write the meshes beside the character files."""
    models: dict[str, Model | RiggedModel] = {
        "pedestrian": people.pedestrian(),
        "pedestrian_body": people.pedestrian_body(),
        "child": people.child(),
        "child_body": people.child_body(),
        "drone": drone(),
        "drone_body": drone_body(),
        "sheep": animals.sheep(),
        "sheep_body": animals.sheep_body(),
        "wolf": animals.wolf(),
        "wolf_body": animals.wolf_body(),
        "dog": dog(),
        "dog_body": dog_body(),
        "bird": animals.bird(),
        "bird_body": animals.bird_body(),
        "motorbike": vehicles.motorbike(),
        "motorbike_body": vehicles.motorbike_body(),
        "car": vehicles.car(),
        "car_body": vehicles.car_body(),
        "fish": animals.fish(),
        "fish_body": animals.fish_body(),
        "box": crate(),
        "box_body": crate_body(),
    }
    for name, model in models.items():
        path = BUILTIN / f"{name}.glb"
        model.write(path)
        sys.stdout.write(f"{path}: {path.stat().st_size / 1000:.0f} kB\n")


if __name__ == "__main__":
    main()
