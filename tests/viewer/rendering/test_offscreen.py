from dataclasses import replace

import numpy as np
import pytest

from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes import Part, Scene
from rmp3d.viewer import Camera, Layers, Offscreen, ViewerError, named_camera, render
from rmp3d.viewer.overlay.overlay import Overlay
from rmp3d.viewer.overlay.text import GlyphAtlas
from rmp3d.viewer.palette import group_color

pytestmark = pytest.mark.usefixtures("opengl")
SIZE = (480, 270)
PLAIN = Layers(path=False, regions=False, markers=False, hidden=False, shadows=False)


def patch(picture, camera, point, reach=1):
    """The mean color around the pixel of a point, 0..1."""
    x, y = camera.project(point, SIZE)[0][0].round().astype(int)
    row = picture.shape[0] - 1 - y
    return picture[row - reach : row + reach + 1, x - reach : x + reach + 1].mean((0, 1)) / 255


def blueness(color):
    return color[2] - color[0]


@pytest.fixture
def dressed(playback):
    """The playback with vivid clothes, which take the group's color."""
    walker = playback.characters[0]
    colors = walker.colors.copy()
    colors[:12] = [0.9, 0.2, 0.1]
    return replace(playback, characters=(replace(walker, colors=colors),))


def test_picture_has_the_size_and_a_sky_above_a_floor(playback):
    camera = Camera(elevation=0.1, distance=60.0, field_of_view=1.2)
    picture = render(playback, 0.0, camera, SIZE, layers=PLAIN)
    assert picture.shape == (270, 480, 3)
    assert picture.dtype == np.uint8
    sky, horizon = picture[0].mean(0), picture[110, [0, -1]].mean(0)
    assert blueness(sky) > blueness(horizon) > 0


def test_members_are_where_they_are_projected_in_their_group_s_color(dressed):
    camera = Camera(target=[-10, 0, 1], distance=18.0, azimuth=0.3, elevation=0.7)
    with Offscreen(dressed, SIZE) as offscreen:
        picture = offscreen.picture(0.0, camera, layers=PLAIN)
        later = offscreen.picture(10.0, camera, layers=PLAIN)
    for member in (0, 4, 8):
        chest = dressed.position[0, member] + [0.0, 0.0, 1.0]
        seen, gone = patch(picture, camera, chest), patch(later, camera, chest)
        assert np.argmax(seen) == np.argmax(group_color(0))
        assert blueness(seen) > 0.2 > blueness(gone) + 0.15


def test_a_wall_hides_a_member_unless_hidden_ones_shine_through(dressed):
    time = 10.0  # the middle one is in the corridor; look from the south, over the wall
    camera = Camera(target=[0, 0, 0.5], distance=14.0, azimuth=-np.pi / 2, elevation=0.35)
    knees = dressed.pose(time).position[4] + [0, 0, 0.6]
    with Offscreen(dressed, SIZE) as offscreen:
        solid = patch(offscreen.picture(time, camera, layers=PLAIN), camera, knees)
        ghosts = replace(PLAIN, hidden=True)
        through = patch(offscreen.picture(time, camera, layers=ghosts), camera, knees)
    assert blueness(solid) < 0.0  # stone
    assert blueness(through) > blueness(solid) + 0.08


def test_shadows_darken_the_ground_beside_a_wall_and_a_member(dressed):
    camera = Camera(target=[0, 0, 0], distance=45.0, azimuth=-np.pi / 2, elevation=1.4)
    shaded = replace(PLAIN, shadows=True)
    beside_wall = np.array([3.5, 5.0, 0.0])  # the sun is in the west
    with Offscreen(dressed, SIZE) as offscreen:
        light = offscreen.picture(0.0, camera, layers=PLAIN)
        dark = offscreen.picture(0.0, camera, layers=shaded)
        lit, shade = patch(light, camera, beside_wall), patch(dark, camera, beside_wall)
        open_ground = np.array([12.0, 0.0, 0.0])
        far = [patch(each, camera, open_ground).mean() for each in (light, dark)]
        near = Camera(target=[-10, 0, 0], distance=9.0, azimuth=-np.pi / 2, elevation=1.4)
        behind = dressed.position[0, 4] + [0.75, 0.3, 0.0]
        bare = patch(offscreen.picture(0.0, near, layers=PLAIN), near, behind)
        shadowed = patch(offscreen.picture(0.0, near, layers=shaded), near, behind)
    assert shade.mean() < 0.8 * lit.mean()
    assert far[0] == pytest.approx(far[1], abs=0.01)
    assert shadowed.mean() < 0.85 * bare.mean()


