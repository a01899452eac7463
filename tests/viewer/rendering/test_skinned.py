from dataclasses import replace

import numpy as np
import pytest

from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.models import load_character
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.build.shapes import sheet
from rmp3d.viewer import Camera, Layers, Offscreen
from rmp3d.viewer.playback.posing import Poses, look_of

pytestmark = pytest.mark.usefixtures("opengl")
SIZE = (320, 240)


def test_the_card_draws_limbs_where_the_pose_has_them(make):
    floor = sheet(-50.0, -50.0, 50.0, 50.0, 0.0)
    part = Part("floor", "ground", floor, np.full((2, 3), 0.5))
    scene = Scene("plain", (part,), {}, floor.bounds)
    playback = make(members=1, seconds=4.0, scene=scene)
    playback = replace(playback, characters=(load_character("pedestrian"),))
    rig, poses = playback.characters[0].rig, Poses(playback)
    look = rig.looks[int(look_of(np.zeros(1, int), len(rig.looks))[0])]
    layers = Layers(path=False, regions=False, markers=False, hidden=False, shadows=False)
    with Offscreen(playback, SIZE) as offscreen:
        for time in (1.1, 1.35):
            pose = playback.pose(time)
            at = pose.position[0]
            camera = Camera(
                target=at + np.array([0, 0, 0.9]), azimuth=-1.3, elevation=0.2, distance=4.0
            )
            drawn = offscreen.picture(time, camera, layers=layers).astype(int)
            away = 2.0 if time < 2.0 else 0.0  # the same view without the member
            empty = offscreen.picture(time + away, camera, layers=layers).astype(int)
            seen = np.abs(drawn - empty).max(axis=2) > 12
            motion = poses.motions(0, np.arange(1), pose, time)
            points = look.skin.moved(look.mesh.vertices, motion)[0]
            points = points @ matrix_from_quaternion(pose.orientation_wxyz[0]).T + at
            clip = np.insert(points, 3, 1.0, axis=1) @ camera.view_projection(
                SIZE[0] / SIZE[1], playback.scene.bounds
            ).T.astype(float)
            pixel = (0.5 + 0.5 * clip[:, :2] / clip[:, 3:]) * SIZE
            column, row = pixel[:, 0].astype(int), (SIZE[1] - pixel[:, 1]).astype(int)
            near = [
                seen[max(r - 2, 0) : r + 3, max(c - 2, 0) : c + 3].any()
                for r, c in zip(row, column, strict=True)
            ]
            assert np.mean(near) > 0.93
            stretched = points[:, 0].max() - points[:, 0].min()
            assert stretched > 0.5, "in mid-stride"


def test_members_are_simpler_the_smaller_they_are_and_each_is_drawn_once(make):
    playback = make(members=6, seconds=2.0)
    playback = replace(playback, characters=(load_character("pedestrian"),))
    with Offscreen(playback, SIZE) as offscreen:
        crowd = offscreen._renderer._crowd
        levels = []
        for distance in (4.0, 60.0):
            at = playback.pose(1.0).position.mean(axis=0) + np.array([0.0, 0.0, 0.9])
            camera = Camera(target=at, azimuth=-1.3, elevation=0.9, distance=distance)
            offscreen.picture(1.0, camera)
            counts = [[level.count for level in kind.levels]
                      for kind in crowd._kinds]  # fmt: skip
            far = sum(kind.figure.instances.count for kind in crowd._kinds)
            levels.append((*np.sum(counts, axis=0), far))
    near, away = levels
    assert near[0] > 0
    assert away[0] == 0
    assert sum(away[1:]) == 6
