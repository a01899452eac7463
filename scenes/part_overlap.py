"""Moving parts that begin deep inside a part that stands still: a slip in a position or a unit."""

from collections.abc import Sequence

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.query import MeshQuery
from rmp3d.scenes.part import Part

DEEP = 0.15
"""A part may begin so far [m] in another one: doors touch their frames, and slide into walls."""
NOTED = 0.02
"""From so far [m] on it is said."""


def check_begins(parts: Sequence[Part]) -> list[str]:
    """Refuse a moving part that begins farther than `DEEP` inside a part that stands still.

    Looked at are its corners, and the middles of its edges and faces. Only watertight parts have an
    inside. Decor may be anywhere.

    Returns:
        Notes on those that begin farther than `NOTED` inside.

    Raises:
        InputError: Names both parts, the time, the depth and the place.
    """
    still = [part for part in parts if part.motion is None and part.role != "decor"]
    queries: dict[int, MeshQuery] = {}
    notes = []
    for part in parts:
        if part.motion is None or part.motion.role == "decor" or part.motion.stands:
            continue
        points = _points_at_start(part)
        low, high = points.min(axis=0), points.max(axis=0)
        for row, other in enumerate(still):
            bounds = other.mesh.bounds
            if (bounds[0] > high).any() or (bounds[1] < low).any() or not other.mesh.is_watertight:
                continue
            if row not in queries:
                queries[row] = MeshQuery(other.mesh)
            inside = points[queries[row].contains(points)]
            depth = queries[row].closest_point(inside)[0] if len(inside) else np.zeros(1)
            if depth.max() > DEEP:
                x, y, z = inside[int(depth.argmax())]
                raise InputError(
                    f"`scene.motions`: at 0 s, `{part.name}` is {depth.max():.3g} m deep inside "
                    f"`{other.name}`, which stands still, at ({x:.2f}, {y:.2f}, {z:.2f}); at most "
                    f"{DEEP:g} m is taken for a frame or a pocket: move the part, or let it begin "
                    "elsewhere (`phase`)"
                )
            if depth.max() > NOTED:
                notes.append(
                    f"at 0 s, `{part.name}` is {depth.max():.2g} m deep inside `{other.name}`, "
                    "which is taken for a frame or a pocket"
                )
    return notes


def _points_at_start(part: Part) -> Float:
    """Return corners, and middles of edges and faces (M, 3) [m], where a part begins."""
    assert part.motion is not None
    corners = part.mesh.triangles  # (F, 3, 3)
    edges = 0.5 * (corners + np.roll(corners, 1, axis=1))
    points = np.concatenate([corners.reshape(-1, 3), edges.reshape(-1, 3), corners.mean(axis=1)])
    rotation, translation = part.motion.poses(np.array([part.motion.phase]))
    found: Float = np.unique(points, axis=0) @ rotation[0].T + translation[0]
    return found
