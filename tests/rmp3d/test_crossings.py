"""Measuring lines: every passage once, at its time, with its flow; wrong lines are refused."""

import json

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.crossings import CrossingCounter, crossings_of, placed_lines
from rmp3d.geometry.errors import InputError
from rmp3d.recording import RecordingReader
from rmp3d.reporting.lines import line_charts, lines_table
from rmp3d.scenario import Scenario
from rmp3d.scenario.measuring import MeasuringLine
from rmp3d.simulation import simulate
from rmp3d.studies.figures import is_better_high, unit_of

DOOR = MeasuringLine(name="door", ends=([0.0, -1.0], [0.0, 1.0]))
UPSTAIRS = MeasuringLine(name="up", ends=([0.0, -1.0, 4.0], [0.0, 1.0, 4.0]))


def counted(lines, tracks, dt=0.5, members=None):
    """Count the passages of tracks (T, N, 3)."""
    counter = CrossingCounter(lines)
    for frame, position in enumerate(np.asarray(tracks, float)):
        rows = np.arange(len(position)) if members is None else np.array(members[frame], int)
        counter.add(frame * dt, position[rows], rows, len(position))
    return counter


def walk(*x, y=0.0, z=0.0):
    return [[[each, y, z]] for each in x]


def test_a_passage_has_the_time_and_the_speed_of_the_crossing():
    (own,) = counted([DOOR], walk(-3.0, -1.0, 1.0, 3.0)).passages()
    assert own.time.tolist() == [0.75]
    assert own.speed.tolist() == [4.0]
    assert own.forward.tolist() == [1.0]


def test_who_turns_round_on_the_line_is_counted_once_each_way():
    figures = counted([DOOR], walk(-1.0, 0.0, 0.0, 1.0, 0.0, -1.0)).figures()[0]
    assert (figures["forward"], figures["backward"]) == (1, 1)


def test_motions_beside_the_line_and_on_other_levels_are_none():
    beside = walk(-1.0, 1.0, y=1.2)
    below = walk(-1.0, 1.0)
    assert counted([DOOR], beside).figures()[0]["passages"] == 0
    assert counted([UPSTAIRS], below).figures()[0]["passages"] == 0
    assert counted([UPSTAIRS], walk(-1.0, 1.0, z=4.9)).figures()[0]["passages"] == 1


def test_the_flow_is_that_of_a_steady_stream():
    speed, apart, dt = 1.25, 0.5, 0.1
    time = dt * np.arange(400)
    tracks = np.zeros((400, 30, 3))
    tracks[..., 0] = speed * time[:, None] - 3.0 - apart * np.arange(30)
    figures = counted([DOOR], tracks, dt).figures()[0]
    assert figures["passages"] == 30
    assert figures["flow"] == pytest.approx(speed / apart)
    assert figures["specific_flow"] == pytest.approx(speed / apart / 2.0)
    assert figures["speed"] == pytest.approx(speed)
    assert figures["density"] == pytest.approx(1.0 / (2.0 * apart))


def test_members_that_come_or_leave_on_the_other_side_have_not_passed():
    tracks = np.array([[[-1.0, 0, 0], [-1.0, 0, 0]], [[1.0, 0, 0], [1.0, 0, 0]]])
    assert counted([DOOR], tracks, members=[[0, 1], [1]]).figures()[0]["passages"] == 1
    assert counted([DOOR], tracks, members=[[], [0, 1]]).figures()[0]["passages"] == 0


def test_few_passages_have_no_flow():
    assert counted([DOOR], walk(-1.0)).figures()[0]["flow"] is None
    assert counted([DOOR], walk(-1.0, 1.0)).figures()[0]["flow"] is None


def test_run_report_and_recording_agree(tmp_path):
    ends = {"start": (-7.0, -4.0, 0.0), "goal": (7.0, -4.0, 0.0)}
    group = rp.Group(members=3, behavior="self_guided", **ends)
    lines = [{"name": "a door", "ends": [[0.0, -9.0], [0.0, 9.0]]}]
    scenario = Scenario("plain", group, nodes=60, dt=0.1, duration=12.0, measure=lines)
    report = simulate(scenario, recording_path=tmp_path / "run.rmp3d")
    (told,) = json.loads(json.dumps(report.as_dict()))["measure"]
    assert (told["name"], told["passages"], told["forward"]) == ("a door", 3, 3)
    with RecordingReader.open(tmp_path / "run.rmp3d") as recording:
        seen = crossings_of(recording, recording.position())
        assert seen.figures()[0]["last"] == pytest.approx(told["last"], abs=0.01)
        assert "a door" in lines_table(seen)
        assert len(list(line_charts(seen, 12.0))) == 2
    ((name, ends),) = placed_lines(scenario.table.measure, np.array([[0.0, 0.0, 2.0]]))
    assert (name, ends.tolist()) == ("a door", [[0.0, -9.0, 2.0], [0.0, 9.0, 2.0]])


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (
            [{"name": "a", "ends": [[0, 0], [0, 0]]}],
            r"measure\[0\].ends`: the points are 0 m",
        ),
        ([{"name": "a", "ends": [[0, 0], [0, 1, 1]]}], r"both points are \[x, y\], or both"),
        ([{"name": "a", "ends": [[0, 0], [0, 1]]}] * 2, r"`measure\[1\].name`: `a` is the name of"),
        ([{"name": "", "ends": [[0, 0], [0, 1]]}], r"`measure\[0\].name`: must be text"),
        ([{"ends": [[0, 0], [0, 1]]}], r"`measure\[0\].name`: is missing"),
        ([{"name": "a", "ends": [[0, float("inf")], [0, 1]]}], "must be a finite number"),
        ("door", "`measure`: give a list of lines"),
    ],
)
def test_wrong_lines_are_refused(lines, error):
    with pytest.raises(InputError, match=error):
        Scenario("plain", rp.Group(members=1), measure=lines)


def test_figures_of_lines_have_units_and_more_flow_is_better():
    assert (unit_of("flow.door"), unit_of("energy"), unit_of("jams")) == ("1/s", "J", "")
    assert is_better_high("flow.door")
    assert not is_better_high("last_arrival")
