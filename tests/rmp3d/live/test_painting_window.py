"""A flow field is painted with the mouse: arrows, the rubber, undo, files and the run."""

import numpy as np
import pytest

from rmp3d.geometry.checked_toml import read_toml
from rmp3d.viewer.panel.window import PanelWindow

FIELD = "flow_field_following"
TABLE = {
    "name": "a",
    "scene": {"name": "plain"},
    "groups": [{"name": "group 1", "members": 1, "start": [-8.0, 0.0, 0.0],
                "behavior": {"name": "steering", "behaviors": ["separation", FIELD]}}],
    "simulation": {"duration": 3.0},
}  # fmt: skip
ALONG = [[-9.0, 0.0, 0.0], [-5.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [3.0, 0.0, 0.0]]


@pytest.fixture
def person(opengl, direct, hands, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    window = PanelWindow(direct, TABLE, size=(800, 480), visible=False)
    person = hands(window)
    person.frames(6)
    assert window.state.places
    yield person
    if not direct.closed:
        window.close()


def strokes(window):
    field = window.state.draft.chosen["behavior"]["behaviors"][1]
    return field.get("strokes", []) if isinstance(field, dict) else []


def test_a_stroke_is_painted_rubbed_out_undone_and_kept(person, tmp_path):
    from pyglet.window import key

    window, state = person.window, person.window.state
    camera, rows = window.controls.camera, len(window.line_rows())
    person.click("Paint flow##flow")
    person.stroke(ALONG)
    (stroke,) = strokes(window)
    np.testing.assert_allclose(stroke["points"][0], ALONG[0], atol=0.15)
    np.testing.assert_allclose(stroke["points"][-1], ALONG[-1], atol=0.6)
    assert window.controls.camera is camera, "a drag that paints does not turn the view"
    assert len(window.line_rows()) > rows + 30
    person.stroke([[-3.0, 0.0, 0.0], [-3.0, 0.5, 0.0]], key.MOD_SHIFT)
    left, right = strokes(window)
    assert left["points"][-1][0] == pytest.approx(-4.0, abs=0.4)
    assert right["points"][0][0] == pytest.approx(-2.0, abs=0.4)
    person.event("on_key_press", key.Z, key.MOD_CTRL)
    assert strokes(window) == [stroke]
    person.event("on_key_press", key.Y, key.MOD_CTRL)
    assert len(strokes(window)) == 2
    path = tmp_path / "painted.toml"
    state.files.save(str(path))
    person.frames(4)
    kept = strokes(window)
    person.click("Clear##flow")
    assert strokes(window) == []
    saved = read_toml(path)["groups"][0]["behavior"]["behaviors"][1]
    assert saved == {"name": FIELD, "strokes": kept}
    person.event("on_key_press", key.ESCAPE, 0)
    assert not state.painting.active
    assert not window.controls.quitting


def test_members_of_a_run_follow_what_is_painted_meanwhile(person):
    state = person.window.state
    state.run()
    person.frames(6)
    assert state.phase == "running"
    person.click("Paint flow##flow")
    person.stroke(ALONG)
    for _ in range(100):
        if state.phase == "over":
            break
        person.window.controls.clock.seek(state.simulated)
        person.window.listen()
    assert state.phase == "over", state.notice.text
    position = state.playback.position
    travelled = position[-1] - position[0]
    assert (travelled[:, 0] > 1.0).all()
    assert (np.abs(travelled[:, 1]) < 0.5).all()


def test_nothing_is_painted_beside_the_ground_nor_by_a_click(person):
    window = person.window
    person.click("Paint flow##flow")
    person.click(person.on_screen(np.array(ALONG[0])))
    person.press((window.gui.width + 5, 477))
    person.drag((window.gui.width + 60, 477))
    person.release((window.gui.width + 60, 477))
    assert strokes(window) == []
    assert not window.state.draft.chosen["behavior"].get("strokes")
