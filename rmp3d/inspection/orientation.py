"""Which way is up, how large a unit is, which side a floor faces: guessed where no file says it."""

from dataclasses import dataclass

import msgspec
import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.query import MeshQuery
from rmp3d.scenes import Scene, SceneDescription

SILENT = (".obj", ".stl", ".ply", ".off")
"""Endings of files that say neither which axis is up nor how large a unit is."""
TURNED = (".glb", ".gltf")
"""Endings of files whose y is up, as their standard says; programs often write them with z up."""
SURELY = 8.0
"""Times as much floor there must be along another axis than the standard's."""
PERHAPS = 2.0
"""Times as much of it from which on the user is told."""
STATED = dict.fromkeys((*TURNED, ".ac"), "y") | dict.fromkeys((".dae", ".zae"), "as the file says")
"""What points up in files that are read as they or their standards say; in all others it is z."""
UNITS = {1.0: "meters", 0.001: "millimeters", 0.01: "centimeters", 0.0254: "inches", 0.3048: "feet"}
STOREY = 1.9, 6.0  # [m] of air over a floor, in a building
IMPOSSIBLE = 1.0, 15.0  # [m] of air over most floors: the unit is another one
SIZE = 3.0, 5000.0  # [m] of the longest side of a scene without ceilings
USUAL_SIZE = 30.0  # [m] that a scene without any unit is made
UNDER_ROOF = 0.2  # share of floor with something over it, from which storeys tell the unit
FLAT = 0.95  # upward part of the normal of a floor
LAYERS = 200  # along an axis, in which faces count as one plane
CLEARER = 1.3  # times as much floor one axis must have to be up where files say nothing
STANDING = 2.0  # times as much floor counts along an axis on whose 0 the scene stands
FACES_DOWN = 5.0  # times as much floor that faces down as up: its sides are exchanged
SAMPLES = 4000
MOST_FACES = 200_000  # that are looked at


@dataclass(frozen=True)
class Reading:
    """How the files of a scene are read, and why.

    Attributes:
        up: Axis of the files that points up, in words.
        unit: In words.
        changes: Keys of the scene's table that are proposed, with their values.
        reasons: Why, one line each.
    """

    up: str
    unit: str
    changes: dict[str, object]
    reasons: tuple[str, ...]


def reading(scene: Scene, description: SceneDescription, ending: str) -> Reading:
    """Return how a mesh file is best read, given the scene that it makes when read as it is.

    Args:
        scene: As it was read.
        description: Its table.
        ending: Of the mesh file, such as ``.obj``.
    """
    changes: dict[str, object] = {}
    reasons: list[str] = []
    corners = _corners(scene)
    up = description.up or STATED.get(ending, "z")
    if description.up is None and ending in SILENT:
        floors = [_floor_share(corners, axis) for axis in (2, 1)]
        stands = _stands_on_zero(corners)
        if stands[1] != stands[2]:
            floors[int(stands[1])] *= STANDING
        if floors[1] > CLEARER * floors[0]:
            up, changes["up"] = "y", "y"
            reasons.append(
                "up is y: the largest level faces are square to it (the file does not say)"
            )
            corners = np.stack([corners[..., 0], -corners[..., 2], corners[..., 1]], axis=-1)
    if description.up is None and ending in TURNED:
        floors = [_floor_share(corners, axis) for axis in (2, 1)]
        if floors[1] > SURELY * floors[0]:
            up = changes["up"] = "z"
            reasons.append("up is z: nearly all level faces are square to it (glTF says y)")
            corners = np.stack([corners[..., 0], corners[..., 2], -corners[..., 1]], axis=-1)
        elif floors[1] > PERHAPS * floors[0]:
            reasons.append(
                'up is y, as glTF says; if the scene lies on its side, say `up = "z"` under '
                "[scene], or --set scene.up=z: there is more floor along that axis"
            )
    facing = _level_areas(corners)
    if description.flip is False and facing[1] > FACES_DOWN * facing[0]:
        changes["flip"] = True
        reasons.append("the floors face down: their sides are exchanged")
        corners = corners[:, ::-1]
    unit = "as the file says" if ending not in SILENT else "meters"
    if description.scale is None and ending in SILENT:
        scale, why = _scale(corners)
        unit = UNITS.get(scale, f"{scale:g} m")
        if scale != 1.0:
            changes["scale"] = scale
            reasons.append(why)
    return Reading(up, unit, changes, tuple(reasons))


