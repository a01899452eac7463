"""A clean recording has no findings; every planted fault is found, at its time, by its name."""

import re
import subprocess
import sys

import numpy as np
import pytest

from rmp3d.recording import RecordingReader, RecordingWriter
from rmp3d.verification import verify

DT = 1 / 32
FRAMES = 376


def along(first: float, step: float) -> np.ndarray:
    """Places along a line at ``first + step k``, but from rest: the first 12 steps are shorter."""
    place = first + step * np.arange(FRAMES)
    place[:12] = place[12] - step / 13 * np.cumsum(np.arange(12, 0, -1))[::-1]
    return place


def crossing(members: int = 3) -> np.ndarray:
    """Members abreast, 1 m apart, to x = 16 at 1.28 m/s, south of the screen."""
    position = np.zeros((FRAMES, members, 3))
    position[..., 0] = along(1.0, 0.04)[:, None]
    position[..., 1] = 1.0 + np.arange(members)
    return position


def report_of(world, tmp_path, position, orientation=None, character="walker"):
    path = world.record(tmp_path / "a.rmp3d", position, orientation, character)
    with RecordingReader.open(path) as recording:
        return verify(recording)


def found(report, kind):
    """The findings of one kind; planted jumps break speed and force limits as well."""
    return [finding for finding in report.findings if finding.kind == kind]


def yaw(angles):
    angles = np.asarray(angles)[..., None]
    zero = np.zeros_like(angles)
    return np.concatenate([np.cos(angles / 2), zero, zero, np.sin(angles / 2)], axis=-1)


def test_a_clean_recording_has_no_findings(world, tmp_path):
    report = report_of(world, tmp_path, crossing())
    assert report.findings == ()
    assert report.as_dict() == {
        "ok": True,
        "frames": FRAMES,
        "members": 3,
        "arrived": 3,
        "expected": 3,
        "findings": [],
        "more_findings": {},
        "checked": {"states": 3 * FRAMES, "motions": 3 * (FRAMES - 1)},
        "min_clearance": {
            # The northern walker's side (y = 3.2) passes the end of the screen (10, 4).
            "scene": pytest.approx(0.8, abs=1e-9),
            "members": pytest.approx(0.6, abs=1e-9),
        },
    }


def test_one_frame_in_a_wall_is_found_with_part_time_and_depth(world, tmp_path):
    position = crossing()
    position[100, 2] = [5.0, 8.0, 0.0]  # in the middle of the pillar, x 4..6, y 7..9
    report = report_of(world, tmp_path, position)
    inside = found(report, "inside")
    assert [(f.time, f.members, f.part) for f in inside] == [(100 * DT, (2,), "pillar")]
    assert 0.8 <= inside[0].depth <= 1.0  # of the deepest point measured
    assert any(f.part == "pillar" for f in found(report, "collision"))


def test_one_frame_half_in_a_wall_is_a_collision_with_its_depth(world, tmp_path):
    position = crossing()
    position[100, 2] = [3.9, 8.0, 0.0]  # the walker's front, 0.15 m ahead, is 5 cm in the pillar
    collisions = found(report_of(world, tmp_path, position), "collision")
    assert collisions[0].members == (2,)
    assert collisions[0].part == "pillar"
    assert collisions[0].time <= 100 * DT <= collisions[-1].until
    assert max(f.depth for f in collisions) >= 0.05 - 1e-6


def test_a_tunnel_through_a_thin_wall_between_two_frames_is_found(world, tmp_path):
    position = crossing(1)
    position[..., 1] = 6.0
    position[..., 0] = np.where(np.arange(FRAMES)[:, None] < 150, 9.4, 10.6)  # never touches it
    report = report_of(world, tmp_path, position)
    (tunnel,) = found(report, "collision")
    assert tunnel.part == "screen"
    assert 149 * DT < tunnel.time < 150 * DT
    assert tunnel.text.endswith("between frames")


