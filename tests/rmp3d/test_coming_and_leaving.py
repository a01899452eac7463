"""Members come and leave while a run goes on: who is there, recorded, proved and shown."""

import dataclasses
import json

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.errors import InputError
from rmp3d.playback.from_recording import playback
from rmp3d.recording import RecordingReader, RecordingWriter, layout
from rmp3d.recording.presence import PresenceNotes, lives
from rmp3d.recording.stored import DamagedError
from rmp3d.reporting.course import course_of
from rmp3d.reporting.members import member_rows
from rmp3d.reporting.motion import group_figures
from rmp3d.scenario.loading import load
from rmp3d.simulation import Simulation, header_of, simulate
from rmp3d.simulation.roster import Roster
from rmp3d.verification import verify
from rmp3d.viewer.drawings import DRAWINGS
from rmp3d.viewer.drawings.drawing import Seen

WALKERS = """
[[groups]]
name = "walkers"
members = 3
start = "west"
behavior = { name = "acting", idle = "round", nodes = 60, goals.round.go_to = ["east", "west"] }
"""
BIRDS = """
[[groups]]
name = "birds"
character = "drone"
members = 2
start = [0.0, 0.0, 2.5]
behavior = { name = "steering", behaviors = ["wander", "containment"] }
"""
COMING = """
[[changes]]
time = 0.3
group = "walkers"
add = [0.0, -2.0, 0.0]
count = 2
[[changes]]
time = 0.5
group = "walkers"
remove = [0, 3]
[[changes]]
time = 0.6
group = "birds"
add = [3.0, 2.0, 2.0]
[[changes]]
time = 0.7
group = "walkers"
remove = "west"
"""
DT = 0.1


def text(groups=WALKERS + BIRDS, changes="", seconds=1.2):
    return (
        f'[scene]\nname = "plain"\n[simulation]\nduration = {seconds}\ndt = {DT}\n{groups}{changes}'
    )


def made(folder, *args, **more):
    file = folder / "a.toml"
    file.write_text(text(*args, **more))
    return load(file)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("coming")
    report = simulate(made(folder, changes=COMING), recording_path=folder / "a.rmp3d")
    return report, folder / "a.rmp3d"


def test_a_recording_says_who_is_there_when(recorded):
    _, path = recorded
    with RecordingReader.open(path) as recording:
        frames = recording.frames
        west = np.array([[0, 5], [0, 7], [0, 7], [3, 5], [3, frames]])
        birds = np.array([[0, frames], [0, frames], [6, frames]])
        np.testing.assert_array_equal(recording.life, np.concatenate([west, birds]))
        there = recording.presence()
        np.testing.assert_array_equal(there[4], [1, 1, 1, 1, 1, 1, 1, 0])
        position = recording.position()
        assert np.linalg.norm(position[3, 3] - [0, -2, 0]) < 1.0, "a bird may be over the point"
        assert 0.5 < np.linalg.norm(position[3, 3] - position[3, 4]) < 2.0
        np.testing.assert_array_equal(position[5:, 0], np.tile(position[4, 0], (frames - 5, 1)))
        told = [(e.kind, e.member) for e in recording.events() if e.kind in ("came", "left")]
    came = [("came", 3), ("came", 4), ("left", 0), ("left", 3), ("came", 7)]
    assert told == [*came, ("left", 1), ("left", 2)]


def test_all_that_are_there_are_proved_and_only_they(recorded):
    report, path = recorded
    with RecordingReader.open(path) as recording:
        checked = verify(recording)
        states = recording.presence().sum()
    assert checked.findings == ()
    assert (checked.members, checked.states) == (8, states)
    assert [group.members for group in report.groups] == [5, 3]


def test_the_same_seed_gives_the_same_bytes_and_the_file_repeats_it(recorded, tmp_path):
    scenario = rp.Scenario.of(made(tmp_path, changes=COMING))
    simulate(scenario.save(tmp_path / "saved.toml") and load(tmp_path / "saved.toml"),
             recording_path=tmp_path / "again.rmp3d")  # fmt: skip
    with (
        RecordingReader.open(recorded[1]) as one,
        RecordingReader.open(tmp_path / "again.rmp3d") as other,
    ):
        assert one.position().tobytes() == other.position().tobytes()
        assert one.events() == other.events()


