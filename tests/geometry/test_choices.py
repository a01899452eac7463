from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from rmp3d.geometry import InputError, Registry
from rmp3d.geometry.choices import choose, table_of
from rmp3d.geometry.registry import entry_of

SHAPES, TOOLS = Registry("test shape"), Registry("test tool")


@TOOLS.register("brush")
@dataclass(frozen=True)
class Brush:
    width: float = 1.0


@dataclass(frozen=True)
class Point:
    x: float = 0.0
    y: float = 0.0


@SHAPES.register("blob")
@dataclass(frozen=True)
class Blob:
    size: float
    tool: str | dict[str, Any] = "brush"
    points: tuple[Point, ...] = ()
    names: list[str] = field(default_factory=lambda: ["a"])

    def __post_init__(self):
        if self.size < 0.0:
            raise InputError("`size` must be 0 or more")
        choose(TOOLS, self.tool, "`tool`")


@dataclass(frozen=True)
class Unknown:
    size: float = 1.0


def test_a_name_a_table_and_an_object_choose_the_same():
    assert choose(TOOLS, "brush", "here") == choose(TOOLS, {"name": "brush"}, "here") == Brush()
    brush = Brush(2.0)
    assert choose(TOOLS, {"name": "brush", "width": 2.0}, "here") == brush
    assert choose(TOOLS, brush, "here") is brush


def test_an_object_without_a_registry_is_taken_as_it_is():
    own = Unknown()
    assert choose(SHAPES, own, "here") is own


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ("blub", "`x`: no test shape named `blub`"),
        ({"size": 1.0}, "`x`: needs a `name`; choose from blob"),
        ({"name": "blob", "size": -1.0}, "`x`: `size` must be 0 or more"),
        (Brush(), "`x`: `brush` is a test tool, not a test shape"),
        (Blob, "give an object, `Blob\\(...\\)`, not the class"),
        (3, "needs a `name`, a table with `name`, or an object; given 3"),
        (None, "needs a `name`"),
        (
            [{"name": "blob"}] * 500,
            r"given \[{'name': 'blob'}.{1,30} \.\.\. .{1,30}; choose from blob",
        ),
    ],
)
def test_what_is_no_choice_is_refused(choice, message):
    with pytest.raises(InputError, match=message):
        choose(SHAPES, choice, "`x`")


def test_a_table_has_the_name_and_what_differs_from_the_defaults():
    assert table_of(SHAPES, Blob(1.5)) == {"name": "blob", "size": 1.5}
    assert table_of(SHAPES, Blob(1.5, tool=Brush())) == {"name": "blob", "size": 1.5}
    assert table_of(SHAPES, Blob(1.5, tool={"name": "brush"})) == {"name": "blob", "size": 1.5}
    own = Blob(np.float64(2.0), Brush(3.0), (Point(1.0), Point()), ["b"])
    assert table_of(SHAPES, own) == {
        "name": "blob",
        "size": 2.0,
        "tool": {"name": "brush", "width": 3.0},
        "points": [{"x": 1.0}, {}],
        "names": ["b"],
    }


def test_a_table_is_read_back_as_the_same_object():
    for own in (Blob(1.0), Blob(2.0, {"name": "brush", "width": 0.5}, (Point(y=4.0),))):
        assert choose(SHAPES, table_of(SHAPES, own), "here") == own


def test_names_and_tables_are_brought_into_the_same_form():
    assert table_of(TOOLS, "brush") == {"name": "brush"}
    assert table_of(TOOLS, {"name": "brush", "width": 1.0}) == {"name": "brush"}
    assert table_of(SHAPES, {"name": "blob", "size": 1, "tool": Brush(2.0)}) == {
        "name": "blob",
        "size": 1,
        "tool": {"name": "brush", "width": 2.0},
    }


def test_an_object_of_an_unregistered_class_has_no_table():
    with pytest.raises(InputError, match="`Unknown` is in no registry"):
        table_of(SHAPES, Unknown())


def test_what_cannot_be_read_back_is_refused():
    with pytest.raises(InputError, match="needs a `name`"):
        table_of(SHAPES, Blob(1.0, tool=Unknown(2.0)))


def test_the_place_of_a_class_is_known():
    assert entry_of(Blob) == ("test shape", "blob")
    assert entry_of(Unknown) is None