def test_a_turn_that_sweeps_a_corner_through_a_wall_between_frames_is_found(world, tmp_path):
    # Half length 0.15 and half width 0.2: the corner is 0.25 m from the axis. Turning by 180
    # degrees in one motion beside a wall 0.22 m away, free at both frames.
    position = np.tile([10.22, 6.0, 0.0], (40, 1, 1))
    free = report_of(world, tmp_path, position)
    assert not found(free, "collision")
    angle = np.where(np.arange(40) < 20, 0.0, np.pi - 1e-3)[:, None]
    report = report_of(world, tmp_path, position, yaw(angle))
    (sweep,) = found(report, "collision")
    assert 19 * DT < sweep.time < 20 * DT
    assert found(report, "turn_rate")


def test_two_members_that_overlap_are_found(world, tmp_path):
    position = crossing()
    position[200:203, 1, 1] = 1.3  # 0.3 m from member 0, both 0.4 m wide
    report = report_of(world, tmp_path, position)
    contacts = found(report, "member_collision")
    assert {f.members for f in contacts} == {(0, 1)}
    assert contacts[0].time == pytest.approx(200 * DT, abs=DT)
    assert contacts[0].until == pytest.approx(203 * DT, abs=DT)
    assert max(f.depth for f in contacts) == pytest.approx(0.1, abs=0.01)
    assert report.clearance_members == 0.0


def test_two_members_that_are_swapped_between_two_frames_are_found(world, tmp_path):
    position = crossing()
    position[250:, [0, 1]] = position[250:, [1, 0]]
    report = report_of(world, tmp_path, position)
    swaps = [f for f in found(report, "member_collision") if f.members == (0, 1)]
    assert len(swaps) == 1
    assert 249 * DT < swaps[0].time < 250 * DT


def test_a_walker_that_floats_is_found(world, tmp_path):
    position = crossing()
    position[50:60, 1, 2] = 0.013
    (floating,) = report_of(world, tmp_path, position).findings
    assert (floating.kind, floating.members) == ("off_ground", (1,))
    assert (floating.time, floating.until) == (50 * DT, 59 * DT)
    assert floating.depth == pytest.approx(0.013, abs=1e-6)


def test_feet_a_little_off_the_ground_are_allowed_and_hops_are_not(world, tmp_path):
    position = crossing()
    position[50:60, 1, 2] = 0.009 * np.sin(np.linspace(0.0, np.pi, 10))
    assert report_of(world, tmp_path, position).ok
    position[50:60, 1, 2] = 0.009
    hops = report_of(world, tmp_path, position).findings
    assert [(hop.kind, hop.members, hop.time) for hop in hops] == [
        ("off_ground", (1,), 49 * DT), ("off_ground", (1,), 59 * DT)
    ]  # fmt: skip


def test_a_jump_to_another_level_is_found_though_the_feet_stay_on_ground(world, tmp_path):
    position = crossing(1)
    position[360:, :, 2] = 3.0  # x > 15.4: onto the terrace above
    (jump,) = found(report_of(world, tmp_path, position), "level_jump")
    assert jump.time == 359 * DT
    assert jump.depth == pytest.approx(3.0)


def test_a_speed_above_the_limit_is_found(world, tmp_path):
    position = crossing(1)
    position[..., 0] = along(1.0, 1.425 * DT)[:, None]
    assert not found(report_of(world, tmp_path, position), "speed")
    position[200:, :, 0] += 0.013  # 1.841 m/s in one motion, 1.8 allowed
    report = report_of(world, tmp_path, position)
    (fast,) = found(report, "speed")
    assert fast.time == pytest.approx(199 * DT)
    assert "1.841 m/s, allowed 1.8" in fast.text
    assert found(report, "force")


def test_a_force_above_the_limit_is_found(world, tmp_path):
    position = crossing(1)
    time = DT * np.arange(FRAMES)

    def walk_with(change):
        speed = np.where(np.arange(FRAMES) < 100, 0.6, 0.6 + change)
        position[..., 0] = (1.0 + np.concatenate([[0.0], np.cumsum(speed[:-1] * DT)]))[:, None]
        return found(report_of(world, tmp_path, position), "force")

    assert len(time) == FRAMES
    assert walk_with(4.0 * DT) == []  # 300 N on 75 kg
    assert len(walk_with(4.2 * DT)) == 1
    assert len(walk_with(-4.2 * DT)) == 1


