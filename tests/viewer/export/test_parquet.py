import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.viewer import export_playback


@pytest.fixture
def parquet():
    return pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")


def test_every_pose_comes_back_with_its_type(make, tmp_path, parquet, monkeypatch):
    playback, steps = make(members=4, seconds=2.0), []
    monkeypatch.setattr("rmp3d.viewer.export.parquet.ROWS_PER_BLOCK", 100)  # several blocks
    export_playback(playback, tmp_path / "a.parquet", lambda *done: steps.append(done))
    table = parquet.read_table(tmp_path / "a.parquet")
    frames = playback.frame_count
    assert table.num_rows == 4 * frames
    assert steps[-1] == (frames, frames)
    assert len(steps) > 2
    columns = {name: table[name].to_numpy() for name in ("x", "y", "z", "sx", "qw", "qz", "time")}
    for axis, name in enumerate("xyz"):
        np.testing.assert_array_equal(
            columns[name].reshape(frames, 4), playback.position[..., axis]
        )
    np.testing.assert_array_equal(columns["sx"].reshape(frames, 4), playback.subgoal[..., 0])
    turns = playback.orientation_wxyz
    np.testing.assert_array_equal(columns["qw"].reshape(frames, 4), turns[..., 0])
    np.testing.assert_array_equal(columns["qz"].reshape(frames, 4), turns[..., 3])
    np.testing.assert_allclose(columns["time"][::4], np.arange(frames) * playback.dt)
    assert table["member"].to_pylist()[:5] == [0, 1, 2, 3, 0]
    assert set(table["group"].to_pylist()) == {"visitors"}
    assert set(table["character"].to_pylist()) == {"walker"}
    formation = table["formation"].to_pylist()
    assert (formation[0], formation[len(formation) // 2]) == ("line", "column")
    types = {field.name: str(field.type) for field in table.schema}
    assert (types["frame"], types["x"]) == ("int32", "double")
    assert types["group"].startswith("dictionary<values=string")


def test_metadata_say_units_events_and_paths(playback, tmp_path, parquet):
    export_playback(playback, tmp_path / "a.parquet")
    found = parquet.read_schema(tmp_path / "a.parquet").metadata
    facts = {
        name.decode(): json.loads(text) for name, text in found.items() if name[:5] != b"ARROW"
    }
    assert facts["units"]["position"] == "m"
    assert facts["dt"] == playback.dt
    assert [event["text"] for event in facts["events"]] == [e.text for e in playback.events]
    np.testing.assert_array_equal(facts["paths"]["visitors"], playback.paths[0])


def test_what_is_not_recorded_is_null(make, tmp_path, parquet):
    bare = make(members=2, seconds=1.0)
    none = np.full_like(bare.formation_of, -1)
    export_playback(replace(bare, subgoal=None, formation_of=none), tmp_path / "a.parquet")
    table = parquet.read_table(tmp_path / "a.parquet")
    for name in ("sx", "sy", "sz", "formation"):
        assert table[name].null_count == table.num_rows
    export_playback(make(members=0), tmp_path / "b.parquet")
    assert parquet.read_table(tmp_path / "b.parquet").num_rows == 0


def test_a_missing_library_is_said_before_any_work(playback, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"needs pyarrow.*pip install 'rmp3d\[parquet\]'"):
        export_playback(playback, tmp_path / "a.parquet")
    assert list(tmp_path.iterdir()) == []
