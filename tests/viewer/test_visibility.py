"""Hidden parts, hidden members and the clip plane: by what is left in pictures."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.viewer import Camera, Layers, Offscreen
from rmp3d.viewer.visibility import AXES, ClipPlane, Visibility

SIZE = (320, 200)
PLAIN = Layers(shadows=False, markers=False, regions=False, path=False, hidden=False)


@pytest.fixture(scope="module")
def pictures(opengl):
    """Opens one renderer for all pictures of a playback."""
    opened = {}

    def of(playback):
        if id(playback) not in opened:
            opened[id(playback)] = Offscreen(playback, SIZE)
        return opened[id(playback)]

    yield of
    for each in opened.values():
        each.close()


def changed(a, b):
    """Share of pixels that differ by more than rounding."""
    return (np.abs(a.astype(int) - b).max(axis=2) > 3).mean()


def test_a_plane_keeps_the_points_on_its_side():
    points = np.random.default_rng(0).uniform(-5, 5, (50, 3))
    for axis in range(3):
        plane = ClipPlane(axis, 1.5)
        np.testing.assert_array_equal(plane.kept(points), points[:, axis] <= 1.5)
        np.testing.assert_array_equal(plane.flipped().kept(points), points[:, axis] >= 1.5)
        origin = np.array([100.0, -30.0, 7.0])
        row = plane.equation(origin)
        np.testing.assert_array_equal((points - origin) @ row[:3] + row[3] >= 0, plane.kept(points))
        assert AXES[axis] in plane.text


def test_members_are_hidden_and_shown_again():
    position = np.zeros((4, 3))
    hidden = Visibility().with_members([1, 3, 9], shown=False)
    assert hidden.members(position).tolist() == [True, False, True, False]
    assert hidden.with_members([1], shown=True).members(position).tolist() == [1, 1, 1, 0]
    assert Visibility().is_whole
    assert not hidden.is_whole


def test_a_hidden_part_leaves_its_pixels_and_its_shadow(pictures, playback):
    camera = Camera(target=np.array([0.0, 4.0, 1.0]), distance=24.0)
    offscreen = pictures(playback)
    walls = frozenset({"wall north", "wall south"})
    shadowed = replace(PLAIN, shadows=True)
    whole = offscreen.picture(0.0, camera, layers=shadowed)
    bare = offscreen.picture(0.0, camera, layers=shadowed, visible=Visibility(hidden_parts=walls))
    assert changed(whole, bare) > 0.1
    floor = [part for part in playback.scene.parts if part.name == "floor"]
    alone = replace(playback, scene=replace(playback.scene, parts=tuple(floor)))
    wanted = pictures(alone).picture(0.0, camera, layers=shadowed)
    assert changed(bare, wanted) < 0.01, "as if they had never been there"
    np.testing.assert_array_equal(offscreen.picture(0.0, camera, layers=shadowed), whole)


def test_a_clip_plane_cuts_scene_and_members(pictures, playback):
    camera = Camera(
        target=np.zeros(3), azimuth=-np.pi / 2, elevation=np.pi / 2, distance=60.0
    )  # from above: columns are x
    offscreen = pictures(playback)
    sky = offscreen.picture(0.0, replace(camera, target=np.array([500.0, 0, 0])), layers=PLAIN)
    cut = Visibility(clip=ClipPlane(0, -10.5))
    picture = offscreen.picture(0.0, camera, layers=PLAIN, visible=cut)
    column = camera.project(np.array([[-10.5, 0.0, 0.0]]), SIZE)[0][0, 0]
    empty = picture[:, int(column) + 3 :]
    assert changed(empty, sky[:, int(column) + 3 :]) < 0.01, "nothing is drawn beyond it"
    left = picture[:, : int(column) - 3]
    assert changed(left, sky[:, : int(column) - 3]) > 0.05
    lower = offscreen.picture(0.0, camera, layers=PLAIN, visible=Visibility(clip=ClipPlane(2, 1.0)))
    whole = offscreen.picture(0.0, camera, layers=PLAIN)
    assert changed(lower, whole) > 0.02, "the walls' upper part is gone"


def test_hidden_members_are_not_drawn_and_nothing_of_them(pictures, playback):
    camera = Camera(target=np.array([-10.0, 0.0, 1.0]), distance=14.0)
    layers = Layers(regions=False, path=False)
    everybody = frozenset(range(playback.member_count))
    offscreen = pictures(playback)
    bare = offscreen.picture(
        0.0, camera, layers=layers, visible=Visibility(hidden_members=everybody)
    )
    alone = offscreen.picture(
        0.0, camera, layers=layers, visible=Visibility(hidden_members=everybody - {4}), selected=4
    )
    whole = offscreen.picture(0.0, camera, layers=layers)
    assert 0.0 < changed(alone, bare) < 0.5 * changed(whole, bare)
    nobody = replace(
        playback, life=np.tile([5, 6], (playback.member_count, 1))
    )  # not there at the first frame
    wanted = pictures(nobody).picture(0.0, camera, layers=layers)
    assert changed(bare, wanted) < 0.002
