"""The panel in each language and theme: nothing is cut, nothing is left in English."""

import numpy as np
import pytest
from imgui_bundle import imgui

from rmp3d.behaviors import ACTIVITIES, GROUP_BEHAVIORS
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS
from rmp3d.live.reports import STATISTICS
from rmp3d.scenario import GroupTable, PlannerSettings, SimulationSettings
from rmp3d.viewer import texts
from rmp3d.viewer.gpu.targets import read_pixels
from rmp3d.viewer.panel.files import Notice
from rmp3d.viewer.panel.forms import fields_of, registries
from rmp3d.viewer.panel.head import BUTTONS
from rmp3d.viewer.panel.protocol import Built, Working
from rmp3d.viewer.panel.widgets import LABEL_SHARE, Widgets
from rmp3d.viewer.panel.window import PanelWindow
from rmp3d.viewer.player.hud import draw_hud
from rmp3d.viewer.settings import WindowSettings

TABLE = {
    "name": "a",
    "scene": {"name": "plain"},
    "groups": [{"name": "group 1", "members": 2, "start": "west", "goal": "east",
                "behavior": {"name": "narrow_passages"}}],
    "planner": {"nodes": 60},
}  # fmt: skip
SIZE = (1280, 720)
WIDEST = 2  # levels of fields inside fields


@pytest.fixture(autouse=True)
def in_english_again():
    yield
    texts.speak(texts.ENGLISH)


@pytest.fixture(params=list(texts.LANGUAGES))
def window(request, opengl, direct, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = WindowSettings(language=request.param, theme="light")
    window = PanelWindow(direct, TABLE, size=SIZE, visible=False, settings=settings)
    yield window
    if not direct.closed:
        window.close()


class Asked(dict):
    """A table of translations that notes which texts have none."""

    def __init__(self, table):
        super().__init__(table)
        self.missing = set()

    def get(self, text, default=None):
        if text not in self:
            self.missing.add(text)
        return super().get(text, default)


def opened(draw):
    """A heading or branch that is open, whatever was pressed."""

    def draw_open(*args, **options):
        imgui.set_next_item_open(True)
        return draw(*args, **options)

    return draw_open


def fields():
    """All fields that there are, also those of what lists hold."""
    known = (*registries().values(), STEERING_BEHAVIORS, ACTIVITIES)
    kinds = [registry[name] for registry in known for name in registry]
    kinds += [GroupTable, PlannerSettings, SimulationSettings]
    for kind in kinds:
        found = fields_of(kind)
        kinds += [field.items for field in found if field.items and field.items not in kinds]
        yield from found


def facts():
    """What is told of a roadmap, in English."""
    names = ("path length", *STATISTICS.values(), "building", "searching")
    return (*((name, "7") for name in names), ("all proved free", "yes"))


def walk(window, draw):
    """Show every section in the states that a scenario goes through."""
    state = window.state
    for name in GROUP_BEHAVIORS:
        state.choose_behavior(name)
        draw()
    state.built = Built((), (facts(),) * len(state.draft.groups))
    state.notice = Notice(state.built.summary(["group 1"]))
    draw()
    state.files.browse(saving=True)
    draw()
    state.files.browser = None
    for phase in ("building", "running", "recording"):
        state.phase = phase
        draw()
    state.working = Working("writing", 1, 2, ".mp4")
    draw()
    state.working = Working("")
    window.controls.select(0)
    window.controls.key("h")
    draw_hud(window.controls)
    state.files.leave()
    draw()


def test_all_that_is_drawn_is_translated_and_nothing_is_cut(window, hands, monkeypatch):
    asked = Asked(texts.translations(window.state.settings.language))
    monkeypatch.setattr(texts, "_spoken", asked)
    hands(window).frames(4)
    lines = []
    branch = Widgets.branch
    monkeypatch.setattr(Widgets, "branch", lambda *a, **k: lines.append(a[1]) or branch(*a, **k))
    for opens in ("section", "branch"):
        monkeypatch.setattr(Widgets, opens, opened(getattr(Widgets, opens)))
    walk(window, lambda: window.gui.draw(1 / 60, window.controls))
    assert "language" in window.gui.centers
    assert not window.gui.cut
    if window.state.settings.language != texts.ENGLISH:
        words = {text for text in asked.missing if text.isascii() and len(text) > 1}
        assert not words
        assert not {text for text in lines if asked.get(text, text) != text}, "not translated"


def test_the_buttons_of_a_run_have_room_to_both_sides_of_what_they_say(window, hands, monkeypatch):
    hands(window).frames(4)
    margins, button = {}, Widgets.button

    def measured(self, text, *, width=0.0, **options):
        wide = float(imgui.calc_text_size(texts.tr(text)).x)
        margins[text] = (width - wide) / imgui.get_style().frame_padding.x
        return button(self, text, width=width, **options)

    monkeypatch.setattr(Widgets, "button", measured)
    for phase in ("draft", "building", "running"):
        window.state.phase = phase
        window.gui.draw(1 / 60, window.controls)
    named = {text: margins[text] for row in BUTTONS for text in row if text in margins}
    assert len(named) >= len(BUTTONS)
    assert min(named.values()) > 1.6, named  # 2 would be the usual margins


def test_a_region_keeps_its_name_though_a_group_of_that_name_is_translated(window, monkeypatch):
    drawn = []
    begin = imgui.begin_combo
    monkeypatch.setattr(
        imgui,
        "begin_combo",
        lambda key, text, *a: drawn.append((key, text)) or begin(key, text, *a),
    )
    window.state.draft.chosen.update(start="cars", character="car")
    window.gui.draw(1 / 60, window.controls)
    assert ("##start", "cars") in drawn
    assert ("##character", texts.named("car")) in drawn


def test_every_label_fits_into_its_column(window, hands):
    hands(window).frames(1)
    imgui.set_current_context(window.gui._context)
    labels = {texts.tr(field.label) for field in fields()}
    indent = imgui.get_style().window_padding.x + WIDEST * 0.5 * imgui.get_font_size()
    room = window.gui.width * LABEL_SHARE - indent
    assert {text for text in labels if imgui.calc_text_size(text).x > room} == set()


def test_theme_and_language_are_chosen_in_the_panel_and_kept(opengl, direct, hands, tmp_path):
    settings = WindowSettings(path=tmp_path / "a.json")
    window = PanelWindow(direct, TABLE, size=SIZE, visible=False, settings=settings)
    person = hands(window)
    person.frames(2)
    for name in ("Scene", "Characters", "Behavior", "Roadmap"):
        person.click(name)
    person.click("Window")
    person.choose("theme", "light")
    person.choose("language", "Español")
    assert texts.tr("Open") == "Abrir"
    person.frames(3)
    pixels = read_pixels(0, window.window.get_framebuffer_size())[:, : window.gui.width - 2]
    assert np.median(pixels) > 128
    said = (tmp_path / "a.json").read_text()
    assert '"light"' in said
    assert '"es"' in said
    window.close()