@pytest.fixture
def car(world):
    """The walker with wheels: it turns no tighter than 2 m, and has little force aside."""
    text = (world.folder / "walker.toml").read_text()
    limits = "max_braking = 450.0\nmax_side_force = 75.0\nturn_radius = 2.0\n"
    (world.folder / "car.toml").write_text(text + limits)
    return "car"


def arc(radius, speed):
    """A turn to the left at a steady speed, from (3, 1)."""
    angle = speed * DT / radius * np.arange(40)
    at = np.column_stack([np.sin(angle), 1.0 - np.cos(angle), 0.0 * angle])
    return (np.array([3.0, 1.0, 0.0]) + radius * at)[:, None], yaw(angle)[:, None]


def test_a_side_force_above_the_limit_is_found(world, tmp_path, car):
    # 75 N turn 75 kg by 1 m/s^2: at 1.6 m/s on a circle of 2.56 m.
    fine = report_of(world, tmp_path, *arc(2.6, 1.6), car)
    assert not found(fine, "force")
    assert not found(fine, "turn_radius")
    (finding,) = found(report_of(world, tmp_path, *arc(2.5, 1.6), car), "force")
    assert "across the motion, allowed" in finding.text
    assert finding.text.endswith("and 75, within an ellipse")
    assert not found(report_of(world, tmp_path, *arc(2.5, 1.6)), "force")


def test_half_thrust_and_full_side_force_at_once_are_found(world, tmp_path, car):
    velocity = np.full((40, 1, 3), [1.0, 0.0, 0.0])
    for ahead, aside, count in ((2.0, 0.8, 0), (0.0, 0.99, 0), (2.0, 0.99, 1), (-4.0, 0.6, 0)):
        velocity[20:] = [1.0 + ahead * DT, aside * DT, 0.0]
        position = 1.0 + np.cumsum(velocity * DT, axis=0) * [1, 1, 0] - [0, 0, 1]
        assert len(found(report_of(world, tmp_path, position, None, car), "force")) == count


def test_a_turn_tighter_than_the_radius_is_found(world, tmp_path, car):
    assert not found(report_of(world, tmp_path, *arc(2.0, 0.8), car), "turn_radius")
    (finding,) = found(report_of(world, tmp_path, *arc(1.95, 0.8), car), "turn_radius")
    assert re.search(r"turn radius 1\.9[45]\d* m, allowed 2", finding.text)
    assert not found(report_of(world, tmp_path, *arc(1.95, 0.8)), "turn_radius")


def rolling(radius, speed):
    """The arc of `arc`, with headings as vehicles have them: along the motion that ends there."""
    position, _ = arc(radius, speed)
    step = np.diff(position, axis=0, prepend=2 * position[:1] - position[1:2])
    return position, np.arctan2(step[..., 1], step[..., 0])


def test_a_car_that_rolls_ahead_has_no_findings_of_its_course(world, tmp_path, car):
    position, heading = rolling(2.6, 1.6)
    assert not found(report_of(world, tmp_path, position, yaw(heading), car), "course")


@pytest.mark.parametrize("off", [0.01, -0.01, np.pi / 2, np.pi])
def test_a_car_that_slides_or_reverses_is_found_and_a_walker_may(world, tmp_path, car, off):
    position, heading = rolling(2.6, 1.6)
    heading[20:] += off
    (finding,) = found(report_of(world, tmp_path, position, yaw(heading), car), "course")
    assert finding.time == pytest.approx(19 * DT)
    told = float(re.search(r"course (\S+) degrees", finding.text)[1])
    assert told == pytest.approx(np.degrees(abs(off)), abs=0.005)
    assert not found(report_of(world, tmp_path, position, yaw(heading)), "course")


@pytest.mark.parametrize(
    ("reverse", "off", "kinds"),
    [
        (0.0, np.pi, {"course"}),
        (1.7, np.pi, set()),
        (1.7, 0.0, set()),
        (1.5, np.pi, {"reverse"}),
        (1.7, np.pi + 0.01, {"course"}),
        (1.7, np.pi / 2, {"course"}),
    ],
)
def test_a_car_backs_up_along_its_heading_and_no_faster_than_it_can(
    world, tmp_path, car, reverse, off, kinds
):
    file = world.folder / "car.toml"
    file.write_text(f"{file.read_text()}reverse = {reverse}\n")
    position, heading = rolling(2.6, 1.6)
    findings = report_of(world, tmp_path, position, yaw(heading + off), car).findings
    assert {finding.kind for finding in findings} & {"course", "reverse"} == kinds
    for finding in findings:
        assert finding.kind != "reverse" or "1.6 m/s, allowed 1.5" in finding.text


