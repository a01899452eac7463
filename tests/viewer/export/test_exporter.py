import pytest

from rmp3d.geometry import InputError
from rmp3d.viewer import EXPORTERS, export_playback


def test_exporters_are_known_by_suffix():
    formats = {".csv", ".gif", ".glb", ".html", ".mp4", ".npz", ".parquet", ".png"}
    assert set(EXPORTERS) == formats | {".usda", ".usdc", ".usdz"}
    assert all(EXPORTERS.summary(suffix) for suffix in EXPORTERS)


def test_unknown_suffix_names_the_nearest(playback, tmp_path):
    with pytest.raises(InputError, match=r"no export format named `.cvs`; did you mean `.csv`"):
        export_playback(playback, tmp_path / "a.cvs")


def test_a_file_without_a_suffix_is_told_which_there_are(playback, tmp_path):
    with pytest.raises(InputError, match=r"has no suffix to say the format \(\.csv, \.gif"):
        export_playback(playback, tmp_path / "a")


def test_options_reach_the_format_and_unknown_ones_are_refused(playback, tmp_path):
    export_playback(playback, tmp_path / "a.csv", options={"digits": 1})
    assert (tmp_path / "a.csv").read_text().splitlines()[1].startswith("0.0,0,visitors,-10.0")
    with pytest.raises(InputError, match=r"`.csv` has no option `fps` \(it has `digits`\)"):
        export_playback(playback, tmp_path / "a.csv", options={"fps": 3.0})
    with pytest.raises(InputError, match="it has none"):
        export_playback(playback, tmp_path / "a.npz", options={"fps": 3.0})


def test_missing_folder_is_an_input_error(playback, tmp_path):
    (tmp_path / "file").touch()
    for folder in ("no", "file"):
        with pytest.raises(InputError, match="cannot be written"):
            export_playback(playback, tmp_path / folder / "a.csv")


def test_an_interrupted_export_leaves_nothing(playback, tmp_path):
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_playback(playback, tmp_path / "a.csv", stop)
    assert list(tmp_path.iterdir()) == []


def test_suffix_in_capitals_is_the_same_format(playback, tmp_path):
    export_playback(playback, tmp_path / "A.CSV")
    assert (tmp_path / "A.CSV").read_text().startswith("time,member")
