"""Hiding, cutting, pointing, measuring and selecting, as the controls take keys and mouse."""

import numpy as np
import pytest

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.build.shapes import box
from rmp3d.viewer.cameras.measuring import Measured
from rmp3d.viewer.cameras.storeys import storey_cuts
from rmp3d.viewer.player.controls import Controls
from rmp3d.viewer.player.hud import draw_hud

SIZE = (1280, 720)


@pytest.fixture
def controls(playback):
    return Controls(playback, SIZE)


def pixel_of(controls, point):
    return tuple(controls.camera.project(np.array([point]), SIZE)[0][0])


def click(controls, pixel, **keys):
    controls.press(*pixel, "left", **keys)
    controls.release(*pixel)


def chest(controls, member):
    return controls.playback.pose(controls.clock.time).position[member] + [0.0, 0.0, 1.0]


def test_what_is_under_the_mouse_is_said_with_its_part_and_slope(controls):
    controls.hover(*pixel_of(controls, [-6.0, 2.0, 0.0]))
    found = controls.tools.pointed
    np.testing.assert_allclose(found.position, [-6.0, 2.0, 0.0], atol=1e-6)
    assert found.part == "floor"
    assert found.slope == pytest.approx(0.0)
    assert found.text == "-6.00, 2.00, 0.00 m · floor · slope 0°"
    controls.hover(*pixel_of(controls, [0.0, 1.0, 2.5]))
    assert controls.tools.pointed.part == "wall north"
    controls.hover(5.0, 710.0)
    assert controls.tools.pointed is None


def corners(rows):
    """Return the lower left and the upper right corner of all that is drawn."""
    return rows[:, :2].min(axis=0), rows[:, :2].max(axis=0)


@pytest.mark.parametrize("message", ["line to column", "a message as long as the window " * 3])
def test_a_message_covers_no_coordinates(controls, message):
    bare = len(draw_hud(controls).rows())
    controls.hover(*pixel_of(controls, [0.0, 1.0, 2.5]))
    told = draw_hud(controls).rows()
    controls.notify(message)
    both = draw_hud(controls).rows()
    np.testing.assert_array_equal(both[: len(told)], told, "the message is drawn last")
    (left, bottom), (right, top) = corners(both[len(told) :])
    _, (end, upper) = corners(told[bare:])
    assert left >= end or bottom >= upper
    assert bottom < upper + controls.atlas.height, "it is where messages are looked for"
    assert bottom >= controls.free_bottom
    assert right <= SIZE[0]
    assert top <= SIZE[1]


def test_nothing_is_said_to_be_under_a_mouse_that_is_beside_the_picture(controls):
    at = pixel_of(controls, [-6.0, 2.0, 0.0])
    for elsewhere in ((-40.0, at[1]), (at[0], -3.0), (SIZE[0] + 1.0, at[1])):
        controls.hover(*at)
        assert controls.tools.pointed is not None
        controls.hover(*elsewhere)
        assert controls.tools.pointed is None


def test_what_is_under_a_mouse_at_rest_is_said_anew_when_the_camera_has_moved(controls):
    controls.hover(*pixel_of(controls, [-6.0, 2.0, 0.0]))
    before = controls.tools.pointed
    controls.tools.look_again()
    assert controls.tools.pointed is before, "the camera rests"
    controls.rig.orbit(0.0, 0.3)
    controls.tools.look_again()
    moved = controls.tools.pointed.position
    assert np.linalg.norm(moved - before.position) > 0.5


