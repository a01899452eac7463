import pytest

from geometry import InputError
from viewer import EXPORTERS, export_playback


def test_exporters_are_known_by_suffix():
    assert {".csv", ".npz", ".png"} <= set(EXPORTERS)
    assert all(EXPORTERS.summary(suffix) for suffix in EXPORTERS)


def test_unknown_suffix_names_the_nearest(playback, tmp_path):
    with pytest.raises(InputError, match=r"no export format named `.cvs`; did you mean `.csv`"):
        export_playback(playback, tmp_path / "a.cvs")


def test_missing_folder_is_an_input_error(playback, tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        export_playback(playback, tmp_path / "no" / "a.csv")


def test_an_interrupted_export_leaves_nothing(playback, tmp_path):
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_playback(playback, tmp_path / "a.csv", stop)
    assert list(tmp_path.iterdir()) == []


def test_suffix_in_capitals_is_the_same_format(playback, tmp_path):
    export_playback(playback, tmp_path / "A.CSV")
    assert (tmp_path / "A.CSV").read_text().startswith("time,member")
