"""The window with panel in memory: what mouse and keyboard do, and what abuse does not."""

import os
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from rmp3d.geometry.errors import InputError
from rmp3d.live import LiveSession
from rmp3d.recording import RecordingReader
from rmp3d.viewer.drawings import missing_of
from rmp3d.viewer.gpu.targets import read_pixels
from rmp3d.viewer.layers import Layers, layer_rows
from rmp3d.viewer.panel.opening import Opening
from rmp3d.viewer.panel.picture import save_panel_picture
from rmp3d.viewer.panel.protocol import Built, Working
from rmp3d.viewer.panel.sections import layer_tip
from rmp3d.viewer.panel.window import PanelWindow

TABLE = {
    "name": "a",
    "scene": {"name": "plain"},
    "groups": [{"name": "group 1", "members": 2, "start": "west", "goal": "east",
                "behavior": {"name": "narrow_passages"}}],
    "planner": {"nodes": 60},
    "simulation": {"duration": 5.0},
}  # fmt: skip
SIZE = (800, 480)


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    """The panel's *Save* writes to the folder it was started in unless another is typed."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def window(opengl, direct, tmp_path):
    window = PanelWindow(direct, TABLE, size=SIZE, visible=False, screenshot_folder=tmp_path)
    yield window
    if not direct.closed:
        window.close()


@pytest.fixture
def person(window, hands):
    person = hands(window)
    person.frames(6)
    assert window.state.places
    return person


def test_a_run_begun_anew_before_anything_is_drawn_shows_its_own_paths(window, person):
    """Groups without a goal have no roadmap: only the paths, which are empty, are others."""
    for _ in range(2):
        window.state.built = Built((np.zeros((0, 3)),), ((),))
        person.frames(1)
    assert window._lines_shown() == window._lines


@pytest.mark.skipif(os.name != "posix", reason="names of files are bytes on POSIX only")
def test_a_file_whose_name_is_no_text_is_opened_and_shown_with_escapes(window, person, tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.toml")
    path.write_text('[scene]\nname = "plain"\n[[groups]]\nstart = "west"\ngoal = "east"\n')
    person.click("Files")
    window.state.files.open(str(path))
    person.frames(6)
    assert window.state.files.path == str(path)
    assert window.state.draft.get(["name"]) == r"caf\udce9"
    window.state.files.save(str(tmp_path / os.fsdecode(b"\xe9.toml")))
    person.frames(4)
    assert b"\xe9.toml" in os.listdir(os.fsencode(tmp_path))
    window.state.refuse(str(path))
    person.frames(2)


def test_which_axis_points_up_is_automatic_until_it_is_chosen_and_can_be_again(
    window, person, tmp_path
):
    (tmp_path / "mesh.obj").write_text("v 0 0 0\nv 9 0 0\nv 9 9 0\nv 0 9 0\nf 1 2 3 4\n")
    (tmp_path / "own.toml").write_text(
        '[scene]\nmesh = "mesh.obj"\nup = "z"\n[[groups]]\nstart = [2, 2, 0]\ngoal = [7, 7, 0]\n'
    )
    window.state.files.open(str(tmp_path / "own.toml"))
    person.frames(6)
    for item, value in (("automatic", None), ("y", "y"), ("automatic", None)):
        person.choose("scene.up", item)
        person.frames(2)
        assert window.state.draft.get(["scene", "up"]) == value


def picture(window):
    window.controls.changed = True
    window.frame(1 / 60)
    return read_pixels(0, window.window.get_framebuffer_size())


def start_run(person):
    person.window.state.run()
    person.frames(4)
    assert person.window.state.phase == "running"


def test_panel_and_scene_are_side_by_side(window, person):
    pixels = picture(window)
    assert pixels.shape == (480, 800, 3)
    width = window.gui.width
    assert 160 < width < 360
    panel, scene = pixels[:, : width - 2].astype(float), pixels[:, width + 2 :].astype(float)
    assert panel.mean() < 60, "dark"
    assert scene[:240].mean() > 90, "sky and ground"
    assert len(np.unique(panel.reshape(-1, 3), axis=0)) > 30, "letters and widgets"


def test_a_start_is_placed_by_a_click_and_dragged_on(window, person):
    draft = window.state.draft
    person.click("Place##start")
    assert window.state.placing == "start"
    camera = window.controls.camera
    person.click(person.on_screen(np.array([-15.0, 2.0, 0.0])))
    np.testing.assert_allclose(draft.chosen["start"], [-15, 2, 0], atol=0.15)
    assert window.controls.selected == -1
    assert window.controls.camera is camera, "a click that places does not turn the view"
    person.frames(3)
    mark = person.on_screen(np.array(draft.chosen["start"]))
    goal = person.on_screen(np.array([-10.0, -3.0, 0.0]))
    person.press(mark)
    person.drag(((mark[0] + goal[0]) / 2, (mark[1] + goal[1]) / 2))
    person.drag(goal)
    person.release(goal)
    np.testing.assert_allclose(draft.chosen["start"], [-10, -3, 0], atol=0.15)
    assert window.controls.camera is camera


def test_a_ghost_stands_where_the_member_would_is_turned_and_says_where_it_cannot(window, person):
    from pyglet.window import key

    state, preview = window.state, window.state.preview

    def point_at(place):
        x, y = person.on_screen(np.array(place))
        person.event("on_mouse_motion", round(x), round(y), 0, 0)
        person.frames(3)

    lines = len(window.line_rows())
    person.click("Place##start")
    point_at([-15.0, 2.0, 0.0])
    assert len(window.line_rows()) > lines + 50
    assert preview.problem == ""
    np.testing.assert_allclose(preview.answer.place[:2], [-15, 2], atol=0.15)
    point_at([-19.6, 0.0, 0.0])  # at the border, where no body fits
    assert "the start" in preview.problem
    point_at([-15.0, 2.0, 0.0])
    distance, before = window.controls.camera.distance, preview.heading
    x, y = map(round, person.on_screen(np.array([-15.0, 2.0, 0.0])))
    person.event("on_mouse_scroll", x, y, 0, 2)
    person.event("on_key_press", key.LEFT, 0)
    assert preview.heading == pytest.approx(before + np.radians(45.0))
    assert window.controls.camera.distance == distance
    turned = preview.heading
    person.click((x, y))
    off = state.draft.chosen["heading"] - np.degrees(turned)
    assert np.remainder(off + 180.0, 360.0) - 180.0 == pytest.approx(0.0, abs=0.01)
    assert preview.point is None
    assert not state.notice.is_error


def test_a_ghost_that_flies_is_raised_by_keys(window, person):
    from pyglet.window import key

    state, preview = window.state, window.state.preview
    state.edit(["groups", 0, "character"], "drone")
    person.frames(4)
    person.click("Place##start")
    x, y = map(round, person.on_screen(np.array([-15.0, 2.0, 0.0])))
    person.event("on_mouse_motion", x, y, 0, 0)
    person.frames(2)
    height = preview.point[2]
    for _ in range(3):
        person.event("on_key_press", key.PAGEUP, 0)
    assert preview.point[2] == pytest.approx(height + 1.5)
    person.click((x, y))
    assert state.draft.chosen["start"][2] == pytest.approx(height + 1.5, abs=0.01)


def test_escape_and_the_sky_place_nothing(window, person):
    from pyglet.window import key

    person.click("Place##goal")
    person.event("on_key_press", key.ESCAPE, 0)
    assert window.state.placing == ""
    assert not window.controls.quitting
    person.click("Place##goal")
    person.click((window.gui.width + 5, SIZE[1] - 3))
    assert window.state.draft.chosen["goal"] == "east"
    assert "no ground" in window.controls.message


def test_numbers_are_typed_into_fields_and_keys_do_nothing_else_meanwhile(window, person):
    from pyglet.window import key

    person.click("groups.0.members")
    person.event("on_key_press", key.A, key.MOD_CTRL)
    person.event("on_key_release", key.A, 0)
    person.event("on_key_press", key.Q, 0)  # would quit
    person.type("7")
    person.event("on_key_press", key.RETURN, 0)
    person.event("on_key_release", key.RETURN, 0)
    person.frames(4)
    assert window.state.draft.chosen["members"] == 7
    assert not window.controls.quitting


def test_what_is_typed_before_the_clicked_field_is_drawn_comes_into_it(window, person):
    """As on a slow machine: all of this happens between two pictures."""
    from pyglet.window import key, mouse

    x, y = window.gui.centers["groups.0.members"]
    at = (round(x), window.window.get_size()[1] - round(y))
    seen = window.controls.layers
    for event in (
        ("on_mouse_motion", *at, 0, 0), ("on_mouse_press", *at, mouse.LEFT, 0),
        ("on_mouse_release", *at, mouse.LEFT, 0),
        ("on_key_press", key.A, key.MOD_CTRL), ("on_key_release", key.A, key.MOD_CTRL),
        ("on_key_press", key.W, 0), ("on_text", "8"), ("on_key_press", key.RETURN, 0),
        ("on_key_release", key.RETURN, 0),
    ):  # fmt: skip
        window.window.dispatch_event(*event)
    window.window.dispatch_events()
    person.frames(8)
    assert window.state.draft.chosen["members"] == 8
    assert window.controls.layers == seen


def test_a_click_on_the_ground_before_the_button_is_drawn_as_pressed_places(window, person):
    from pyglet.window import mouse

    x, y = window.gui.centers["Place##start"]
    button = (round(x), window.window.get_size()[1] - round(y))
    ground = tuple(round(each) for each in person.on_screen(np.array([-15.0, 2.0, 0.0])))
    for at in (button, ground):
        window.window.dispatch_event("on_mouse_motion", *at, 0, 0)
        window.window.dispatch_event("on_mouse_press", *at, mouse.LEFT, 0)
        window.window.dispatch_event("on_mouse_release", *at, mouse.LEFT, 0)
    window.window.dispatch_events()
    person.frames(8)
    np.testing.assert_allclose(window.state.draft.chosen["start"], [-15, 2, 0], atol=0.15)


def test_a_tip_has_room_from_its_first_picture_on(window, person):
    from imgui_bundle import imgui

    def size_of_tip(name, frames):
        x, y = window.gui.centers[name]
        at = (round(x), window.window.get_size()[1] - round(y))
        window.window.dispatch_event("on_mouse_motion", *at, 0, 0)
        window.window.dispatch_events()
        for _ in range(frames):
            window.frame(1 / 20)
        tip = imgui.internal.find_window_by_name("##Tooltip_00")
        return None if tip is None else (tip.size.x, tip.size.y)

    short = size_of_tip("+", 12)
    first = size_of_tip("Place##start", 1)
    assert first == size_of_tip("Place##start", 12)
    assert first[0] > short[0] or first[1] > short[1]


def test_a_key_after_a_click_in_the_panel_does_one_thing(window, person):
    from pyglet.window import key

    person.click("-##group") if "-##group" in window.gui.centers else person.click("Roadmap")
    for symbol in (key.TAB, key._4):
        person.event("on_key_press", symbol, 0)
        person.event("on_key_release", symbol, 0)
        person.frames(3)
        assert not window.gui.inputs.wants_keys
    assert window.controls.selected == 0
    assert window.controls.rig.ride == "follow"


def test_a_heading_opens_after_shift_was_held_and_let_go(window, person):
    """As after Shift and a drag; X11 still counts Shift when it tells that it is let go."""
    from pyglet.window import key

    person.event("on_key_press", key.LSHIFT, 0)
    person.event("on_key_release", key.LSHIFT, key.MOD_SHIFT)
    person.frames(2)
    person.click("Files")
    person.frames(2)
    assert "Browse ..." in window.gui.centers


def test_keys_with_ctrl_undo_and_redo_and_are_no_keys_of_the_view(window, person):
    from pyglet.window import key

    window.state.edit(["groups", 0, "members"], 4)
    person.frames(3)
    layers, camera = window.controls.layers, window.controls.camera
    person.event("on_key_press", key.Z, key.MOD_CTRL)
    assert window.state.draft.chosen["members"] == 2
    person.event("on_key_press", key.Y, key.MOD_CTRL)
    assert window.state.draft.chosen["members"] == 4
    person.event("on_key_press", key.A, key.MOD_CTRL)
    person.event("on_key_press", key.W, key.MOD_ALT)
    assert window.controls.layers == layers
    assert window.controls.camera is camera


def test_escape_closes_an_open_list_and_then_asks_before_work_is_lost(window, person):
    from pyglet.window import key

    person.click("behavior")
    assert "behavior/self_guided" in window.gui.centers
    assert window.gui.has_popup
    person.event("on_key_press", key.ESCAPE, 0)
    person.frames(4)
    assert not window.gui.has_popup
    assert window.state.files.question is None
    assert not window.controls.quitting
    window.state.edit(["groups", 0, "members"], 4)
    for leave in (key.Q, key.ESCAPE):
        person.event("on_key_press", leave, 0)
        person.frames(3)
        assert window.state.files.question is not None
        person.event("on_key_press", key.ESCAPE, 0)
        person.frames(3)
        assert window.state.files.question is None
    person.event("on_close")
    person.frames(3)
    person.click("Leave without saving")
    assert window.state.files.leaving


@pytest.mark.parametrize("name", ["H", "M"])
def test_escape_ends_help_and_measuring_before_it_leaves(window, person, name):
    from pyglet.window import key

    person.event("on_key_press", getattr(key, name), key.MOD_SHIFT if name == "M" else 0)
    assert window.controls.show_help or window.controls.tools.measuring
    person.event("on_key_press", key.ESCAPE, 0)
    assert not window.controls.show_help
    assert not window.controls.tools.measuring
    assert not window.state.files.leaving
    person.event("on_key_press", key.ESCAPE, 0)
    assert window.state.files.leaving


def test_a_speed_limit_is_cleared_by_typing_nothing(window, person):
    from pyglet.window import key

    def write(text):
        person.click("groups.0.speed_limit")
        person.event("on_key_press", key.A, key.MOD_CTRL)
        person.event("on_key_release", key.A, 0)
        if text:
            person.type(text)
        else:
            person.event("on_key_press", key.DELETE, 0)
            person.event("on_key_release", key.DELETE, 0)
        person.event("on_key_press", key.RETURN, 0)
        person.event("on_key_release", key.RETURN, 0)
        person.frames(4)

    write("1.2")
    assert window.state.draft.chosen["speed_limit"] == 1.2
    write("fast")
    assert window.state.draft.chosen["speed_limit"] == 1.2
    assert "'fast' is not a number" in window.state.notice.text
    write("")
    assert "speed_limit" not in window.state.draft.chosen
    assert not window.state.notice.text


def test_a_start_where_nobody_can_stand_is_dragged_on(window, person):
    state = window.state
    state.placing = "start"
    state.place([-19.45, 0.0, 0.0])  # at the border, where no body fits
    person.frames(4)
    assert state.problems
    (start,) = (place for place in state.places if place.role == "start")
    camera = window.controls.camera
    free = person.on_screen(np.array([-12.0, 0.0, 0.0]))
    person.press(person.on_screen(start.mark))
    person.drag(free)
    person.release(free)
    person.frames(3)
    np.testing.assert_allclose(state.draft.chosen["start"], [-12, 0, 0], atol=0.3)
    assert not state.problems
    assert window.controls.camera is camera


def test_the_panel_stands_still_whatever_is_under_way(window, person):
    def heights():
        person.frames(3)
        return [window.gui.centers[name][1] for name in ("Files", "Re-plan", "behavior")]

    before = heights()
    window.state.working = Working("saving", 1, 2)
    assert heights() == before
    window.state.working = Working("")
    window.state.phase = "building"
    assert heights() == before
    assert window.gui.centers["Cancel"][0] > window.gui.centers["Build"][0] + 20
    window.state.phase = "draft"
    start_run(person)
    assert heights() == before


def test_the_speed_is_chosen_while_what_is_seen_is_exported(window, person):
    start_run(person)
    window.state.files.exporting = Working("exporting", 1, 2)
    person.frames(3)
    person.choose("speed", "2 x")
    assert window.controls.clock.speed == 2.0
    person.frames(2)
    bar_ends, speed = (window.gui.centers[name] for name in ("x##work", "speed"))
    assert bar_ends[0] < speed[0]
    assert abs(bar_ends[1] - speed[1]) < 3.0


def test_what_is_below_the_files_stays_when_there_is_something_to_export_or_to_open_again(
    window, person, tmp_path
):
    person.click("Files")

    def height():
        person.frames(3)
        return window.gui.centers["behavior"][1]

    before = height()
    assert not window.state.files.recent
    assert not window.state.has_frames
    window.state.files.save(str(tmp_path / "saved.toml"))
    assert height() == before
    assert window.state.files.recent
    start_run(person)
    assert height() == before
    assert window.state.has_frames


def test_rows_below_stay_while_a_group_or_another_character_is_read(window, person):
    def height():
        person.window.frame(1 / 60)
        return window.gui.centers["behavior"][1]

    before = height()
    window.state.add_group()
    window.state.draft.table["groups"][1]["start"] = "east"
    seen = {round(height()) for _ in range(6)}
    assert len(window.state.playback.group_names) == 2, "it is read"
    assert seen == {round(before)}


def test_what_has_no_room_in_a_list_ends_in_dots_and_is_said_in_full(window, person):
    person.frames(2)
    assert not window.gui.cut_names, "what is usual has room"
    window.state.edit(
        ["groups", 0, "behavior"],
        {"name": "steering", "behaviors": [{"name": "obstacle_avoidance"}]},
    )
    person.frames(2)
    assert window.gui.cut_names == {"obstacle_avoidance"}


def test_lists_choose_and_the_form_follows(window, person):
    person.choose("behavior", "self_guided")
    assert window.state.draft.chosen["behavior"] == {"name": "self_guided"}
    person.frames(2)
    assert "groups.0.behavior.sensor_range" in window.gui.centers
    person.choose("planner.sampler", "gaussian")
    assert window.state.draft.get(["planner", "sampler"]) == {"name": "gaussian"}
    person.frames(2)
    assert "planner.sampler.std" in window.gui.centers


def test_formations_of_a_list_are_added_moved_and_taken_out(window, person):
    path = "groups.0.behavior.alternatives"
    for name in ("column", "arrow"):
        person.choose(f"{path}.add", name)
        person.frames(2)
    assert window.state.draft.chosen["behavior"]["alternatives"] == ["column", "arrow"]
    person.click(f"^##{path}.1")
    person.frames(2)
    assert window.state.draft.chosen["behavior"]["alternatives"] == ["arrow", "column"]
    person.click(f"-##{path}.0")
    assert window.state.draft.chosen["behavior"]["alternatives"] == ["column"]


def test_a_file_is_found_by_mouse_and_by_keyboard_and_one_is_saved(window, person, tmp_path):
    from pyglet.window import key

    def press(*symbols):
        for symbol in symbols:
            person.event("on_key_press", symbol, 0)
            person.event("on_key_release", symbol, 0)

    (tmp_path / "inner").mkdir()
    files = window.state.files
    person.click("Files")
    person.click("Save as ...")
    person.frames(2)
    assert files.browser.saving
    person.click("Save##browser")
    person.frames(3)
    saved = tmp_path / "my-scenario.toml"
    assert saved.exists()
    person.event("on_key_press", key.O, key.MOD_CTRL)
    assert [entry.text for entry in files.browser.entries] == ["inner/", "my-scenario.toml"]
    press(key.DOWN, key.RETURN)
    assert files.browser.folder == tmp_path / "inner"
    press(key.BACKSPACE)
    person.type("m")
    press(key.RETURN)
    person.frames(4)
    assert files.browser is None
    assert window.state.notice.text == "opened my-scenario.toml"
    person.event("on_key_press", key.O, key.MOD_CTRL)
    press(key.ESCAPE)
    person.frames(3)
    assert files.browser is None
    assert not files.leaving


def test_the_closing_button_asks_also_while_a_file_is_looked_for(window, person):
    from pyglet.window import key

    files = window.state.files
    window.state.edit(["seed"], 5)
    person.click("Files")
    person.click("Browse ...")
    person.frames(3)
    for leave in (
        lambda: person.click("Cancel"),
        lambda: person.event("on_key_press", key.ESCAPE, 0),
    ):
        person.event("on_close")
        person.frames(6)
        assert files.question is not None
        leave()
        person.frames(6)
        assert files.question is None
        assert files.browser is not None
        assert not files.leaving
    person.click("Cancel##browser")
    assert files.browser is None


def test_the_scene_behind_a_dialog_is_not_pointed_at(window, person):
    x, y = window.window.get_size()[0] - 100, window.window.get_size()[1] // 2
    person.event("on_mouse_motion", x, y, 0, 0)
    assert window.controls.tools.pointed is not None
    window.state.files.browse(saving=False)
    person.frames(3)
    person.event("on_mouse_motion", x + 1, y, 1, 0)
    assert window.controls.tools.pointed is None


def test_another_folder_is_shown_from_its_first_entry_on(window, person, tmp_path):
    for folder in ("one", "two"):
        for row in range(60):
            (tmp_path / folder / f"{row:02d}").mkdir(parents=True)
    window.state.files.path = str(tmp_path / "one" / "a.toml")
    person.click("Files")
    person.click("Browse ...")
    person.frames(4)
    size = [each // 2 for each in window.window.get_size()]
    person.event("on_mouse_motion", *size, 0, 0)
    for _ in range(40):
        person.event("on_mouse_scroll", *size, 0, -3)
    assert "browser/59" in window.gui.centers
    window.state.files.browser.go(tmp_path / "two")
    person.frames(3)
    window.gui.centers.clear()
    person.event("on_mouse_motion", *size, 0, 0)
    assert "browser/00" in window.gui.centers
    assert "browser/59" not in window.gui.centers


def test_a_run_is_recorded_from_the_list_of_exports(window, person, tmp_path):
    window.state.run()
    person.frames(40)
    assert window.state.has_frames
    person.click("Files")
    person.choose("export", ".rmp3d")
    person.frames(4)
    with RecordingReader.open(tmp_path / "my-scenario.rmp3d") as recording:
        assert recording.position().shape[1] == 2


def test_characters_are_added_chosen_and_removed(window, person):
    def shown():
        playback = window.controls.playback
        return [playback.characters[row].name for row in playback.character_of]

    person.click("+##character")
    person.frames(4)
    person.choose("character 2", "dog")
    person.frames(4)
    assert window.state.draft.chosen["character"] == ["pedestrian", "dog"]
    assert shown() == ["pedestrian", "dog"]
    person.click("-##character")
    person.frames(4)
    assert window.state.draft.chosen["character"] == "dog"
    assert shown() == ["dog", "dog"]


def test_layers_say_what_they_miss_until_a_run_fills_them(window, person):
    for section in ("Scene", "Characters", "Behavior", "Roadmap", "Layers"):
        person.click(section)
    assert "layers.slots" in window.gui.centers
    (slots,) = (row for row in layer_rows() if row.name == "slots")
    missing = missing_of("slots", window.controls.playback)
    tip = layer_tip(slots, missing, has_run=False)
    assert tip.startswith(slots.shows)
    assert "nothing to show before a run: no group travels in formation slots" in " ".join(
        tip.split()
    )
    person.click("layers.slots")
    assert window.controls.layers.slots
    start_run(person)
    assert window.controls.layers.slots
    for layer in ("slots", "room", "formations", "roadmap", "subgoals", "path"):
        assert missing_of(layer, window.controls.playback) == ""
    forces = layer_tip(slots, missing_of("forces", window.controls.playback), has_run=True)
    assert "simulation.record_forces" in forces
    assert "nothing" not in layer_tip(slots, "", has_run=True)


def test_build_run_step_and_stop_by_their_buttons(window, person):
    state = window.state
    person.click("Build")
    person.frames(3)
    assert state.phase == "built"
    assert state.roadmaps
    person.click("Run")
    person.frames(4)
    assert state.phase == "running"
    assert window.controls.clock.playing
    person.frames(10)
    person.click("Pause")
    assert not window.controls.clock.playing
    before = window.controls.clock.time
    person.click("Step")
    person.frames(3)
    assert window.controls.clock.time == pytest.approx(before, abs=1.6 / 30)
    assert window.controls.clock.time > before
    person.click("Stop")
    person.frames(4)
    assert state.phase == "draft"
    assert state.playback.frame_count == 1


def test_a_run_is_watched_to_its_end_at_high_speed(window, person):
    start_run(person)
    window.controls.clock.change_speed(4)
    for _ in range(200):
        person.frames(1)
        if window.state.phase == "over" and not window.controls.clock.playing:
            break
    assert window.state.phase == "over"
    assert window.controls.clock.time == pytest.approx(5.0)
    assert window.state.playback.events[-1].kind == "end"


def test_a_picture_is_saved_without_the_panel(window, person, tmp_path):
    from PIL import Image
    from pyglet.window import key

    person.event("on_key_press", key.S, 0)
    (saved,) = tmp_path.glob("*.png")
    with Image.open(saved) as image:
        assert image.size == window.controls.size


def test_a_picture_of_the_panel_has_the_layers_and_the_camera_asked_for(opengl, direct, tmp_path):
    pictures, path = [], tmp_path / "a.png"
    for camera, layers in (("top", []), ("top", ["room"]), ("group", ["room"])):
        shown = Layers().switched(layers)
        save_panel_picture(
            direct, TABLE, path, opening=Opening(0.1, camera), size=SIZE, layers=shown
        )
        pictures.append(np.asarray(Image.open(path))[60:420, 240:].astype(int))
    bare, room, near = pictures
    assert 0.1 < (np.abs(room - bare).max(axis=2) > 8).mean() < 0.9, "the room along the path"
    assert (np.abs(near - room).max(axis=2) > 8).mean() > 0.5
    with pytest.raises(InputError, match="2 members"):
        save_panel_picture(direct, TABLE, path, opening=Opening(0.1, "follow:2"), size=SIZE)


def test_a_window_begins_at_the_moment_with_the_camera_and_the_member_asked_for(window, hands):
    person = hands(window)
    window.begin(Opening(1.0, "follow:1", 1))
    for _ in range(200):
        if window.opening is None:
            break
        person.frames(1)
    controls, playback = window.controls, window.state.playback
    assert window.state.phase == "running"
    assert 1.0 <= controls.clock.time < 1.5
    assert controls.clock.playing
    assert controls.selected == controls.rig.member == 1
    assert controls.rig.ride == "follow"
    here = playback.pose(controls.clock.time).position[1]
    assert np.linalg.norm(controls.camera.target - here) < 2.0
    person.frames(3)
    assert controls.clock.time > 1.0, "the run goes on"


@pytest.mark.parametrize("opening", [Opening(selected=7), Opening(camera="first:2")])
def test_a_member_who_is_not_there_is_said_in_the_panel(window, hands, opening):
    window.begin(opening)
    hands(window).frames(6)
    assert window.opening is None
    assert window.state.notice.is_error
    assert "2 members" in window.state.notice.text
    assert window.controls.selected == -1


def test_an_unknown_camera_is_refused_before_there_is_a_window():
    with pytest.raises(InputError, match="nowhere"):
        Opening(camera="nowhere")


def test_more_members_than_there_is_space_for_are_counted_as_stated(window, person):
    window.state.edit(["groups", 0, "members"], 3000)
    person.frames(6)
    assert window.controls.counts == (3000,)
    assert window.controls.playback.member_count < 3000


def test_before_there_is_a_scene_it_says_that_it_loads(opengl, direct):
    window = PanelWindow(direct, TABLE, size=SIZE, visible=False)
    window._say_what_is_seen(window.controls)
    assert window.controls.banner == "loading ..."
    for _ in range(6):
        window.frame(1 / 60)
    assert window.controls.banner == ""
    window.close()


def test_nothing_is_placed_on_the_floor_that_is_seen_before_there_is_a_scene(opengl, direct):
    window = PanelWindow(direct, TABLE, size=SIZE, visible=False)
    x, y = window.controls.camera.project(np.zeros(3), window.controls.size)[0][0]
    window.state.placing = "start"
    window._placing.press((x, y), is_left=True)
    window._placing.release((x, y), is_left=True)
    assert window.state.draft.chosen["start"] == "west"
    assert window.controls.message == "the scene is still being loaded"
    window.close()


def test_scene_switched_while_running(window, person):
    start_run(person)
    person.frames(5)
    person.choose("scene", "parking")
    person.frames(6)
    assert window.state.phase == "draft"
    assert window.state.playback.scene.name == "parking"
    assert not window.state.notice.is_error


def test_a_start_inside_a_wall_is_said_and_the_panel_goes_on(window, person):
    window.state.placing = "start"
    window.state.place([-19.45, 0.0, 0.0])  # at the border, where no body fits
    person.frames(4)
    (problem,) = window.state.problems
    assert "the start" in problem
    window.state.run()
    person.frames(4)
    assert window.state.notice.is_error
    assert "start" in window.state.notice.text
    assert window.state.phase == "draft"


def test_corrupt_and_missing_files_are_said(window, person, tmp_path):
    broken = tmp_path / "broken.rmp3d"
    broken.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(range(256)))
    for path in (broken, tmp_path / "missing.toml", tmp_path, "nonsense", "\N{SNOWMAN}.rmp3d"):
        window.state.files.open(str(path))
        person.frames(3)
        assert window.state.notice.is_error, path
    assert window.state.playback is not None
    window.state.files.save(str(tmp_path / "no" / "folder.toml"))
    person.frames(3)
    assert "cannot be written" in window.state.notice.text


def test_what_is_saved_at_once_is_in_the_folder_it_was_started_in(window, person, tmp_path):
    person.click("Files")
    person.click("Save")
    assert window.state.notice.text.startswith("saved "), window.state.notice.text
    assert [path.name for path in tmp_path.iterdir()] == ["my-scenario.toml"]
    assert not (Path(__file__).parents[3] / "my-scenario.toml").exists(), "left by another test"


def test_values_that_cannot_be_are_said_and_can_be_mended(window, person):
    window.state.edit(["groups", 0, "behavior", "spacing"], -1.0)
    person.frames(3)
    assert "`spacing` must be 0 or more" in window.state.notice.text
    window.state.edit(["groups", 0, "behavior", "spacing"], 1.0)
    person.frames(3)
    assert not window.state.notice.is_error


@pytest.mark.parametrize("during", ["draft", "run"])
def test_resized_to_nothing_and_back(window, person, during):
    if during == "run":
        start_run(person)
    for size in ((1, 1), (0, 0), (3, 700), (2000, 2), SIZE):
        window.window.set_size(max(size[0], 1), max(size[1], 1))
        person.event("on_resize", *size)
        person.frames(3)
    assert picture(window).shape == (480, 800, 3)
    assert len(np.unique(picture(window).reshape(-1, 3), axis=0)) > 100


@pytest.mark.parametrize("size", [(800, 450), (1280, 720), (2560, 1440)])
def test_a_larger_window_has_room_for_more_and_a_small_one_shrinks(opengl, direct, size):
    window = PanelWindow(direct, TABLE, size=size, visible=False)
    for _ in range(6):
        window.frame(1 / 60)
    scale = min(size[0] / 1280, 1.0)
    assert window.gui.width == pytest.approx(348 * scale, abs=1)
    assert window.controls.atlas.height == round(18 * scale)
    window.events.wish(1)
    assert window.gui.width > 1.05 * 348 * scale
    window.close()


def test_parts_groups_and_a_clip_plane_are_chosen_in_the_panel(window, person):
    for section in ("Scene", "Characters", "Behavior", "Roadmap"):
        person.click(section)  # closes it
    person.click("View")
    person.click("parts")
    tools, scene = window.controls.tools, window.controls.playback.scene
    before = picture(window)
    person.click("part.obstacle")
    hidden = {part.name for part in scene.parts if part.role == "obstacle"}
    assert tools.visible.hidden_parts == hidden
    assert (picture(window) != before).any()
    person.click("only.ground")
    assert tools.visible.hidden_parts == {p.name for p in scene.parts if p.role != "ground"}
    person.choose("clip", "x above")
    assert (tools.visible.clip.axis, tools.visible.clip.keeps) == (0, "above")
    assert "clip at" in window.gui.centers
    person.click("Show all")
    assert tools.visible.is_whole
    person.click("Measures ...##measure" if tools.measuring else "Measure##measure")
    assert tools.measuring
    person.click("shown groups")
    person.click("shown.group 1")
    assert tools.visible.hidden_members == set(range(window.controls.playback.member_count))
    np.testing.assert_array_equal(picture(window), picture(window))


def test_the_size_of_letters_is_chosen_in_a_list_and_is_what_keys_changed(window, person):
    usual = window.gui.width
    for section in ("Scene", "Characters", "Behavior", "Roadmap"):
        person.click(section)  # closes it
    person.click("Window")
    person.choose("letters", "125 %")
    person.frames(2)
    assert window.gui.width == pytest.approx(1.25 * usual, abs=1)
    window.events.wish(1)
    assert window.state.settings.letters == window.controls.wish == 1.5


def test_cameras_and_kept_views_are_in_the_panel_for_who_does_not_know_the_keys(window, person):
    for section in ("Scene", "Characters", "Behavior", "Roadmap"):
        person.click(section)  # closes it
    person.click("View")
    controls = window.controls
    person.choose("camera", "from above")
    person.wait_for_camera()
    above = controls.camera
    assert above.elevation == pytest.approx(np.pi / 2)
    person.click("Keep view")
    assert list(controls.views.saved.cameras) == ["6"]
    person.choose("camera", "behind a member")
    assert controls.rig.ride == "follow"
    person.choose("kept view", "6")
    person.wait_for_camera()
    assert controls.rig.ride == ""
    np.testing.assert_allclose(controls.camera.eye, above.eye)
    for _ in range(9):
        person.click("Keep view")
    assert sorted(controls.views.saved.cameras) == sorted("67890")


def test_clicks_all_over_the_panel_do_no_harm(window, person):
    rng = np.random.default_rng(0)
    height = window.window.get_size()[1]
    for _ in range(30):
        at = rng.uniform([0, 0], [window.gui.width, height])
        person.press(at)
        person.release(at)
        window.controls.quitting = False
    assert window.state.playback is not None


@pytest.mark.slow
def test_closing_while_building_ends_everything(opengl, tmp_path):
    endless = {**TABLE, "planner": {"nodes": 1_000_000}}
    window = PanelWindow(LiveSession(), endless, size=(640, 360), visible=False)
    process = window._session._work.process
    window.state.build()
    until = time.monotonic() + 240.0
    while not window.state.roadmaps and time.monotonic() < until:
        window.frame(1 / 60)
    assert window.state.phase == "building"
    window.close()
    assert not process.is_alive()
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


ACTING = {
    "name": "b",
    "scene": {"name": "plain"},
    "groups": [
        {"name": "guards", "members": 2, "start": "west", "behavior": {
            "name": "acting", "idle": "wait", "nodes": 40, "goals": {"wait": {"behaviors": []}}}},
        {"name": "thief", "members": 1, "start": "east", "behavior": {
            "name": "steering", "behaviors": ["wander"]}},
    ],
    "simulation": {"duration": 30.0},
}  # fmt: skip


@pytest.fixture
def story(opengl, direct, hands):
    """A window, high enough for long forms, in which a group acts."""
    window = PanelWindow(direct, ACTING, size=(800, 1400), visible=False)
    person = hands(window)
    person.frames(6)
    for section in ("Scene", "Characters", "Roadmap"):
        person.click(section)
    yield person
    window.close()


@pytest.mark.slow
def test_a_goal_and_a_rule_are_added_and_removed_while_it_runs(story):
    state, path = story.window.state, "groups.0.behavior"
    start_run(story)
    story.frames(10)
    assert state.playback.position.shape[0] > 5

    def write(field, text):
        from pyglet.window import key

        story.click(field)
        story.event("on_key_press", key.A, key.MOD_CTRL)
        story.event("on_key_release", key.A, 0)
        story.type(text)
        story.event("on_key_press", key.RETURN, 0)
        story.event("on_key_release", key.RETURN, 0)
        story.frames(4)

    write(f"{path}.goals.add", "visit")
    assert state.notice.text.startswith("changed from "), state.notice.text
    story.click(f"{path}.goals.visit...")
    story.choose(f"{path}.goals.visit.go_to.add", "east")
    story.click(f"+##{path}.rules")
    story.frames(4)
    story.click(f"{path}.rules.0...")
    write(f"{path}.rules.0.when", "time > 1 and not east.inside")
    story.choose(f"{path}.rules.0.goal", "visit")
    story.frames(4)
    assert not state.notice.is_error, state.notice.text
    behavior = state.draft.groups[0]["behavior"]
    assert behavior["rules"] == [{"when": "time > 1 and not east.inside", "goal": "visit"}]
    assert behavior["goals"]["visit"] == {"behaviors": [], "go_to": "east"}
    before = state.playback.position[-1, :2].copy()
    story.frames(200)
    moved = state.playback.position[-1, :2] - before
    assert (moved[:, 0] > 0.5).all(), "towards the east"
    said = [event.text for event in state.playback.events if event.kind == "goal"]
    assert "wait -> visit" in said
    story.click(f"-##{path}.rules.0")
    story.frames(6)
    assert state.draft.groups[0]["behavior"]["rules"] == []
    assert not state.notice.is_error, state.notice.text


@pytest.mark.slow
def test_members_are_added_removed_and_led_by_the_mouse(story):
    from pyglet.window.key import ESCAPE

    window, state = story.window, story.window.state
    story.click("Characters")
    story.click("Run")
    story.frames(20)
    assert state.phase == "running"
    before = state.playback.member_count
    story.click("Add##member")
    place = np.array([0.0, 4.0, 0.0])
    story.click(story.on_screen(place))
    story.frames(4)
    assert state.playback.member_count == before + 1
    newcomer = int(np.flatnonzero(state.playback.life[:, 0] > 0)[0])
    assert np.linalg.norm(state.playback.position[-1, newcomer] - place) < 0.5
    assert state.intervening.adding, "the next click lets another one come"
    story.event("on_key_press", ESCAPE, 0)
    window.controls.selected = newcomer
    story.frames(3)
    story.click("Remove")
    story.frames(3)
    assert state.playback.life[newcomer, 1] <= state.playback.frame_count
    window.controls.clock.playing = True
    story.click("Lead##lead")
    x, y = story.on_screen(np.array([2.0, -4.0, 0.0]))
    story.event("on_mouse_motion", round(x), round(y), 1, 1)
    story.frames(4)
    sent = [event.text for event in state.playback.events if event.text.startswith("sent to")]
    assert sent == [
        f"sent to [{state.intervening.pointer[0]:.4g}, {state.intervening.pointer[1]:.4g}, 0]"
    ]
    story.event("on_key_press", ESCAPE, 0)
    window.controls.clock.playing = True
    story.frames(8)
    changes = [event.text for event in state.playback.events if event.kind == "change"]
    assert changes[-1] == "sent no more"


@pytest.mark.slow
def test_steering_behaviors_quarry_and_target_are_chosen(story):
    state, path = story.window.state, "groups.1.behavior"
    story.click("Characters")
    story.choose("group", "thief")
    story.click("Characters")
    story.frames(2)
    story.choose(f"{path}.behaviors.add", "flee")
    story.choose(f"{path}.threat", "guards")
    story.choose(f"{path}.behaviors.0", "arrive")
    story.choose(f"{path}.target", "west")
    story.click(f"^##{path}.behaviors.1")
    story.frames(2)
    behavior = state.draft.groups[1]["behavior"]
    assert behavior == {
        "name": "steering", "behaviors": ["flee", "arrive"], "threat": "guards", "target": "west"
    }  # fmt: skip
    story.choose(f"{path}.target", "point")
    story.frames(2)
    assert behavior["target"] == [0.0, 0.0, 0.0]
    story.click(f"-##{path}.behaviors.1")
    story.choose(f"{path}.threat", "none")
    story.frames(2)
    assert state.draft.groups[1]["behavior"] == {
        "name": "steering", "behaviors": ["flee"], "target": [0.0, 0.0, 0.0]
    }  # fmt: skip


def test_a_recording_is_compared_with_the_run_that_is_seen(window, person, tmp_path):
    state, path = window.state, str(tmp_path / "a.rmp3d")
    start_run(person)
    person.frames(4)
    state.files.save(path)
    person.frames(3)
    state.compare(str(tmp_path / "missing.rmp3d"))
    person.frames(3)
    assert state.notice.is_error
    assert state.compared is None
    alone = picture(window)
    state.compare(path)
    person.frames(4)
    assert window._renderer.ghosts is state.compared is not None
    assert (picture(window) != alone).any()
    person.choose("recent", path) if "recent" in window.gui.centers else state.files.open(path)
    person.frames(3)
    state.files.answer(1)
    person.frames(4)
    assert state.phase == "recording"
    assert state.compared is None, "another file, other ghosts"
    state.compare(path)
    person.frames(4)
    assert window._plot.reach == 0.01, "the same recording differs nowhere"
    assert window.controls.plot > 0.0
    whole = window.controls.size
    state.side_by_side = True
    person.frames(4)
    assert window._renderer.ghosts is None
    assert window.controls.size == (whole[0] // 2, whole[1])
    width = window.gui.width
    views = [picture(window)[:, at : at + whole[0] // 2] for at in (width, width + whole[0] // 2)]
    middle = slice(whole[1] // 4, whole[1] // 2)  # below legend and title, above the timeline
    assert (views[0] != views[1])[middle].any(axis=2).mean() < 0.01, "the same recording twice"
    state.compare("")
    person.frames(3)
    assert window.controls.size == whole
    assert window._renderer.ghosts is None
    assert window.controls.plot == 0.0
