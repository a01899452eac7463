"""Who rides on a part that moves stands on it with both feet, and walks on when it has stopped."""

import numpy as np
import pytest

from rmp3d.models import load_character
from rmp3d.scenes import KeyFrame, MotionDescription, Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.viewer.playback.playback import Playback
from rmp3d.viewer.playback.posing import Poses

DT = 1 / 30
TIME = np.arange(0.0, 9.0, DT)


def ridden(way):
    """A part goes ``way`` from 2 to 5 s; one gets on it before, and off it on the other side."""
    way = np.array(way)
    end = np.array([5.0, 0.0, -0.2]) + way
    parts = {
        "floor": box((0, 0, -0.2), (3, 4, 0)),
        "lift": box((3, 0, -0.2), (5, 4, 0)),
        "deck": box(end, end + np.array([5.0, 4.0, 0.2])),
    }
    scene = Scene.from_mesh(parts, roles=dict.fromkeys(parts, "ground"))
    keys = [KeyFrame(0), KeyFrame(2), KeyFrame(5, tuple(way)), KeyFrame(9, tuple(way))]
    scene = scene.with_motions([MotionDescription("lift", keys, carries=True)])
    walks = np.interp(TIME, [0.0, 1.5, 5.5, 8.5], [2.2, 4.0, 4.0, 7.6])
    taken = np.clip((TIME - 2.0) / 3.0, 0.0, 1.0)[:, None] * way
    position = np.column_stack([walks, 0 * walks + 2.0, 0 * walks]) + taken
    turns = np.tile([1.0, 0.0, 0.0, 0.0], (len(TIME), 1, 1))
    return Playback(
        scene=scene, characters=(load_character("pedestrian"),), character_of=[0], group_of=[0],
        group_names=("a",), dt=DT, position=position[:, None], orientation_wxyz=turns,
        formation_of=np.full((len(TIME), 1), -1),
    )  # fmt: skip


def ankles(shown, times):
    """Places (T, 2, 3) of the ankles, relative to where the member is."""
    poses, rig = Poses(shown), shown.characters[0].rig
    found = []
    for time in times:
        motion = poses.motions(0, np.arange(1), shown.pose(time), time)[0]
        rows = [leg.foot for leg in rig.legs]
        at = rig.skeleton.position[rows]
        found.append(np.einsum("lab,lb->la", motion[rows, :, :3], at) + motion[rows, :, 3])
    return np.array(found)


@pytest.mark.parametrize("way", [(0.0, 0.0, 4.2), (6.0, 0.0, 0.0), (3.0, 0.0, -1.5)])
def test_feet_stay_on_what_carries_them_and_on_the_ground_behind_it(way):
    shown = ridden(way)
    height = min(shown.characters[0].rig.skeleton.position[leg.foot, 2]
                 for leg in shown.characters[0].rig.legs)  # fmt: skip
    riding = ankles(shown, np.arange(2.6, 5.0, 0.1))
    np.testing.assert_allclose(riding, riding[:1] + 0 * riding, atol=2e-3)
    np.testing.assert_allclose(riding[..., 2], height, atol=2e-3)
    before_and_after = ankles(shown, np.concatenate([np.arange(0, 2, 0.1), np.arange(5, 8.9, 0.1)]))
    assert before_and_after[..., 2].min() > height - 0.02
    assert before_and_after[..., 2].min(axis=1).max() < height + 0.1, "one of them stands"
