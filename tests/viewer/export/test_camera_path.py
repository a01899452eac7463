import numpy as np
import pytest

from rmp3d.geometry import InputError
from rmp3d.viewer.export.camera_path import camera_path
from rmp3d.viewer.playback.bounds import member_bounds

ASPECT = 16 / 9
TIMES = np.arange(0.0, 19.9, 0.1)


def corners(box):
    return np.array([[x, y, z] for x in box[:, 0] for y in box[:, 1] for z in box[:, 2]])


def test_group_keeps_all_members_in_the_picture(playback):
    cameras = camera_path("group", playback, TIMES, ASPECT)
    for time, camera in zip(TIMES, cameras, strict=True):
        box = corners(member_bounds(playback, playback.pose(time)))
        pixel, depth = camera.project(box, (1600, 900))
        assert (depth > 0).all()
        assert ((pixel > 0) & (pixel < [1600, 900])).all()


def test_group_does_not_jerk(playback):
    cameras = camera_path("group", playback, TIMES, ASPECT)
    eyes = np.array([camera.eye for camera in cameras])
    jumps = np.linalg.norm(np.diff(eyes, 2, axis=0), axis=1) / 0.1**2  # [m/s^2]
    assert jumps.max() < 3.0
    assert len({(camera.azimuth, camera.elevation) for camera in cameras}) == 1


def test_overviews_stand_still_and_followers_move(playback):
    for name in ("iso", "top"):
        assert len({id(camera) for camera in camera_path(name, playback, TIMES, ASPECT)}) == 1
    cameras = camera_path("follow:4", playback, TIMES, ASPECT)
    at = [camera.target[:2] for camera in cameras]
    there = [playback.pose(time).position[4, :2] for time in TIMES]
    np.testing.assert_allclose(at, there)


def test_one_moment_nobody_and_unknown_names(playback, make):
    for name in ("iso", "group", "follow:0"):
        assert len(camera_path(name, playback, np.array([3.0]), ASPECT)) == 1
    assert len(camera_path("group", make(members=0), TIMES, ASPECT)) == len(TIMES)
    with pytest.raises(InputError, match="no camera named `side`"):
        camera_path("side", playback, TIMES, ASPECT)
