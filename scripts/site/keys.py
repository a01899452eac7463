"""The page of every key of every file, from the classes that read them and their docstrings."""

import dataclasses
import json
import math
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from rmp3d.behaviors import ACTIVITIES, FORMATIONS, GROUP_BEHAVIORS, STEERING_BEHAVIORS
from rmp3d.behaviors.combining import COMBININGS
from rmp3d.behaviors.perception import PERCEPTIONS
from rmp3d.geometry.registry import Registry
from rmp3d.models.loading import BodyFile, CharacterFile, VehicleFile
from rmp3d.planner import LOCAL_PLANNERS, PLANNERS, SAMPLERS
from rmp3d.scenario import (
    ChangeTable,
    GroupTable,
    PlannerSettings,
    ScenarioTable,
    SimulationSettings,
)
from rmp3d.scenes import (
    GroundDescription,
    KeyFrame,
    MotionDescription,
    PresenceDescription,
    RegionDescription,
    SceneDescription,
)
from rmp3d.viewer.panel.forms import attribute_helps

FREE = (None, 2**62)
"""Limits that are none to a reader."""

INTRODUCTION = """\
# Every key

This page is made from the classes that read the files, so it cannot be out of date. Start with
[scenario files](scenario.md) and [a character of your own](../tutorials/own-character.md), which
tell what the keys are for. `rmp3d behaviors -v`, `formations -v`, `samplers -v` and `planners -v`
say the same in a terminal.

Lengths are in meters, times in seconds, angles in degrees, forces in newtons; z is up.
"""
TABLES: Mapping[str, tuple[tuple[str, type], ...]] = {
    "Scenario": (
        ("top level", ScenarioTable),
        ("`[scene]`", SceneDescription),
        ("`[scene.ground]`", GroundDescription),
        ("`[scene.regions.NAME]`", RegionDescription),
        ("`[[scene.motions]]`", MotionDescription),
        ("`[[scene.motions]]`: each of `keys`", KeyFrame),
        ("`[[scene.presence]]`", PresenceDescription),
        ("`[[groups]]`", GroupTable),
        ("`[planner]`", PlannerSettings),
        ("`[simulation]`", SimulationSettings),
        ("`[[changes]]`", ChangeTable),
    ),
    "Character file": (
        ("top level", CharacterFile),
        ("`[body]`", BodyFile),
        ("`[vehicle]`", VehicleFile),
    ),
}
CHOICES: Mapping[str, tuple[Registry, str]] = {
    "Group behaviors": (GROUP_BEHAVIORS, "the table `behavior` of a group, with its `name`"),
    "Activities": (ACTIVITIES, "the table `afterwards` of a group, with its `name`"),
    "Formations": (FORMATIONS, "the option `formation` of a behavior, with its `name`"),
    "Steering behaviors": (
        STEERING_BEHAVIORS,
        "the list `behaviors` of the group behaviors `steering` and `acting`",
    ),
    "Combining": (COMBININGS, "the option `combining` of `steering` and `acting`"),
    "Perception": (PERCEPTIONS, "the option `perception` of `steering` and `acting`"),
    "Samplers": (SAMPLERS, "`planner.sampler`, with its `name`"),
    "Planners": (PLANNERS, "`planner.planner`, with its `name`"),
    "Local planners": (LOCAL_PLANNERS, "`planner.local_planner`, with its `name`"),
}


def page() -> str:
    """Return the page as Markdown."""
    lines = [INTRODUCTION]
    for title, tables in TABLES.items():
        lines += [f"## {title}", ""]
        for heading, kind in tables:
            lines += [f"### {title}: {heading}", "", *_table(kind), ""]
    for title, (registry, place) in CHOICES.items():
        lines += [f"## {title}", "", f"Written in {place}.", ""]
        for name in registry:
            lines += [f"### `{name}`", "", _plain_text(registry.summary(name)), ""]
            lines += [*_table(registry[name]), ""]
    return "\n".join(lines)


def _table(kind: type) -> Iterator[str]:
    info: Any = msgspec.inspect.type_info(kind)
    helps = attribute_helps(kind)
    hidden = {f.name for f in dataclasses.fields(kind) if not f.init} if _is_data(kind) else set()
    fields = [field for field in info.fields if field.encode_name not in hidden]
    if not fields:
        yield "It has no options."
        return
    yield "| key | type | default | meaning |"
    yield "|---|---|---|---|"
    for field in fields:
        cells = (
            f"`{field.encode_name}`",
            type_in_words(field.type),
            default_in_words(field),
            _plain_text(helps.get(field.encode_name, "")),
        )
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _is_data(kind: type) -> bool:
    return dataclasses.is_dataclass(kind)


def _plain_text(text: str) -> str:
    return text.replace(":math:", "").replace("``", "`").replace("<", "&lt;")


def default_in_words(field: Any) -> str:
    """Return the default of a field of `msgspec.inspect` as one writes it in a file."""
    if field.default_factory is not msgspec.NODEFAULT:
        value = field.default_factory()
    elif field.default is msgspec.NODEFAULT:
        return "required"
    else:
        value = field.default
    if isinstance(value, Mapping) and list(value) == ["name"]:
        value = value["name"]
    if value is None or value is msgspec.UNSET or value == "" or isinstance(value, msgspec.Struct):
        return "-"
    if isinstance(value, float):
        return f"`{value:.6g}`" if math.isfinite(value) else "no limit"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return "its defaults"
    return f"`{json.dumps(msgspec.to_builtins(value), ensure_ascii=False)}`"


def type_in_words(info: Any) -> str:
    """Return a type of `msgspec.inspect` as a reader of a page knows it."""
    inspect = msgspec.inspect
    match info:
        case inspect.StrType():
            return "text"
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "integer" + _limits(info)
        case inspect.FloatType():
            return "number" + _limits(info)
        case inspect.LiteralType():
            return " or ".join(f'`"{value}"`' for value in sorted(info.values))
        case inspect.StructType() | inspect.DataclassType():
            return "table"
        case inspect.AnyType() | inspect.DictType(value_type=inspect.AnyType()):
            return "name or table"
        case inspect.DictType():
            return f"table of {_plural(type_in_words(info.value_type))}"
        case inspect.ListType() | inspect.VarTupleType():
            return f"list of {_plural(type_in_words(info.item_type))}"
        case inspect.TupleType():
            return f"`{_brackets(info)}`"
        case inspect.UnionType():
            if any(isinstance(kind, inspect.AnyType) for kind in info.types):
                return "name or table"
            kinds = [kind for kind in info.types if not isinstance(kind, inspect.NoneType)]
            return " or ".join(dict.fromkeys(type_in_words(kind) for kind in kinds))
    return "value"


def _plural(words: str) -> str:
    return {"table": "tables", "integer": "integers", "number": "numbers"}.get(words, words)


def _brackets(info: Any) -> str:
    if isinstance(info.item_types[0], msgspec.inspect.TupleType):
        return f"[{', '.join(_brackets(item) for item in info.item_types)}]"
    return f"[{', '.join('xyz' if len(info.item_types) == 3 else 'ab')}]"


def _limits(info: Any) -> str:
    signs = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤"}
    bounds = {sign: getattr(info, name) for name, sign in signs.items()}
    return ",".join(f" {sign} {value}" for sign, value in bounds.items() if value not in FREE)
