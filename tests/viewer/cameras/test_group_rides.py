"""The camera that goes with a group: whom it shows, and that it does not stay behind walls."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.scenes import Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.viewer.cameras.rig import AWAY, ENOUGH, NEARER, Rig
from rmp3d.viewer.cameras.sight import ClearView, has_room
from rmp3d.viewer.player.controls import Controls
from tests.viewer.conftest import make_scene, part

SIZE = (1280, 720)


def test_key_3_goes_with_the_selected_if_there_are_any(playback):
    controls = Controls(playback, SIZE)
    controls.chosen.choose([0, 1])
    controls.key("3")
    for _ in range(90):
        controls.tick(1 / 30)
    position = playback.pose(0.0).position
    pixel, _ = controls.camera.project(position, SIZE)
    spread = np.ptp(pixel[:2], axis=0).max()
    assert spread > 0.12 * SIZE[1], "from nearby"
    middle = pixel[:2].mean(axis=0)
    assert np.hypot(*(middle - np.array(SIZE) / 2)) < 0.3 * SIZE[1]
    controls.selected = -1
    controls.key("3")
    for _ in range(90):
        controls.tick(1 / 30)
    pixel, _ = controls.camera.project(position, SIZE)
    assert ((pixel > 0) & (pixel < SIZE)).all()
    assert np.ptp(pixel[:2], axis=0).max() < 0.5 * spread, "all of them, from farther off"


@pytest.fixture
def walled(make):
    """The yards with a wall 9 m high that stands south of the eastern one only."""
    scene = make_scene()
    wall = part("high wall", "obstacle", box([4, -9.5, 0], [16, -8.5, 9.0]), [0.7, 0.7, 0.7])
    return make(scene=Scene("walled", (*scene.parts, wall), {}, [[-16, -10, -0.2], [16, 8, 12]]))


def test_it_looks_for_another_side_when_a_wall_comes_between(walled):
    rig, clear = Rig(Controls(walled, SIZE).camera), ClearView(walled)
    rig.join("group", -1)
    aspect = SIZE[0] / SIZE[1]
    for _ in range(60):
        rig.tick(1 / 30, walled, 0.0, aspect)
    # A view from the south, low: clear in the west, behind the wall in the east.
    rig.orbit(-np.pi / 2 - rig.camera.azimuth, np.radians(12.0) - rig.camera.elevation)
    rig.zoom(1.6)
    for _ in range(30):
        rig.tick(1 / 30, walled, 0.0, aspect)
    assert clear.share_seen(rig.camera, walled.pose(0.0)) >= ENOUGH
    for _ in range(120):
        rig.tick(1 / 30, walled, 19.0, aspect)
    assert clear.share_seen(rig.camera, walled.pose(19.0)) >= ENOUGH
    assert has_room(walled, rig.camera.eye)
    assert not has_room(walled, np.array([10.0, -8.4, 2.0])), "its near plane would cut the wall"


def turned_by(cameras):
    """Return how far the view turns from each camera to the next one [rad]."""
    back = np.array([camera.axes[2] for camera in cameras])
    return np.arccos(np.clip(np.sum(back[1:] * back[:-1], axis=1), -1.0, 1.0))


def test_it_goes_to_another_side_without_a_whip(walled):
    rig = Rig(Controls(walled, SIZE).camera)
    rig.join("group", -1)
    aspect = SIZE[0] / SIZE[1]
    for _ in range(60):
        rig.tick(1 / 30, walled, 0.0, aspect)
    rig.orbit(-np.pi / 2 - rig.camera.azimuth, np.radians(12.0) - rig.camera.elevation)
    for _ in range(30):
        rig.tick(1 / 30, walled, 0.0, aspect)
    cameras = []
    for time in np.arange(0.0, 19.0, 1 / 30):
        rig.tick(1 / 30, walled, float(time), aspect)
        cameras.append(rig.camera)
    assert turned_by(cameras[:: len(cameras) - 1])[0] > np.radians(20.0), "it had to"
    assert turned_by(cameras).max() * 30 < np.radians(130.0)


@pytest.fixture
def turning(make):
    """Members that turn about within half a second, and back again soon."""
    playback = make()
    turned = playback.orientation_wxyz.copy()
    turned[240:300] = [0.0, 0.0, 0.0, 1.0]
    return replace(playback, orientation_wxyz=turned)


def test_the_camera_behind_one_that_turns_about_does_not_whip(turning):
    rig = Rig(Controls(turning, SIZE).camera)
    rig.join("follow", 4)
    for _ in range(60):
        rig.tick(1 / 30, turning, 5.0, 1.6)
    cameras = []
    for time in np.arange(5.0, 14.0, 1 / 30):
        rig.tick(1 / 30, turning, float(time), 1.6)
        cameras.append(rig.camera)
    assert turned_by(cameras).max() * 30 < np.radians(130.0)


def test_behind_a_member_it_comes_near_fast_and_goes_away_slowly(make):
    scene = make_scene()
    beam = part("beam", "obstacle", box([-0.2, -1, 2.0], [0.2, 1, 6.0]), [0.7, 0.7, 0.7])
    gate = Scene("gate", (*scene.parts, beam), {}, [[-16, -10, -0.2], [16, 8, 12]])
    playback = make(scene=gate)
    rig = Rig(Controls(playback, SIZE).camera)
    rig.join("follow", 4)
    distances = []
    for time in np.arange(0.0, 19.0, 1 / 30):
        rig.tick(1 / 30, playback, float(time), 1.6)
        distances.append(rig.camera.distance)
    distance = np.array(distances[60:])
    assert distance.min() < 0.8 * distance.max(), "the beam was in the way"
    pace = np.diff(np.log(distance)) * 30
    assert pace.max() <= 1.0 / AWAY + 1e-9
    assert pace.min() >= -1.0 / NEARER - 1e-9
