import numpy as np
import pytest

from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.presets import around_members
from rmp3d.viewer.cameras.sight import ClearView
from rmp3d.viewer.playback.bounds import member_bounds


def test_walls_hide_a_column_from_the_side_and_not_from_above(playback):
    sight, pose = ClearView(playback), playback.pose(10.0)
    side = Camera(target=[0, 0, 1], distance=20.0, azimuth=-np.pi / 2, elevation=0.1)
    above = Camera(target=[0, 0, 1], distance=20.0, azimuth=-np.pi / 2, elevation=np.pi / 2)
    assert sight.share_seen(side, pose) < 0.2
    assert sight.share_seen(above, pose) == pytest.approx(1.0)


def test_the_wanted_camera_is_kept_where_it_sees_everyone(playback):
    sight, pose = ClearView(playback), playback.pose(0.0)
    bounds = member_bounds(playback, pose)
    wanted = Camera().fit(bounds, 1.5, margin=1.3)
    chosen = sight.best(wanted, pose, bounds, 1.5)
    assert (chosen.azimuth, chosen.elevation) == (wanted.azimuth, wanted.elevation)


def test_the_group_camera_finds_a_side_from_which_the_column_is_seen(playback):
    camera = around_members(playback, 10.0, 16 / 9)
    assert ClearView(playback).share_seen(camera, playback.pose(10.0)) > 0.85
