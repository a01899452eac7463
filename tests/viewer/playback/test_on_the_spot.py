"""Members that do not go: they turn with the head first, and sit where their group says so."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.geometry.errors import InputError
from rmp3d.models import load_character
from rmp3d.models.bone_names import clip_of
from rmp3d.scenario.loading import load
from rmp3d.scenes import Scene
from rmp3d.simulation import Simulation
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.playback.posing import Poses

DT = 0.05


def standing(name, yaw, at_rest=""):
    """One member that stays in its place with headings (T,)."""
    turns = np.zeros((len(yaw), 1, 4))
    turns[:, 0, 0], turns[:, 0, 3] = np.cos(yaw / 2), np.sin(yaw / 2)
    return Playback(
        scene=Scene.load("plain"), characters=(load_character(name),), character_of=[0],
        group_of=[0], group_names=("a",), dt=DT, position=np.zeros((len(yaw), 1, 3)),
        orientation_wxyz=turns, formation_of=np.full((len(yaw), 1), -1), at_rest=(at_rest,),
    )  # fmt: skip


def joints(shown, times):
    """Places (T, J, 3) of the joints [m], body frame."""
    poses, rest = Poses(shown), shown.characters[0].rig.skeleton.position
    found = []
    for time in times:
        motion = poses.motions(0, np.arange(1), shown.pose(time), time)[0]
        found.append(np.einsum("jab,jb->ja", motion[..., :3], rest) + motion[..., 3])
    return np.array(found)


@pytest.mark.parametrize("name", ["pedestrian", "child"])
def test_whoever_rests_sits_down_without_moving_the_feet(name):
    shown = standing(name, np.zeros(240), "sit")
    skeleton = shown.characters[0].rig.skeleton
    seen = joints(shown, np.arange(0.0, 11.0, 0.1))
    hips = seen[:, skeleton.row("hips"), 2]
    assert hips[0] == pytest.approx(skeleton.position[0, 2], rel=0.03)
    assert hips[60] < 0.25 * hips[0]
    feet = seen[:, [skeleton.row("left foot"), skeleton.row("right foot")]]
    assert np.ptp(feet[:80], axis=0).max() < 0.01
    assert np.abs(np.diff(hips)).max() < 0.15  # [m] in 0.1 s


def test_it_is_up_again_before_it_goes():
    shown = standing("pedestrian", np.zeros(300), "sit")
    place = shown.position.copy()
    place[200:, 0, 0] = np.arange(100) * 1.3 * DT
    shown = replace(shown, position=place)
    low = joints(shown, [8.0, 10.0])[:, 0, 2]
    assert low[0] < 0.3 < 0.85 < low[1]
    rise = np.diff(joints(shown, np.arange(7.0, 10.0, 0.1))[:, 0, 2]) / 0.1
    assert rise.max() < 0.6  # [m/s]; nobody jumps to the feet


def test_it_gets_up_without_a_jump_during_a_run_that_nobody_knows_the_end_of():
    whole = standing("pedestrian", np.zeros(180), "sit")
    place = whole.position.copy()
    place[140:, 0, 0] = np.arange(40) * 1.0 * DT
    whole = replace(whole, position=place)
    poses, hips = None, []
    for end in range(120, 180):
        shown = replace(
            whole, position=place[:end], orientation_wxyz=whole.orientation_wxyz[:end],
            formation_of=whole.formation_of[:end],
        )  # fmt: skip
        poses = Poses(shown) if poses is None else poses
        poses.show(shown)
        for part in (0.0, 0.5):  # two pictures a frame
            time = (end - 2 + part) * DT
            motion = poses.motions(0, np.arange(1), shown.pose(time), time)[0, 0]
            rest = shown.characters[0].rig.skeleton.position[0]
            hips.append(float(motion[2, :3] @ rest + motion[2, 3]))
    assert min(hips) < 0.2 < 0.85 < hips[-1]
    assert np.abs(np.diff(hips)).max() < 0.12  # [m] in 1/40 s


@pytest.mark.parametrize("at_rest", ["", "stand", "graze"])
def test_others_stand(at_rest):
    shown = standing("pedestrian", np.zeros(240), at_rest)
    assert joints(shown, [10.0])[0, 0, 2] > 0.85


@pytest.mark.parametrize(("name", "way"), [("pedestrian", 1), ("pedestrian", -1), ("wolf", 1)])
def test_heads_are_ahead_of_a_turn_on_the_spot(name, way):
    yaw = way * np.clip(np.arange(100) * DT - 1.0, 0.0, 2.0) * 1.5
    shown = standing(name, yaw)
    rig, poses = shown.characters[0].rig, Poses(shown)
    row = rig.skeleton.row("head")
    ahead = []
    for time in (0.2, 2.0):
        motion = poses.motions(0, np.arange(1), shown.pose(time), time)[0, row]
        ahead.append(np.degrees(np.arctan2(motion[1, 0], motion[0, 0])))
    assert abs(ahead[0]) < 12.0
    assert way * ahead[1] > 20.0


def test_a_clip_that_nobody_has_is_refused():
    scenario = load("parking", ["groups.0.at_rest=dance", "planner.nodes=60"])
    with pytest.raises(InputError, match=r"`groups\[0\].at_rest`: .*'dance'.*sit.*stand"):
        Simulation.of(scenario)


def test_clips_of_turning_are_known_by_name():
    assert clip_of("Left Turn") == "turn_left"
    assert clip_of("TurnRight90") == "turn_right"
    assert clip_of("WalkLeft") is None
