from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

import msgspec
import pytest

from rmp3d.geometry import InputError
from rmp3d.geometry.checked_toml import MAX_BYTES, checked, read_toml, refuse_unknown


class Wheel(msgspec.Struct):
    radius: float
    spokes: int = 12


@dataclass
class Engine:
    power: float = 1.0
    fuel: str = "none"


class Car(msgspec.Struct):
    name: str
    engine: Engine = field(default_factory=Engine)
    spare: Wheel | None = None
    wheels: tuple[Wheel, ...] = ()
    size: tuple[float, float] = (4.0, 2.0)
    limits: dict[str, float] = {}


@pytest.fixture
def write(tmp_path):
    def to_file(content):
        path = tmp_path / "a.toml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return to_file


def test_a_good_file_becomes_the_structure_with_its_defaults(write):
    text = 'name = "x"\nsize = [3, 1.5]\n[engine]\npower = 2\n[[wheels]]\nradius = 0.3\n'
    text += "[limits]\nv = 1"
    car = checked(read_toml(write(text)), Car)
    assert car == Car("x", Engine(2.0), None, (Wheel(0.3, 12),), (3.0, 1.5), {"v": 1.0})


@pytest.mark.parametrize(
    ("table", "where", "message"),
    [
        ({"nmae": "x"}, "", r"^`nmae`: unknown key; did you mean `name`\?$"),
        ({"zzz": 1}, "", "^`zzz`: unknown key; known: engine, limits, name, size, spare, wheels$"),
        (
            {"name": "x", "engine": {"pwer": 1}},
            "",
            r"^`engine.pwer`: unknown key; did you mean `power`",
        ),
        ({"name": "x", "spare": {"radus": 1}}, "", r"^`spare.radus`: .* did you mean `radius`"),
        (
            {"name": "x", "wheels": [{"radius": 1.0}, {"radius": 1.0, "spoke": 3}]},
            "my.toml",
            r"^my.toml: `wheels\[1\].spoke`: unknown key; did you mean `spokes`\?$",
        ),
        ({"name": 3}, "my.toml", "^my.toml: `name`: must be text, given 3$"),
        ({"name": "x", "size": [1.0]}, "", r"^`size`: must be a list of 2 numbers, given \[1.0\]$"),
        (
            {"name": "x", "size": [1.0, "b"]},
            "",
            r'^`size\[1\]`: must be a number, given "b"$',
        ),
        (
            {"name": "x", "engine": {"power": "high"}},
            "",
            '^`engine.power`: must be a number, given "high"$',
        ),
        (
            {"name": "x", "engine": 4},
            "",
            "^`engine`: must be a table with power and fuel, given 4$",
        ),
        (
            {"name": "x", "wheels": [{"radius": True}]},
            "",
            r"^`wheels\[0\].radius`: must be a number, given true$",
        ),
        (
            {"name": "x", "wheels": [{}]},
            "",
            r"^`wheels\[0\].radius`: is missing; must be a number$",
        ),
        ({}, "my.toml", "^my.toml: `name`: is missing; must be text$"),
        (
            {"name": "x", "limits": {"v": "fast"}},
            "",
            '^`limits.v`: must be a number, given "fast"$',
        ),
    ],
)
def test_errors_name_the_place_what_was_given_and_the_cure(table, where, message):
    with pytest.raises(InputError, match=message):
        checked(table, Car, where)


def test_a_value_whose_form_is_not_plain_is_shown_by_an_example():
    class Menu(msgspec.Struct):
        dishes: Annotated[list[str | dict[str, Any]], msgspec.Meta(examples=[["soup", "rice"]])]

    form = r'must be a list of values: text or a table, such as \["soup", "rice"\]'
    with pytest.raises(InputError, match=f"^`dishes`: is missing; {form}$"):
        checked({}, Menu)
    with pytest.raises(InputError, match=f"^`dishes`: {form}, given 3$"):
        checked({"dishes": 3}, Menu)


def test_free_keys_of_a_mapping_are_not_unknown():
    assert checked({"name": "x", "limits": {"anything": 1.0}}, Car).limits == {"anything": 1.0}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a = \xff", r"not UTF-8 text \(byte 4\)"),
        ("a = [1, 2", "not valid TOML: "),
        ("a = 1\na = 2", "not valid TOML: Cannot overwrite"),
        ("[a]\nb == 1", "not valid TOML: .*line 2"),
        (b"a = '\x00'", "not valid TOML"),
        ("a = " + "[" * 100_000, "not valid TOML"),
        ("a = " + "{b=" * 100_000, "not valid TOML"),
        (b"#" * (MAX_BYTES + 1), "larger than 4 MiB, the limit for a file of this kind"),
    ],
)
def test_a_file_that_is_no_toml_is_refused_with_its_name(write, content, message):
    path = write(content)
    with pytest.raises(InputError, match=message) as caught:
        read_toml(path)
    assert str(caught.value).startswith(str(path))


def test_deep_nesting_by_dotted_keys_is_read_or_refused_not_crashed_on(write):
    path = write(".".join("a" * 2_000) + " = 1")
    try:
        table = read_toml(path)
    except InputError:
        return
    with pytest.raises(InputError, match="`a`: unknown key"):
        checked(table, Car)


def test_missing_files_and_folders_are_named(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.toml: no such file"):
        read_toml(tmp_path / "nowhere.toml")
    with pytest.raises(InputError, match="is a directory, not a file"):
        read_toml(tmp_path)


def test_an_empty_file_is_an_empty_table(write):
    assert read_toml(write("")) == {}


def test_the_key_of_an_earlier_version_is_refused_with_its_new_name():
    class Renamed(msgspec.Struct):
        new: float = 0.0
        renamed: ClassVar[dict[str, str]] = {"old": "new"}

    with pytest.raises(InputError, match="`old`: the key is called `new` now"):
        refuse_unknown({"old": 1.0}, Renamed)
