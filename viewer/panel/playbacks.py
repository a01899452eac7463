"""The empty playback that the panel begins with, and when two playbacks share what is uploaded."""

import numpy as np

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes import Part, Scene
from rmp3d.viewer.playback.playback import Playback


def same_scene(before: Playback, after: Playback) -> bool:
    """Return whether two playbacks happen in the same scene."""
    return before.scene is after.scene or before.scene.hash == after.scene.hash


def same_members(before: Playback, after: Playback) -> bool:
    """Return whether the same kinds of members are in the same groups of two playbacks."""
    if before.characters is not after.characters:
        names = [
            [(kind.name, len(kind.mesh.faces)) for kind in each.characters]
            for each in (before, after)
        ]
        if names[0] != names[1]:
            return False
    return np.array_equal(before.character_of, after.character_of) and np.array_equal(
        before.group_of, after.group_of
    )


def blank() -> Playback:
    """Return what is seen before there is a scene: a bare floor."""
    corners = np.array([[-12, -8, 0], [12, -8, 0], [12, 8, 0], [-12, 8, 0]], float)
    mesh = TriangleMesh(corners, np.array([[0, 1, 2], [0, 2, 3]]))
    floor = Part("floor", "ground", mesh, np.full((2, 3), 0.62))
    scene = Scene("", (floor,), {}, np.array([[-12.0, -8.0, 0.0], [12.0, 8.0, 4.0]]))
    nobody = np.empty(0, np.intp)
    return Playback(
        scene=scene,
        characters=(),
        character_of=nobody,
        group_of=nobody,
        group_names=(),
        dt=1.0,
        position=np.empty((1, 0, 3)),
        orientation_wxyz=np.empty((1, 0, 4)),
        formation_of=np.empty((1, 0), np.intp),
    )
