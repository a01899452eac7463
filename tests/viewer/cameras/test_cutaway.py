"""Roofs do not hide the members: where the scene is cut, and that the picture shows it."""

from dataclasses import replace

import numpy as np
import pytest

from rmp3d.scenes import Part, Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.viewer import Layers, Offscreen, named_camera
from rmp3d.viewer.cameras.camera import Camera
from rmp3d.viewer.cameras.cutaway import Cutaway
from rmp3d.viewer.cameras.rig import between
from rmp3d.viewer.cameras.sight import ClearView

SIZE = (320, 180)
HEAD = 1.75  # the walker's capsule ends here
GREY, RED = [0.6, 0.6, 0.6], [0.9, 0.1, 0.1]
PLAIN = Layers(path=False, regions=False, markers=False, hidden=False)


def part(name, low, high, color=GREY):
    mesh = box(low, high)
    return Part(name, "obstacle", mesh, np.tile(color, (len(mesh.faces), 1)))


def inside(playback, *parts):
    """The playback on a floor with further parts; members march from x = -10 to 10."""
    floor = part("floor", [-16, -8, -0.2], [16, 8, 0.0])
    scene = Scene("hall", (floor, *parts), {}, [[-16, -8, -0.2], [16, 8, 9]])
    return replace(playback, scene=scene)


ROOF = part("roof", [-16, -8, 3.0], [16, 8, 3.2], RED)
DECK = part("deck", [-16, -8, 6.0], [16, 8, 6.2], RED)


def raised(playback, height):
    return replace(playback, position=playback.position + np.array([0.0, 0.0, height]))


@pytest.mark.parametrize("member", [-1, 0, 4])
def test_the_cut_is_below_the_ceiling_and_above_the_heads(playback, member):
    cut = Cutaway(inside(playback, ROOF)).height(5.0, member)
    assert HEAD < cut < 3.0


def test_the_cut_is_on_the_storey_of_the_members(playback):
    house = inside(playback, ROOF, DECK)
    assert Cutaway(house).height(5.0) < 3.0
    assert 3.2 + HEAD < Cutaway(raised(house, 3.2)).height(5.0) < 6.0
    assert Cutaway(raised(house, 6.2)).height(5.0) == np.inf, "nothing is over the roof"


def test_of_members_on_two_storeys_the_higher_ones_count(playback):
    house = inside(playback, ROOF, DECK)
    position = house.position.copy()
    position[:, :4, 2] += 3.2
    cut = Cutaway(replace(house, position=position)).height(5.0)
    assert 3.2 + HEAD < cut < 6.0


def test_a_low_ceiling_is_cut_just_over_the_heads(playback):
    low = inside(playback, part("roof", [-16, -8, HEAD + 0.1], [16, 8, 2.2]))
    assert HEAD < Cutaway(low).height(5.0) < HEAD + 0.1


def test_under_the_open_sky_nothing_is_cut(playback):
    assert Cutaway(inside(playback)).height(5.0) == np.inf
    assert Cutaway(inside(playback)).height(5.0, 0) == np.inf


def test_a_bridge_is_cut_for_who_is_followed_under_it_but_not_for_all(playback):
    cutaway = Cutaway(inside(playback, part("bridge", [-3, -8, 3.0], [3, 8, 3.5])))
    under = 10.0  # the middle of the way, when member 4 is under it
    assert abs(playback.pose(under).position[4, 0]) < 1.0
    assert HEAD < cutaway.height(under, 4) < 3.0
    assert cutaway.height(1.0, 4) == np.inf
    assert cutaway.height(under) == np.inf


def test_a_beam_is_no_ceiling(playback):
    beams = [part(f"beam {x}", [x, -8, 2.2], [x + 0.2, 8, 2.5]) for x in range(-15, 15, 3)]
    cutaway = Cutaway(inside(playback, *beams))
    assert all(cutaway.height(time, 4) == np.inf for time in np.linspace(0.0, 19.0, 12))


def test_which_cameras_look_through_roofs(playback):
    looks = {name: named_camera(name, playback, 1.0, 1.5).under_roof
             for name in ("iso", "top", "group", "follow:3", "first:3")}  # fmt: skip
    assert looks == {"iso": None, "top": -1, "group": -1, "follow:3": 3, "first:3": None}
    assert between(Camera(), Camera(under_roof=3), 0.3).under_roof == 3
    assert Camera(under_roof=3).zoomed(2.0).orbited(0.1, 0.1).under_roof == 3


def test_a_roof_that_is_cut_hides_nobody_from_the_group_s_camera(playback):
    house = inside(playback, ROOF)
    camera, pose = Camera(elevation=1.2, distance=30.0), house.pose(5.0)
    assert ClearView(house).share_seen(camera, pose) == 0.0
    assert ClearView(house).share_seen(camera, pose, 2.9) == 1.0


def redness(pixels):
    return float(np.mean(pixels[..., 0] > 1.8 * pixels[..., 2].astype(float)))


@pytest.mark.usefixtures("opengl")
@pytest.mark.parametrize("name", ["top", "group", "follow:4"])
def test_pictures_show_the_members_and_not_the_roof(playback, name):
    house = inside(playback, ROOF)
    open_air = inside(playback, part("roof", [-16, -8, -0.4], [16, 8, -0.3], RED))
    camera = named_camera(name, house, 5.0, SIZE[0] / SIZE[1])
    with Offscreen(house, SIZE) as offscreen:
        usual = offscreen.picture(5.0, camera, layers=PLAIN)
        roofed = offscreen.picture(5.0, camera, layers=replace(PLAIN, roofs=True))
        again = offscreen.picture(5.0, camera, layers=PLAIN)
    with Offscreen(open_air, SIZE) as offscreen:
        without = offscreen.picture(5.0, camera, layers=PLAIN)
    assert redness(roofed) > 0.1
    assert redness(usual) < 0.01
    # The sun shines in as if there were no roof; shadows follow the box around all that is seen.
    differs = np.abs(usual.astype(int) - without.astype(int)).max(axis=2) > 40
    assert differs.mean() < 0.02
    assert np.array_equal(usual, again)