def changed(description: SceneDescription, read: Reading) -> SceneDescription:
    """Return a table with the changes of a reading."""
    return msgspec.structs.replace(description, **read.changes)


def _corners(scene: Scene) -> Float:
    """Return the corners (F, 3, 3) of what is touched; of many faces, of some all over."""
    corners = [part.mesh.triangles for part in scene.parts if part.role != "decor"]
    every = sum(map(len, corners)) // MOST_FACES + 1
    return np.concatenate([each[:: every if len(each) > every else 1] for each in corners])


def _stands_on_zero(corners: Float) -> list[bool]:
    """Return along which axes the scene begins at 0 and is not about the origin."""
    low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
    return (np.abs(low) <= 0.01 * (high - low)).tolist()


def _floor_share(corners: Float, axis: int) -> float:
    """Return how much floor there is if an axis is up: the largest plane, and half of the rest."""
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = 0.5 * np.linalg.norm(cross, axis=1)
    upward = cross[:, axis] / np.maximum(2.0 * area, 1e-300)
    level = np.abs(upward) > FLAT
    height = corners[level, :, axis].mean(axis=1)
    low, high = (height.min(), height.max()) if len(height) else (0.0, 1.0)
    layer = ((height - low) / max(high - low, 1e-12) * LAYERS).astype(int)
    plane = np.bincount(layer, area[level]) if len(layer) else np.zeros(1)
    rolling = area[upward > 0.7].sum()
    return float(plane.max() + 0.5 * rolling)


def _level_areas(corners: Float) -> tuple[float, float]:
    """Return the area that faces up, and that faces down."""
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = 0.5 * np.linalg.norm(cross, axis=1)
    upward = cross[:, 2] / np.maximum(2.0 * area, 1e-300)
    return float(area[upward > 0.7].sum()), float(area[upward < -0.7].sum())


def _scale(corners: Float) -> tuple[float, str]:
    """Return the meters per unit that make a likely scene, and why."""
    size = float((corners.max(axis=(0, 1)) - corners.min(axis=(0, 1))).max())
    storey = _storey(corners)
    if storey is not None:
        if IMPOSSIBLE[0] <= storey <= IMPOSSIBLE[1]:
            return 1.0, ""
        for scale, name in UNITS.items():
            if STOREY[0] <= storey * scale <= STOREY[1]:
                air = f"there are {storey:.4g} units of air over its floors"
                return scale, f"the unit is taken as {name}: {air}"
    if SIZE[0] <= size <= SIZE[1]:
        return 1.0, ""
    if size > SIZE[1]:
        scale = 0.001 if size * 0.001 >= SIZE[0] else 0.01
        return scale, f"the unit is taken as {UNITS[scale]}: it is {size:.5g} long"
    scale = float(f"{USUAL_SIZE / size:.2g}")
    return scale, f"it is {size:.3g} long, too small to be in meters: made {scale * size:.3g} m"


def _storey(corners: Float) -> float | None:
    """Return the air over most of the floor under a roof; None if little floor has one."""
    from rmp3d.geometry.mesh import TriangleMesh

    mesh = TriangleMesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3))
    floor = np.flatnonzero(mesh.normals[:, 2] > FLAT)
    if len(floor) == 0:
        return None
    share = np.cumsum(mesh.areas[floor])
    rows = floor[np.searchsorted(share, (np.arange(SAMPLES) + 0.5) / SAMPLES * share[-1])]
    weight = np.random.default_rng(0).dirichlet([1.0, 1.0, 1.0], SAMPLES)
    size = float((mesh.bounds[1] - mesh.bounds[0]).max())
    points = np.einsum("ij,ijk->ik", weight, mesh.triangles[rows])
    points[:, 2] += 1e-4 * size
    distance, face = MeshQuery(mesh).cast_ray(points, np.array([0.0, 0.0, 1.0]))
    under = (face >= 0) & (distance > 2e-3 * size)
    return float(np.median(distance[under])) if under.mean() > UNDER_ROOF else None
