"""The camera that goes with a group: whom it shows, and that it does not stay behind walls."""

import numpy as np
import pytest

from rmp3d.scenes import Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.viewer.cameras.rig import ENOUGH, Rig
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
