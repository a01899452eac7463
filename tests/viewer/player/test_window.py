import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rmp3d.viewer import ViewerWindow
from rmp3d.viewer.player.pace import Pace


@pytest.fixture
def window(opengl, playback, tmp_path):
    window = ViewerWindow(playback, size=(640, 360), visible=False, screenshot_folder=tmp_path)
    yield window
    window.close()


def send(window, *event):
    window.window.dispatch_event(*event)
    window.window.dispatch_events()  # a window in memory queues them
    window.frame(1 / 60)


def test_it_draws_only_when_something_changes(window):
    window.frame(1 / 60)
    window.frame(1 / 60)
    assert window.frames_drawn == 1
    window.controls.key("space")
    window.frame(1 / 60)
    window.frame(1 / 60)
    assert window.frames_drawn == 3


def test_pyglet_events_reach_the_controls(window, tmp_path):
    from pyglet.window import key, mouse

    controls = window.controls
    send(window, "on_key_press", key.SPACE, 0)
    assert controls.clock.playing
    send(window, "on_key_press", key.BRACKETRIGHT, 0)
    assert controls.clock.speed == 2.0
    send(window, "on_key_press", key.SPACE, 0)
    send(window, "on_key_press", key.HOME, 0)
    send(window, "on_key_press", key.RIGHT, key.MOD_SHIFT)
    assert controls.clock.time == pytest.approx(10 * controls.playback.dt)
    before = controls.camera
    send(window, "on_mouse_press", 300, 200, mouse.LEFT, 0)
    send(window, "on_mouse_drag", 340, 200, 40, 0, mouse.LEFT, 0)
    send(window, "on_mouse_release", 340, 200, mouse.LEFT, 0)
    assert controls.camera.azimuth != before.azimuth
    send(window, "on_mouse_scroll", 300, 200, 0, 2)
    assert controls.camera.distance < before.distance
    bar = controls.timeline
    send(window, "on_mouse_press", int(bar.x_of(9.0)), int(bar.bottom) + 1, mouse.LEFT, 0)
    assert controls.clock.time == pytest.approx(9.0, abs=0.1)
    send(window, "on_mouse_release", int(bar.x_of(9.0)), int(bar.bottom) + 1, mouse.LEFT, 0)
    chest = controls.playback.pose(controls.clock.time).position[4] + [0, 0, 1.2]
    x, y = controls.camera.project(chest, controls.size)[0][0].round().astype(int)
    send(window, "on_mouse_press", int(x), int(y), mouse.LEFT, 0)
    send(window, "on_mouse_release", int(x), int(y), mouse.LEFT, 0)
    assert controls.selected == 4
    send(window, "on_key_press", key.S, 0)
    (saved,) = tmp_path.glob("yards-*.png")
    assert np.asarray(Image.open(saved)).shape == (360, 640, 3)
    assert saved.name in controls.message


def test_escape_and_the_closing_button_ask_to_leave(window):
    from pyglet.window import key

    send(window, "on_resize", 0, 0)
    window.window.dispatch_event("on_close")
    window.window.dispatch_events()
    assert window.controls.quitting
    window.controls.quitting = False
    window.window.dispatch_event("on_key_press", key.ESCAPE, 0)
    window.window.dispatch_events()
    assert window.controls.quitting


def test_a_screenshot_that_cannot_be_written_is_said_and_survived(opengl, playback, tmp_path):
    window = ViewerWindow(playback, visible=False, screenshot_folder=tmp_path / "missing")
    window.controls.key("s")
    window.frame(1 / 60)
    assert "cannot be written" in window.controls.message
    window.close()


def test_help_and_messages_do_not_draw_the_scene_again(window, monkeypatch):
    window.frame(1 / 60)
    before = window._renderer.read(window.controls.size)
    drawn = []
    draw = window._renderer.draw
    monkeypatch.setattr(window._renderer, "draw", lambda *a, **k: drawn.append(draw(*a, **k)))
    window.controls.key("h")
    window.controls.notify("said")
    window.frame(1 / 60)
    assert (window._renderer.read(window.controls.size) != before).any()
    assert not drawn
    window.controls.key("g")
    window.frame(1 / 60)
    assert len(drawn) == 1


