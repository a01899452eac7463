"""Rebuild the meshes of the built-in characters: ``python -m rmp3d.models.build``.

All face +x. The visual mesh is drawn; the body mesh is tested for collisions.
"""

import sys
from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models import animals, vehicles
from rmp3d.models.crate import crate, crate_body
from rmp3d.models.dog import dog, dog_body
from rmp3d.models.limbs import limb, oval
from rmp3d.models.loading import BUILTIN
from rmp3d.scenes.build.glb import Model
from rmp3d.scenes.build.shapes import box, frustum, loft, placed, quad, rod, turned

NECK = 1.52  # height of a person's [m]
SKIN, HAIR, SHIRT, TROUSERS, SHOES = "#d9a27c", "#3a2a20", "#d8573c", "#34466b", "#2b2723"


def pedestrian() -> Model:
    """Return a person 1.75 m tall in mid-stride, left foot and right hand ahead."""
    model = Model()
    for side, stride in ((1.0, 0.1), (-1.0, -0.1)):
        y = 0.085 * side
        lifted = 0.045 if stride < 0.0 else 0.0
        ankle, knee, hip = (stride, y, 0.06 + lifted), (0.03 + stride * 0.6, y, 0.48), (0.0, y, 0.9)
        leg = [(ankle, 0.045, 0.04), (knee, 0.06, 0.055), (hip, 0.085, 0.078)]
        model.add("person", TROUSERS, limb(leg))
        model.add("person", SHOES, _shoe(stride, y, lifted))
        shoulder = (0.0, 0.2 * side, 1.4)
        elbow, hand = (-0.5 * stride, 0.222 * side, 1.13), (-1.3 * stride, 0.212 * side, 0.9)
        sleeve = [(elbow, 0.042, 0.037), (shoulder, 0.052, 0.048)]
        model.add("person", SHIRT, limb(sleeve))
        model.add("person", SKIN, limb([(hand, 0.034, 0.026), (elbow, 0.036, 0.031)]))
    torso = [(0.86, 0.105, 0.155), (1.02, 0.09, 0.13), (1.28, 0.115, 0.175), (1.42, 0.095, 0.19)]
    model.add("person", TROUSERS, _stack([torso[0], (0.98, 0.094, 0.138)]))
    model.add("person", SHIRT, _stack([(0.97, 0.1, 0.145), *torso[1:], (1.475, 0.06, 0.085)]))
    model.add("person", SKIN, _stack([(1.46, 0.045, 0.045), (1.54, 0.045, 0.045)], 0.005, 6))
    head = [(1.51, 0.05, 0.04), (1.56, 0.082, 0.066), (1.65, 0.092, 0.074), (1.7, 0.08, 0.062)]
    model.add("person", SKIN, _stack(head, 0.02, 6))
    model.add("person", SKIN, _nose())
    hair = [(1.57, 0.06, 0.072), (1.65, 0.086, 0.081), (1.71, 0.08, 0.07), (1.745, 0.045, 0.04)]
    model.add("person", HAIR, _stack(hair, -0.012, 6))
    return model


def pedestrian_body() -> Model:
    """Return a column that narrows to the feet and the head, inside the capsule."""
    model = Model()
    profile = [(0.12, 0.03), (0.27, 0.28), (0.27, 1.46), (0.15, 1.7)]
    model.add("body", "#808080", turned(profile, 8))
    return model


def child() -> Model:
    """Return a child 1.19 m tall in mid-stride: a person with shorter limbs and a larger head."""
    colors = {SHIRT: "#e8b13c", TROUSERS: "#566f86", HAIR: "#74502f", SHOES: "#7c3f3a"}
    return pedestrian().mapped(_childlike, colors)


def child_body() -> Model:
    """Return a column that narrows to the feet and the head, inside the capsule."""
    model = Model()
    profile = [(0.085, 0.025), (0.19, 0.2), (0.19, 1.0), (0.11, 1.17)]
    model.add("body", "#808080", turned(profile, 8))
    return model


def _childlike(points: Float) -> Float:
    """Return points of a person moved to a child's shape: the head shrinks less than the body."""
    height = points[:, 2]
    tall = np.interp(
        height, [0.0, NECK, 2.0], [0.0, 0.655 * NECK, 0.655 * NECK + 0.86 * (2.0 - NECK)]
    )
    wide = np.interp(height, [NECK - 0.06, NECK], [0.7, 0.86])
    return np.column_stack([points[:, :2] * wide[:, None], tall])


