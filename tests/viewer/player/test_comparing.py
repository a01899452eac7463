"""Two playbacks with one clock: ghosts, side by side, and the distance between the same members."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from rmp3d.viewer import Camera, Layers, render
from rmp3d.viewer.overlay.difference_plot import DifferencePlot
from rmp3d.viewer.overlay.overlay import Overlay
from rmp3d.viewer.overlay.text import GlyphAtlas
from rmp3d.viewer.overlay.timeline import Timeline
from rmp3d.viewer.playback.bounds import scene_bounds
from rmp3d.viewer.playback.comparison import Comparison, lasting, same_members
from rmp3d.viewer.player.comparing import ComparingWindow


def shifted(playback, by, title="other"):
    return replace(playback, position=playback.position + np.array(by), title=title)


def test_distances_are_those_of_the_same_members(playback):
    other = shifted(playback, [0.0, 3.0, 4.0])
    found = Comparison.of(playback, other)
    np.testing.assert_allclose(found.distance, 5.0)
    assert found.distance.shape[1] == 9
    assert found.at(3.3) == pytest.approx((5.0, 5.0))
    one = playback.position.copy()
    one[:, 2] += [0.0, 0.0, 7.0]
    assert Comparison.of(playback, replace(playback, position=one)).at(1.0) == (0.0, 7.0)


def test_members_are_the_same_by_group_and_number(playback, make):
    three = np.arange(9) // 3
    a = replace(playback, group_of=three, group_names=("x", "y", "z"),
                formation_of=np.full((playback.frame_count, 3), -1), events=(),
                paths=())  # fmt: skip
    b = replace(a, group_names=("z", "other", "x"))
    assert same_members(a, b).tolist() == [[0, 6], [1, 7], [2, 8], [6, 0], [7, 1], [8, 2]]
    assert len(same_members(playback, make(members=4))) == 4
    nobody = Comparison.of(a, replace(b, group_names=("p", "q", "r")))
    assert nobody.pairs.shape == (0, 2)
    assert np.isnan(nobody.at(0.0)).all()
    assert DifferencePlot(nobody).heights(np.array([0.0]), 50.0).tolist() == [[0.0, 0.0]]


def test_the_shorter_one_stands_at_its_end(playback, make):
    short = make(seconds=5.0)
    life = np.tile([0, short.frame_count], (9, 1))
    life[3] = [10, 20]
    long = lasting(replace(short, life=life), 9.0)
    assert long.duration == pytest.approx(9.0, abs=short.dt)
    np.testing.assert_array_equal(long.position[-1], short.position[-1])
    assert long.there(long.frame_count - 1).tolist() == [row != 3 for row in range(9)]
    found = Comparison.of(short, playback)
    assert found.first.duration == pytest.approx(playback.duration, abs=short.dt)
    gap = np.linalg.norm(playback.position[-1] - short.position[-1], axis=1)
    assert found.at(playback.duration)[1] == pytest.approx(gap.max(), rel=1e-6)


def test_columns_are_as_high_as_the_distances(playback):
    far = playback.position + np.linspace(0.0, 4.0, playback.frame_count)[:, None, None] * [0, 1, 0]
    plot = DifferencePlot(Comparison.of(playback, replace(playback, position=far)))
    assert plot.reach == 5.0
    heights = plot.heights(np.array([0.0, playback.duration / 2, playback.duration]), 100.0)
    np.testing.assert_allclose(heights[:, 0], [0.0, 40.0, 80.0], atol=0.3)


@pytest.mark.parametrize(("width", "words"), [(1200, "same 9 members"), (460, "scale to 5 m")])
def test_what_is_said_of_the_distance_is_whole_in_half_a_window(playback, width, words):
    plot = DifferencePlot(Comparison.of(playback, shifted(playback, [0.0, 3.0, 4.0])))
    atlas = GlyphAtlas(14)
    said = []
    overlay = Overlay(atlas)
    overlay.text = lambda text, *at, **look: said.append(text)
    plot.draw(overlay, Timeline((width, 400), atlas.height, playback.duration), 0.0)
    assert "median 5.00 m, largest 5.00 m" in said[0]
    assert words in said[0]
    assert atlas.width(said[0]) <= width


def test_ghosts_are_seen_where_the_other_members_are_and_through(opengl, playback):
    camera = Camera(target=np.array([-10.0, 0.0, 1.0]), distance=24.0)
    layers = Layers(regions=False, path=False, shadows=False)
    size = (320, 200)
    alone = render(playback, 0.0, camera, size, layers=layers).astype(int)
    other = shifted(playback, [3.0, 0.0, 0.0])
    both = render(playback, 0.0, camera, size, layers=layers, ghosts=other).astype(int)
    opaque = render(other, 0.0, camera, size, layers=layers).astype(int)
    changed = (np.abs(both - alone).max(axis=2) > 3).nonzero()
    pixel, _ = camera.project(other.position[0] + np.array([0, 0, 0.9]), size)
    rows = size[1] - 1 - np.array(changed[0])
    gap = np.hypot(changed[1][:, None] - pixel[:, 0], rows[:, None] - pixel[:, 1])
    assert len(rows) > 40
    assert gap.min(axis=0).max() < 4.0, "each of them has a ghost"
    assert gap.min(axis=1).max() < 16.0, "and nothing else has changed"
    strength = np.abs(both - alone).max(axis=2)[changed].mean()
    assert strength < np.abs(opaque - alone).max(axis=2)[changed].mean()


@pytest.fixture
def window(opengl, playback):
    other = shifted(playback, [0.0, 1.0, 0.0])
    window = ComparingWindow(playback, other, size=(800, 400), visible=False)
    yield window
    window.close()


def test_side_by_side_both_halves_show_the_same_scene_and_the_mouse_works_in_both(window):
    from pyglet.window import key, mouse

    def pixels():
        window.frame(1 / 60)
        return window._renderer.read((800, 400)).astype(int)

    def event(*given):
        window.window.dispatch_event(*given)
        window.window.dispatch_events()
        window.frame(1 / 60)

    whole = pixels()
    event("on_key_press", key.C, key.MOD_SHIFT)
    assert window.controls.size == (400, 400)
    halves = pixels()
    assert (halves != whole).any()
    middle = slice(100, 200)  # between titles and plot
    left, right = halves[middle, :400], halves[middle, 400:]
    differ = (np.abs(left - right).max(axis=2) > 3).mean()
    assert 0.0 < differ < 0.2, "one scene, other places"
    before = window.controls.camera.azimuth
    event("on_mouse_press", 600, 250, mouse.LEFT, 0)
    event("on_mouse_drag", 640, 250, 40, 0, mouse.LEFT, 0)
    event("on_mouse_release", 640, 250, mouse.LEFT, 0)
    assert window.controls.camera.azimuth != before
    assert window._second._controls.camera is window.controls.camera
    event("on_key_press", key.C, key.MOD_SHIFT)
    assert window.controls.size == (800, 400)


def test_each_half_takes_the_mouse_with_its_own_members_and_a_drag_stays_where_it_began(window):
    from pyglet.window import key, mouse

    def event(*given):
        window.window.dispatch_event(*given)
        window.window.dispatch_events()
        window.frame(1 / 60)

    event("on_key_press", key.C, key.MOD_SHIFT)
    controls, second = window.controls, window.comparison.second
    controls.look("top")
    where = second.pose(controls.clock.time).position[4] + [0.0, 0.0, 0.9]
    at, _ = controls.camera.project(where[None], controls.size)
    x, y = int(at[0, 0]) + 400, int(at[0, 1])
    event("on_mouse_press", x, y, mouse.LEFT, 0)
    event("on_mouse_release", x, y, mouse.LEFT, 0)
    assert controls.selection == (4,)
    line = controls.timeline
    row = int(next(y for y in range(400) if line.holds(200, y)))
    event("on_mouse_press", 200, row, mouse.LEFT, 0)
    event("on_mouse_drag", 430, row, 230, 0, mouse.LEFT, 0)
    event("on_mouse_release", 430, row, mouse.LEFT, 0)
    assert controls.clock.time == controls.playback.duration


def test_all_of_the_scene_is_seen_over_the_plot_and_side_by_side(window):
    from pyglet.window import key

    controls = window.controls
    low, high = scene_bounds(controls.playback)
    corners = np.array([[x, y, z] for x, y, z in product(*zip(low, high, strict=True))])

    def seen():
        pixel = controls.camera.project(corners, controls.size)[0]
        return pixel.min(axis=0), pixel.max(axis=0)

    least, most = seen()
    assert least[0] >= 0.0
    assert least[1] >= controls.free_bottom - 1.0
    assert (most <= controls.size).all()
    window.window.dispatch_event("on_key_press", key.C, key.MOD_SHIFT)
    window.window.dispatch_events()
    window.frame(1 / 60)
    least, most = seen()
    assert least[0] >= 0.0
    assert most[0] <= controls.size[0] == 400
