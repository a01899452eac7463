import numpy as np
import pytest

from rmp3d.geometry.vectors import unit
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.cutaway import scene_query
from rmp3d.viewer.cameras.presets import around_members
from rmp3d.viewer.cameras.sight import ClearView, before_obstacles
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


LIFTED = np.array([0.0, 0.0, 0.9])


def test_a_camera_behind_a_member_stays_before_walls_and_rock(playback):
    backs = np.array([[-10.0, -0.9, 0.0], [2.4, 0.5, 0.0], [3.4, 5.0, 0.0]])
    for at in backs:
        for azimuth in np.radians(np.arange(0, 360, 30)):
            camera = Camera(
                target=at + LIFTED, azimuth=azimuth, elevation=np.radians(30), distance=7.0
            )
            found = before_obstacles(camera, playback, 0.0, 0)
            query = scene_query(playback.scene)
            room = query.closest_point(found.eye[None], 1.0)[0][0]
            assert found.distance <= camera.distance
            assert room >= 0.25 or found.distance == camera.distance
            if found.distance < camera.distance:
                sight = unit(found.eye - found.target)
                assert query.cast_ray(found.target[None], sight[None])[0][0] > found.distance


def test_where_nothing_is_in_the_way_it_stays_as_far_as_it_was(playback):
    camera = Camera(target=np.array([-10.0, 0, 0.9]), elevation=np.radians(30), distance=5.0)
    assert before_obstacles(camera, playback, 0.0, 0).distance == 5.0


def test_a_camera_with_a_wall_right_before_the_member_looks_over_it(playback):
    target = np.array([2.5, 3.0, 0.9])  # half a meter before a wall
    camera = Camera(target=target, azimuth=0.0, elevation=np.radians(10), distance=4.0)
    found = before_obstacles(camera, playback, 0.0, 0)
    sight = unit(found.eye - target)
    query = scene_query(playback.scene)
    assert query.cast_ray(target[None], unit(camera.eye - target)[None])[0][0] < 0.7
    assert query.cast_ray(target[None], sight[None])[0][0] > found.distance
    assert found.elevation > camera.elevation