def test_sight_goes_through_what_is_hidden_and_what_is_cut_away(controls):
    at = pixel_of(controls, [0.0, 4.0, 2.5])  # on top of the northern wall
    assert controls.tools.at(at).part == "wall north"
    controls.hover(*at)
    controls.key("delete")
    assert controls.tools.visible.hidden_parts == {"wall north"}
    assert controls.tools.at(at).part == "floor"
    controls.key("insert")
    assert controls.tools.at(at).part == "wall north"
    controls.key("z", shift=True)
    controls.tools.move_clip(1.0 - controls.tools.visible.clip.at)
    below = controls.tools.at(at)
    assert below.position[2] <= 1.0 + 1e-9, "what is above one meter is cut away"
    np.testing.assert_array_equal(controls.tools.pointed.position, below.position)
    controls.key("delete", shift=True)
    others = {"floor", "wall north", "wall south"} - {below.part}
    assert controls.tools.visible.hidden_parts == others


def test_keys_turn_flip_move_and_remove_the_clip_plane(controls):
    for axis in ("x", "y", "z"):
        controls.key(axis, shift=True)
        clip = controls.tools.visible.clip
        assert ("x", "y", "z")[clip.axis] == axis
        assert clip.keeps == "below"
    at = clip.at
    controls.key("up")
    controls.key("down", shift=True)
    assert controls.tools.visible.clip.at == pytest.approx(max(at + 0.25 - 2.5, -0.2))
    controls.key("z", shift=True)
    assert controls.tools.visible.clip.keeps == "above"
    controls.key("z", shift=True)
    assert controls.tools.visible.clip is None
    controls.key("up")
    assert "no clip plane" in controls.message


def house():
    """Two storeys of 10 m x 10 m, floors at 0 and 3 m, slabs 0.2 m thick, and a roof."""
    layers = (("floor", "ground", -0.2), ("slab", "ground", 2.8), ("roof", "obstacle", 5.8))
    parts = []
    for name, role, low in layers:
        mesh = box([0, 0, low], [10, 10, low + 0.2])
        parts.append(Part(name, role, mesh, np.full((len(mesh.faces), 3), 0.5)))
    return Scene("house", tuple(parts), {}, [[0, 0, -0.2], [10, 10, 6]])


def test_storeys_are_cut_below_their_ceilings(make):
    low, high = storey_cuts(house())
    assert (low.height, high.height) == pytest.approx((0.0, 3.0))
    assert 2.5 < low.cut < 2.8
    assert 5.5 < high.cut < 5.8
    controls = Controls(make(scene=house()), SIZE)
    cuts = []
    for _ in range(3):
        controls.key("pagedown")
        cuts.append(controls.tools.visible.clip.at)
    assert cuts == [high.cut, low.cut, low.cut]
    controls.key("pageup")
    controls.key("pageup")
    assert controls.tools.visible.clip is None


def test_a_scene_under_the_sky_has_no_storeys_to_look_into(controls):
    controls.key("pagedown")
    assert controls.tools.visible.is_whole
    assert "no storeys" in controls.message


def ramp():
    """A floor that rises from x = 2 to x = 6 by 3 m, and is level again to x = 10."""
    x, z = np.array([0.0, 2.0, 6.0, 10.0]), np.array([0.0, 0.0, 3.0, 3.0])
    vertices = np.array([[a, y, b] for a, b in zip(x, z, strict=True) for y in (0.0, 5.0)])
    faces = [f for k in (0, 2, 4) for f in ([k, k + 2, k + 1], [k + 2, k + 3, k + 1])]
    mesh = TriangleMesh(vertices, np.array(faces))
    part = Part("ground", "ground", mesh, np.full((len(mesh.faces), 3), 0.5))
    return Scene("ramp", (part,), {}, [[0, 0, 0], [10, 5, 6]])


def test_distances_are_straight_level_up_and_along_the_ground():
    start, end = np.array([1.0, 1.0, 0.0]), np.array([8.0, 4.0, 3.0])
    found = Measured.between(ramp(), start, end)
    plan = np.hypot(7.0, 3.0)
    assert found.straight == pytest.approx(np.hypot(plan, 3.0))
    assert found.level == pytest.approx(plan)
    assert found.rise == pytest.approx(3.0)
    assert found.slope == pytest.approx(np.arctan2(3.0, plan))
    on_ramp = 4.0 / 7.0 * plan
    assert found.along_ground == pytest.approx(plan - on_ramp + np.hypot(on_ramp, 3.0), abs=1e-6)
    assert found.arrives
    beyond = Measured.between(ramp(), start, np.array([1.0, 9.0, 0.0]))
    assert not beyond.arrives
    assert "ends after 4.00 m" in beyond.lines[-1]


