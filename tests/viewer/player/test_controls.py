from dataclasses import replace

import numpy as np
import pytest

from rmp3d.models import load_character
from rmp3d.viewer import texts
from rmp3d.viewer.cameras.presets import follow, named_camera
from rmp3d.viewer.cameras.rig import is_near
from rmp3d.viewer.layers import layer_rows
from rmp3d.viewer.overlay.labels import clock_text
from rmp3d.viewer.overlay.overlay import Overlay
from rmp3d.viewer.overlay.text import BASIC, GlyphAtlas
from rmp3d.viewer.playback.events import DEFAULT, MARKS, mark_of
from rmp3d.viewer.playback.playback import Event, Pose
from rmp3d.viewer.player.controls import HELP, Controls
from rmp3d.viewer.player.hud import draw_hud, member_lines, nearest_gap

SIZE = (1280, 720)


@pytest.fixture
def controls(playback):
    return Controls(playback, SIZE)


def test_space_plays_and_pauses(controls):
    controls.key("space")
    controls.tick(0.5)
    assert controls.clock.time == pytest.approx(0.5)
    controls.key("space")
    controls.tick(0.5)
    assert controls.clock.time == pytest.approx(0.5)


def test_arrows_home_end_and_brackets(controls):
    dt = controls.playback.dt
    controls.key("right", shift=True)
    controls.key("left")
    assert controls.clock.time == pytest.approx(9 * dt)
    controls.key("end")
    assert controls.clock.time == controls.playback.duration
    controls.key("home")
    assert controls.clock.time == 0.0
    controls.key("]")
    assert controls.clock.speed == 2.0
    controls.key("[")
    assert controls.clock.speed == 1.0


def test_n_jumps_to_the_next_event_and_says_which(controls):
    controls.key("n")
    assert controls.clock.time == pytest.approx(controls.playback.events[1].time)
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
    controls.press(600, 400, "middle")
    controls.drag(620, 400, 20, 0)
    controls.release(620, 400)
    assert np.linalg.norm(controls.camera.target - home.target) > 0.1
    controls.press(600, 400, "right")
    controls.drag(580, 400, -20, 0)
    controls.release(580, 400)
    np.testing.assert_allclose(controls.camera.target, home.target, atol=1e-9)
    controls.key("z")
    for _ in range(60):
        controls.tick(1 / 30)
    assert controls.camera.azimuth == home.azimuth
    assert not controls.moving


def test_cameras_go_smoothly_where_they_are_sent(controls):
    for key, name in (("2", "top"), ("3", "group"), ("1", "iso")):
        before = controls.camera
        controls.key(key)
        steps = []
        for _ in range(90):
            controls.changed = False
            eye = controls.camera.eye
            controls.tick(1 / 30)
            steps.append(np.linalg.norm(controls.camera.eye - eye))
        assert not controls.moving
        assert not controls.changed
        assert max(steps) < 0.5 * np.linalg.norm(controls.camera.eye - before.eye) + 1e-9
        if name != "iso":  # which leaves room for the timeline
            wanted = named_camera(name, controls.playback, 0.0, SIZE[0] / SIZE[1])
            assert is_near(controls.camera, wanted, 5e-3)


def test_the_camera_rides_with_the_selected_and_drags_turn_it(controls):
    controls.key("tab")
    assert controls.selected == 0
    controls.key("4")
    controls.key("space")
    for _ in range(90):
        controls.tick(1 / 30)
    time, playback = controls.clock.time, controls.playback
    wanted = follow(playback, time, 0)
    assert np.linalg.norm(controls.camera.eye - wanted.eye) < 0.6
    controls.press(600, 400, "left")
    controls.drag(640, 400, 40, 0)
    controls.release(640, 400)
    assert controls.rig.ride == "follow"
    for _ in range(60):
        controls.tick(1 / 30)
    turned = follow(playback, controls.clock.time, 0)
    assert controls.camera.azimuth < turned.azimuth - 0.1
    controls.key("5")
    controls.key("space")
    for _ in range(60):
        controls.tick(1 / 30)
    eye = playback.pose(controls.clock.time).position[0] + [0, 0, playback.capsule_axis[0, 1]]
    np.testing.assert_allclose(controls.camera.eye, eye, atol=0.01)
    controls.press(600, 400, "right")
    controls.drag(620, 400, 20, 0)
    assert controls.rig.ride == ""


def test_the_group_camera_goes_with_the_members_and_a_pan_leaves_them(controls):
    controls.key("3")
    for time in (2.0, 9.0, 17.0):
        controls.clock.seek(time)
        for _ in range(120):
            controls.tick(1 / 30)
        position = controls.playback.pose(time).position
        pixel, depth = controls.camera.project(position, SIZE)
        assert (depth > 0).all()
        assert ((pixel > 0) & (pixel < SIZE)).all()
        assert np.ptp(pixel, axis=0).max() > 0.2 * SIZE[1], "from nearby"
    controls.press(600, 400, "left")
    controls.drag(640, 400, 40, 0)
    controls.release(640, 400)
    assert controls.rig.ride == "group"
    controls.press(600, 400, "right")
    controls.drag(620, 400, 20, 0)
    assert controls.rig.ride == ""


