"""What the replay page needs to look around: walls, fields of view, roofs over the members."""

from typing import Any

import numpy as np

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.viewer.cameras.cutaway import Cutaway
from rmp3d.viewer.drawings.obstacle_queries import obstacles_of
from rmp3d.viewer.export.web_data import Pack
from rmp3d.viewer.palette import BEHAVIOR_COLORS, SELECTED
from rmp3d.viewer.playback.playback import Playback

MOST_WALLS = 30_000
"""Triangles that a page measures to; where there are more, nothing is measured."""
ROOF_EVERY, MOST_ROOFS = 0.5, 120
"""[s] between two looks at what is over all members; and so many at most."""


def add_walls(pack: Pack, playback: Playback) -> dict[str, Any]:
    """Add what each kind must not touch; return what the head has to say of kinds and groups."""
    known: dict[int, int] = {}
    rows = []
    for kind in playback.characters:
        mesh = obstacles_of(playback.scene, kind)
        if mesh is None or len(mesh.faces) > MOST_WALLS or playback.member_count == 0:
            rows.append(-1)
            continue
        if id(mesh) not in known:
            known[id(mesh)] = len(known)
            _add_wall(pack, f"wall{known[id(mesh)]}", mesh)
        rows.append(known[id(mesh)])
    sights = [details.sight for details in playback.details]
    return {
        "walls": rows,
        "kind_of": playback.character_of.tolist(),
        "capsules": [
            [*np.asarray(kind.body.capsule_axis).tolist(), kind.body.radius]
            for kind in playback.characters
        ],
        "capsule_rows": [kind.body.capsules.tolist() for kind in playback.characters],
        "grounded": [kind.grounded for kind in playback.characters],
        "carried": [kind.vehicle == "carried" for kind in playback.characters],
        "sights": [each and [each.reach, min(each.angle, 2.0 * np.pi)] for each in sights],
        "selected_color": SELECTED.tolist(),
        "behavior_colors": BEHAVIOR_COLORS.tolist(),
    }


def roofs(playback: Playback) -> list[list[float | None]]:
    """Return (time [s], height [m]) from when on the scene is cut from which height on.

    The height is None where nothing is over the members; see `Cutaway`.
    """
    cutaway = Cutaway(playback)
    count = int(np.clip(playback.duration / ROOF_EVERY, 0, MOST_ROOFS)) + 1
    found: list[list[float | None]] = []
    for time in np.linspace(0.0, playback.duration, count).tolist():
        height = cutaway.height(time)
        said = height if np.isfinite(height) else None
        if not found or found[-1][1] != said:
            found.append([time, said])
    return found


def _add_wall(pack: Pack, name: str, mesh: TriangleMesh) -> None:
    pack.add(f"{name}_vertices", np.round(mesh.vertices, 3).astype("<f4"))
    rows = mesh.faces.reshape(-1).astype(np.intp)
    steps = rows - np.append(0, rows[:-1])
    pack.add_integers(f"{name}_faces", steps, 4)