def test_two_clicks_measure_a_third_begins_anew_and_escape_ends(controls):
    controls.key("m", shift=True)
    for point in ([-14.0, 0.0, 0.0], [-6.0, 6.0, 0.0]):
        click(controls, pixel_of(controls, point))
    measured = controls.tools.measured
    assert measured.straight == pytest.approx(10.0, abs=1e-6)
    assert measured.along_ground == pytest.approx(10.0, abs=1e-6)
    assert controls.tools.labels[0].text == "straight 10.00 m"
    assert len(controls.tools.line_rows(np.zeros(3))) > 6
    assert len(draw_hud(controls).rows()) > 0
    click(controls, pixel_of(controls, [-7.0, 0.0, 0.0]))
    assert controls.tools.measured is None
    assert len(controls.tools.points) == 1
    assert controls.selected == -1
    controls.key("escape")
    assert not controls.tools.measuring
    assert not controls.quitting
    controls.key("escape")
    assert controls.quitting


def test_control_and_a_click_take_one_more_and_one_fewer(controls):
    click(controls, pixel_of(controls, chest(controls, 4)))
    click(controls, pixel_of(controls, chest(controls, 0)), ctrl=True)
    click(controls, pixel_of(controls, chest(controls, 8)), ctrl=True)
    assert controls.selection == (0, 4, 8)
    assert controls.selected == 8
    click(controls, pixel_of(controls, chest(controls, 8)), ctrl=True)
    assert controls.selection == (0, 4)
    click(controls, (5.0, 700.0), ctrl=True)
    assert controls.selection == (0, 4), "beside everybody nothing changes"
    click(controls, (5.0, 700.0))
    assert controls.selection == ()


def test_a_rectangle_selects_those_whose_middle_is_in_it(controls):
    middle = controls.playback.pose(0.0).position + np.array([0, 0, 0.9])
    pixel, _ = controls.camera.project(middle, SIZE)
    low, high = pixel[2:6].min(axis=0) - 3.0, pixel[2:6].max(axis=0) + 3.0
    inside = ((pixel >= low) & (pixel <= high)).all(axis=1)
    before = controls.camera
    controls.press(*low, "left", shift=True)
    controls.drag(*high, *(high - low))
    assert controls.rectangle is not None
    assert len(draw_hud(controls).rows())
    controls.release(*high)
    assert controls.rectangle is None
    assert controls.selection == tuple(np.flatnonzero(inside))
    assert controls.camera is before
    controls.key("delete")
    assert controls.tools.visible.hidden_members == set(controls.selection)
    controls.press(*low, "left", shift=True)
    controls.drag(*high, *(high - low))
    controls.release(*high)
    assert controls.selection == (), "who is hidden cannot be selected"


def test_shift_g_takes_the_group_and_isolating_hides_the_others(make):
    playback = make()
    groups = np.arange(9) % 3
    names = ("a", "b", "c")
    object.__setattr__(playback, "group_of", groups)
    object.__setattr__(playback, "group_names", names)
    controls = Controls(playback, SIZE)
    controls.key("g", shift=True)
    assert "nobody" in controls.message
    controls.select(4)
    controls.key("g", shift=True)
    assert controls.selection == (1, 4, 7)
    assert controls.selected == 4
    controls.key("delete", shift=True)
    shown = controls.tools.visible.members(playback.position[0])
    np.testing.assert_array_equal(np.flatnonzero(shown), [1, 4, 7])
    controls.key("a", shift=True)
    assert controls.selection == (1, 4, 7), "only those that are drawn"
