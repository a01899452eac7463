"""Parts that move: poses at a clock, and every way to state them wrongly."""

import numpy as np
import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.scenario.loading import load
from rmp3d.scenes import KeyFrame, MotionDescription, Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.scenes.description import MAX_KEYS
from rmp3d.scenes.motions import check_lasting

OPENS = [KeyFrame(0.0), KeyFrame(2.0), KeyFrame(4.0, (0.0, 2.0, 0.0))]


def room(**motion):
    scene = Scene.from_mesh(
        {"floor": box((0, 0, -1), (8, 4, 0)), "door": box((3.9, 1, 0), (4.1, 3, 2))},
        name="room",
        roles={"floor": "ground"},
    )
    return scene.with_motions([MotionDescription(**{"part": "door", "keys": OPENS, **motion})])


def test_a_moving_obstacle_stands_in_no_place_for_ever_and_keeps_its_role():
    scene = room(repeat="stay")
    assert scene.part("door").role == "decor"
    assert scene.part("door").stated_role == "obstacle"
    assert scene.moving.tolist() == [1]
    assert "door" not in {scene.part_names[row] for row in scene.obstacle_part}


def test_a_part_is_between_its_key_frames_and_then_goes_back_and_forth():
    motion = room(repeat="back_and_forth").part("door").motion
    _, place = motion.poses(np.array([0.0, 3.0, 4.0, 5.0, 8.0, 11.0]))
    np.testing.assert_allclose(place[:, 1], [0.0, 1.0, 2.0, 1.0, 0.0, 1.0], atol=1e-12)
    assert motion.travel(0.0, 16.0, 1.0) == pytest.approx(8.0, abs=1e-12)


def test_a_hinge_stays_where_it_is_while_the_part_turns():
    keys = [KeyFrame(0.0), KeyFrame(3.0, rotation=(0.0, 0.0, 90.0))]
    motion = room(keys=keys, repeat="stay", hinge=(4.0, 1.0, 0.0)).part("door").motion
    turn, move = motion.poses(np.array([1.0, 3.0]))
    np.testing.assert_allclose(turn @ [4.0, 1.0, 0.0] + move, [[4.0, 1.0, 0.0]] * 2, atol=1e-12)
    np.testing.assert_allclose(turn[1] @ [4.0, 3.0, 0.0] + move[1], [2.0, 1.0, 0.0], atol=1e-12)


def test_the_way_of_a_point_is_at_least_any_distance_that_it_comes():
    keys = [KeyFrame(0.0), KeyFrame(1.0, (0.5, 0.0, 0.0), (0.0, 20.0, 70.0)), KeyFrame(2.0)]
    part = room(keys=keys, repeat="cycle").part("door")
    clock = np.linspace(0.0, 2.0, 33)
    turn, move = part.motion.poses(clock)
    points = part.mesh.vertices @ np.swapaxes(turn, 1, 2) + move[:, None]
    reach = np.linalg.norm(part.mesh.vertices - part.motion.hinge, axis=1).max()
    for k in range(0, 33, 8):
        apart = np.linalg.norm(points - points[k], axis=2).max(axis=1)
        ways = [part.motion.travel(*sorted((clock[k], c)), reach) for c in clock]
        assert (apart <= np.array(ways) + 1e-12).all()


@pytest.mark.parametrize("repeat", ["stay", "cycle", "back_and_forth"])
def test_what_a_part_reaches_contains_it_at_every_clock_and_is_little_larger(repeat):
    keys = [
        KeyFrame(0.0), KeyFrame(1.0, (0.5, 0.0, 0.0), (0.0, 20.0, 150.0)),
        KeyFrame(2.0, (0.0, 30.0, 0.0)), KeyFrame(3.0),
    ]  # fmt: skip
    part = room(keys=keys, repeat=repeat, hinge=(0.0, 1.0, 0.0)).part("door")
    low, high = part.motion.reached(part.mesh.bounds)
    turn, move = part.motion.poses(np.linspace(0.0, 6.0, 1201))
    points = part.mesh.vertices @ np.swapaxes(turn, 1, 2) + move[:, None]
    least, most = points.min(axis=(0, 1)), points.max(axis=(0, 1))
    assert (low <= least).all()
    assert (high >= most).all()
    assert (least - low < 0.5).all()  # half of the way on an arc of 5 m and 150 degrees, of 32
    assert (high - most < 0.5).all()