def test_edges_are_smoothed_when_nothing_has_changed_for_a_moment(window):
    window._pace.slow = True
    window.frame(1 / 60)
    rough = window._renderer.read(window.controls.size)
    drawn = window.frames_drawn
    for _ in range(30):
        window.frame(1 / 60)
    assert window.frames_drawn == drawn + 1
    assert not window._scene.is_rough
    assert (window._renderer.read(window.controls.size) != rough).any()


@pytest.mark.parametrize("took", [0.01, 0.05])
def test_moving_pictures_are_rough_where_smooth_ones_take_long_on_a_card_too(
    window, monkeypatch, took
):
    window._pace = Pace(slow=False)
    moments = iter(np.arange(1000) * took)
    monkeypatch.setattr("rmp3d.viewer.player.window.perf_counter", lambda: next(moments))
    for frame in range(12):
        window.controls.clock.seek(0.1 * frame)
        window.controls.changed = True
        window.frame(1 / 60)
    assert window._scene.is_rough == (took > 1 / 30)
    for _ in range(30):
        window.frame(1 / 60)
    assert not window._scene.is_rough  # once it stands still


def test_one_long_picture_among_short_ones_decides_nothing():
    pace = Pace(slow=False)
    for took in [0.5, 0.2, 0.2, 0.2, 0.01, 0.2, 0.2, 0.2, 0.01]:
        pace.note(took)
    assert not pace.slow


def test_letters_are_larger_if_the_user_wants_them_so(window):
    from pyglet.window import key

    before = window.controls.atlas.height
    send(window, "on_key_press", key.EQUAL, key.MOD_CTRL)
    assert window.controls.atlas.height > before
    send(window, "on_key_press", key._0, key.MOD_CTRL)
    assert window.controls.atlas.height == before
    send(window, "on_key_press", key.MINUS, key.MOD_CTRL)
    assert window.controls.atlas.height <= before


def test_text_is_drawn_over_the_scene(window):
    window.controls.clock.seek(5.0)
    window.frame(1 / 60)
    with_text = window._renderer.read(window.controls.size)
    without = window._renderer.read(window.controls.size, window._scene.framebuffer)
    changed = (with_text != without).any(axis=2)
    bar = int(window.controls.timeline.panel_top)
    assert changed[-bar + 2 :].mean() > 0.9
    assert changed[200:280, 250:500].mean() == 0.0


HUNG = 1800.0  # [s] in which the driver ends; each of its steps has a limit of its own
REACHED = [
    "size 1280 720",
    "space",
    "h",
    "s",
    "g",
    "r",
    "Tab",
    "4",
    "shift+6",
    "shift+0",
    "shift+a",
    "orbited",
    "left",
]


IN_A_WINDOW = [
    pytest.mark.window,
    pytest.mark.slow,
    pytest.mark.skipif(
        not (shutil.which("Xvfb") and shutil.which("xvfb-run") and shutil.which("xdotool")),
        reason="needs Xvfb, xvfb-run and xdotool (apt install xvfb xauth xdotool)",
    ),
]


def marked(test):
    """Return a test that needs a real window."""
    for mark in IN_A_WINDOW:
        test = mark(test)
    return test


def driven(name, folder):
    """Run a driver beside this file under a virtual screen; return what it says."""
    script = Path(__file__).with_name(name)
    command = ["xvfb-run", "-a", "-s", "-screen 0 1280x720x24", sys.executable, str(script)]
    return subprocess.run(
        [*command, str(folder)], capture_output=True, text=True, timeout=HUNG, check=False
    )


@marked
def test_a_resized_window_shows_the_same_as_one_that_was_opened_so_large(tmp_path):
    done = driven("drive_resizing.py", tmp_path)
    taken = ["fresh", "resized", "covering"]
    assert done.stdout.split("\nleft\n") == [*taken, ""], done.stderr[-2000:]
    fresh, *others = (np.asarray(Image.open(tmp_path / f"{how}.png")) for how in taken)
    for other in others:
        np.testing.assert_array_equal(other, fresh)


@marked
def test_a_real_window_is_driven_by_mouse_and_keyboard_until_it_quits(tmp_path):
    done = driven("drive_player.py", tmp_path)
    assert done.stdout.splitlines() == [*REACHED, "after (48, 64, 3) True"], done.stderr[-2000:]
    (saved,) = tmp_path.glob("yards-*.png")
    picture = np.asarray(Image.open(saved))
    assert picture.shape == (720, 1280, 3)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 100
