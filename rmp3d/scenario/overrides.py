"""Sets keys of a scenario's table: `--set key=value`, and the values of a study's axes."""

import copy
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rmp3d.geometry.checked_toml import parsed
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.printable import printable, shortened
from rmp3d.geometry.toml_depth import MAX_DEPTH
from rmp3d.geometry.validation_errors import LONGEST


def apply_overrides(table: dict[str, Any], overrides: Sequence[str]) -> None:
    """Set each ``key=value`` in a scenario's table; see `load`.

    Raises:
        InputError: An override does not have this form, or an index is out of range.
    """
    for text in overrides:
        _override(table, text)


def assign(table: dict[str, Any], values: Mapping[str, Any]) -> None:
    """Set the dotted keys of a scenario's table to values; see `load`.

    Raises:
        InputError: A key is none, or an index in it is out of range.
    """
    for key, value in values.items():
        set_value(table, _parts(key, f"`{key}`"), copy.deepcopy(value), f"`{key}`")


def dotted(
    table: Mapping[str, Any], is_value: Callable[[Any], bool], above: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return what tables in a table hold, by dotted key: ``{"a": {"b": 1}}`` is ``{"a.b": 1}``.

    Args:
        table: Its keys may have dots themselves.
        is_value: Whether a table in it is a value, which stays whole.
        above: Names before its keys.
    """
    found: dict[str, Any] = {}
    for key, value in table.items():
        names = (*above, key)
        if isinstance(value, Mapping) and value and not is_value(value):
            found |= dotted(value, is_value, names)
        else:
            found[".".join(names)] = value
    return found


def _override(table: dict[str, Any], text: str) -> None:
    key, equals, value = text.partition("=")
    if not equals or not key.strip(" .[]"):
        shown = shortened(printable(text), LONGEST)
        raise InputError(f"--set {shown}: expected key=value, as in `planner.nodes=800`")
    names = _parts(key, f"--set {shortened(key, LONGEST)}")
    set_value(table, names, _value(value.strip()), f"--set {key}")


def _parts(key: str, where: str) -> list[str]:
    """Return the names in a dotted key, such as ``groups.0.goal`` or ``groups[0].goal``."""
    names = [name for name in re.split(r"[.\[\]]+", key.strip()) if name]
    if not names:
        raise InputError(f"{where}: expected a key of a scenario, such as `planner.nodes`")
    if len(names) > MAX_DEPTH:
        raise InputError(f"{where}: more than {MAX_DEPTH} parts")
    return names


def _value(text: str) -> Any:
    try:
        return parsed(f"value = {text}")["value"]
    except ValueError:
        return text


def set_value(table: dict[str, Any], names: Sequence[str], value: Any, where: str) -> None:
    """Set ``table[names[0]][names[1]]...``; missing tables are made."""
    place: Any = table
    for depth, name in enumerate(names):
        last = depth == len(names) - 1
        if isinstance(place, list):
            if not name.isdigit() or int(name) >= len(place):
                given = ".".join(names[:depth])
                raise InputError(
                    f"{where}: `{given}` has {len(place)} entries, counted from 0; no `{name}`"
                )
            key: Any = int(name)
        elif isinstance(place, dict):
            key = name
        else:
            raise InputError(f"{where}: `{'.'.join(names[:depth])}` is not a table")
        if last:
            place[key] = value
        else:
            if isinstance(place, dict) and isinstance(place.get(key), str):
                place[key] = {"name": place[key]}
            place = place.setdefault(key, {}) if isinstance(place, dict) else place[key]