def test_nobody_can_be_followed_where_there_is_nobody(make):
    controls = Controls(make(members=0), SIZE)
    controls.key("tab")
    controls.key("4")
    assert "no member" in controls.message
    assert controls.selected == -1


def test_events_are_gone_through_forwards_and_backwards(controls):
    times = [event.time for event in controls.playback.events]
    controls.key("n")
    controls.key("n")
    assert controls.clock.time == pytest.approx(times[2])
    controls.key("n", shift=True)
    assert controls.clock.time == pytest.approx(times[1])
    controls.key("n", shift=True)
    controls.key("n", shift=True)
    assert controls.clock.time == times[0]
    assert controls.message == "there is no event before this"
    controls.key("end")
    controls.key("n")
    assert controls.clock.time == controls.playback.duration
    assert controls.message == "there is no event after this"


def test_the_mouse_over_a_mark_tells_its_event(controls):
    bar, event = controls.timeline, controls.playback.events[1]
    controls.hover(bar.x_of(event.time) + 2.0, bar.bottom + 2.0)
    assert controls.pointed[0] is event
    with_tip = len(draw_hud(controls).rows())
    controls.changed = False
    controls.hover(bar.x_of(event.time) + 2.0, bar.top + 200.0)
    assert controls.pointed is None
    assert controls.changed
    assert len(draw_hud(controls).rows()) < with_tip
    controls.hover(bar.x_of(event.time) + 3 * bar.line, bar.bottom + 2.0)
    assert controls.pointed is None


def test_every_kind_of_event_has_a_mark_that_can_be_drawn():
    assert mark_of("nobody knows") is DEFAULT
    assert len({(mark.shape, *mark.color) for mark in MARKS.values()}) == len(MARKS)
    assert all(mark.shape in BASIC for mark in (DEFAULT, *MARKS.values()))


def test_every_key_is_in_the_help_once_and_does_one_thing():
    keys = [key for keys, _ in HELP for key in keys.split() if len(key) == 1 and key.isalnum()]
    layers = [row.key for row in layer_rows()]
    assert len(set(keys) | set(layers)) == len(set(keys)) + len(layers)


def test_the_legend_says_how_many_members_are_meant_where_fewer_are_seen(controls):
    seen = len(draw_hud(controls).rows())
    controls.counts = (9,)
    assert len(draw_hud(controls).rows()) == seen
    controls.counts = (300,)
    assert len(draw_hud(controls).rows()) == seen + 6 * len("300, 9 shown") - 6 * len("9")


def test_help_lies_across_nothing_that_is_written_on_the_picture(controls):
    controls.selected = 0
    without = len(draw_hud(controls).rows())
    controls.key("h")
    with_help = len(draw_hud(controls).rows())
    controls.selected = -1
    controls.counts = (300,)
    assert len(draw_hud(controls).rows()) == with_help
    controls.key("h")
    assert len(draw_hud(controls).rows()) < without


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
    assert controls.clock.time == pytest.approx(5.0)
    controls.tick(1.0)
    assert controls.clock.time == pytest.approx(5.0)
    controls.drag(bar.x_of(8.0), 500, 10, 480)  # off the bar, still held
    assert controls.clock.time == pytest.approx(8.0)
    controls.release(bar.x_of(8.0), 500)
    assert controls.clock.playing
    controls.tick(0.1)
    assert controls.clock.time == pytest.approx(8.1)


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
    assert not controls.show_help, "the help says that Esc closes it"
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


@pytest.mark.parametrize("line", [None, 36, 54])
def test_help_fits_on_the_screen_however_large_letters_are(controls, line):
    controls.atlas = GlyphAtlas(line or controls.atlas.height)
    controls.key("h")
    rows = draw_hud(controls).rows()
    assert (rows[:, :2].max(axis=0) <= SIZE).all()
    assert (rows[:, :2].min(axis=0) >= 0).all()


def test_selected_member_is_described(playback):
    lines = member_lines(playback, 10.0, 3)
    assert lines[0] == "walker 3 · visitors"
    assert "speed 1.00 m/s · heading 0°" in lines
    assert "subgoal 1.50 m away" in lines
    up = playback.position.copy()
    up[playback.frame_at(10.0)[0] + 1 :, 3, 2] += 0.17  # over the riser of a step
    assert member_lines(replace(playback, position=up), 10.0, 3)[2] == lines[2]
    nowhere = replace(playback, subgoal=playback.position)
    assert not [line for line in member_lines(nowhere, 10.0, 3) if line.startswith("subgoal")]


def test_clock():
    assert clock_text(0.0) == "0:00.0"
    assert clock_text(75.26) == "1:15.3"
    assert clock_text(59.97) == "1:00.0"


