"""A recording whose arrays or members do not agree is refused as damaged."""

import h5py
import numpy as np
import pytest

from rmp3d.errors import RecordingError
from rmp3d.recording import RecordingReader, RecordingWriter


def recorded(world, path, finished=True):
    position = np.zeros((40, 2, 3))
    position[:, 1, 1] = 2.0
    with RecordingWriter(path, world.header(2)) as writer:
        for row in position:
            writer.append(
                position=row, orientation_wxyz=[[1, 0, 0, 0]] * 2, subgoal=row, formation_of=[0]
            )
        if not finished:
            writer.close(finished=False, reason="stopped by the user")
    return path


@pytest.mark.parametrize("finished", [True, False])
@pytest.mark.parametrize(
    ("name", "axis"),
    [
        ("position", 2),
        ("orientation_xyz", 2),
        ("orientation_w", 2),
        ("subgoal", 2),
        ("formation", 0),
    ],
)
def test_an_array_cut_short_is_damage_however_the_run_ended(world, tmp_path, finished, name, axis):
    path = recorded(world, tmp_path / "a.rmp3d", finished)
    RecordingReader.open(path).close()
    with h5py.File(path, "r+") as file:
        file["frames"][name].resize(25, axis)
    with pytest.raises(RecordingError, match=rf"damaged recording \(`{name}` has 25 frames, .* 40"):
        RecordingReader.open(path)


def test_a_killed_run_has_the_frames_that_every_array_has(world, tmp_path):
    path = recorded(world, tmp_path / "a.rmp3d")
    with h5py.File(path, "r+") as file:
        file["frames"]["formation"].resize(25, 0)
        file["status/state"][0] = 0
    with RecordingReader.open(path) as recording:
        assert recording.frames == 25
        assert not recording.finished


@pytest.mark.parametrize("name", ["position", "formation"])
def test_a_missing_array_is_damage(world, tmp_path, name):
    path = recorded(world, tmp_path / "a.rmp3d")
    with h5py.File(path, "r+") as file:
        del file["frames"][name]
    with pytest.raises(RecordingError, match="damaged recording"):
        RecordingReader.open(path)


def test_a_member_with_another_body_than_the_scenario_says_is_damage(world, tmp_path):
    path = recorded(world, tmp_path / "a.rmp3d")
    with h5py.File(path, "r+") as file:
        rows = file["members"][:]
        rows["character"] = [0, 1]
        file["members"][:] = rows
    with pytest.raises(RecordingError, match="its parts do not agree"):
        RecordingReader.open(path)
