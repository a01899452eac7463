"""What errors say in another language: frame and remedy are translated, names stay."""

import re

import pytest

from rmp3d.geometry.checked_toml import read_toml
from rmp3d.geometry.errors import InputError
from rmp3d.live.backend import LiveBackend
from rmp3d.scenario.loading import from_table
from rmp3d.viewer import texts
from rmp3d.viewer.explaining import explained
from rmp3d.viewer.panel.protocol import Advance, Compare, Open, SaveScenario

OTHERS = [code for code in texts.LANGUAGES if code != texts.ENGLISH]
GROUP = {"name": "a", "members": 2, "start": "west", "goal": "east"}
TABLE = {"name": "a", "scene": {"name": "plain"}, "groups": [GROUP]}
WRONG = [
    {"seed": "x"},
    {"nme": "a"},
    {"zzzzzzzz": 1},
    {"groups": []},
    {"groups": [{**GROUP, "members": 0}]},
    {"groups": [{**GROUP, "speed_limit": -1}]},
    {"groups": [{**GROUP, "heading": "north"}]},
    {"groups": [{**GROUP, "behavior": {"name": "narow_passages"}}]},
    {"groups": [{**GROUP, "behavior": {"name": "narrow_passages", "spacing": -1.0}}]},
    {"groups": [{**GROUP, "afterwards": {"name": "patrol", "posts": ["east"] * 201}}]},
    {"measure": 3},
    {"planner": {"sampler": {"name": "mixture", "parts": []}}},
    {"planner": {"nodes": -1}},
    {"planner": {"lazy": 3}},
    {"planner": {"sampler": {"name": "halto"}}},
    {"planner": {"sampler": {"name": "gaussian", "std": "wide"}}},
    {"simulation": {"duration": 1e300}},
]
WORDS = {"w_why": "inside tree", "w_fault": "inside tree"}  # for gaps that hold no value
ENGLISH_WORDS = re.compile(
    r"\b(must|given|unknown|known|choose|from|is|the|or|and|not|such|named)\b"
)


@pytest.fixture(autouse=True)
def in_english_again():
    yield
    texts.speak(texts.ENGLISH)


def told(action):
    """The error that something ends with."""
    with pytest.raises(InputError) as error:
        action()
    return str(error.value)


def without_names(text):
    """A text without what stays: keys, files, lists of names."""
    return re.sub(r"`[^`]*`|\"[^\"]*\"|\([^)]*\)|\S*/\S*|hay \w+, .*", "", text)


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_what_is_wrong_in_a_scenario_is_said_in_the_language(code, wrong):
    english = told(lambda: from_table({**TABLE, **wrong}))
    texts.speak(code)
    said = explained(english)
    place = english.partition(": ")[0]
    assert said.startswith(f"{place}: ")
    assert not ENGLISH_WORDS.search(without_names(said)), said
    assert re.findall(r"`[^`]*`", said) == re.findall(r"`[^`]*`", english)


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize(
    "command",
    [
        Open("none.toml"),
        Open("nonsense"),
        Compare("a.toml"),
        Advance(5),
        SaveScenario(TABLE, "no/folder/a.toml"),
        SaveScenario(TABLE, "a.txt"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_said_in_the_language(code, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    english = told(lambda: LiveBackend(lambda report: None).handle(command))
    texts.speak(code)
    said = explained(english)
    assert said != english
    assert not ENGLISH_WORDS.search(without_names(said)), said


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.obj", ""),
        ("a.obj", "nonsense"),
        ("a.obj", "v 1 2\nf 1 2 3\n"),
        ("a.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"),
        ("a.obj", "v 0 0 9e99\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"),
        ("a.off", "nonsense"),
        ("a.stl", "s" * 100),
        ("a.glb", "nonsense that is no glb"),
        ("a.ac", "nonsense"),
    ],
)
def test_what_is_wrong_in_a_mesh_file_is_said_in_the_language(code, name, content, tmp_path):
    (tmp_path / name).write_text(content)
    english = told(lambda: LiveBackend(lambda report: None).handle(Open(str(tmp_path / name))))
    texts.speak(code)
    said = explained(english)
    assert said.startswith(str(tmp_path / name))
    assert not ENGLISH_WORDS.search(without_names(said)), said


@pytest.mark.parametrize("code", OTHERS)
def test_translations_of_errors_have_the_gaps_of_the_english_and_find_their_own_text(code):
    texts.speak(code)
    tables = read_toml(texts.FOLDER / f"{code}_errors.toml")
    for english, there in {**tables["errors"], **tables["words"]}.items():
        gaps = set(re.findall(r"{(\w+)}", english))
        assert gaps == set(re.findall(r"{(\w+)}", there)), english
        if english in tables["errors"]:
            whole = english.format(**{gap: WORDS.get(gap, "a table") for gap in gaps})
            assert explained(whole) != whole


def test_what_is_not_known_stays_with_its_place_and_english_stays_english():
    texts.speak("es")
    assert explained("a.toml: `seed`: of another world") == "a.toml: `seed`: of another world"
    assert explained("x" * 100_000) == "x" * 100_000
    assert explained("") == ""
    assert explained("guards: in collision with `no such file`") == (
        "guards: choca con `no such file`"
    )
    texts.speak("en")
    assert explained("a.toml: no such file") == "a.toml: no such file"