def test_the_viewer_and_tables_have_only_those_that_are_there(recorded, tmp_path):
    with RecordingReader.open(recorded[1]) as recording:
        shown = playback(recording)
    np.testing.assert_array_equal(shown.pose(0.45).there, [1, 1, 1, 1, 1, 1, 1, 0])
    np.testing.assert_array_equal(shown.pose(1.0).there, [0, 0, 0, 0, 1, 1, 1, 1])
    rp.export(rp.Recording.open(recorded[1]), tmp_path / "a.csv")
    rows = (tmp_path / "a.csv").read_text().splitlines()[1:]
    expected = sum(shown.there(frame).sum() for frame in range(shown.frame_count))
    assert len(rows) == expected


def test_nobody_comes_where_nobody_can_stand_and_the_run_goes_on(tmp_path):
    changes = """
[[changes]]
time = 0.1
group = "walkers"
add = [200.0, 0.0, 0.0]
[[changes]]
time = 0.2
group = "walkers"
remove = 0
[[changes]]
time = 0.3
group = "walkers"
remove = 0
"""
    frames = list(Simulation.of(made(tmp_path, WALKERS, changes, seconds=0.5)))
    refused = [event.text for frame in frames for event in frame.events if event.kind == "refused"]
    assert len(frames) == 6
    assert [len(frame.position) for frame in frames] == [3, 3, 2, 2, 2, 2]
    assert refused[0].startswith("the point [200.0, 0.0, 0.0] is not on walkable ground")
    assert refused[1:] == ["member 0 cannot leave: it is not there"]


