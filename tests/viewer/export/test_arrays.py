import numpy as np

from rmp3d.viewer import export_playback


def test_arrays_come_back_without_pickle(playback, tmp_path):
    export_playback(playback, tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as arrays:
        for name in ("position", "orientation_wxyz", "subgoal", "group_of", "formation_of"):
            np.testing.assert_array_equal(arrays[name], getattr(playback, name))
        assert arrays["formation"].tolist() == ["line", "column"]
        assert arrays["event_text"].tolist()[1] == "line to column"
        np.testing.assert_array_equal(arrays["path"], playback.paths[0])
        assert arrays["path_group"].tolist() == [0, 0, 0]
        assert str(arrays["scene"]) == "yards"


def test_same_playback_same_bytes(playback, tmp_path):
    for name in ("a.npz", "b.npz"):
        export_playback(playback, tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
