"""Shared by the listing verbs: they print names with one line each, and with -v the options."""

import argparse
import dataclasses
import inspect
import json
import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rmp3d.terminal.output import show
from rmp3d.verbs.options import add_output_options

if TYPE_CHECKING:
    from rmp3d.geometry.registry import Registry


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of every listing verb."""
    add_output_options(parser)


def show_rows(options: argparse.Namespace, rows: list[dict[str, Any]]) -> int:
    """Print rows with ``name`` and ``summary``; with ``-v`` also their ``options``.

    A row's ``kind`` follows its name, its ``spaces`` follow its summary, and its ``units`` follow
    the values of its options.
    """
    from rmp3d.terminal.text_table import table

    lines = []
    for row in rows:
        kind = [row["kind"]] if "kind" in row else []
        spaces = ["in " + ", ".join(row["spaces"])] if "spaces" in row else []
        lines.append([row["name"], *kind, row["summary"], *spaces])
        if options.verbose:
            units = row.get("units", {})
            lines += [
                [
                    *[""] * (1 + len(kind)),
                    f"{key} = {toml_value(value)} {units.get(key, '')}".rstrip(),
                    *[""] * len(spaces),
                ]
                for key, value in row.get("options", {}).items()
            ]
    show(options, rows, table(lines))
    return 0


def toml_value(value: Any) -> str:
    """Return a value as TOML text; whole numbers have no decimal point."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {toml_value(item)}' for key, item in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, float):
        return f"{value:.15g}"
    return json.dumps(value, ensure_ascii=False)


def registry_rows(registry: "Registry") -> list[dict[str, Any]]:
    """Return name, summary, options and their units of everything registered."""
    return [
        {
            "name": name,
            "summary": registry.summary(name),
            "options": _options(registry[name]),
            "units": units_of(registry[name]),
        }
        for name in registry
    ]


def units_of(kind: type) -> dict[str, str]:
    """Return the units of attributes, as a class's docstring gives them in square brackets."""
    found: dict[str, str] = {}
    for cls in reversed(kind.__mro__):
        # From Python 3.13 on the compiler takes the indentation away; `cleandoc` does before.
        section = inspect.cleandoc(cls.__doc__ or "").partition("\nAttributes:")[2]
        for name, text in re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", section, re.MULTILINE):
            unit = re.search(r"\[([^\]]+)\]", text)
            if unit:
                found[name] = unit.group(1)
    return found


def _options(kind: type) -> Mapping[str, Any]:
    """Return the options of a registered dataclass with their defaults, as JSON takes them."""
    if not dataclasses.is_dataclass(kind):
        return {}
    return {field.name: _default(field) for field in dataclasses.fields(kind) if field.init}


def _default(field: "dataclasses.Field[Any]") -> Any:
    value: Any = None
    if field.default is not dataclasses.MISSING:
        value = field.default
    elif field.default_factory is not dataclasses.MISSING:
        value = field.default_factory()
    return _plain(value)


def _plain(value: Any) -> Any:
    """Return a default as JSON takes it; what is infinite or not given is null."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        value = dataclasses.asdict(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, bool | int | float | str | None) else str(value)
