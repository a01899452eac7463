import csv
from dataclasses import replace

import numpy as np
import pytest

from rmp3d.viewer import export_playback


def test_every_pose_comes_back(make, tmp_path):
    playback, steps = make(members=4, seconds=2.0), []
    export_playback(playback, tmp_path / "a.csv", lambda done, total: steps.append((done, total)))
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    frames = playback.frame_count
    assert len(rows) == frames * 4
    assert steps[-1] == (frames, frames)
    position = np.array([[float(row[key]) for key in "xyz"] for row in rows]).reshape(-1, 4, 3)
    np.testing.assert_allclose(position, playback.position, atol=5e-7)
    names = ("qw", "qx", "qy", "qz")
    turns = np.array([[float(row[key]) for key in names] for row in rows]).reshape(-1, 4, 4)
    np.testing.assert_allclose(turns, playback.orientation_wxyz, atol=5e-7)
    times = np.array([float(row["time"]) for row in rows[::4]])
    np.testing.assert_allclose(times, np.arange(frames) * playback.dt, atol=5e-7)
    assert rows[0]["formation"] == "line"
    assert rows[len(rows) // 2]["formation"] == "column"
    assert {row["group"] for row in rows} == {"visitors"}


def test_nobody_gives_a_header(make, tmp_path):
    export_playback(make(members=0), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text().count("\n") == 1


@pytest.mark.parametrize("start", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_a_name_is_never_a_formula_and_numbers_stay_numbers(make, tmp_path, start):
    playback = replace(make(members=2), group_names=(start,), formation=(start, "column"))
    export_playback(playback, tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["group"] for row in rows} == {f"'{start}"}
    assert rows[0]["formation"] == f"'{start}"
    assert {float(row["x"]) < 0 for row in rows} >= {True}
    assert "'" not in rows[0]["x"]


def test_a_name_of_several_lines_is_in_one_row(make, tmp_path):
    playback = replace(make(members=1), group_names=("a\r\nb\rc",))
    export_playback(playback, tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(newline="") as file:
        assert {row["group"] for row in csv.DictReader(file)} == {"a \nb c"}
