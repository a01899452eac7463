"""How far pictures reach: as far as parts travel."""

import numpy as np

from rmp3d.scenes import KeyFrame, MotionDescription, Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.viewer.cameras.presets import iso
from rmp3d.viewer.playback.bounds import drawn_bounds, scene_bounds

FAR = (0.0, 900.0, 0.0)


def test_a_part_that_travels_far_is_within_the_far_plane_and_in_the_shadows_box(make):
    scene = Scene.from_mesh(
        {"floor": box((0, 0, -1), (8, 4, 0)), "train": box((1, 5, 0), (7, 7, 2))},
        roles={"floor": "ground"},
    )
    motion = MotionDescription("train", [KeyFrame(0.0), KeyFrame(60.0, FAR)], "stay")
    playback = make(members=1, scene=scene.with_motions([motion]))
    farthest = playback.scene.part("train").mesh.vertices + FAR
    low, high = drawn_bounds(playback)
    assert (low <= farthest).all()
    assert (farthest <= high).all()
    camera = iso(scene_bounds(playback), 1.5)
    ahead = (
        camera.view_projection(1.5, np.stack([low, high]))
        @ np.c_[farthest, np.ones(len(farthest))].T
    )
    seen = ahead[3] > 0.0
    assert seen.any()  # else nothing is told
    assert (ahead[2, seen] <= ahead[3, seen]).all()
    before = (
        camera.view_projection(1.5, scene_bounds(playback))
        @ np.c_[farthest, np.ones(len(farthest))].T
    )
    assert (before[2, seen] > before[3, seen]).all()  # as it was: cut off
