"""The tables of the reference say what the structures say."""

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from rmp3d.models.loading import BodyFile, CharacterFile, VehicleFile
from rmp3d.scenario import (
    ChangeTable,
    GroupTable,
    PlannerSettings,
    ScenarioTable,
    SimulationSettings,
)
from rmp3d.scenes import GroundDescription, RegionDescription, SceneDescription

DOCS = Path(__file__).parents[2] / "docs"
TABLES = [
    ("reference/scenario.md", "## Top level", ScenarioTable),
    ("reference/scenario.md", "## `[scene]`", SceneDescription),
    ("reference/scenario.md", "### `[scene.ground]`", GroundDescription),
    ("reference/scenario.md", "### `[scene.regions.NAME]`", RegionDescription),
    ("reference/scenario.md", "## `[[groups]]`", GroupTable),
    ("reference/scenario.md", "## `[planner]`", PlannerSettings),
    ("reference/scenario.md", "## `[simulation]`", SimulationSettings),
    ("reference/scenario.md", "## `[[changes]]`", ChangeTable),
    ("tutorials/own-character.md", "## The file", CharacterFile),
    ("tutorials/own-character.md", "### `[body]`", BodyFile),
    ("tutorials/own-character.md", "### `[vehicle]`", VehicleFile),
]
FREE = (None, 2**62)
"""Limits that are none to a reader."""


def rows_below(page, heading):
    """Return the rows (key, type, default, unit, meaning) of the first table of a section."""
    text = (DOCS / page).read_text(encoding="utf-8")
    section = re.split(r"\n##+ ", text.split(f"\n{heading}\n", 1)[1])[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    assert all(len(row) == 5 for row in rows)
    assert rows[0] == ["key", "type", "default", "unit", "meaning"]
    return {row[0].strip("`"): (row[1], row[2]) for row in rows[1:]}


def type_in_words(info):
    inspect = msgspec.inspect
    match info:
        case inspect.StrType():
            return "text"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "integer" + limits(info)
        case inspect.FloatType():
            return "number" + limits(info)
        case inspect.LiteralType():
            return " or ".join(f'`"{value}"`' for value in sorted(info.values))
        case inspect.StructType():
            return "table"
        case inspect.DictType(value_type=inspect.AnyType()):
            return "name or table"
        case inspect.DictType():
            return f"table of {plural(type_in_words(info.value_type))}"
        case inspect.ListType():
            return f"list of {plural(type_in_words(info.item_type))}"
        case inspect.TupleType():
            return f"`{brackets(info)}`"
        case inspect.UnionType():
            kinds = [kind for kind in info.types if not isinstance(kind, inspect.NoneType)]
            return " or ".join(type_in_words(kind) for kind in kinds)
    raise AssertionError(f"no word for {info}")


def plural(words):
    return "tables" if words == "table" else words


def brackets(info):
    if isinstance(info.item_types[0], msgspec.inspect.TupleType):
        return f"[{', '.join(brackets(item) for item in info.item_types)}]"
    return f"[{', '.join('xyz' if len(info.item_types) == 3 else 'ab')}]"


def limits(info):
    signs = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤"}
    bounds = {sign: getattr(info, name) for name, sign in signs.items()}
    return ",".join(f" {sign} {value}" for sign, value in bounds.items() if value not in FREE)


def is_said(default, cell):
    """Whether the cell of a table says the default; in words where it cannot be written down."""
    if default is msgspec.NODEFAULT:
        return cell == "required"
    if default is None or default == "" or isinstance(default, msgspec.Struct):
        return cell not in ("", "required")
    text = cell.strip("`")
    if isinstance(default, Mapping):
        return text == (f'"{default["name"]}"' if default else "{}")
    if isinstance(default, tuple | list):
        return text == str(list(default))
    if isinstance(default, bool):
        return text == str(default).lower()
    if isinstance(default, str):
        return text == f'"{default}"'
    return float(Fraction(text)) == default


def default_of(field):
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


@pytest.mark.parametrize(("page", "heading", "kind"), TABLES)
def test_a_table_has_every_key_with_type_and_default(page, heading, kind):
    rows = rows_below(page, heading)
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    # What the reader of scenarios puts in, so that the structure itself need not.
    filled_in = {"groups": "one, of defaults"} if kind is ScenarioTable else {}
    assert list(rows) == list(fields)
    for key, field in fields.items():
        words, cell = rows[key]
        assert words == type_in_words(msgspec.inspect.type_info(field.type)), key
        assert cell == filled_in.get(key) or is_said(default_of(field), cell), key


def test_every_behavior_and_formation_is_named_somewhere():
    from rmp3d.behaviors import FORMATIONS, GROUP_BEHAVIORS

    text = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md"))
    for name in (*GROUP_BEHAVIORS, *FORMATIONS):
        assert re.search(rf"`{name}`", text), name
