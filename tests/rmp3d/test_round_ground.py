"""Ground that falls away to both sides: a formation goes along it abreast, and waits for nobody."""

import numpy as np

from rmp3d.geometry import TriangleMesh
from rmp3d.scenario import Group, Scenario
from rmp3d.scenes import Scene
from rmp3d.simulation import simulate

RADIUS, ACROSS = 4.0, 2.8


def cane():
    """The top of a round stem 12 m long, of radius 4 m, to where it is 44 degrees steep."""
    across = np.linspace(-ACROSS, ACROSS, 15)
    ends = [[(x, y, np.sqrt(RADIUS**2 - y * y)) for y in across] for x in (0.0, 12.0)]
    row = np.arange(len(across) - 1)
    faces = [[row, row + 15, row + 1], [row + 1, row + 15, row + 16]]
    return TriangleMesh(np.concatenate(ends), np.concatenate([np.stack(f, axis=1) for f in faces]))


def test_five_abreast_walk_along_a_round_stem_at_their_pace(tmp_path):
    scene = Scene.from_mesh({"stem": cane()}, bounds=[[0, -4, -1], [12, 4, 8]])
    group = Group(
        "pedestrian", 5, start=(1.5, 0, RADIUS), goal=(9, 0, RADIUS), behavior="narrow_passages"
    )
    scenario = Scenario(scene, [group], nodes=40, duration=8.0, linger=0.0, seed=1)
    report = simulate(scenario, recording_path=tmp_path / "a.rmp3d").groups[0]
    assert report.arrived == 5
