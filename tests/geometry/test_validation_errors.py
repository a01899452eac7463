"""Every kind of value that a settings file can have wrong is explained in words of the file."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal

import msgspec
import pytest

from rmp3d.geometry import InputError
from rmp3d.geometry.checked_toml import checked

Vector = tuple[float, float, float]
Meta = msgspec.Meta


class Inner(msgspec.Struct):
    x: int = 0


@dataclass
class Even:
    number: int = 0

    def __post_init__(self):
        if self.number % 2:
            raise ValueError(f"{self.number} is not even")


class Outer(msgspec.Struct):
    up: Literal["z", "y"] | None = None
    scale: Annotated[float, Meta(gt=0)] = 1.0
    slope: Annotated[float, Meta(ge=0, lt=90)] | None = None
    count: Annotated[int, Meta(ge=1, le=10_000_000)] = 1
    whole: int = 0
    name: str = ""
    flag: bool = False
    place: str | Vector = ""
    bounds: tuple[Vector, Vector] | None = None
    files: str | list[str] | None = None
    roles: dict[str, Literal["wall", "floor"]] = {}
    named: dict[str, Inner] = {}
    rows: Annotated[list[Inner], Meta(min_length=1, max_length=2)] = []
    free: dict[str, Any] = {}
    even: Even | None = None


CASES = [
    ({"up": "q"}, '`up`: must be "y" or "z", given "q"'),
    ({"up": 3}, '`up`: must be "y" or "z", given 3'),
    ({"scale": 0}, "`scale`: must be a number above 0, given 0"),
    ({"scale": True}, "`scale`: must be a number above 0, given true"),
    ({"slope": 90}, "`slope`: must be a number at least 0 and below 90, given 90"),
    ({"count": 0}, "`count`: must be a whole number from 1 to 10000000, given 0"),
    ({"whole": 1.5}, "`whole`: must be a whole number, given 1.5"),
    ({"name": date(2020, 1, 2)}, '`name`: must be text, given "2020-01-02"'),
    ({"name": ["x" * 99]}, f'`name`: must be text, given ["{"x" * 54} ...'),
    ({"flag": 1}, "`flag`: must be true or false, given 1"),
    ({"place": [1, 2]}, "`place`: must be text or a list of 3 numbers, given [1, 2]"),
    ({"place": [1, 2, "a"]}, '`place[2]`: must be a number, given "a"'),
    ({"place": {"x": 1}}, "`place`: must be text or a list of 3 numbers, given a table"),
    (
        {"bounds": [[1, 2, 3]]},
        "`bounds`: must be a list of 2 lists of 3 numbers, given [[1, 2, 3]]",
    ),
    ({"bounds": [1, 2]}, "`bounds[0]`: must be a list of 3 numbers, given 1"),
    ({"bounds": [[1, 2, 3], [1]]}, "`bounds[1]`: must be a list of 3 numbers, given [1]"),
    ({"files": 3}, "`files`: must be text or a list of texts, given 3"),
    ({"files": ["a", 3]}, "`files[1]`: must be text, given 3"),
    (
        {"roles": {"a": "wall", "b.*": "door"}},
        '`roles.b.*`: must be "floor" or "wall", given "door"',
    ),
    ({"roles": 3}, "`roles`: must be a table, given 3"),
    ({"named": {"n": {"x": "s"}}}, '`named.n.x`: must be a whole number, given "s"'),
    ({"named": {"n": 4}}, "`named.n`: must be a table with x, given 4"),
    ({"rows": []}, "`rows`: must be a list of 1 to 2 tables, given []"),
    ({"rows": [{}, {"x": "a"}]}, '`rows[1].x`: must be a whole number, given "a"'),
    ({"rows": [5]}, "`rows[0]`: must be a table with x, given 5"),
    ({"free": "a"}, '`free`: must be a table, given "a"'),
    ({"even": {"number": 3}}, "`even`: 3 is not even"),
]


@pytest.mark.parametrize(("table", "message"), CASES, ids=[message for _, message in CASES])
def test_key_given_and_allowed_are_named(table, message):
    for where, start in (("", ""), ("my.toml", "my.toml: "), ("my.toml: `scene`", "my.toml: ")):
        inside = message.replace("`", "`scene.", 1) if where.endswith("`") else message
        with pytest.raises(InputError) as caught:
            checked(table, Outer, where)
        assert str(caught.value) == start + inside


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            {"rows": {"x": 1}},
            "2 tables, given a table; write [[scene.rows]], with two brackets",
        ),
        (
            {"even": [{"number": 2}]},
            'given [{"number": 2}]; write [scene.even], with one bracket',
        ),
        ({"even": [3]}, "must be a table with number, given [3]"),
    ],
)
def test_the_brackets_of_a_table_are_named(table, message):
    with pytest.raises(InputError) as caught:
        checked(table, Outer, "my.toml: `scene`")
    assert str(caught.value).endswith(message)
