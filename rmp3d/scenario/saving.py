"""From a scenario to a file that means the same: what is not a default, as TOML."""

from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from rmp3d.geometry.errors import InputError
from rmp3d.scenario import ScenarioTable


def scenario_table(scenario: ScenarioTable) -> dict[str, Any]:
    """Return the table of a scenario file, without what is the default anyway.

    `rmp3d.scenario.loading.from_table` makes an equal scenario of it.
    """
    return _table(scenario)


def scenario_text(scenario: ScenarioTable) -> str:
    """Return the text of a scenario file; loading it gives an equal scenario."""
    return tomli_w.dumps(scenario_table(scenario), multiline_strings=False)


def save_scenario(scenario: ScenarioTable, path: Path | str) -> None:
    """Write a scenario file.

    Raises:
        InputError: It cannot be written, or its name is no scenario's.
    """
    path = Path(path)
    if path.suffix != ".toml":
        raise InputError(f"{path}: a scenario file ends in `.toml`")
    try:
        path.write_text(scenario_text(scenario), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror})") from None


def _table(structure: msgspec.Struct) -> dict[str, Any]:
    table = {}
    for field in msgspec.structs.fields(structure):
        value = getattr(structure, field.name)
        # A name that is left out would be made up anew, from the file's.
        if value is not None and (field.name == "name" or value != _default(field)):
            table[field.encode_name] = _value(value)
    return table


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def _value(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        return _table(value)
    if isinstance(value, list | tuple):
        return [_value(item) for item in value]
    if isinstance(value, dict):
        return {key: _value(item) for key, item in value.items() if item is not None}
    return value