def test_a_crowd_of_newcomers_finds_room_beside_each_other_and_those_that_run(tmp_path):
    changes = '[[changes]]\ntime = 0.5\ngroup = "walkers"\nadd = "west"\ncount = 8\n'
    simulation = Simulation.of(made(tmp_path, WALKERS, changes, seconds=0.6))
    frames = list(simulation)
    position, radius = frames[5].position[:11, :2], frames[5].flock.bodies.radius[0]
    apart = np.linalg.norm(position[:, None] - position[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    assert apart.min() >= 2.0 * radius + 0.1 - 1e-9
    assert not frames[5].velocity[3:].any()


@pytest.mark.parametrize(("line", "message"), [
    ("add = 'wst'", "`changes[0].add`: no region named `wst`"),
    ("remove = 3", "`walkers` has 3 members, counted from 0"),
    ("add = 'west'\ncount = 0", "count"),
    ("send = [1.0]", "a point is [x, y, z], or [] for none; got [1.0]"),
])  # fmt: skip
def test_what_cannot_be_meant_is_refused_before_the_run(tmp_path, line, message):
    changes = f'[[changes]]\ntime = 1.0\ngroup = "walkers"\n{line}\n'
    with pytest.raises(InputError) as error:
        Simulation.of(made(tmp_path, WALKERS, changes))
    assert message in str(error.value)


def test_a_program_adds_and_removes_where_the_recording_has_room(tmp_path):
    groups = WALKERS.replace("members = 3", "members = 3\nreserve = 1")

    def each_step(simulation):
        if simulation.frames == 2:
            simulation.add_member("walkers", [0.0, 2.0, 0.0])
            simulation.remove_member("walkers", 1)
        if simulation.frames == 4:
            with pytest.raises(InputError, match="the recording has room for 0"):
                simulation.add_member("walkers", "west")

    path = tmp_path / "a.rmp3d"
    simulate(made(tmp_path, groups, seconds=0.6), recording_path=path, each_step=each_step)
    with RecordingReader.open(path) as recording:
        ends = recording.life.tolist()
    assert ends == [[0, 7], [0, 2], [0, 7], [2, 7]]


def test_members_are_sent_to_a_point_and_go_on_with_their_goals(tmp_path):
    simulation = Simulation.of(made(tmp_path, WALKERS, seconds=5.0))
    simulation.step()
    simulation.send("walkers", [-8.0, 4.0, 0.0])
    goals = [event.text for event in simulation.look().events if event.kind == "goal"]
    for _ in range(15):
        frame = simulation.step()
        goals += [event.text for event in frame.events if event.kind == "goal"]
    assert goals[-3:] == ["round -> sent"] * 3
    ahead = np.array([-8.0, 4.0, 0.0]) - frame.position
    assert (np.einsum("ij,ij->i", ahead, frame.velocity) > 0.0).all()
    simulation.send("walkers", None)
    assert [e.text for e in simulation.step().events][-3:] == ["sent -> round"] * 3


def forged(folder, third_at, comes=2):
    """Write 5 frames in which two members stand, and a third one comes at a frame and a place."""
    scenario = made(folder, WALKERS, seconds=0.4)
    simulation = Simulation.of(scenario)
    start = simulation.look()
    path = folder / "forged.rmp3d"
    with RecordingWriter(path, header_of(simulation)) as recording:
        for row in range(5):
            member = np.array([0, 1] if row < comes else [0, 1, 2])
            frame = dataclasses.replace(start, events=(), measures=(), member=member)
            position = start.position.copy()
            position[2] = position[0] if third_at is None else third_at
            frame = dataclasses.replace(
                frame, position=position[member], subgoal=position[member],
                orientation_wxyz=start.orientation_wxyz[member],
            )  # fmt: skip
            frame.write(recording)
    return path


def test_one_that_comes_into_another_is_found_from_that_moment_on(tmp_path):
    with RecordingReader.open(forged(tmp_path, None)) as recording:
        (finding,) = [each for each in verify(recording).findings if each.kind != "claim"]
    assert (finding.kind, finding.members) == ("member_collision", (0, 2))
    assert finding.time == pytest.approx(2 * DT, abs=DT)


def test_one_that_comes_at_the_last_frame_is_proved_too(tmp_path):
    with RecordingReader.open(forged(tmp_path, None, comes=4)) as recording:
        kinds = [each.kind for each in verify(recording).findings]
    assert "member_collision" in kinds


def test_one_that_comes_into_a_wall_is_found(tmp_path):
    with RecordingReader.open(forged(tmp_path, [7.0, -5.0, -1.0])) as recording:
        found = {each.kind for each in verify(recording).findings if 2 in each.members}
    assert "off_ground" in found


def test_lives_are_read_from_the_notes():
    notes = PresenceNotes(4)
    for member in ([0, 1], [0, 1], [0, 1, 2], [1, 2]):
        notes.add(np.array(member))
    found = lives(np.array(notes.rows, layout.PRESENCE), 4, 4)
    np.testing.assert_array_equal(found, [[0, 3], [0, 4], [2, 4], [0, 0]])


@pytest.mark.parametrize("rows", [
    [(0, 9, 0)], [(-1, 0, 0)], [(3, 0, 0), (2, 1, 0)], [(2, 0, 1)],
    [(0, 0, 0), (1, 0, 0)], [(1, 0, 0), (2, 0, 1)], [(0, 0, 0), (2, 0, 1), (2, 0, 0)],
])  # fmt: skip
def test_notes_that_contradict_each_other_are_damage(rows):
    with pytest.raises(DamagedError):
        lives(np.array(rows, layout.PRESENCE), 3, 5)


def test_a_roster_keeps_numbers_and_rows_of_groups():
    roster = Roster([2, 1], [3, 1])
    turned = roster.add(0, 2)
    assert turned.before.tolist() == [0, 1, -1, -1, 2]
    assert (roster.member.tolist(), roster.counts) == ([0, 1, 2, 3, 4], [4, 1])
    roster.remove(np.array([False, True, False, False, False]))
    assert roster.number.tolist() == [0, 2, 3, 0]
    assert roster.member.tolist() == [0, 2, 3, 4]


def test_turnover_carries_values_and_rows():
    turned = Turnover(np.array([2, -1, 0]), 3)
    assert turned.of(np.array([10.0, 11.0, 12.0]), 5.0).tolist() == [12.0, 5.0, 10.0]
    assert turned.rows(np.array([0, 1, 2, -1])).tolist() == [2, -1, 0, -1]


def test_glb_hides_members_before_they_come_and_after_they_left(recorded, tmp_path):
    rp.export(rp.Recording.open(recorded[1]), tmp_path / "a.glb")
    data = (tmp_path / "a.glb").read_bytes()
    document = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    paths = [channel["target"]["path"] for channel in document["animations"][0]["channels"]]
    assert paths.count("scale") == 8


@pytest.mark.parametrize(("kind", "text"), [
    ("came", "the member came at 0.2 s"),
    ("left", "the member is there until the end"),
    ("", "member 2 came at 0.2 s, and no event tells of it"),
])  # fmt: skip
def test_events_that_contradict_the_notes_of_presence_are_found(tmp_path, kind, text):
    with RecordingWriter(*forging(tmp_path)) as recording:
        start = Simulation.of(made(tmp_path, WALKERS, seconds=0.4)).look()
        for row in range(5):
            member = np.arange(2 + (row >= 2))
            frame = dataclasses.replace(
                start, events=(), measures=(), member=member, position=start.position[member],
                subgoal=start.subgoal[member], orientation_wxyz=start.orientation_wxyz[member],
            )  # fmt: skip
            if kind and row == 3:
                recording.add_event(0.3, kind, 0, 2, "walkers 2")
            frame.write(recording)
    with RecordingReader.open(recording.path) as recording:
        claims = [each.text for each in verify(recording).findings if each.kind == "claim"]
    assert any(claim.endswith(text) for claim in claims), claims


def forging(folder):
    """Return path and header of a recording in which nothing is true."""
    simulation = Simulation.of(made(folder, WALKERS, seconds=0.4))
    return folder / "claims.rmp3d", header_of(simulation)


def test_who_stays_wanders_on_as_if_nobody_had_left_or_come(tmp_path):
    changes = """
[[changes]]
time = 0.5
group = "birds"
remove = 0
[[changes]]
time = 0.7
group = "birds"
add = [3.0, 2.0, 2.0]
"""
    tracks = []
    for text in ("", changes):
        scenario = made(tmp_path, BIRDS, text, seconds=1.5)
        frames = list(Simulation.of(scenario, traffic=None, safety=None))
        tracks.append([f.position[list(f.member).index(1)] for f in frames])
    np.testing.assert_array_equal(*tracks)


def test_reports_count_only_the_time_in_which_a_member_is_there(recorded):
    with RecordingReader.open(recorded[1]) as recording:
        position, life, kinds = recording.position(), recording.life, recording.load_characters()
        rows = member_rows(recording, position, kinds, None)
        course = course_of(recording, position, recording.load_scene(), kinds)
        motion = group_figures(recording, position, kinds)
        there = recording.presence()
    for row, (first, end) in zip(rows, life.tolist(), strict=True):
        track = np.linalg.norm(np.diff(position[first:end, row.member], axis=0), axis=1)
        assert row.distance == pytest.approx(track.sum())
        assert row.mean_speed == pytest.approx(track.mean() / DT)
    last = position[-1, :5][there[-1, :5]]
    spread = np.sqrt((np.linalg.norm(last - last.mean(axis=0), axis=1) ** 2).mean())
    assert course.spread[0, -1] == pytest.approx(spread)
    assert motion["walkers"]["stops"]["worst"] == 0.0, "who left did not stop"


def test_the_clearance_of_who_is_not_there_is_not_drawn(recorded):
    with RecordingReader.open(recorded[1]) as recording:
        shown = playback(recording)
    drawing = DRAWINGS["clearance"](shown)
    assert len(drawing.draw(Seen(0.4, shown.pose(0.4), 0)).lines) == 1
    assert len(drawing.draw(Seen(1.0, shown.pose(1.0), 0)).lines) == 0
