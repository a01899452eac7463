"""Members and moving parts: a whole run with a door, what verify proves, and what it finds."""

from dataclasses import replace

import h5py
import numpy as np
import pytest

import rmp3d as rp
from rmp3d.recording import RecordingReader, RecordingWriter
from rmp3d.scenes import KeyFrame, MotionDescription
from rmp3d.scenes.build.shapes import box
from rmp3d.simulation import NeverOpenError, Simulation, header_of
from rmp3d.verification import verify
from rmp3d.verification.part_motion import PartTrack

WALLS = {"south": box((3.9, 0, 0), (4.1, 1.2, 2.5)), "north": box((3.9, 2.8, 0), (4.1, 4, 2.5))}
DOOR = {"door": box((3.95, 1.21, 0.02), (4.05, 2.79, 2.2))}
SLIDES = [
    KeyFrame(0),
    KeyFrame(3),
    KeyFrame(4, (0, 1.6, 0)),
    KeyFrame(9, (0, 1.6, 0)),
    KeyFrame(10),
]


def group(**changed):
    return rp.Group(members=2, start="west", goal="east", **changed)


def rooms(keys=SLIDES, door=DOOR, floor=None, **motion):
    scene = rp.Scene.from_mesh(
        {**(floor or {"floor": box((0, 0, -1), (8, 4, 0)), **WALLS}), **door},
        name="rooms",
        roles={"floor*": "ground"},
        regions={
            "west": rp.Box((0.5, 0.5, 0), (2, 3.5, 2)),
            "east": rp.Box((6, 0.5, 0), (7.5, 3.5, 2)),
        },
    )
    motion = {"repeat": "cycle", **motion}
    return scene.with_motions([MotionDescription(next(iter(door)), keys, **motion)])


def recorded(run, path, clock=None):
    """Write the frames of a run, or the same with other clocks."""
    simulation, frames = run
    with RecordingWriter(path, header_of(simulation)) as file:
        for frame in frames:
            own = frame.clock if clock is None else clock(frame.time)
            replace(frame, clock=own).write(file)
    return RecordingReader.open(path)


def made():
    simulation = Simulation(rooms(), group(), nodes=30, duration=12.0, linger=0.0)
    return simulation, list(simulation)


@pytest.fixture(scope="module")
def run():
    return made()


def test_members_wait_for_the_door_pass_and_the_proof_says_so(run, tmp_path):
    with recorded(run, tmp_path / "doors.rmp3d") as recording:
        report = verify(recording)
        position, clock = recording.position(), recording.clock()[:, 0]
    assert report.ok, report.findings
    assert report.arrived == 2
    passing = clock[np.abs(position[..., 0] - 4.0).argmin(axis=0)]
    assert ((3.0 < passing) & (passing < 10.0)).all()


def test_who_waits_for_a_part_is_not_jammed():
    late = [KeyFrame(0), KeyFrame(7), KeyFrame(8, (0, 1.6, 0)), KeyFrame(20)]
    scene = rooms(late, repeat="back_and_forth")
    simulation = Simulation(scene, group(), nodes=30, duration=6.0, linger=0.0)
    frames = list(simulation)
    assert (frames[-1].position[:, 0] > 2.5).all()  # before the door
    assert simulation.reports()[0].jams == 0


def test_the_same_run_has_the_same_bytes(run, tmp_path):
    with (
        recorded(run, tmp_path / "one.rmp3d") as one,
        recorded(made(), tmp_path / "two.rmp3d") as two,
    ):
        assert one.path.read_bytes() == two.path.read_bytes()


def test_who_walks_through_a_closed_door_is_found(run, tmp_path):
    # The clock stands: the door has never opened.
    with recorded(run, tmp_path / "shut.rmp3d", clock=lambda time: [0.0]) as recording:
        found = verify(recording).findings
    assert {finding.kind for finding in found} == {"collision", "clock"}
    assert {finding.part for finding in found} == {"door"}
    assert {member for finding in found for member in finding.members} == {0, 1}


@pytest.mark.parametrize(
    "clock",
    [
        lambda time: [max(0.5 - time, 0.0)],
        lambda time: [1.01 * time],
        lambda time: [0.99 * time],
        lambda time: [time + 10.0 * (time > 1.0)],  # a whole round
        lambda time: [time + 1 / 30 * (time > 1.0)],
        lambda time: [min(time, 1.0)],
    ],
    ids=["back", "ahead", "slow", "a round at once", "early", "stands"],
)
def test_a_clock_that_does_not_run_with_the_time_is_found(run, tmp_path, clock):
    with recorded(run, tmp_path / "wrong.rmp3d", clock=clock) as recording:
        assert "clock" in {finding.kind for finding in verify(recording).findings}


def test_a_part_waits_only_for_who_is_in_its_way_or_in_that_of_one_it_is_together_with(tmp_path):
    keys = [KeyFrame(0), KeyFrame(60, (0.5, 0, 0))]
    doors = {"one": box((4.0, 1.0, 0.02), (4.2, 3.0, 2.0)), "two": box((7, 1, 0.02), (7.2, 3, 2))}
    for place, together, waits in (
        ((3.8, 2, 0), "", {"two"}), ((3.8, 2, 0), "doors", set()), ((1, 2, 0), "", {"one", "two"}),
    ):  # fmt: skip
        scene = rp.Scene.from_mesh(
            {"floor": box((0, 0, -1), (8, 4, 0)), **doors}, roles={"floor": "ground"}
        ).with_motions([MotionDescription(name, keys, "stay", together=together) for name in doors])
        found = stood(scene, place, tmp_path / "still.rmp3d", clock=lambda time: [0.0, 0.0])
        assert {each.part for each in found if each.kind == "clock"} == waits


