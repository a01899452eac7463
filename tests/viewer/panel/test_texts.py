"""Every text of window and panel has a translation, and its place in either language."""

import ast
from pathlib import Path

import pytest

import rmp3d.viewer
from rmp3d.behaviors import ACTIVITIES
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS
from rmp3d.scenario import GroupTable, PlannerSettings, SimulationSettings
from rmp3d.scenes import SceneDescription
from rmp3d.viewer import texts
from rmp3d.viewer.layers import layer_rows
from rmp3d.viewer.panel.browsing import KINDS
from rmp3d.viewer.panel.forms import fields_of, registries
from rmp3d.viewer.panel.head import PHASES
from rmp3d.viewer.panel.sections import WHERE
from rmp3d.viewer.panel.widgets import WORDS
from rmp3d.viewer.player.controls import HELP

FOLDER = Path(rmp3d.viewer.__file__).parent
FOLDERS = ("panel", "player", "overlay")
CALLS = {"tr", "label", "button", "section", "branch", "checkbox", "_half", "_small"}
SYMBOLS = {"+", "-", "^", "x", ""}
OTHERS = [code for code in texts.LANGUAGES if code != texts.ENGLISH]


@pytest.fixture(autouse=True)
def in_english_again():
    yield
    texts.speak(texts.ENGLISH)


def spoken(node):
    """The literal texts that an argument of a call may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value.partition("##")[0]
    elif isinstance(node, ast.IfExp):
        yield from spoken(node.body)
        yield from spoken(node.orelse)


def written():
    """All texts that the code of window and panel gives to what shows them."""
    for path in [
        *FOLDER.glob("panel/*.py"),
        *FOLDER.glob("player/*.py"),
        *FOLDER.glob("overlay/*.py"),
    ]:
        for call in ast.walk(ast.parse(path.read_text())):
            if not isinstance(call, ast.Call):
                continue
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            helps = [each.value for each in call.keywords if each.arg == "help_text"]
            if name == "FormField":
                helps += [each.value for each in call.keywords if each.arg == "help"]
            for node in [*(call.args[:2] if name in CALLS else ()), *helps]:
                yield from spoken(node)


def forms(kind, seen):
    if kind not in seen:
        seen.add(kind)
        for field in fields_of(kind):
            yield field
            if field.items:
                yield from forms(field.items, seen)


def labels():
    """The labels of all fields that there are."""
    kinds = [GroupTable, PlannerSettings, SimulationSettings, SceneDescription]
    for registry in (*registries().values(), STEERING_BEHAVIORS, ACTIVITIES):
        kinds += [registry[name] for name in registry]
    seen = set()
    return {field.label for kind in kinds for field in forms(kind, seen)}


def needed():
    lists = [text for row in HELP for text in row if text.isascii() and len(text) > 2]
    lists += [text for row in layer_rows() for text in (row.title, row.shows)]
    lists += [words for words, _ in PHASES.values()]
    return {*lists, *KINDS, *WORDS, *WHERE.values(), *written(), *labels()} - SYMBOLS


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_has_a_translation(code):
    missing = sorted(needed() - set(texts.translations(code)))
    assert not missing, "\n".join(missing)