def test_the_gap_to_the_nearest_member_is_between_bodies(playback):
    position = np.array([[0.0, 0, 0], [1.0, 0, 0], [0.0, 3.0, 0]])
    three = replace(
        playback,
        character_of=np.zeros(3, int),
        group_of=np.zeros(3, int),
        position=playback.position[:, :3],
        orientation_wxyz=playback.orientation_wxyz[:, :3],
        subgoal=None,
    )
    pose = Pose(position, three.orientation_wxyz[0])
    assert nearest_gap(three, pose, 0) == pytest.approx(0.4)
    absent = replace(pose, there=np.array([True, False, True]))
    assert nearest_gap(three, absent, 0) == pytest.approx(2.4)
    assert nearest_gap(three, pose, 2) == pytest.approx(2.4)
    position[1, 2] = 5.0  # far above: from the upper end of the lower axis to the lower one
    gap = nearest_gap(three, replace(pose, position=position), 1)
    assert gap == pytest.approx(np.hypot(1.0, 5.0 + 0.3 - 1.45) - 0.6)


def test_long_bodies_are_measured_from_the_capsules_along_their_headings(playback):
    """Two cars side by side, then one behind the other; round they would overlap."""
    car = load_character("car")
    row = car.body.capsules
    ends, wide = row[:, 0], row[:, 1].max()
    two = replace(
        playback,
        characters=(car,),
        character_of=np.zeros(2, int),
        group_of=np.zeros(2, int),
        position=playback.position[:, :2],
        orientation_wxyz=playback.orientation_wxyz[:, :2],
        subgoal=None,
    )
    east = np.tile([1.0, 0.0, 0.0, 0.0], (2, 1))
    north = np.tile([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)], (2, 1))
    beside = np.array([[0.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
    assert nearest_gap(two, Pose(beside, east), 0) == pytest.approx(2.0 - 2.0 * wide, abs=1e-4)
    behind = 2.0 - np.ptp(ends) - row[0, 1] - row[-1, 1]
    assert nearest_gap(two, Pose(3.0 * beside, north), 0) == pytest.approx(4.0 + behind, abs=1e-4)


def test_bank_and_pitch_are_told_of_who_leans(playback):
    lean = np.radians(20.0)
    roll = np.array([np.cos(lean / 2), np.sin(lean / 2), 0.0, 0.0])
    turns = np.tile(roll, (playback.frame_count, playback.member_count, 1))
    lines = member_lines(replace(playback, orientation_wxyz=turns), 1.0, 0)
    assert any("bank 20° right" in line for line in lines)
    assert not any("bank" in line for line in member_lines(playback, 1.0, 0))


@pytest.mark.parametrize(("degrees", "said"), [(-0.2, "0°"), (359.6, "0°"), (90.4, "90°")])
def test_a_heading_is_said_from_0_to_359_degrees(playback, degrees, said):
    half = np.radians(degrees) / 2.0
    turned = np.tile([np.cos(half), 0, 0, np.sin(half)], (*playback.position.shape[:2], 1))
    lines = member_lines(replace(playback, orientation_wxyz=turned), 0.0, 0)
    assert any(line.endswith(f"heading {said}") for line in lines), lines


@pytest.fixture
def spanish():
    texts.speak("es")
    yield
    texts.speak(texts.ENGLISH)


@pytest.fixture
def told_in_spanish(spanish, playback, monkeypatch):
    """Controls of a run with one event, and what their picture says as it is drawn."""
    said = []
    draw = Overlay.text
    monkeypatch.setattr(
        Overlay, "text", lambda self, text, *a, **k: said.append(text) or draw(self, text, *a, **k)
    )
    event = Event(5.0, "formation", 0, -1, "line to column at 3.2 m")
    return Controls(replace(playback, events=(event,)), SIZE), said


def test_the_picture_says_names_and_events_in_the_language(told_in_spanish):
    controls, said = told_in_spanish
    bar = controls.timeline
    controls.clock.seek(10.0)
    controls.hover(bar.x_of(5.0) + 2.0, bar.bottom + 2.0)
    draw_hud(controls)
    assert "visitantes · 9 · columna" in said
    told = [text for text in said if "3.2 m" in text]
    assert len(told) == 2  # beside the clock, and over the mark that is pointed at
    assert all("de línea a columna a los 3.2 m" in text for text in told)
    assert member_lines(controls.playback, 10.0, 3)[0].endswith("3 · visitantes")


def test_the_message_of_an_event_is_in_the_language(told_in_spanish):
    controls, _ = told_in_spanish
    controls.key("n")
    assert controls.message == "de línea a columna a los 3.2 m"


def test_who_leans_to_no_side_has_none_whatever_the_smallest_lean(playback):
    def told(bank, pitch):
        """What is said of somebody who leans by so much [degrees]."""
        half = np.radians([bank, -pitch]) / 2
        turns = np.array([1.0, half[0], half[1], 0.0]) / np.linalg.norm([1.0, *half])
        turns = np.tile(turns, (playback.frame_count, playback.member_count, 1))
        return member_lines(replace(playback, orientation_wxyz=turns), 1.0, 0)

    assert told(0.2, 3.0) == told(-0.2, 3.0)
    assert any("pitch 3°" in line for line in told(0.2, 3.0))
    assert told(0.2, -0.2) == told(0.0, 0.0)