def drone() -> Model:
    """Return a quadcopter 0.78 m across; the orange nose shows its heading."""
    model = Model()
    dark, shell, orange = "#2c3036", "#dfe3e6", "#f07f1e"
    hull = [(-0.17, 0.05, 0.025), (-0.02, 0.085, 0.045), (0.1, 0.075, 0.045), (0.2, 0.03, 0.025)]
    rings = [oval(x, half, height) for x, half, height in hull]
    model.add("drone", shell, loft(rings[:3]))
    model.add("drone", orange, loft(rings[2:]))
    model.add(
        "drone", dark, frustum((-0.12, -0.05, 0.05, 0.05), (-0.09, -0.03, 0.03, 0.03), 0.04, 0.075)
    )
    for x in (-0.18, 0.18):
        color = orange if x > 0 else dark
        for y in (-0.18, 0.18):
            model.add("drone", dark, rod((x * 0.25, y * 0.3, 0.0), (x, y, 0.02), 0.016, 5))
            model.add(
                "drone", color, placed(turned([(0.03, -0.01), (0.024, 0.055)], 7), (x, y, 0.0))
            )
            disc = turned([(0.128, 0.06), (0.128, 0.064)], 12)
            model.add("drone", "#aeb8c2", placed(disc, (x, y, 0.0)))
            blade = box((-0.125, -0.012, 0.064), (0.125, 0.012, 0.07))
            model.add("drone", dark, placed(blade, (x, y, 0.0), 35.0 if x * y > 0 else -25.0))
    for y in (-0.11, 0.11):
        model.add("drone", dark, rod((-0.14, y, -0.15), (0.14, y, -0.15), 0.011, 5))
        for x in (-0.08, 0.08):
            model.add("drone", dark, rod((x, y, -0.15), (x * 0.8, y * 0.45, -0.02), 0.009, 5))
    model.add("drone", dark, box((0.06, -0.03, -0.1), (0.13, 0.03, -0.035)))
    model.add("drone", "#79c7e3", _lens())
    return model


def drone_body() -> Model:
    """Return a flat spindle around the rotors and the skids, inside the sphere."""
    model = Model()
    profile = [(0.2, -0.17), (0.375, -0.01), (0.385, 0.085)]
    model.add("body", "#808080", turned(profile, 8))
    return model


def _stack(
    rows: Sequence[tuple[float, float, float]], x: float = 0.0, sides: int = 8
) -> TriangleMesh:
    """Return an upright solid through rows (height, half depth, half width)."""
    angle = (np.arange(sides) + 0.5) * 2 * np.pi / sides
    circle = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    return loft([np.array((x, 0.0, z)) + circle * (a, b, 0.0) for z, a, b in rows])


def _shoe(x: float, y: float, lifted: float) -> TriangleMesh:
    """Return a shoe around an ankle; a lifted one stands on its toes."""
    heel, toe = x - 0.07, x + 0.13
    sole = [(heel, 1.6 * lifted), (toe, 0.0)]
    rings = []
    for half, top in ((0.045, False), (0.03, True)):
        corners = []
        for end, z in sole:
            high = z + (0.0 if not top else 0.085 if end == heel else 0.045)
            corners.append((end, high))
        (x0, z0), (x1, z1) = corners
        x1 -= 0.02 if top else 0.0
        rings.append(
            [(x0, y - half, z0), (x1, y - half, z1), (x1, y + half, z1), (x0, y + half, z0)]
        )
    return loft(rings)


def _nose() -> TriangleMesh:
    base = [(0.1, -0.016, 1.6), (0.1, 0.016, 1.6), (0.1, 0.0, 1.645)]
    tip = (0.128, 0.0, 1.607)
    return TriangleMesh(
        np.array([*base, tip]), np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    )


def _lens() -> TriangleMesh:
    low, high = -0.09, -0.045
    return quad(
        (0.132, -0.022, low), (0.132, 0.022, low), (0.132, 0.022, high), (0.132, -0.022, high)
    )


def main() -> None:
    """Write the meshes beside the character files."""
    models = {
        "pedestrian": pedestrian(),
        "pedestrian_body": pedestrian_body(),
        "child": child(),
        "child_body": child_body(),
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
