"""How far pictures reach: as far as parts travel. Cameras: as far as the scene's bounds."""

from dataclasses import replace

import numpy as np

from rmp3d.scenes import KeyFrame, MotionDescription, Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.viewer.cameras.presets import iso, named_camera
from rmp3d.viewer.playback.bounds import drawn_bounds, scene_bounds, whole_bounds
from rmp3d.viewer.playback.near_origin import drawing_origin

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


SPECK = (9e5, 0.0, 0.0)
BOUNDS = np.array([[0.0, 0.0, 0.0], [8.0, 4.0, 3.0]])


def with_speck(bounds=BOUNDS):
    meshes = {"floor": box((0, 0, -1), (8, 4, 0)), "speck": box(SPECK, np.add(SPECK, 0.1))}
    return Scene.from_mesh(meshes, roles={"floor": "ground"}, bounds=bounds)


def test_a_speck_outside_the_bounds_is_drawn_but_does_not_send_cameras_away(make):
    playback = make(members=1, scene=with_speck())
    ends = np.concatenate([playback.position.reshape(-1, 3), *playback.paths])
    low, high = scene_bounds(playback)
    assert (low == np.minimum(ends.min(axis=0), [0.0, 0.0, 0.0])).all()
    assert (high == np.maximum(ends.max(axis=0), [8.0, 4.0, 0.0])).all()
    assert (whole_bounds(playback)[1] >= SPECK).all()
    assert (drawn_bounds(playback)[1] >= SPECK).all()
    for name in ("iso", "top"):
        assert named_camera(name, playback, 0.0, 1.5).distance < 120.0


def test_where_no_part_and_nobody_is_within_the_bounds_cameras_show_the_parts(make):
    nobody = replace(make(members=0, scene=with_speck(BOUNDS + 100.0)), paths=())
    assert np.array_equal(scene_bounds(nobody), whole_bounds(nobody))


def test_a_speck_outside_the_bounds_does_not_move_the_origin_of_pictures():
    assert not drawing_origin(with_speck()).any()
