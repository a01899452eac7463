"""What a recording says in events, figures and measurements is compared with the motion."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.errors import RecordingError
from rmp3d.recording import RecordingReader, RecordingWriter
from rmp3d.verification import verify

DT = 1 / 32
FRAMES = 200


def walk():
    """Two members from x = 9 to x = 15, from rest; in the goal (x > 12) from frame 108 on."""
    step = np.minimum(np.arange(1, FRAMES) * 0.003, 0.03)
    position = np.zeros((FRAMES, 2, 3))
    position[1:, :, 0] = np.cumsum(step)[:, None]
    position[..., 0] += 9.0
    position[..., 1] = [1.0, 2.0]
    return position


FIRST_IN = int(np.flatnonzero(walk()[:, 0, 0] >= 12.0)[0])


@pytest.fixture
def claims(world, tmp_path):
    """A function that returns the false claims of a recording with the given events."""

    def of(*events, formation=None, figures=None, measured=()):
        path = tmp_path / "a.rmp3d"
        header = world.header(2, frames=FRAMES)
        if measured:
            header = replace(header, series=({"spread": ()},))
        with RecordingWriter(path, header) as writer:
            for frame, row in enumerate(walk()):
                writer.append(
                    position=row, orientation_wxyz=[[1, 0, 0, 0]] * 2, subgoal=row,
                    formation_of=[0 if formation is None else formation[frame]],
                )  # fmt: skip
            for time in measured:
                writer.add_measures(time, 0, {"spread": 1.0})
            for event in events:
                writer.add_event(*event)
            if all(event[1] != "end" for event in events):
                writer.add_event(END, "end", -1, -1, "")
            if figures:
                writer.put_figures(0, figures)
        with RecordingReader.open(path) as recording:
            findings = verify(recording).findings
        assert {finding.kind for finding in findings} <= {"claim", "formation"}
        return [finding for finding in findings if finding.kind == "claim"]

    return of


END = (FRAMES - 1) * DT
ARRIVALS = [(FIRST_IN * DT, "arrived", 0, member, "in the goal region") for member in (0, 1)]


def test_true_claims_are_no_findings(claims):
    formation = np.where(np.arange(FRAMES) < 50, 0, 1)
    assert not claims(
        (0.0, "formation", 0, -1, "start in line"),
        (50 * DT, "formation", 0, -1, "line to column at 3.2 m"),
        *ARRIVALS,
        (END, "end", -1, -1, "2 arrived"),
        formation=formation,
        figures={"in_goal": 2},
        measured=(0.0, 1.0, 2.0),
    )
    assert not claims()


@pytest.mark.parametrize(
    ("event", "text"),
    [
        ((-1.0, "hello", 0, 0, ""), "is before the first frame"),
        ((END + 1.0, "hello", 0, 0, ""), "after the last frame"),
        ((1.01, "hello", 0, 0, ""), "is that of no frame"),
        ((1.0, "arrived", 0, 1, "in the goal region"), "the member is not in `east` then"),
        ((1.0, "departed", 0, 1, "is carried"), "m from its start already"),
        ((1.0, "formation", 0, -1, "line to column at 3 m"), "column is told, `line` is recorded"),
        ((END - DT, "end", -1, -1, ""), "the last frame is at"),
        ((END, "end", -1, -1, "2 arrived"), "it says that 2 arrived, 0 did"),
        ((END, "end", -1, -1, "all arrived"), "it does not say how many arrived"),
        ((1.0, "arrived", 0, -1, "in the goal region"), "it names no member"),
        ((1.0, "left", 0, -1, ""), "it names no member"),
        ((1.0, "caught", 0, 0, "caught them all"), "catch nobody"),
    ],
)
def test_a_false_event_is_found(claims, event, text):
    (finding,) = claims(event)
    assert text in finding.text
    assert finding.members == ((event[3],) if event[3] >= 0 else ())


@pytest.mark.parametrize(
    "event", [(np.nan, 0, 0), (np.inf, 0, 0), (1.0, 3, -1), (1.0, 0, 7), (1.0, -2, 0)]
)
def test_an_event_without_a_time_a_group_or_a_member_is_damage(claims, event):
    time, group, member = event
    with pytest.raises(RecordingError, match="damaged"):
        claims((time, "hello", group, member, ""))


def test_events_out_of_order_and_two_arrivals_of_one_member_are_found(claims):
    (finding,) = claims((2.0, "hello", 0, 0, ""), (1.0, "hello", 0, 0, ""))
    assert "is before that of the event before" in finding.text
    (finding,) = claims(ARRIVALS[0], (FIRST_IN * DT + 1.0, *ARRIVALS[0][1:]))
    assert "has arrived before" in finding.text
    (finding,) = claims((END, "end", -1, -1, ""), (END, "end", -1, -1, ""))
    assert "has ended before" in finding.text


def test_a_formation_that_changes_without_an_event_is_found(claims):
    formation = np.where((np.arange(FRAMES) < 50) | (np.arange(FRAMES) > 120), 0, 1)
    told = (
        (0.0, "formation", 0, -1, "start in line"),
        (50 * DT, "formation", 0, -1, "line to column at 1 m"),
    )
    (finding,) = claims(*told, formation=formation)
    assert finding.time == pytest.approx(121 * DT)
    assert "no event tells of it" in finding.text
    assert len(claims(formation=formation)) == 2  # `narrow_passages` tells of every change


def test_figures_and_measurements_that_contradict_the_motion_are_found(claims):
    (finding,) = claims(figures={"in_goal": 1})
    assert "claims 1 members in the goal, 2 are there" in finding.text
    for times in ((0.0, 2.0, 1.0), (0.0, 99.0), (-1.0, 1.0)):
        (finding,) = claims(measured=times)
        assert "measurements at times that the run has not" in finding.text


def test_a_recording_cut_to_fewer_frames_contradicts_its_end(claims, world, tmp_path):
    """All arrays are cut alike, so that they agree; the event of the end does not."""
    import h5py

    claims(*ARRIVALS, (END, "end", -1, -1, "2 arrived"))
    path = tmp_path / "a.rmp3d"
    with h5py.File(path, "r+") as file:
        for name, array in file["frames"].items():
            array.resize(150, 0 if name == "formation" else 2)
    with RecordingReader.open(path) as recording:
        found = [f for f in verify(recording).findings if f.kind == "claim"]
    assert any("after the last frame" in finding.text for finding in found)