def test_edges_are_smooth(playback):
    camera = Camera(target=[0, 0, 0], distance=30.0, azimuth=0.5, elevation=1.0)
    picture = render(playback, 0.0, camera, SIZE, layers=PLAIN).astype(int)
    colors = np.unique(picture.reshape(-1, 3) // 4, axis=0)
    assert len(colors) > 60  # blends along edges, besides sky and a dozen faces


def test_pictures_repeat_to_the_byte_and_highlight_the_selected(dressed):
    camera = Camera(target=[-10, 0, 1], distance=15.0)
    with Offscreen(dressed, SIZE) as offscreen:
        first = offscreen.picture(1.0, camera)
        again = offscreen.picture(1.0, camera)
        selected = offscreen.picture(1.0, camera, selected=4)
    np.testing.assert_array_equal(first, again)
    chest = dressed.pose(1.0).position[4] + [0, 0, 1.0]
    assert blueness(patch(selected, camera, chest)) < -0.2  # yellow


def test_every_layer_changes_the_picture(playback):
    camera = Camera(target=[-6, 0, 0], distance=18.0)
    none = replace(PLAIN)
    with Offscreen(playback, SIZE) as offscreen:
        plain = offscreen.picture(4.0, camera, layers=none)
        for layer in (
            "path",
            "regions",
            "markers",
            "trails",
            "subgoals",
            "grid",
            "wireframe",
            "xray",
            "bodies",
        ):
            changed = offscreen.picture(4.0, camera, layers=none.toggled(layer))
            assert (changed != plain).any(), layer


def quick(offscreen, time, camera, layers=PLAIN):
    target = offscreen._flat.framebuffer
    offscreen._window.switch_to()
    offscreen._renderer.draw(time, camera, SIZE, layers=layers, smooth=False, framebuffer=target)
    return offscreen._renderer.read(SIZE, target)


def test_the_quick_way_shows_the_same_as_the_smooth_one(dressed):
    shaded = replace(PLAIN, shadows=True, path=True, regions=True, markers=True)
    camera = Camera(target=[-9, 0, 0], distance=15.0, azimuth=-1.2, elevation=0.9)
    with Offscreen(dressed, SIZE) as offscreen:
        for time in (1.0, 2.0):  # the second time takes the kept picture of the scene
            fine = offscreen.picture(time, camera, layers=shaded).astype(int)
            coarse = quick(offscreen, time, camera, shaded).astype(int)
            differ = np.abs(fine - coarse).max(axis=2) > 40
            assert differ.mean() < 0.03  # edges only
            core = differ[1:-1, 1:-1] & differ[:-2, 1:-1] & differ[2:, 1:-1]
            core &= differ[1:-1, :-2] & differ[1:-1, 2:]
            assert core.mean() < 0.002  # thin, so no face or shadow is another


def test_the_quick_way_follows_camera_layers_and_members(dressed):
    camera = Camera(target=[-9, 0, 0], distance=15.0)
    with Offscreen(dressed, SIZE) as offscreen:
        first = quick(offscreen, 1.0, camera)
        assert (quick(offscreen, 1.0, camera) == first).all()
        for changed in (
            quick(offscreen, 3.0, camera),
            quick(offscreen, 1.0, camera.orbited(0.1, 0.0)),
            quick(offscreen, 1.0, camera, replace(PLAIN, grid=True)),
            quick(offscreen, 1.0, camera, replace(PLAIN, xray=True)),
        ):
            assert (changed != first).any()
        assert (quick(offscreen, 1.0, camera) == first).all()


def leave_every_switch_wrong():
    """Set OpenGL as no pass wants it, as a panel or another pass might leave it."""
    from pyglet import gl

    for switch in (gl.GL_BLEND, gl.GL_CULL_FACE, gl.GL_SCISSOR_TEST):
        gl.glEnable(switch)
    for switch in (gl.GL_DEPTH_TEST, gl.GL_MULTISAMPLE):
        gl.glDisable(switch)
    gl.glScissor(0, 0, 9, 9)
    gl.glBlendFunc(gl.GL_ONE, gl.GL_ONE)
    gl.glDepthFunc(gl.GL_GREATER)
    gl.glDepthMask(gl.GL_FALSE)
    gl.glPolygonMode(gl.GL_FRONT_AND_BACK, gl.GL_LINE)


@pytest.mark.parametrize("changed", [(), ("shadows",), ("xray",), ("wireframe",)])
def test_a_picture_does_not_depend_on_what_was_drawn_before(dressed, changed):
    layers = replace(PLAIN, shadows=True, path=True, regions=True, hidden=True)
    for layer in changed:
        layers = layers.toggled(layer)
    camera = Camera(target=[-6, 0, 0], distance=18.0)
    near = camera.orbited(0.1, 0.0)  # the quick way has no kept picture from there
    with Offscreen(dressed, SIZE) as offscreen:
        smooth = offscreen.picture(6.0, camera, layers=layers, clock=True)
        leave_every_switch_wrong()
        again = offscreen.picture(6.0, camera, layers=layers, clock=True)
        np.testing.assert_array_equal(again, smooth)
        leave_every_switch_wrong()
        found = quick(offscreen, 6.0, near, layers)
    with Offscreen(dressed, SIZE) as offscreen:
        np.testing.assert_array_equal(found, quick(offscreen, 6.0, near, layers))


def test_shadows_of_members_do_not_darken_the_path_they_fall_on(dressed):
    along = np.array([-10.0, 0.0, 0.0])
    shift = np.array([0.9, 0.4, 0.04])
    line = (along + shift + np.outer([-3.0, 3.0], [0.0, 1.0, 0.0]),)
    path = replace(dressed, paths=line)
    camera = Camera(target=along, distance=9.0, azimuth=-np.pi / 2, elevation=1.4)
    layers = replace(PLAIN, path=True, shadows=True)
    with Offscreen(path, SIZE) as offscreen:
        bare = quick(offscreen, 0.0, camera, replace(layers, path=False))
        fine = offscreen.picture(0.0, camera, layers=layers)
        coarse = quick(offscreen, 0.0, camera, layers)
    points = line[0][0] + np.linspace(0.1, 0.9, 60)[:, None] * (line[0][1] - line[0][0])
    ground = np.array([patch(bare, camera, point, 0).mean() for point in points])
    assert np.ptp(ground) > 0.15, "some of it is in the shadow"
    both = [[patch(each, camera, point, 0) for point in points] for each in (fine, coarse)]
    np.testing.assert_allclose(both[0], both[1], atol=0.15)


def test_rings_lie_over_sloping_ground(make):
    shown = []
    for slope in (0.0, 0.4):
        corners = np.array([[x, y, slope * x] for x in (-9.0, 9.0) for y in (-9.0, 9.0)])
        mesh = TriangleMesh(corners, np.array([[0, 2, 1], [1, 2, 3]]))
        hill = Part("hill", "ground", mesh, np.full((2, 3), 0.5))
        walker = make(members=1, scene=Scene("hill", (hill,), {}, mesh.bounds))
        standing = replace(walker, position=np.zeros_like(walker.position))
        with Offscreen(standing, SIZE) as offscreen:
            for azimuth in np.arange(4) * np.pi / 2:
                camera = Camera(distance=3.0, azimuth=azimuth, elevation=0.9)
                picture = offscreen.picture(0.0, camera, layers=replace(PLAIN, markers=True))
                shown.append((picture[..., 2].astype(int) - picture[..., 0] > 60).sum())
    level, sloping = np.reshape(shown, (2, 4))
    assert level.min() > 60
    assert (sloping > 0.9 * level).all()


def test_stand_ins_are_where_members_are_in_their_color(dressed, monkeypatch):
    monkeypatch.setattr("rmp3d.viewer.rendering.crowd.FEW_WHOLE", 0)
    camera = Camera(target=[-10, 0, 1], distance=32.0, elevation=0.7)
    with Offscreen(dressed, SIZE) as offscreen:
        picture = quick(offscreen, 0.0, camera)
        later = quick(offscreen, 10.0, camera)
    for member in (0, 4, 8):
        hip = dressed.position[0, member] + [0.0, 0.0, 0.6]
        seen, gone = (patch(each, camera, hip, reach=0) for each in (picture, later))
        assert blueness(seen) > 0.15 > blueness(gone) + 0.1


def test_xray_shows_members_and_ground_through_a_wall(dressed):
    time = 10.0
    camera = Camera(target=[0, 0, 0.5], distance=14.0, azimuth=-np.pi / 2, elevation=0.35)
    waist = dressed.pose(time).position[4] + [0, 0, 1.0]
    with Offscreen(dressed, SIZE) as offscreen:
        solid = patch(offscreen.picture(time, camera, layers=PLAIN), camera, waist)
        seen = patch(
            offscreen.picture(time, camera, layers=replace(PLAIN, xray=True)), camera, waist
        )
    assert blueness(seen) > blueness(solid) + 0.1


def test_a_renderer_goes_on_with_another_playback_of_the_same_members(dressed):
    camera = Camera(target=[-9, 0, 0], distance=15.0)
    other = replace(
        dressed,
        position=dressed.position + np.array([0, 1.0, 0]),
        paths=(dressed.paths[0] + np.array([0, 1.0, 0]),),
    )
    layers = replace(PLAIN, path=True, markers=True)
    with Offscreen(dressed, SIZE) as offscreen, Offscreen(other, SIZE) as fresh:
        quick(offscreen, 1.0, camera, layers)
        offscreen._renderer.show(other)
        shown = quick(offscreen, 1.0, camera, layers)
        np.testing.assert_array_equal(shown, quick(fresh, 1.0, camera, layers))


def test_clock_and_labels_are_written_larger_on_larger_pictures(playback):
    camera = Camera(target=[0, 0, 0], distance=30.0)
    layers = replace(PLAIN, grid=True)
    heights = []
    for factor in (1, 2):
        size = (720 * factor, 405 * factor)
        plain = render(playback, 5.0, camera, size, layers=PLAIN)
        timed = render(playback, 5.0, camera, size, layers=PLAIN, clock=True)
        rows, columns = np.nonzero((plain != timed).any(axis=2))
        heights.append(np.ptp(rows) + 1)
        assert columns.min() > 0.7 * size[0]
        assert rows.min() > 0.8 * size[1]
    assert heights[1] == pytest.approx(2 * heights[0], abs=3)
    with Offscreen(playback, SIZE) as offscreen:
        offscreen.picture(5.0, camera, layers=layers)
        assert [label.text for label in offscreen._renderer.labels] == ["x", "y", "z"]


def test_text_of_another_size_has_the_letters_of_that_size(playback):
    overlays = []
    for height in (12, 20):
        overlay = Overlay(GlyphAtlas(height))
        overlay.text("every letter has its place", 20.0, 20.0)
        overlays.append(overlay)
    pictures = []
    for written in (overlays, overlays[1:]):
        with Offscreen(playback, SIZE) as offscreen:
            for overlay in written:
                offscreen.picture(0.0, Camera())
                offscreen._renderer.draw_overlay(overlay, SIZE)
            pictures.append(offscreen._renderer.read(SIZE, offscreen._flat.framebuffer))
    np.testing.assert_array_equal(*pictures)


def test_through_a_member_s_eyes_its_own_body_is_not_in_the_way(dressed):
    camera = named_camera("first:4", dressed, 1.0, SIZE[0] / SIZE[1])
    with Offscreen(dressed, SIZE) as offscreen:
        own = offscreen.picture(1.0, camera, layers=PLAIN)
        far = offscreen.picture(
            1.0, replace(camera, target=camera.target + np.array([0.0, 0.0, 9.0]))
        )
    middle = own[100:170, 200:280].reshape(-1, 3).mean(axis=0) / 255
    assert blueness(middle) < 0.1  # the wall ahead, not a blue shirt around the eye
    assert (far != own).any()


def test_a_scene_without_members_can_be_seen(make):
    picture = render(make(members=0), 0.0, Camera(distance=40.0), SIZE)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 10


def test_sizes_that_cannot_be_are_refused(playback):
    for size in ((0, 10), (10, 100_000)):
        with pytest.raises(ValueError, match="`size` must be between 1 and"):
            Offscreen(playback, size)


def test_after_pictures_a_window_is_refused_in_the_same_process(playback, monkeypatch):
    from rmp3d.viewer.gpu import platforms

    render(playback, 0.0, Camera(), (32, 32))
    monkeypatch.setattr(platforms, "screen_problem", lambda: None)
    with pytest.raises(ViewerError, match="already made pictures without a screen"):
        platforms.open_window((32, 32), title="", visible=True)