def test_a_car_that_turns_on_the_spot_keeps_to_its_course(world, tmp_path, car):
    position = np.tile([3.0, 1.0, 0.0], (40, 1, 1))
    assert not found(
        report_of(world, tmp_path, position, yaw(np.arange(40.0) * DT)[:, None], car), "course"
    )


def test_turning_faster_than_the_vehicle_can_is_found(world, tmp_path):
    position = crossing(1)
    rate = 2 * np.pi  # 360 degrees/s
    turning = np.arange(FRAMES)[:, None] * DT
    found = report_of(world, tmp_path, position, yaw(rate * turning)).findings
    assert {each.kind for each in found} == {"facing"}  # nobody spins as it goes on
    report = report_of(world, tmp_path, position, yaw(1.01 * rate * turning))
    assert {f.kind for f in report.findings} == {"facing", "turn_rate"}


def test_a_roll_about_the_heading_counts_for_what_is_carried(world, tmp_path):
    position = crossing(1) + np.array([0.0, 0.0, 3.5])
    for rate, fast in ((0.49 * np.pi, False), (0.51 * np.pi, True)):  # 90 degrees/s are allowed
        half = 0.5 * rate * np.arange(FRAMES)[:, None, None] * DT
        zero = np.zeros_like(half)
        roll = np.concatenate([np.cos(half), np.sin(half), zero, zero], axis=-1)
        report = report_of(world, tmp_path, position, roll, "crate")
        assert bool(found(report, "turn_rate")) == fast


def test_a_member_that_never_arrives_or_leaves_again_is_found(world, tmp_path):
    position = crossing()
    position[:, 1, 0] = np.minimum(position[:, 1, 0], 11.0)
    leaving = 1.0 + 0.04 * np.arange(FRAMES)
    position[:, 2, 0] = np.where(leaving > 14.0, 28.0 - leaving, leaving)
    position[:, 2, 0] -= 0.3  # ends at x = 11.7, was in the goal (x > 12) before
    report = report_of(world, tmp_path, position)
    assert report.arrived == 1
    assert [f.members for f in found(report, "not_arrived")] == [(1,), (2,)]


def test_a_member_outside_the_bounds_is_found(world, tmp_path):
    position = crossing(1)
    position[..., 1] = -0.02
    report = report_of(world, tmp_path, position)
    (out,) = found(report, "out_of_bounds")
    assert out.depth == pytest.approx(0.02, abs=1e-5)
    assert found(report, "off_ground")


def test_a_false_claim_of_a_formation_is_found(world, tmp_path):
    assert report_of(world, tmp_path, crossing()).ok  # the recording says `line`
    position = crossing()
    position[..., 1] = 1.0
    position[..., 0] += np.arange(3)  # in file, though
    (claim,) = report_of(world, tmp_path, position).findings
    assert claim.kind == "formation"
    assert "is recorded in formation line, but never has that shape" in claim.text
    position[180:260, :, 0] = position[180:260, :1, 0]  # more than the second of their turn there
    position[180:260, :, 1] += np.arange(3)
    assert not found(report_of(world, tmp_path, position), "formation")  # seen once is enough


def test_an_unfinished_recording_is_a_finding(world, tmp_path):
    path = tmp_path / "a.rmp3d"
    writer = RecordingWriter(path, world.header(1))
    for row in crossing(1):
        writer.append(position=row, orientation_wxyz=[[1, 0, 0, 0]], subgoal=row, formation_of=[0])
    writer.close(finished=False, reason="interrupted")
    with RecordingReader.open(path) as recording:
        (finding,) = verify(recording).findings
    assert finding.kind == "unfinished"
    assert "interrupted" in finding.text


def test_a_flyer_must_not_touch_the_floor_that_walkers_stand_on(world, tmp_path):
    position = crossing(1)
    position[..., 2] = 1.0
    assert report_of(world, tmp_path, position, character="flyer").ok
    position[..., 2] = 0.04  # its half height is 0.05
    assert found(report_of(world, tmp_path, position, character="flyer"), "collision")


