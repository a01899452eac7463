"""Runs in a scene whose parts appear and go: groups take other ways, and the proof holds."""

from dataclasses import replace

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.geometry.errors import InputError
from rmp3d.recording import RecordingReader, RecordingWriter
from rmp3d.scenes import PresenceDescription
from rmp3d.scenes.build.shapes import box
from rmp3d.simulation import Simulation, header_of
from rmp3d.verification import verify

WALLS = {
    "south": box((5.9, 0, 0), (6.1, 1, 2.5)),
    "middle": box((5.9, 3, 0), (6.1, 6, 2.5)),
    "north": box((5.9, 8, 0), (6.1, 9, 2.5)),
}
BARRIER = box((5.8, 1.01, 0.01), (6.2, 2.99, 2.0))


def rooms(there=False, times=(2.0,), barrier=BARRIER):
    scene = rp.Scene.from_mesh(
        {"floor": box((0, 0, -1), (12, 9, 0)), **WALLS, "barrier": barrier},
        name="rooms",
        roles={"floor": "ground"},
        regions={
            "west": rp.Box((0.5, 0.5, 0), (3, 3.5, 2)),
            "east": rp.Box((9, 0.5, 0), (11.5, 3.5, 2)),
        },
    )
    return scene.with_motions(presence=[PresenceDescription("barrier", list(times), there)])


def ran(scene, behavior="self_guided", members=2, **settings):
    group = rp.Group(members=members, start="west", goal="east", behavior={"name": behavior})
    settings = {"nodes": 60, "duration": 40.0, "linger": 0.0, **settings}
    simulation = Simulation(scene, group, **settings)
    return simulation, list(simulation)


def recorded(run, path, clock=None):
    simulation, frames = run
    with RecordingWriter(path, header_of(simulation)) as file:
        for frame in frames:
            own = frame.clock if clock is None else clock(frame.time)
            replace(frame, clock=own).write(file)
    return RecordingReader.open(path)


def told(frames, kind):
    return [event for frame in frames for event in frame.events if event.kind == kind]


@pytest.fixture(scope="module")
def run():
    return ran(rooms(), "narrow_passages", members=3)


def test_a_group_goes_round_what_appears_on_its_way_and_the_proof_says_so(run, tmp_path):
    (shown,) = told(run[1], "part")
    assert shown.time == pytest.approx(2.0)
    assert shown.text == "`barrier` appears"
    assert len(told(run[1], "replan")) == 1
    with recorded(run, tmp_path / "a.rmp3d") as recording:
        report = verify(recording)
        position = recording.position()
    assert report.ok, report.findings
    assert report.arrived == 3
    passed = position[(np.abs(position[..., 0] - 6.0) < 0.1)]
    assert len(passed)
    assert (passed[:, 1] > 6.0).all()


def test_the_formation_goes_on_with_all_its_slots(run):
    slots = [frame.measures[0]["slot"] for frame in run[1] if frame.measures[0]]
    assert all(sorted(np.ravel(each)) == [0, 1, 2] for each in slots)


def test_verify_finds_who_goes_through_what_is_there(tmp_path):
    run = ran(rooms(times=(30.0,)))
    assert run[1][-1].time < 30.0
    with recorded(run, tmp_path / "a.rmp3d") as recording:
        assert verify(recording).ok
    scene = rooms(times=(1.0,))
    other = Simulation(scene, run[0].scenario.groups, nodes=60, duration=40.0, linger=0.0)
    clock = lambda time: np.array([float(time >= 1.0)])  # noqa: E731
    with recorded((other, run[1]), tmp_path / "b.rmp3d", clock) as recording:
        kinds = {(each.kind, each.part) for each in verify(recording).findings}
    assert ("collision", "barrier") in kinds


def test_verify_finds_a_part_that_appears_before_its_time(run, tmp_path):
    clock = lambda time: np.array([float(time >= 1.0)])  # noqa: E731
    with recorded(run, tmp_path / "a.rmp3d", clock) as recording:
        findings = [each for each in verify(recording).findings if each.kind == "clock"]
    assert [each.part for each in findings] == ["barrier"]
    assert findings[0].time == pytest.approx(1.0, abs=0.04)
    assert findings[0].until == pytest.approx(2.0, abs=0.04)


def test_verify_finds_a_part_that_waits_for_nobody(run, tmp_path):
    with recorded(run, tmp_path / "a.rmp3d", lambda time: np.zeros(1)) as recording:
        (found,) = [each for each in verify(recording).findings if each.kind == "clock"]
    assert "nobody is in its way" in found.text
    assert found.part == "barrier"
    assert 2.0 < found.time


def test_a_wall_that_goes_is_walked_through(tmp_path):
    run = ran(rooms(there=True, times=(1.0,)))
    assert run[0].plans[0].plan.path.length > 13.0
    assert told(run[1], "replan")
    with recorded(run, tmp_path / "a.rmp3d") as recording:
        report = verify(recording)
        position = recording.position()
    assert report.ok, report.findings
    assert report.arrived == 2
    assert (position[(np.abs(position[..., 0] - 6.0) < 0.1)][:, 1] < 3.0).all()


