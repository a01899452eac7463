"""What the listing verbs share: names with a line each, and the options of what they name."""

import argparse
import dataclasses
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rmp3d.verbs.options import add_output_options, show

if TYPE_CHECKING:
    from geometry.registry import Registry


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what every listing verb takes."""
    add_output_options(parser)


def show_rows(options: argparse.Namespace, rows: list[dict[str, Any]]) -> int:
    """Print rows that have ``name`` and ``summary``; with ``-v`` their ``options`` too.

    A row's ``units`` are printed behind its options' values, its ``spaces`` behind the summary.
    """
    from rmp3d.tables import table

    lines = []
    for row in rows:
        spaces = ["in " + ", ".join(row["spaces"])] if "spaces" in row else []
        lines.append([row["name"], row["summary"], *spaces])
        if options.verbose:
            units = row.get("units", {})
            lines += [
                [
                    "",
                    f"{key} = {toml_value(value)} {units.get(key, '')}".rstrip(),
                    *([""] if spaces else []),
                ]
                for key, value in row.get("options", {}).items()
            ]
    show(options, rows, table(lines))
    return 0


def toml_value(value: Any) -> str:
    """Return a value as one writes it in a file; whole numbers without a decimal point."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key} = {toml_value(item)}' for key, item in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, float):
        return f"{value:.15g}"
    return json.dumps(value, ensure_ascii=False)


def registry_rows(registry: "Registry") -> list[dict[str, Any]]:
    """Return name, summary and options of everything registered."""
    return [
        {"name": name, "summary": registry.summary(name), "options": _options(registry[name])}
        for name in registry
    ]


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
    if isinstance(value, tuple):
        return list(value)
    return value if isinstance(value, bool | int | float | str | list | None) else str(value)
