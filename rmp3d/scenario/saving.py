"""Saves a scenario as a TOML file of the same meaning; defaults are left out."""

from pathlib import Path
from typing import Any

import msgspec
import tomli_w

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.whole_file import unwritable, write_whole
from rmp3d.models.saving import save_character
from rmp3d.scenario.held import HeldObjects
from rmp3d.scenario.tables import PlannerSettings, ScenarioTable
from rmp3d.scenes import SceneSource
from rmp3d.scenes.assembly import MEMORY
from rmp3d.scenes.formats import ac3d


def scenario_table(scenario: ScenarioTable) -> dict[str, Any]:
    """Return the table of a scenario file, without defaults.

    `rmp3d.scenario.loading.from_table` makes an equal scenario of it.
    """
    return table_of(scenario)


def scenario_text(scenario: ScenarioTable) -> str:
    """Return the text of a scenario file; loading it gives an equal scenario."""
    return tomli_w.dumps(scenario_table(scenario), multiline_strings=False)


def save_scenario(scenario: ScenarioTable, path: Path | str) -> None:
    """Write a scenario file.

    Raises:
        InputError: It cannot be written, or its name is no scenario's.
    """
    _write(Path(path), scenario_text(scenario))


def save_objects(table: ScenarioTable, held: HeldObjects, path: Path) -> Path:
    """Write a scenario file, and what it names that is in no file into ``NAME.files`` beside it.

    Raises:
        InputError: It cannot be written, or names an object of a class in no registry.
    """
    for name, choice in held.choices.items():
        raise InputError(
            f"{path}: `{name}` is an object of the class `{type(choice).__name__}`, which a file "
            "cannot name: register the class in a Python file of its own (`@REGISTRY.register"
            '("name")`, as in the examples), load that with `--with FILE.py` or '
            "`load_extension`, and save again"
        )
    folder = path.with_suffix(".files")
    own = scenario_table(table)
    if held.scene is not None:
        own["scene"]["mesh"] = f"{folder.name}/{_save_scene(held.scene, folder)}"
    files = {
        name: f"{folder.name}/{save_character(character, folder).name}"
        for name, character in held.characters.items()
    }
    for group in own["groups"]:
        kinds = group.get("character", "pedestrian")
        group["character"] = (
            files.get(kinds, kinds)
            if isinstance(kinds, str)
            else [files.get(kind, kind) for kind in kinds]
        )
    _write(path, tomli_w.dumps(own, multiline_strings=False))
    return path


def _save_scene(source: SceneSource, folder: Path) -> str:
    """Write the meshes of a scene; return the file's name."""
    ((key, meshes),) = source.meshes.items()
    name = f"{key.removeprefix(MEMORY)}.ac"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ac3d.write(folder / name, meshes)
    except OSError as error:
        raise unwritable(folder / name, error) from None
    return name


def _write(path: Path, text: str) -> None:
    if path.suffix != ".toml":
        raise InputError(f"{path}: a scenario file ends in `.toml`")
    write_whole(path, text)


def table_of(structure: Any) -> dict[str, Any]:
    """Return a table of a scenario as a file has it, without defaults."""
    table = {}
    info: Any = msgspec.inspect.type_info(type(structure))
    for field in info.fields:
        value = getattr(structure, field.name)
        if value is msgspec.UNSET:
            continue
        # A name that is left out would be made up anew, from the file's.
        if value is not None and (field.name == "name" or value != _default(field)):
            table[field.encode_name] = _value(value)
    return table


def _default(field: msgspec.inspect.Field) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def _value(value: Any) -> Any:
    if isinstance(value, msgspec.Struct | PlannerSettings):
        return table_of(value)
    if isinstance(value, list | tuple):
        return [_value(item) for item in value]
    if isinstance(value, dict):
        return {key: _value(item) for key, item in value.items() if item is not None}
    return value
