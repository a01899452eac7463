"""Bodies of no thickness that cross, and gaps of less than a micrometer over long motions."""

import numpy as np
import pytest
from numpy.random import default_rng

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.recording import RecordingReader
from rmp3d.verification import verify
from rmp3d.verification.crossing import crossing

DT = 1 / 32
BESIDES = ("not_arrived", "start", "facing")
"""What these made-up motions are as well, and is no matter here."""
SHEET = """mesh = "sheet.obj"
[body]
radius = 0.3
[vehicle]
kind = "flying"
mass = 4.0
max_speed = {speed}
cruise_speed = 1.0
max_force = 1e9
max_turn_rate = 3600.0
"""


@pytest.fixture
def found(world, tmp_path):
    """A function that returns what is found about sheets, upright squares across the x axis."""

    def of(position, speed=5.0, orientation=None):
        yard = type(world)(tmp_path)
        square = [[0, -0.2, -0.2], [0, 0.2, -0.2], [0, 0.2, 0.2], [0, -0.2, 0.2]]
        mesh = TriangleMesh(np.array(square, float), np.array([[0, 1, 2], [0, 2, 3]]))
        yard.write_obj(tmp_path / "sheet.obj", {"body": mesh})
        (tmp_path / "sheet.toml").write_text(SHEET.format(speed=speed))
        path = yard.record(tmp_path / "a.rmp3d", position, orientation, "sheet")
        with RecordingReader.open(path) as recording:
            return [f for f in verify(recording).findings if f.kind not in BESIDES]

    return of


@pytest.mark.parametrize("step", [0.0311, 0.15])
@pytest.mark.parametrize("way", [1, -1])
def test_a_sheet_that_crosses_a_sheet_wall_is_found(found, step, way):
    """The wall at x = 10; at no frame is the body in it."""
    x = 9.0 + 0.0071 + step * np.arange(int(2.0 / step))[::way]
    position = np.array([[[u, 6.0, 1.0]] for u in x])
    (finding,) = found(position)
    crossed = np.flatnonzero((x[:-1] - 10.0) * (x[1:] - 10.0) < 0)[0]
    assert (finding.kind, finding.part, finding.members) == ("collision", "screen", (0,))
    assert crossed * DT < finding.time < (crossed + 1) * DT
    assert not found(position + np.array([0.0, -2.21, 0.0]))  # past the end of the wall, y = 4


def test_two_sheets_that_cross_each_other_are_found(found):
    x = 4.0 + 0.0171 * np.arange(60)
    position = np.array([[[u, 3.0, 1.0], [9.0 - u, 3.1, 1.1]] for u in x])
    (finding,) = found(position)
    assert (finding.kind, finding.members) == ("member_collision", (0, 1))
    assert "between frames" in finding.text
    assert not found(position + np.array([[0.0, 0.0, 0.0], [0.0, 0.31, 0.0]]))


def test_sheets_that_cross_while_they_turn_are_found(found):
    rng = default_rng(8)
    for _ in range(3):
        # Both turn about x, the direction of motion, so they stay parallel.
        half = rng.uniform(-0.05, 0.05, (60, 2)).cumsum(axis=0)
        turn = np.stack([np.cos(half), np.sin(half), 0 * half, 0 * half], axis=-1)
        x = 4.0 + 0.0171 * np.arange(60)
        position = np.array([[[u, 3.0, 1.0], [9.0 - u, 3.05, 1.02]] for u in x])
        kinds = {finding.kind for finding in found(position, orientation=turn)}
        assert kinds >= {"member_collision"}


def test_a_long_motion_a_hair_beside_a_wall_ends_soon_and_is_told(found):
    """Half a micrometer beside the plane of the wall, 100 m at a stride: neither free nor not."""
    position = np.zeros((3, 1, 3))
    position[:, 0] = [[10.0 + 2.0**-21, 5.0, 1.0]] * 3
    position[1, 0, 2] = 101.0
    findings = found(position, speed=1e5)
    assert {f.kind for f in findings} <= {"unproved", "collision", "out_of_bounds", "force"}
    assert {f.kind for f in findings} & {"unproved", "collision"}


def test_small_motions_of_triangles_cross_as_dense_sampling_says():
    """Two triangles that pass each other, in ten thousand steps of one thousandth of the way."""
    rng = default_rng(2)
    flat = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    seen = 0
    for _ in range(300):
        lift = rng.uniform(0.2, 0.8, (3, 1)) * [0, 0, 1e-6]
        place = np.append(rng.uniform(-1, 1, 2), 0.0)
        turn = rng.uniform(0, 2 * np.pi)
        spun = flat @ np.array(
            [[np.cos(turn), np.sin(turn), 0], [-np.sin(turn), np.cos(turn), 0], [0, 0, 1]]
        )
        before, after = spun + place + lift, spun + place - lift
        hit = crossing(before[None], after[None], flat[None], flat[None]) == 0
        # In plan they do not move: they cross if they overlap.
        assert hit == _overlap(flat[:, :2], before[:, :2])
        seen += hit
    assert 50 < seen < 250


def _overlap(first, second):
    """Whether two triangles in the plane overlap, by separating axes."""
    for t in (first, second):
        for k in range(3):
            edge = t[(k + 1) % 3] - t[k]
            axis = np.array([-edge[1], edge[0]])
            a, b = first @ axis, second @ axis
            if a.max() < b.min() or b.max() < a.min():
                return False
    return True
