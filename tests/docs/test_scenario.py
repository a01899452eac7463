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
from rmp3d.scenario.measuring import MeasuringLine
from rmp3d.scenes import (
    GroundDescription,
    KeyFrame,
    MotionDescription,
    PlacedMesh,
    PresenceDescription,
    RegionDescription,
    SceneDescription,
)
from scripts.site.keys import type_in_words

DOCS = Path(__file__).parents[2] / "docs"
TABLES = [
    ("reference/scenario.md", "## Top level", ScenarioTable),
    ("reference/scenario.md", "## `[scene]`", SceneDescription),
    ("reference/scenario.md", "### `[[scene.meshes]]`", PlacedMesh),
    ("reference/scenario.md", "### `[[scene.motions]]`", MotionDescription),
    ("reference/scenario.md", "### `[[scene.motions.keys]]`", KeyFrame),
    ("reference/scenario.md", "### `[[scene.presence]]`", PresenceDescription),
    ("reference/scenario.md", "### `[scene.ground]`", GroundDescription),
    ("reference/scenario.md", "### `[scene.regions.NAME]`", RegionDescription),
    ("reference/scenario.md", "## `[[groups]]`", GroupTable),
    ("reference/scenario.md", "## `[planner]`", PlannerSettings),
    ("reference/scenario.md", "## `[simulation]`", SimulationSettings),
    ("reference/scenario.md", "## `[[changes]]`", ChangeTable),
    ("reference/scenario.md", "## `[[measure]]`", MeasuringLine),
    ("tutorials/own-character.md", "## The file", CharacterFile),
    ("tutorials/own-character.md", "### `[body]`", BodyFile),
    ("tutorials/own-character.md", "### `[vehicle]`", VehicleFile),
]


def rows_below(page, heading):
    """Return the rows (key, type, default, unit, meaning) of the first table of a section."""
    text = (DOCS / page).read_text(encoding="utf-8")
    section = re.split(r"\n##+ ", text.split(f"\n{heading}\n", 1)[1])[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    assert all(len(row) == 5 for row in rows)
    assert rows[0] == ["key", "type", "default", "unit", "meaning"]
    return {row[0].strip("`"): (row[1], row[2]) for row in rows[1:]}


def is_said(default, cell):
    """Whether the cell of a table says the default; in words where it cannot be written down."""
    if default is msgspec.NODEFAULT:
        return cell == "required"
    if default is None or default == "" or isinstance(default, msgspec.Struct | PlannerSettings):
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
    if field.default is msgspec.NODEFAULT and not field.required:
        return None  # left out of files where nothing is stated
    return field.default


@pytest.mark.parametrize(("page", "heading", "kind"), TABLES)
def test_a_table_has_every_key_with_type_and_default(page, heading, kind):
    rows = rows_below(page, heading)
    fields = {field.encode_name: field for field in msgspec.inspect.type_info(kind).fields}
    # What the reader of scenarios puts in, so that the structure itself need not.
    filled_in = {"groups": "one, of defaults"} if kind is ScenarioTable else {}
    assert list(rows) == list(fields)
    for key, field in fields.items():
        words, cell = rows[key]
        assert words == type_in_words(field.type), key
        assert cell == filled_in.get(key) or is_said(default_of(field), cell), key


def test_every_behavior_and_formation_is_named_somewhere():
    from rmp3d.behaviors import FORMATIONS, GROUP_BEHAVIORS

    text = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md"))
    for name in (*GROUP_BEHAVIORS, *FORMATIONS):
        assert re.search(rf"`{name}`", text), name
