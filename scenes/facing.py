"""Which way the floors of a scene face, and why there is nothing to walk on."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.scenes.part import Part
from rmp3d.scenes.scene import Scene

SHOWN = 5  # parts that a message names


def no_ground_reason(scene: Scene) -> str:
    """Return why nothing of a scene can be walked on, and what to do."""
    parts = [part for part in scene.parts if _may_be_ground(scene, part)]
    if not parts:
        return (
            "no part has the role `ground`; give one that role, or state a ground plane "
            "(`[scene.ground]`)"
        )
    down = [part for part in parts if _level_down(part, scene.max_slope).any()]
    if down:
        return f"the faces of {_named(down)} point down: turn them over with {flip_of(parts, down)}"
    slopes = [np.degrees(np.arccos(np.clip(part.mesh.normals[:, 2], -1, 1))) for part in parts]
    flattest = min(float(slope.min()) for slope in slopes)
    reason = (
        f"the flattest face of {_named(parts)} is {flattest:.0f} degrees steep, more than "
        f"`max_slope` ({np.degrees(scene.max_slope):.0f})"
    )
    areas = [part.mesh.areas @ np.abs(part.mesh.normals) for part in parts]
    if np.argmax(np.sum(areas, axis=0)) == 1:
        reason += '; is y up in the file (`up = "y"`)?'
    return reason


def faces_down_at(scene: Scene, point: Float, reach: float) -> str | None:
    """Return the part whose floor straight above or below a point (3,) faces down; None if none.

    Args:
        scene: Where to look.
        point: (3,) [m].
        reach: How far up and down [m].
    """
    for part in scene.parts:
        if not _may_be_ground(scene, part):
            continue
        triangles = part.mesh.triangles[_level_down(part, scene.max_slope)]
        if len(triangles) and _is_over(triangles, point, reach).any():
            return part.name
    return None


def flip_of(parts: Sequence[Part], down: Sequence[Part]) -> str:
    """Return the key that turns some parts of those that may be ground."""
    if len(down) == len(parts):
        return "`flip = true`"
    names = ", ".join(f'"{part.name}"' for part in down[:SHOWN])
    return f"`flip = [{names}{', ...' * (len(down) > SHOWN)}]`"


def _may_be_ground(scene: Scene, part: Part) -> bool:
    return part.role == "ground" or (part.role == "obstacle" and not scene.roles_stated)


def _level_down(part: Part, max_slope: float) -> Float:
    return np.asarray(part.mesh.normals[:, 2] <= -np.cos(max_slope) + 1e-9)


def _is_over(triangles: Float, point: Float, reach: float) -> Float:
    """Return which triangles (F, 3, 3) have a point within reach straight above or below one."""
    corners = triangles[:, :, :2] - point[:2]
    after = np.roll(corners, -1, axis=1)
    turn = corners[..., 0] * after[..., 1] - corners[..., 1] * after[..., 0]  # (F, 3)
    inside = (turn >= 0.0).all(axis=1) | (turn <= 0.0).all(axis=1)
    low, high = triangles[:, :, 2].min(axis=1), triangles[:, :, 2].max(axis=1)
    return np.asarray(inside & (low <= point[2] + reach) & (high >= point[2] - reach))


def _named(parts: Sequence[Part]) -> str:
    names = ", ".join(f"`{part.name}`" for part in parts[:SHOWN])
    return names if len(parts) <= SHOWN else f"{names} and {len(parts) - SHOWN} more"
