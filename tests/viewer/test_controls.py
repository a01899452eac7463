from dataclasses import replace

import numpy as np
import pytest

from viewer.controls import Controls
from viewer.hud import clock, draw_hud, member_lines

SIZE = (1280, 720)


@pytest.fixture
def controls(playback):
    return Controls(playback, SIZE)


def test_space_plays_and_pauses(controls):
    controls.key("space")
    controls.tick(0.5)
    assert controls.player.time == pytest.approx(0.5)
    controls.key("space")
    controls.tick(0.5)
    assert controls.player.time == pytest.approx(0.5)


def test_arrows_home_end_and_brackets(controls):
    dt = controls.playback.dt
    controls.key("right", shift=True)
    controls.key("left")
    assert controls.player.time == pytest.approx(9 * dt)
    controls.key("end")
    assert controls.player.time == controls.playback.duration
    controls.key("home")
    assert controls.player.time == 0.0
    controls.key("]")
    assert controls.player.speed == 2.0
    controls.key("[")
    assert controls.player.speed == 1.0


def test_n_jumps_to_the_next_event_and_says_which(controls):
    controls.key("n")
    assert controls.player.time == pytest.approx(controls.playback.events[1].time)
    assert controls.message == "line to column"
    controls.tick(10.0)
    assert controls.message == ""


@pytest.mark.parametrize(
    ("key", "layer"),
    [("w", "wireframe"), ("g", "grid"), ("t", "trails"), ("p", "path"), ("u", "subgoals")],
)
def test_layer_keys_switch_there_and_back(controls, key, layer):
    before = getattr(controls.layers, layer)
    controls.key(key)
    assert getattr(controls.layers, layer) is not before
    controls.key(key)
    assert getattr(controls.layers, layer) is before


def test_subgoals_that_were_not_recorded_are_said_so(playback):
    controls = Controls(replace(playback, subgoal=None), SIZE)
    controls.key("u")
    assert not controls.layers.subgoals
    assert "no subgoals" in controls.message


def test_left_drag_orbits_right_drag_pans_and_z_goes_back(controls):
    home = controls.camera
    controls.press(600, 400, "left")
    controls.drag(640, 400, 40, 0)
    controls.release(640, 400)
    assert controls.camera.azimuth < home.azimuth
    assert controls.selected == -1
    controls.press(600, 400, "left", shift=True)
    controls.drag(620, 400, 20, 0)
    controls.release(620, 400)
    assert np.linalg.norm(controls.camera.target - home.target) > 0.1
    controls.press(600, 400, "right")
    controls.drag(580, 400, -20, 0)
    controls.release(580, 400)
    np.testing.assert_allclose(controls.camera.target, home.target, atol=1e-9)
    controls.key("z")
    assert controls.camera.azimuth == home.azimuth


def test_wheel_zooms(controls):
    before = controls.camera.distance
    controls.scroll(1.0)
    assert controls.camera.distance < before
    controls.scroll(-1.0)
    assert controls.camera.distance == pytest.approx(before)


def test_scrubbing_holds_the_clock_and_lets_it_go_on(controls):
    bar = controls.timeline
    controls.key("space")
    controls.press(bar.x_of(5.0), bar.bottom + 1, "left")
    assert controls.player.time == pytest.approx(5.0)
    controls.tick(1.0)
    assert controls.player.time == pytest.approx(5.0)
    controls.drag(bar.x_of(8.0), 500, 10, 480)  # off the bar, still held
    assert controls.player.time == pytest.approx(8.0)
    controls.release(bar.x_of(8.0), 500)
    assert controls.player.playing
    controls.tick(0.1)
    assert controls.player.time == pytest.approx(8.1)


def test_click_selects_the_member_seen_there_and_empty_space_nobody(controls):
    chest = controls.playback.pose(0.0).position[4] + [0, 0, 1.0]
    x, y = controls.camera.project(chest, SIZE)[0][0]
    controls.press(x, y, "left")
    controls.release(x, y)
    assert controls.selected == 4
    controls.press(5, 700, "left")
    controls.release(5, 700)
    assert controls.selected == -1


def test_leaving_full_screen_help_and_pictures_are_wishes(controls):
    for key in ("f", "s", "h"):
        controls.key(key)
    assert controls.fullscreen
    assert controls.screenshot_wanted
    assert controls.show_help
    assert not controls.quitting
    controls.key("escape")
    assert controls.quitting


def test_unknown_keys_do_nothing(controls):
    controls.key("f13")
    assert not controls.quitting


@pytest.mark.parametrize("size", [(1280, 720), (3840, 2160), (640, 360), (1, 1), (0, 0)])
def test_text_stays_inside_the_window_at_every_size(playback, size):
    controls = Controls(playback, size)
    controls.selected = 2
    controls.notify("a message")
    rows = draw_hud(controls).rows()
    assert np.isfinite(rows).all()
    if size[1] >= 360:
        low, high = rows[:, :2].min(axis=0), rows[:, :2].max(axis=0)
        assert (low >= -1).all()
        assert (high <= np.array(size) + 1).all()


def test_letters_grow_with_the_window(playback):
    assert (
        Controls(playback, (3840, 2160)).atlas.height == 3 * Controls(playback, SIZE).atlas.height
    )


def test_help_fits_on_the_screen(controls):
    controls.key("h")
    rows = draw_hud(controls).rows()
    assert (rows[:, :2].max(axis=0) <= SIZE).all()
    assert (rows[:, :2].min(axis=0) >= 0).all()


def test_selected_member_is_described(playback):
    lines = member_lines(playback, 10.0, 3)
    assert lines[0] == "walker 3 · visitors"
    assert "speed 1.00 m/s · heading 0°" in lines
    assert "subgoal 1.50 m away" in lines


def test_clock():
    assert clock(0.0) == "0:00.0"
    assert clock(75.26) == "1:15.3"
    assert clock(59.97) == "1:00.0"
