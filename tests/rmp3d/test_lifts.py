"""Lifts: walkers wait, step on, ride, step off; `verify` proves it, and finds what is wrong."""

from dataclasses import replace

import numpy as np
import pytest

import rmp3d as rp
from rmp3d.geometry.errors import InputError
from rmp3d.recording import RecordingReader, RecordingWriter
from rmp3d.scenes import KeyFrame, MotionDescription, PresenceDescription
from rmp3d.scenes.build.shapes import box
from rmp3d.simulation import Simulation, header_of
from rmp3d.simulation.riding import NoRideError
from rmp3d.verification import verify

UP = (0.0, 0.0, 3.0)
KEYS = [KeyFrame(0), KeyFrame(3.5), KeyFrame(5, UP), KeyFrame(8.5, UP), KeyFrame(10)]


def two_floors(keys=KEYS, size=0.9, obstacles=(), **motion):
    """A floor, one 3 m higher beside it, and a lift between them."""
    parts = {
        "lower": box((0, 0, -0.3), (5, 4, 0)),
        "upper": box((5 + size, 0, 2.7), (10 + size, 4, 3)),
        "lift": box((5, 2 - size / 2, -0.2), (5 + size, 2 + size / 2, 0)),
    }
    scene = rp.Scene.from_mesh(
        {**parts, **dict(obstacles)},
        roles=dict.fromkeys(parts, "ground") | dict.fromkeys(obstacles, "obstacle"),
        bounds=((0, 0, -1), (10 + size, 4, 7)),
        regions={
            "low": rp.Box((0.5, 0.5, -0.1), (4, 3.5, 2)),
            "high": rp.Box((6 + size, 0.5, 2.9), (9.5 + size, 3.5, 5)),
        },
    )
    motion = {"repeat": "cycle", "carries": True, **motion}
    return scene.with_motions([MotionDescription("lift", list(keys), **motion)])


def simulation(scene, members=1, **settings):
    group = {"start": "low", "goal": "high", "behavior": "self_guided", **settings}
    group = rp.Group(members=members, **group)
    return Simulation(scene, group, nodes=30, duration=45.0, linger=0.0)


def recorded(run, frames, path):
    with RecordingWriter(path, header_of(run)) as file:
        for frame in frames:
            frame.write(file)
    return RecordingReader.open(path)


def findings(run, frames, path):
    with recorded(run, frames, path) as recording:
        return verify(recording)


@pytest.fixture(scope="module")
def ride():
    run = simulation(two_floors(), members=2)
    return run, list(run)


def height(frames):
    return np.array([frame.position[:, 2] for frame in frames])


def test_a_group_larger_than_the_lift_rides_in_portions_and_the_proof_says_so(ride, tmp_path):
    run, frames = ride
    assert len(run.plans[0].rides[0].places) == 1
    report = findings(run, frames, tmp_path / "a.rmp3d")
    assert report.ok, report.findings
    assert report.arrived == 2
    rides = (height(frames) > 1.5).argmax(axis=0)  # the frame in which each is halfway
    assert np.ptp(rides) > 8.0 / run.scenario.table.simulation.dt


def test_who_rides_stands_on_the_lift(ride):
    run, frames = ride
    motion = run.scene.part("lift").motion
    deck = np.array(
        [motion.hinge_poses(frame.clock)[0][0, 2] - motion.hinge[2] for frame in frames]
    )
    between = (height(frames) > 0.01) & (height(frames) < 2.99)
    assert between.any(axis=0).all()
    off = np.abs(height(frames) - deck[:, None])[between]
    assert off.max() < 1e-9


def test_verify_finds_who_floats_where_the_lift_is_not(ride, tmp_path):
    run, frames = ride
    late = [replace(f, clock=np.maximum(f.clock - 1.0, 0.0)) for f in frames[:200]]
    kinds = {each.kind for each in findings(run, late, tmp_path / "a.rmp3d").findings}
    assert "off_ground" in kinds


def test_verify_finds_a_lift_that_goes_through_a_member(ride, tmp_path):
    run, frames = ride
    there = np.array([[5.45, 2.0, 1.5], [2.0, 2.0, 0.0]])
    still = [replace(f, position=there) for f in frames[100:160]]
    found = findings(run, still, tmp_path / "a.rmp3d").findings
    assert ("collision", "lift") in {(each.kind, each.part) for each in found}


