"""Every text of window and panel has a translation, and its place in either language."""

import ast
import tomllib
from pathlib import Path

import pytest

import rmp3d.viewer
from rmp3d.behaviors import ACTIVITIES, GROUP_BEHAVIORS
from rmp3d.behaviors.groups.guided.leader_choice import RULES
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS
from rmp3d.models import builtin_models
from rmp3d.scenario import GroupTable, PlannerSettings, SimulationSettings
from rmp3d.scenes import SceneDescription
from rmp3d.viewer import texts
from rmp3d.viewer.layers import layer_rows
from rmp3d.viewer.panel.browsing import KINDS
from rmp3d.viewer.panel.forms import FormField, fields_of, registries
from rmp3d.viewer.panel.head import PHASES
from rmp3d.viewer.panel.named_fields import title_of
from rmp3d.viewer.panel.sections import WHERE
from rmp3d.viewer.panel.values import number_of, number_text
from rmp3d.viewer.panel.widgets import WORDS, in_files, in_order, in_words
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


def registered():
    return [
        (registry, name)
        for registry in (*registries().values(), STEERING_BEHAVIORS, ACTIVITIES)
        for name in registry
    ]


def fields(*more):
    """All fields that there are in the panel."""
    kinds = [GroupTable, PlannerSettings, SimulationSettings, *more]
    kinds += [registry[name] for registry, name in registered()]
    seen = set()
    return [field for kind in kinds for field in forms(kind, seen)]


def labels():
    return {field.label for field in fields(SceneDescription)}


def helps():
    """What tips say of options, and lists of what can be chosen in them."""
    said = {field.help for field in fields()}
    return {*said, *(registry.summary(name) for registry, name in registered())} - {""}


def needed():
    lists = [text for row in HELP for text in row if text.isascii() and len(text) > 2]
    lists += [text for row in layer_rows() for text in (row.title, row.shows)]
    lists += [words for words, _ in PHASES.values()]
    return {*lists, *KINDS, *WORDS, *WHERE.values(), *written(), *labels(), *helps()} - SYMBOLS


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_has_a_translation(code):
    missing = sorted(needed() - set(texts.translations(code)))
    assert not missing, "\n".join(missing)


def built_in_names():
    """Names that come with RMP3D: what is registered, characters, groups of its scenarios."""
    found = {name for registry in registries().values() for name in registry}
    found |= {*STEERING_BEHAVIORS, *ACTIVITIES, *RULES, *builtin_models()}
    for path in (FOLDER.parent / "scenes" / "builtin").glob("*/*.toml"):
        groups = tomllib.loads(path.read_text(encoding="utf-8")).get("groups", ())
        found |= {group["name"] for group in groups}
    return found


def choices_of(kind, depth=0):
    """Words that fields of a class let choose from, and those of the classes of its registries."""
    found = set()
    for field in fields_of(kind):
        found |= set(field.choices)
        if field.kind == "registry" and field.name in registries() and depth < 2:
            known = registries()[field.name]
            found = found.union(*(choices_of(known[name], depth + 1) for name in known))
    return found


@pytest.mark.parametrize("code", OTHERS)
def test_every_word_to_choose_from_is_said_in_the_language(code):
    kinds = [*(GROUP_BEHAVIORS[name] for name in GROUP_BEHAVIORS), PlannerSettings]
    found = set().union(*map(choices_of, kinds)) - {*WORDS, "x", "y", "z"}
    assert {"path", "reversed", "walked_back", "auto"} <= found
    assert found - set(texts.names_in(code)) == set()


@pytest.mark.parametrize("code", OTHERS)
def test_every_name_that_comes_with_it_is_said_in_the_language(code):
    assert built_in_names() - set(texts.names_in(code)) == set()
    said = list(texts.names_in(code).values())
    assert all(said)
    formations = [texts.names_in(code)[name] for name in registries()["formation"]]
    assert len(set(formations)) == len(formations)


def test_names_of_ones_own_stay_and_numbers_go_with_built_in_ones():
    texts.speak("es")
    own = ["wolf_pack", "the line", "line 2b", "", "3", "a/line.toml"]
    assert [texts.named(name) for name in own] == own
    assert texts.named("narrow passages") == texts.named("narrow_passages") == "pasos estrechos"
    assert texts.named("group 2") == "grupo 2"
    assert texts.all_named(["sheep", "ovejas"]) == ["sheep", "ovejas"]
    texts.speak(texts.ENGLISH)
    assert texts.named("narrow_passages") == "narrow_passages"


def test_lists_show_names_in_the_language_and_give_the_name_itself():
    texts.speak("es")
    assert in_words("leader_following") == "seguir al guía"
    assert in_words("my_behavior") == "my_behavior"
    assert title_of({"goal": "flee", "when": "fear > 1"}, 0) == "flee si fear > 1"
    assert title_of({"name": "wedge"}, 0) == "cuña"


def test_lists_are_in_the_order_of_what_is_seen_and_say_what_files_have():
    names = sorted(builtin_models())
    assert in_order(names) == names
    texts.speak("es")
    shown = [in_words(name) for name in in_order(names)]
    assert shown[:2] == ["caja", "coche"]
    assert set(in_order(names)) == set(names)
    assert in_order(["usual", "first", "any"]) == ["usual", "first", "any"]
    assert in_files("guards") == "en un archivo de escenario: guards"
    assert [in_files(name) for name in ("none", "my own", "3")] == ["", "", ""]


def test_units_are_shown_in_the_language_and_may_be_typed_in_either():
    texts.speak("es")
    field = FormField("angle", "number", 200.0, unit="degrees")
    assert number_text(200.0, "degrees") == "200 grados"
    assert [number_of(field, typed) for typed in ("90 grados", "90 degrees", "90")] == [90.0] * 3


def test_regions_keep_their_names_in_what_events_say():
    texts.speak("es")
    assert texts.said("all 9 in `cars`") == "los 9 en `cars`"
    assert texts.said("member 3 of cars") == "el miembro 3 de coches"


def test_two_brackets_are_no_unit():
    assert {field.unit for field in fields_of(GroupTable)} <= {"", "m", "m/s", "degrees"}
