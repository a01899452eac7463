"""Animals that run over rough ground: a foot that a leg cannot reach leaves the ground in time."""

import numpy as np

from benchmarks.feet import seen, slips
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.models import load_character
from rmp3d.scenes import Part, Scene
from rmp3d.viewer.playback.playback import Playback

DT = 0.05


def humps(across):
    """Ground along x whose heights are those of hills 0.3 m high [m]."""
    return 0.15 * np.sin(2.0 * np.pi * across / 2.1)


def rough():
    """A strip of such ground."""
    x, y = np.arange(-2.0, 16.0, 0.3), np.array([-2.0, 2.0])
    points = np.array([(a, b, humps(a)) for a in x for b in y])
    corner = 2 * np.arange(len(x) - 1)[:, None, None]
    faces = (corner + np.array([[0, 2, 1], [2, 3, 1]])).reshape(-1, 3)
    mesh = TriangleMesh(points, faces)
    part = Part("hills", "ground", mesh, np.full((len(faces), 3), 0.5))
    return Scene("rough", (part,), {}, mesh.bounds)


def test_feet_of_a_wolf_that_runs_over_rough_ground_do_not_slip():
    x = np.arange(0.0, 12.0, 4.5 * DT)
    position = np.stack([x, 0.0 * x, humps(x)], axis=-1)
    upright = np.tile([1.0, 0.0, 0.0, 0.0], (len(x), 1, 1))
    shown = Playback(
        scene=rough(), characters=(load_character("wolf"),), character_of=[0], group_of=[0],
        group_names=("a",), dt=DT, position=position[:, None], orientation_wxyz=upright,
        formation_of=np.full((len(x), 1), -1),
    )  # fmt: skip
    found = slips(seen(shown, 0, np.arange(1)))
    assert len(found) > 30
    assert found.max() < 0.02  # [m]