@pytest.fixture(scope="module")
def crossing_by_ferry():
    """A ferry that goes off at 1.5 m/s, and on the way stands for nobody."""
    parts = {
        "west": box((0, 0, -0.3), (4, 4, 0)),
        "east": box((13, 0, -0.3), (17, 4, 0)),
        "lift": box((4, 1, -0.2), (7, 3, 0)),
    }
    scene = rp.Scene.from_mesh(
        parts,
        roles=dict.fromkeys(parts, "ground"),
        bounds=((0, 0, -1), (17, 4, 4)),
        regions={
            "low": rp.Box((0.5, 0.5, -0.1), (3.5, 3.5, 2)),
            "high": rp.Box((13.5, 0.5, -0.1), (16.5, 3.5, 2)),
        },
    )
    away = (6.0, 0.0, 0.0)
    keys = [KeyFrame(0), KeyFrame(6), KeyFrame(10, away), KeyFrame(16, away), KeyFrame(20)]
    run = simulation(
        scene.with_motions([MotionDescription("lift", keys, "cycle", carries=True)]), members=2
    )
    return run, list(run)


@pytest.mark.slow
def test_of_who_rides_level_only_the_own_motion_is_held_to_limits(crossing_by_ferry, tmp_path):
    run, frames = crossing_by_ferry
    report = findings(run, frames, tmp_path / "a.rmp3d")
    assert report.ok, report.findings
    assert report.arrived == 2


@pytest.mark.slow
def test_who_walks_as_fast_as_a_ferry_beside_it_is_found(crossing_by_ferry, tmp_path):
    run, frames = crossing_by_ferry
    still = [replace(frame, clock=np.zeros(1)) for frame in frames]
    kinds = {each.kind for each in findings(run, still, tmp_path / "a.rmp3d").findings}
    assert {"force", "off_ground"} <= kinds


@pytest.mark.parametrize(
    ("keys", "motion", "said"),
    [
        ([KeyFrame(0), KeyFrame(4, UP), KeyFrame(8)], {}, "`lift`: `carries`, but never stops"),
        ([KeyFrame(0), KeyFrame(4, rotation=(0, 0, 9)), KeyFrame(8)], {}, "not turn, .* at 4 s"),
    ],
)
def test_what_cannot_carry_is_refused_with_part_and_time(keys, motion, said):
    with pytest.raises(InputError, match=said):
        two_floors(keys, **motion)


def test_a_lift_that_stops_below_the_floor_is_named_with_time_and_gap():
    low = (0.0, 0.0, 2.7)
    keys = [KeyFrame(0), KeyFrame(6), KeyFrame(8, low), KeyFrame(13, low), KeyFrame(15)]
    said = r"`lift` stops at 2.70 m \(8 s to 13 s\), where no ground joins it: it is 0.30 m under"
    with pytest.raises(NoRideError, match=said):
        simulation(two_floors(keys))


def test_a_lift_that_does_not_stand_for_long_enough_is_refused():
    keys = [KeyFrame(0), KeyFrame(1), KeyFrame(8, UP), KeyFrame(13, UP), KeyFrame(15)]
    with pytest.raises(NoRideError, match=r"`lift` stands at 0.00 m .* for 1 s at most"):
        simulation(two_floors(keys))


def test_time_to_come_from_where_members_wait_counts():
    with pytest.raises(NoRideError, match=r"for 3\.5 s at most, and a member needs 4\.\d s"):
        simulation(two_floors(size=2.2))


def test_a_lift_behind_a_closed_door_is_left_for_one_that_can_be_reached():
    scene = two_floors()
    parts = {each.name: each.mesh for each in scene.parts}
    parts["aside"] = box((5, 0.2, -0.2), (5.9, 1.1, 0))
    parts["door"] = box((4.86, 1.4, 0.02), (4.94, 2.6, 2.1))
    scene = rp.Scene.from_mesh(
        parts,
        roles={**dict.fromkeys(parts, "ground"), "door": "obstacle"},
        bounds=scene.bounds,
        regions=scene.regions,
    )
    lifts = [MotionDescription(n, KEYS, "cycle", carries=True) for n in ("lift", "aside")]
    run = simulation(scene.with_motions(lifts))
    (ride,) = run.plans[0].rides
    assert scene.part_names[int(run.scene.moving[ride.column])] == "aside"
    with pytest.raises(rp.PlanningError, match=r"no path: a gap of 0\.45 m"):
        simulation(scene.with_motions(lifts[:1]))


def test_a_group_whose_behavior_does_not_ride_is_told_which_does():
    with pytest.raises(InputError, match=r"over `lift`, .* members of `goal_search` do not"):
        simulation(two_floors(), behavior="goal_search")


def test_a_leader_and_who_follows_ride_and_meet_again_on_the_other_floor(tmp_path):
    keys = [KeyFrame(0), KeyFrame(6), KeyFrame(7.5, UP), KeyFrame(13.5, UP), KeyFrame(15)]
    run = simulation(two_floors(keys, size=2.2), 2, behavior="leader_following")
    frames = list(run)
    assert (height(frames)[-1] > 2.9).all()
    report = findings(run, frames, tmp_path / "a.rmp3d")
    assert report.ok, report.findings
    assert report.arrived == 2


CROWD = 14