def test_a_part_that_would_appear_in_somebody_waits_until_all_are_out(tmp_path):
    block = box((0.2, 0.2, 0.01), (3.3, 3.8, 2.0))
    run = ran(rooms(times=(0.1,), barrier=block))
    (shown,) = told(run[1], "part")
    assert shown.time > 1.0
    at = round(shown.time * 30)
    inside = (run[1][at].position[:, 0] < 3.3) & (run[1][at].position[:, 1] < 3.8)
    assert not inside.any()
    with recorded(run, tmp_path / "a.rmp3d") as recording:
        assert verify(recording).ok


def test_a_group_without_any_other_way_says_so_and_stops_before_the_part(tmp_path):
    wall = box((5.8, 0.01, 0.01), (6.2, 8.99, 2.0))
    scene = rp.Scene.from_mesh(
        {"floor": box((0, 0, -1), (12, 9, 0)), "wall": wall},
        roles={"floor": "ground"},
        regions={
            "west": rp.Box((0.5, 0.5, 0), (3, 3.5, 2)),
            "east": rp.Box((9, 0.5, 0), (11, 3, 2)),
        },
    ).with_motions(presence=[PresenceDescription("wall", [1.0], False)])
    run = ran(scene, duration=8.0)
    assert len(told(run[1], "no_way")) == 1
    assert run[1][-1].position[:, 0].max() < 5.8
    with recorded(run, tmp_path / "a.rmp3d") as recording:
        assert {each.kind for each in verify(recording).findings} == {"not_arrived"}


def test_a_member_that_starts_in_a_part_is_refused_with_its_name():
    block = box((0.2, 0.2, 0.01), (3.3, 3.8, 2.0))
    with pytest.raises(InputError, match="barrier"):
        ran(rooms(there=True, times=(5.0,), barrier=block))


def test_a_run_is_the_same_a_second_time_also_from_the_same_plans(run):
    simulation, frames = run
    again = Simulation.of(simulation.scenario, (simulation.scene, simulation.plans))
    again.step()
    assert again.plans[0].space is not simulation.plans[0].space
    fresh = ran(rooms(), "narrow_passages", members=3)[1]
    assert len(fresh) == len(frames)
    assert (fresh[-1].position == frames[-1].position).all()


def test_a_program_switches_a_part_in_the_run_and_the_recording_says_who_asked(tmp_path):
    simulation = Simulation(
        rooms(times=()),
        rp.Group(members=2, start="west", goal="east", behavior="self_guided"),
        nodes=60,
        duration=40.0,
        linger=0.0,
    )
    simulation.switch_part("barrier", there=True, time=1.0)
    frames = list(simulation)
    (asked,) = told(frames, "appear")
    assert asked.text == "barrier"
    assert told(frames, "part")[0].time == pytest.approx(asked.time, abs=0.05)
    with recorded((simulation, frames), tmp_path / "a.rmp3d") as recording:
        report = verify(recording)
        position = recording.position()
    assert report.ok, report.findings
    assert (position[np.abs(position[..., 0] - 6.0) < 0.1][:, 1] > 6.0).all()
    silent = [replace(f, events=tuple(e for e in f.events if e.kind != "appear")) for f in frames]
    with recorded((simulation, silent), tmp_path / "b.rmp3d") as recording:
        assert {each.kind for each in verify(recording).findings} == {"clock"}


def test_a_part_that_appears_around_somebody_who_was_beside_it_before_is_found(tmp_path):
    """Its surface is never touched; what counts is where the member is each time it appears."""
    block = box((4.8, 0.8, 0.02), (7.2, 3.2, 3.0))
    scene = rooms(there=True, times=(0.1, 0.2), barrier=block)
    alone = rp.Group(members=1, start=(1, 1, 0), behavior={"name": "steering", "behaviors": []})
    simulation = Simulation(scene, alone, duration=0.3)
    frames = list(simulation)
    places = [(4.3, 2, 0) if frame.time < 0.15 else (6, 2, 0) for frame in frames]
    frames = [
        replace(frame, position=np.array([place], float))
        for frame, place in zip(frames, places, strict=True)
    ]
    clock = dict(zip([f.time for f in frames], [0, 0, 0, 1, 1, 1, 2, 2, 2, 2], strict=True))
    with recorded((simulation, frames), tmp_path / "a.rmp3d", lambda at: [clock[at]]) as recording:
        found = [each for each in verify(recording).findings if each.kind == "collision"]
    assert [(each.part, round(each.time, 3)) for each in found] == [("barrier", 0.167)]


GUARD = {
    "name": "acting",
    "goals": {"there": {"go_to": "west"}},
    "idle": "there",
    "nodes": 20,
    "switches": [{"when": "time > 1.0", "part": "barrier", "there": True}],
}


