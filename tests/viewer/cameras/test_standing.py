from dataclasses import replace

import numpy as np
import pytest

from rmp3d.scenes.build.shapes import box
from rmp3d.scenes.motion import PartMotion
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.rig import Rig
from rmp3d.viewer.cameras.sight import ClearView, before_obstacles, has_room
from rmp3d.viewer.cameras.standing import standing_in
from tests.viewer.conftest import make_playback, make_scene, part

WALL = [[-16.0, -5.2, -8.0], [16.0, -5.0, -3.5]]
RISE = 8.0  # [m], within a second


@pytest.fixture(scope="module")
def gated():
    """The yards, with a wall south of them that rises out of the floor."""
    scene, turn = make_scene(), [[1.0, 0, 0, 0]] * 2
    rises = PartMotion("decor", [0.0, 1.0], [[0, 0, 0], [0, 0, RISE]], turn, [0, 0, 0], "stay")
    gate = part("gate", "decor", box(*WALL), [0.4, 0.3, 0.2]).moving(rises)
    playback = make_playback(members=3, scene=replace(scene, parts=(*scene.parts, gate)))
    return replace(
        playback, position=np.tile(playback.position[:1], (len(playback.position), 1, 1))
    )


def test_a_part_hides_members_where_it_is_at_the_moment(gated):
    pose = gated.pose(0.0)
    south = Camera(target=[-10, 0, 1], distance=14.0, azimuth=-np.pi / 2, elevation=0.2)
    clear = ClearView(gated)
    assert clear.share_seen(south, pose, time=0.0) == 1.0
    assert clear.share_seen(south, pose, time=2.0) == 0.0
    eye = np.array([-10.0, -5.1, 1.0])
    assert has_room(gated, eye, time=0.0)
    assert not has_room(gated, eye, time=2.0)


def test_cameras_do_not_look_at_the_back_of_a_part_that_has_risen(gated):
    south = Camera(target=[-10, 0, 1], distance=14.0, azimuth=-np.pi / 2, elevation=0.2)
    assert before_obstacles(south, gated, 0.0, 1).distance == south.distance
    assert before_obstacles(south, gated, 2.0, 1).distance < 6.0
    rig = Rig(south)
    rig.join("group", -1)
    for time in (2.0, 4.0, 6.0):
        for _ in range(60):
            rig.tick(0.1, gated, time, 1.5)
    assert ClearView(gated).share_seen(rig.camera, gated.pose(6.0), time=6.0) == 1.0


def test_distances_are_those_to_fixed_and_moving_parts(gated):
    standing, starts = standing_in(gated), np.array([[-10.0, -6.0, 0.5], [-10.0, 0.0, 0.5]])
    north = np.array([[0.0, 1.0, 0.0]] * 2)
    np.testing.assert_allclose(standing.reach(starts, north, np.array([1.0])), [0.8, np.inf])
    assert standing.reach(starts, north, np.array([0.0]))[0] == np.inf
    np.testing.assert_allclose(standing.gap(starts, np.array([1.0]), 9.0), [0.5, 0.5])
    beside = np.array([[-10.0, -5.5, 1.5]])
    np.testing.assert_allclose(standing.gap(beside, np.array([1.0]), 9.0), [0.3])
