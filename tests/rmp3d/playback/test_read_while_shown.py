"""Playbacks of large recordings: frames are read while they are shown, and look the same."""

import h5py
import numpy as np
import pytest

import rmp3d.playback.from_recording as module
from rmp3d.playback.from_recording import playback
from rmp3d.recording import RecordingReader, layout
from rmp3d.viewer.playback.near_origin import near_origin
from rmp3d.viewer.playback.stored_frames import StoredFrames


@pytest.fixture
def both(world, tmp_path, monkeypatch):
    """Return a playback of 200 frames of three people that is read at once, and one that is not."""
    way = np.cumsum(np.random.default_rng(0).normal(size=(200, 3, 3)), axis=0) * 0.01
    path = world.record(tmp_path / "long.rmp3d", way + np.array([4.0, 4.0, 1.0]))
    with RecordingReader.open(path) as recording:
        at_once = playback(recording, lazily=True)
    monkeypatch.setattr(module, "READ_AT_ONCE", 0)
    return at_once, playback(RecordingReader.open(path), lazily=True)


def test_moments_in_any_order_look_the_same(both):
    at_once, later = both
    assert isinstance(at_once.position, np.ndarray)
    assert isinstance(later.position, StoredFrames)
    for frame in (0, 199, 119, 120, 30, 29, 150.5):
        one, other = at_once.pose(frame * at_once.dt), later.pose(frame * at_once.dt)
        np.testing.assert_array_equal(one.position, other.position)
        np.testing.assert_array_equal(one.orientation_wxyz, other.orientation_wxyz)
    np.testing.assert_array_equal(at_once.subgoal[7], later.subgoal[7])
    moved = [near_origin(each, np.array([1e6, 0.0, 0.0])).position for each in both]
    np.testing.assert_array_equal(moved[0][5:9, 1], moved[1][5:9, 1])


def test_the_window_shows_the_nearest_moment_until_the_right_one_is_read(both):
    at_once, later = both
    later.loader._begin = lambda: None  # nothing is read meanwhile
    end = at_once.duration
    later.pose(0.0)
    assert at_once.ready(end) == end
    assert later.ready(end) == pytest.approx(29 * later.dt)
    assert later.known(0.0) == (0, 30)
    later.pose(end)
    assert later.ready(end) == end


def test_embedded_meshes_of_format_3_are_read(tmp_path):
    import rmp3d as rp
    from rmp3d.recording.embedded import _scene_meshes, _write_mesh

    path = tmp_path / "own.rmp3d"
    corners = [[-4, -4, 0], [4, -4, 0], [4, 4, 0], [-4, 4, 0]]
    scene = rp.Scene.from_mesh((corners, [[0, 1, 2], [0, 2, 3]]), roles={"*": "ground"})
    group = rp.Group(members=1, start=[-2, 0, 0], goal=[2, 0, 0])
    rp.run(scene, group, to=path, nodes=20, duration=0.1)
    with RecordingReader.open(path) as recording:
        held = recording.header.held
    with h5py.File(path, "r+", libver=layout.LIBRARY_VERSIONS) as file:
        file.attrs["format_version"] = 3
        del file["embedded/meshes"]
        for row, mesh in enumerate(_scene_meshes(held)):
            _write_mesh(file.create_group(f"embedded/scene/{row}"), mesh)
    with RecordingReader.open(path) as recording:
        assert recording.load_scene().hash == recording.header.scene_hash