@pytest.mark.parametrize(
    ("motion", "message"),
    [
        ({"keys": OPENS[:1]}, "at least two"),
        ({"keys": OPENS[1:]}, "must be at time 0, got 2 s"),
        ({"keys": [KeyFrame(0), KeyFrame(2), KeyFrame(2)]}, "2 s follows one at 2 s"),
        ({"repeat": "cycle"}, "`door`: jumps at 4 s"),
        ({"keys": [KeyFrame(0), KeyFrame(1e-3, (1, 0, 0))]}, "jumps from 0 s to 0.001 s"),
        ({"keys": [KeyFrame(0), KeyFrame(1, rotation=(0, 0, 180))]}, "way round is not known"),
        (
            {"part": "wal" + "l" * 10**4},
            r"no part fits `wall[l .]{,60}`; the parts are floor, door",
        ),
        ({"part": "doof"}, "no part fits `doof`; the parts are floor, door"),
        ({"phase": 9.0}, "`phase` is 9 s, but its key frames end at 4 s"),
    ],
)
def test_a_wrong_motion_is_refused_with_part_and_time(motion, message):
    with pytest.raises(InputError, match=message):
        room(**motion)


def test_one_part_has_one_motion():
    with pytest.raises(InputError, match="`door` has a motion already"):
        room(repeat="stay").with_motions([MotionDescription("d*", OPENS, "stay")])


@pytest.mark.parametrize("depth", [0.1, 0.2])
def test_a_part_may_begin_in_a_pocket_but_not_deep_inside_another(depth):
    wall = box((2, 3 - depth, 0), (6, 4, 2))  # the door reaches into it by so much
    parts = {"wall": wall, "door": box((3.9, 1, 0.5), (4.1, 3, 1.5))}
    motion = MotionDescription("door", OPENS, "stay")
    away = MotionDescription("door", [KeyFrame(0, (0, -3, 0)), KeyFrame(9)], "stay")
    Scene.from_mesh(parts).with_motions([away])  # comes to be there later
    if depth == 0.1:
        (note,) = Scene.from_mesh(parts).with_motions([motion]).notes
        assert note.startswith("at 0 s, `door` is 0.1 m deep inside `wall`")
        parts["wall"] = box((2, 3, 0), (6, 4, 2))
        assert Scene.from_mesh(parts).with_motions([motion]).notes == ()
        return
    message = f"at 0 s, `door` is {depth:g} m deep inside `wall`"
    with pytest.raises(InputError, match=message):
        Scene.from_mesh(parts).with_motions([motion])


def test_the_phase_says_where_a_part_begins():
    parts = {"wall": box((2, 4, 0), (6, 9, 2)), "door": box((3.9, 1, 0.5), (4.1, 3, 1.5))}
    keys = [KeyFrame(0), KeyFrame(4, (0, 4, 0))]
    Scene.from_mesh(parts).with_motions([MotionDescription("door", keys, "stay")])
    with pytest.raises(InputError, match=r"at 0 s, `door` is .* inside `wall`"):
        Scene.from_mesh(parts).with_motions([MotionDescription("door", keys, "stay", phase=4)])


def test_a_motion_that_ends_before_the_run_is_refused():
    check_lasting(room(repeat="stay").parts, 60.0)
    with pytest.raises(InputError, match="`door` runs out of its key frames at 4 s"):
        check_lasting(room().parts, 60.0)


def test_a_scene_that_moves_is_another_one():
    assert room(repeat="stay").hash != room(repeat="back_and_forth").hash


@pytest.mark.parametrize("repeat", ["stay", "cycle", "back_and_forth"])
@pytest.mark.parametrize("span", [(0.0, 0.1), (0.3, 0.3), (0.9, 5.3), (11.7, 30.2)])
def test_all_key_frames_on_the_way_are_passed(repeat, span):
    keys = [KeyFrame(0.1 * k, (0.0, 0.01 * (k % 2), 0.0)) for k in range(41)]
    motion = room(keys=keys, repeat=repeat).part("door").motion
    time = motion.time
    if repeat != "stay":
        one = time if repeat == "cycle" else np.concatenate([time, 2 * time[-1] - time[::-1]])
        time = np.unique([one + turn * motion.period for turn in range(9)])
    between = time[(time > span[0]) & (time < span[1])]
    assert motion.instants(*span).tolist() == [span[0], *between.tolist(), span[1]]


def test_more_key_frames_than_there_may_be_are_refused(tmp_path):
    frames = ",".join(f"{{time={k}}}" for k in range(MAX_KEYS + 1))
    text = f'[scene]\nname="plain"\n[[scene.motions]]\npart="wall"\nkeys=[{frames}]\n'
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=f"a list of up to {MAX_KEYS} tables"):
        load(str(tmp_path / "a.toml"))