@pytest.fixture(scope="module")
def both_ways():
    """A run in which a crowd waits below for a lift that brings three down."""
    keys = [KeyFrame(0), KeyFrame(8), KeyFrame(9.5, UP), KeyFrame(17.5, UP), KeyFrame(19)]
    groups = [
        rp.Group(name=name, members=members, start=start, goal=goal, behavior="self_guided")
        for name, members, start, goal in (("up", CROWD, "low", "high"), ("down", 3, "high", "low"))
    ]
    scene = two_floors(keys, size=2.2)
    run = Simulation(scene, groups, nodes=30, duration=120.0, linger=0.0)
    return run, list(run)


def test_riders_step_off_through_a_crowd_that_waits_and_nobody_is_left_behind(both_ways, tmp_path):
    run, frames = both_ways
    report = findings(run, frames, tmp_path / "a.rmp3d")
    assert report.ok, report.findings
    assert report.arrived == CROWD + 3


def test_nobody_steps_on_before_all_who_stepped_off_have_left_the_landing(both_ways):
    run, frames = both_ways
    place = np.array([frame.position for frame in frames])
    x, is_low = place[..., 0], place[..., 2] < 0.1
    off = (x[:, CROWD:] < 5.0) & is_low[:, CROWD:]
    near = off & (x[:, CROWD:] > 5.0 - 0.9)
    on = (x[:, :CROWD] > 5.0) & is_low[:, :CROWD]
    came = np.flatnonzero(near.any(axis=1))
    assert len(came)
    for frame in came:
        assert not on[frame].any(), frame * run.scenario.table.simulation.dt


def test_who_rides_goes_round_what_appears_on_the_other_floor():
    wall = box((6.7, 1.4, 3), (6.8, 2, 5))
    barrier = box((6.7, 2.02, 3.02), (6.8, 3.98, 5))
    scene = two_floors(obstacles={"wall": wall, "barrier": barrier})
    run = Simulation(
        scene.with_motions(presence=[PresenceDescription("barrier", [0.1], there=False)]),
        rp.Group(members=1, start="low", goal="high", behavior="self_guided"), nodes=80,
        duration=0.5, linger=0.0,
    )  # fmt: skip
    given = []
    run.runs[0].reroute = lambda path, *_: given.append(path)
    told = [each for frame in run for each in frame.events]
    assert [each.kind for each in told][:2] == ["part", "replan"]
    points = given[0].points
    assert (points[:, 2] < 0.01).any()  # the ride stays on the path
    assert points[np.abs(points[:, 0] - 6.75) < 0.2, 1].max() < 1.4


@pytest.mark.slow
@pytest.mark.parametrize("time", [13.0])
def test_a_formation_rides_one_by_one_and_all_go_round_what_appears_on_the_other_floor(
    time, tmp_path
):
    """Who is let off does not stand in the lift until its formation is there, which it never is."""
    wall = box((6.7, 1.4, 3), (6.8, 2, 5))
    barrier = box((6.7, 2.02, 3.02), (6.8, 3.98, 5))
    scene = two_floors(obstacles={"wall": wall, "barrier": barrier})
    run = Simulation(
        scene.with_motions(presence=[PresenceDescription("barrier", [time], there=False)]),
        rp.Group(members=2, start="low", goal="high", behavior="narrow_passages"), nodes=80,
        duration=60.0, linger=0.0,
    )  # fmt: skip
    frames = list(run)
    assert [e.kind for frame in frames for e in frame.events].count("replan") == 1
    report = findings(run, frames, tmp_path / "a.rmp3d")
    assert report.ok, report.findings
    assert report.arrived == 2


def test_parts_of_one_name_wait_together():
    parts = {"floor": box((0, 0, -1), (9, 9, 0)), "here": box((2, 4, 0.01), (3, 5, 2)),
             "far": box((8, 8, 0.01), (8.5, 8.5, 2))}  # fmt: skip
    start = {"lower": (4.6, 4.2, -0.1), "upper": (5.4, 4.8, 2)}
    scene = rp.Scene.from_mesh(
        parts, roles={"floor": "ground"}, regions={"start": rp.Box(start["lower"], start["upper"])}
    )
    keys = [KeyFrame(0), KeyFrame(2, (4.0, 0.0, 0.0))]
    for together in ("", "both"):
        motions = [
            MotionDescription("here", keys, "stay", together=together),
            MotionDescription("far", [KeyFrame(0), KeyFrame(2, (0, 0, 1))], "stay",
                              together=together),
        ]  # fmt: skip
        group = rp.Group(members=1, start="start", behavior={"name": "steering", "behaviors": []})
        run = Simulation(scene.with_motions(motions), group, duration=2.0, linger=0.0)
        clock = list(run)[-1].clock
        assert clock[0] < 1.9
        assert (clock[1] == clock[0]) == bool(together)