@pytest.mark.parametrize("names", [(), (b"south",), (b"door", b"north")])
def test_a_recording_of_other_moving_parts_than_those_of_its_scene_is_refused(run, tmp_path, names):
    recorded(run, tmp_path / "other.rmp3d").close()
    with h5py.File(tmp_path / "other.rmp3d", "r+", libver=("v110", "v110")) as file:
        clock = file["frames/clock"][...]
        del file["moving"], file["frames/clock"]
        if names:
            file["moving"] = np.array(names, "S256")
            file["frames/clock"] = np.tile(clock, len(names))
    with (
        RecordingReader.open(tmp_path / "other.rmp3d") as recording,
        pytest.raises(rp.InputError, match="its moving parts are not the scene's"),
    ):
        verify(recording)


def test_a_door_that_opens_too_shortly_for_the_only_way_is_said():
    short = [KeyFrame(0), KeyFrame(5), KeyFrame(6, (0, 1.6, 0)), KeyFrame(7)]
    with pytest.raises(NeverOpenError, match=r"leads through `door` at .*, and a member needs"):
        Simulation(rooms(short), group(), nodes=30)


def test_a_member_that_starts_in_a_part_is_refused():
    with pytest.raises(
        rp.InputError, match=r"at 0 s, `door` is where member 0 of `group 1` starts"
    ):
        Simulation(rooms(), rp.Group(members=1, start=(4, 2, 0), goal="east"), nodes=30).step()


def test_verify_evaluates_key_frames_by_itself_as_the_simulation_does():
    keys = [KeyFrame(0), KeyFrame(1, (1, 0, 0), (10, 20, 80)), KeyFrame(4, (1, 2, 0), (0, 0, 170))]
    part = rooms(keys, repeat="back_and_forth", hinge=(4, 1.2, 0)).part("door")
    track, clock = PartTrack(part.mesh, part.motion), np.linspace(0.0, 19.0, 41)
    turn, move = part.motion.poses(clock)
    for k, time in enumerate(clock.tolist()):
        own_turn, place = track.pose(time)
        expected = part.mesh.vertices @ turn[k].T + move[k]
        np.testing.assert_allclose(
            (part.mesh.vertices - part.motion.hinge) @ own_turn.T + place, expected, atol=1e-9
        )
    assert track.travel(0.3, 17.0) == pytest.approx(part.motion.travel(0.3, 17.0, track._reach))


def test_nobody_is_on_a_bridge_that_is_not_there():
    ground = {"floor west": box((0, 0, -1), (3, 4, 0)), "floor east": box((5, 0, -1), (8, 4, 0))}
    keys = [KeyFrame(0, rotation=(0, -80, 0)), KeyFrame(2), KeyFrame(8),
            KeyFrame(10, rotation=(0, -80, 0))]  # fmt: skip
    scene = rooms(keys, {"floor bridge": box((3, 1, -0.2), (5, 3, 0))}, ground, hinge=(3, 2, 0))
    simulation = Simulation(scene, group(), nodes=30, duration=12.0, linger=0.0)
    for frame in simulation:
        over = (frame.position[:, 0] > 3.0) & (frame.position[:, 0] < 5.0)
        assert not over.any() or 2.0 <= frame.clock[0] <= 8.0
    assert simulation.reports()[0].arrived == 2


def stood(scene, place, path, clock=None):
    """What is found of somebody who stands at a place, whatever the simulation would say."""
    alone = rp.Group(members=1, start=(1, 1, 0), behavior={"name": "steering", "behaviors": []})
    simulation = Simulation(scene, alone, duration=0.2)
    frames = [replace(frame, position=np.array([place], float)) for frame in simulation]
    with recorded((simulation, frames), path, clock) as recording:
        return [each for each in verify(recording).findings if each.kind != "start_region"]


@pytest.mark.parametrize(
    "block",
    [box((4.8, 0.8, 0.02), (7.2, 3.2, 3.0)), box((5.99, 1.99, 1.0), (6.01, 2.01, 1.02))],
)
def test_who_is_wholly_in_a_moving_part_and_a_part_in_a_body_are_found(block, tmp_path):
    keys = [KeyFrame(0), KeyFrame(60, (0.5, 0, 0))]
    scene = rooms(keys, {"block": block}, repeat="back_and_forth")
    assert not stood(scene, (2, 2, 0), tmp_path / "beside.rmp3d")
    found = stood(scene, (6, 2, 0), tmp_path / "inside.rmp3d")
    assert {(finding.kind, finding.part) for finding in found} == {("collision", "block")}


def test_who_stands_where_a_bridge_is_away_is_found(tmp_path):
    ground = {"floor west": box((0, 0, -1), (3, 4, 0)), "floor east": box((5, 0, -1), (8, 4, 0))}
    keys, bridge = [KeyFrame(0, rotation=(0, -80, 0)), KeyFrame(9)], box((3, 1, -0.2), (5, 3, 0))
    scene = rooms(keys, {"floor bridge": bridge}, ground, hinge=(3, 2, 0), repeat="stay")
    assert not stood(scene, (2, 3, 0), tmp_path / "beside.rmp3d")
    found = stood(scene, (4, 2, 0), tmp_path / "over.rmp3d")
    assert ("off_ground", "floor bridge") in {(finding.kind, finding.part) for finding in found}