def test_one_frame_is_enough_for_a_verdict(world, tmp_path):
    position = crossing(2)[:1]
    kinds = [finding.kind for finding in report_of(world, tmp_path, position).findings]
    assert sorted(kinds) == ["claim", "not_arrived", "not_arrived"]  # it ends before its time
    position[0, 1] = position[0, 0] + [0.1, 0.1, 0.0]
    assert found(report_of(world, tmp_path, position), "member_collision")


def test_random_motions_agree_with_dense_sampling(world, tmp_path):
    """No contact that dense sampling sees is missed, and none is reported that is not there."""
    from rmp3d.verification.blocks import blocks
    from rmp3d.verification.bodies import RigidMesh, gap

    rng = np.random.default_rng(3)
    position = np.array([5.0, 6.5, 0.0]) + rng.normal(0, [0.8, 0.25, 0.0], (60, 2, 3))
    orientation = yaw(rng.uniform(-3, 3, (60, 2)))
    path = world.record(tmp_path / "a.rmp3d", position, orientation)
    pillar = RigidMesh(world.scene.part("pillar").mesh).placed(np.eye(3), np.zeros(3))
    with RecordingReader.open(path) as recording:
        report = verify(recording)
        body = RigidMesh(recording.load_characters()[0].body.mesh)
        (block,) = blocks(recording, (body,))
        seen = set()
        for motion in range(59):
            for share in np.linspace(0.0, 1.0, 40, endpoint=False):
                a, b = (body.placed(*block.pose(m, motion, share)) for m in (0, 1))
                seen |= {("member_collision", motion)} if gap(a, b)[0] == 0 else set()
                for member, placed in enumerate((a, b)):
                    if gap(placed, pillar)[0] == 0:
                        seen.add((f"collision {member}", motion))
    told = set()
    for finding in report.findings:
        if finding.kind in ("collision", "member_collision", "inside"):
            who = "" if finding.kind == "member_collision" else f" {finding.members[0]}"
            kind = "member_collision" if who == "" else f"collision{who}"
            first, last = int(finding.time / DT + 1e-9), int(finding.until / DT + 1e-9)
            told |= {(kind, motion) for motion in range(first, last + 1)}
    assert len(seen) > 20
    assert seen <= told


@pytest.mark.parametrize("poses", [15, 1_000])
def test_findings_do_not_depend_on_how_many_frames_are_looked_at_at_a_time(
    world, tmp_path, monkeypatch, poses
):
    position = crossing()
    position[100:140, 2] = [5.0, 8.0, 0.0]  # in the pillar
    position[200:230, 1] = position[200:230, 0] + [0.1, 0.1, 0.0]

    def told():
        report = report_of(world, tmp_path, position)
        return [(f.kind, f.time, f.until, f.members, f.part) for f in report.findings]

    at_once = told()
    monkeypatch.setattr("rmp3d.verification.blocks.BLOCK_POSES", poses)
    monkeypatch.setattr("rmp3d.verification.blocks.BLOCK_MOTIONS", 1_000)
    assert {"inside", "member_collision", "speed"} <= {row[0] for row in at_once}
    assert told() == at_once


def test_verification_brings_in_no_part_of_planner_or_behaviors(world, tmp_path):
    path = world.record(tmp_path / "a.rmp3d", crossing())
    code = (
        "import sys\n"
        "from rmp3d.recording import RecordingReader\n"
        "from rmp3d.verification import verify\n"
        f"assert verify(RecordingReader.open({str(path)!r})).ok\n"
        "foreign = ('rmp3d.planner', 'rmp3d.behaviors', 'rmp3d.simulation')\n"
        "print(*sorted(m for m in sys.modules if m.startswith(foreign)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # The tables of settings are part of the scenario; nothing of them is called.
    settings = {
        "rmp3d.planner", "rmp3d.planner.roadmap", "rmp3d.planner.roadmap.settings",
        "rmp3d.planner.optimizing", "rmp3d.planner.optimizing.rules",
        "rmp3d.planner.optimizing.settings",
    }  # fmt: skip
    assert set(done.stdout.split()) == settings