def test_a_rule_of_acting_lets_a_part_appear_and_a_group_goes_another_way(tmp_path):
    groups = [
        rp.Group(members=2, start="west", goal="east", behavior="self_guided"),
        rp.Group(members=1, start="east", behavior=GUARD),
    ]
    simulation = Simulation(rooms(times=()), groups, nodes=60, duration=4.0, linger=0.0)
    frames = list(simulation)
    (asked,) = told(frames, "appear")
    assert (asked.group, asked.member) == (1, 2)
    assert told(frames, "part")
    assert told(frames, "replan")
    with recorded((simulation, frames), tmp_path / "a.rmp3d") as recording:
        assert not [each for each in verify(recording).findings if each.kind != "not_arrived"]


def test_who_names_a_part_that_is_always_there_is_told_which_may_appear():
    wrong = {**GUARD, "switches": [{"when": "time > 1.0", "part": "north"}]}
    group = rp.Group(members=1, start="west", behavior=wrong)
    with pytest.raises(InputError, match=r"switches\[0\].part`: `north` is no part .* `barrier`"):
        Simulation(rooms(times=()), group, nodes=60)
    with pytest.raises(InputError, match=r"changes\[0\].part`: `nothing` is no part"):
        ran(rooms(), changes=[rp.Change(time=1.0, part="nothing")])


def test_a_part_asked_to_appear_and_to_go_again_never_comes():
    block = box((0.2, 0.2, 0.01), (3.3, 3.8, 2.0))
    asked = [
        rp.Change(time=t, part="barrier", there=there) for t, there in ((0.1, True), (0.3, False))
    ]
    frames = ran(rooms(times=(), barrier=block), changes=asked, duration=3.0)[1]
    assert [each.kind for f in frames for each in f.events if each.text == "barrier"] == [
        "appear",
        "go",
    ]
    assert not told(frames, "part")


@pytest.mark.parametrize(
    ("times", "asks", "expected"),
    [
        ((20.0, 60.0), [(10.0, True)], [10.0, 60.0]),
        ((20.0, 60.0), [(10.0, True), (12.0, False)], [10.0, 12.0, 20.0, 60.0]),
        ((20.0,), [(30.0, True)], [20.0]),
        ((), [(5.0, False), (6.0, True)], [6.0]),
    ],
)
def test_what_a_part_was_told_last_counts(times, asks, expected):
    scene = rooms(times=times)
    (motion,) = (part.motion for part in scene.parts if part.motion is not None)
    for time, there in asks:
        motion = motion.asked(there, time)
    assert motion.changes.tolist() == expected


def test_a_group_whose_only_way_is_closed_at_the_start_waits_until_it_opens(tmp_path):
    scene = rp.Scene.from_mesh(
        {
            "floor": box((0, 0, -1), (8, 4, 0)),
            "south": box((3.9, 0, 0), (4.1, 1, 2.5)),
            "north": box((3.9, 3, 0), (4.1, 4, 2.5)),
            "barrier": box((3.8, 1.01, 0.01), (4.2, 2.99, 2.0)),
        },
        roles={"floor": "ground"},
        regions={
            "west": rp.Box((0.5, 0.5, 0), (3, 3.5, 2)),
            "east": rp.Box((5, 0.5, 0), (7.5, 3.5, 2)),
        },
    )
    scene = scene.with_motions(presence=[PresenceDescription("barrier", [3.0])])
    run = ran(scene, duration=20.0)
    assert told(run[1], "no_way")
    with recorded(run, tmp_path / "a.rmp3d") as recording:
        report = verify(recording)
    assert report.ok, report.findings
    assert report.arrived == 2


TO_EAST = {
    "crowd": {"name": "crowd", "trips": [{"goal": "east"}], "nodes": 60},
    "acting": {"name": "acting", "idle": "go", "goals": {"go": {"go_to": "east"}}, "nodes": 60},
}


@pytest.mark.parametrize("name", TO_EAST)
def test_members_that_find_their_ways_themselves_go_round_what_appears(name):
    group = rp.Group(members=1, start="west", behavior=TO_EAST[name])
    frames = list(Simulation(rooms(), group, duration=15.0, dt=0.05))
    ways = np.array([frame.position[0] for frame in frames])
    assert ways[-1, 0] > 9.0
    assert ways[np.abs(ways[:, 0] - 6.0) < 0.2, 1].min() > 6.0


def test_a_crowd_waits_before_what_closes_its_only_way_until_that_goes():
    shut = {**WALLS, "north": box((5.9, 6, 0), (6.1, 9, 2.5))}
    parts = {"floor": box((0, 0, -1), (12, 9, 0)), **shut, "barrier": BARRIER}
    regions = {name: rooms().regions[name] for name in ("west", "east")}
    scene = rp.Scene.from_mesh(parts, roles={"floor": "ground"}, regions=regions)
    scene = scene.with_motions(presence=[PresenceDescription("barrier", [4.0], there=True)])
    group = rp.Group(members=1, start="west", behavior=TO_EAST["crowd"])
    frames = list(Simulation(scene, group, duration=15.0, dt=0.05))
    over = [frame.time for frame in frames if frame.position[0, 0] > 6.0]
    assert 4.0 < min(over) < 9.0
