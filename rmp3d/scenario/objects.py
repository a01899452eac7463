"""Turns groups, changes and settings of a Python program into the tables of a scenario file."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rmp3d.geometry.choices import table_of
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import absolute_path
from rmp3d.geometry.registry import Registry, entry_of
from rmp3d.geometry.short_repr import in_short
from rmp3d.models import Character
from rmp3d.models.saving import settled
from rmp3d.scenario.group import Change, Group
from rmp3d.scenario.held import NOTHING_HELD, HeldObjects
from rmp3d.scenes import Box, SceneSource, Sphere
from rmp3d.scenes.assembly import MEMORY


class ObjectTables:
    """Makes the tables of groups, changes and settings, and notes what they name.

    Args:
        folder: What relative paths start at.
        known: Objects that are held already.

    Attributes:
        regions: Places that were given as shapes, by the names that the tables give them.
    """

    def __init__(self, folder: Path, known: HeldObjects = NOTHING_HELD) -> None:
        self.regions: dict[str, Box | Sphere] = {}
        self._folder = folder
        self._given: dict[int, tuple[str, Character]] = {}  # by identity, so that it stays alive
        self._characters: dict[str, Character] = dict(known.characters)
        self._choices: dict[str, Any] = dict(known.choices)

    def held(self, scene: SceneSource | None) -> HeldObjects:
        """Return all objects that the tables name."""
        return HeldObjects(scene, self._characters, self._choices)

    def group_table(self, group: Group) -> dict[str, Any]:
        """Return the table of a group.

        Raises:
            InputError: Names the argument.
        """
        from rmp3d.behaviors import ACTIVITIES, GROUP_BEHAVIORS

        where = f"`{group.name}`"
        several = isinstance(group.character, tuple)
        names = [self._name_of(each) for each in group.character] if several else None  # type: ignore[union-attr]
        table: dict[str, Any] = {
            "name": group.name,
            "character": self._name_of(group.character) if names is None else names,
            "members": _plain(group.members),
            "start": self._place(group, "start", where),
            "behavior": self._choice(GROUP_BEHAVIORS, group.behavior, f"{where}: `behavior`"),
            **({"reserve": _plain(group.reserve)} if group.reserve else {}),
        }
        if group.goal is not None:
            table["goal"] = self._place(group, "goal", where)
        for key in ("goal_radius", "speed_limit", "max_step", "heading"):
            if getattr(group, key) is not None:
                table[key] = _plain(getattr(group, key))
        if group.at_rest:
            table["at_rest"] = _plain(group.at_rest)
        if group.afterwards is not None:
            what = f"{where}: `afterwards`"
            table["afterwards"] = self._choice(ACTIVITIES, group.afterwards, what)
        return table

    def change_table(self, change: Change) -> dict[str, Any]:
        """Return the table of a change.

        Raises:
            InputError: Its behavior is none.
        """
        from rmp3d.behaviors import ACTIVITIES, GROUP_BEHAVIORS

        table = {"time": _plain(change.time), "group": change.group}
        if change.behavior is not None:
            where = f"change at {change.time} s: `behavior`"
            table["behavior"] = self._choice(GROUP_BEHAVIORS, change.behavior, where)
        if change.afterwards is not None:
            where = f"change at {change.time} s: `afterwards`"
            table["afterwards"] = self._choice(ACTIVITIES, change.afterwards, where)
        for key in ("speed_limit", "add", "remove", "send", "part"):
            if getattr(change, key) is not None:
                table[key] = _plain(getattr(change, key))
        if change.part is not None:
            table["there"] = _plain(change.there)
        if change.add is not None:
            table["count"] = _plain(change.count)
        return table

    def planner_table(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return the table `[planner]`.

        Raises:
            InputError: A sampler, local planner or cost is none.
        """
        from rmp3d.planner import COSTS, LOCAL_PLANNERS, PLANNERS, SAMPLERS

        registries = {"sampler": SAMPLERS, "local_planner": LOCAL_PLANNERS, "cost": COSTS}
        table = {key: _plain(value) for key, value in settings.items()}
        for key, registry in registries.items():
            if key in settings:
                table[key] = self._choice(registry, settings[key], f"`{key}`")
        if settings.get("planner", "auto") != "auto":
            table["planner"] = table_of(PLANNERS, settings["planner"])
        return table

    def _name_of(self, character: Any) -> str:
        """Return what a table calls a character.

        Raises:
            InputError: It is none.
        """
        if isinstance(character, str | Path):
            path = Path(character)
            return absolute_path(self._folder, path) if path.suffix == ".toml" else str(path)
        if not isinstance(character, Character):
            raise InputError(
                f"`character` must be a name (`rmp3d models`), a file (.toml) or a Character, "
                f"got {in_short(character)}"
            )
        if id(character) not in self._given:
            name = MEMORY + character.name
            if name in self._characters:
                raise InputError(
                    f"`character`: two characters are named `{character.name}`; give each a `name`"
                )
            self._characters[name] = settled(character)
            self._given[id(character)] = name, character
        return self._given[id(character)][0]

    def _place(self, group: Group, role: str, where: str) -> Any:
        place = getattr(group, role)
        if isinstance(place, Box | Sphere):
            name = f"{role} of {group.name}"
            self.regions[name] = place
            return name
        if isinstance(place, str):
            return place
        try:
            point = np.array(place, np.float64)
        except (TypeError, ValueError):
            point = np.empty(0)
        if point.shape != (3,) or not np.isfinite(point).all():
            raise InputError(
                f"{where}: `{role}` must be a region's name, a point (x, y, z) [m], a Box or a "
                f"Sphere, got {in_short(place)}"
            )
        return point.tolist()

    def _choice(self, registry: Registry, choice: Any, where: str) -> dict[str, Any]:
        """Return the table of a name, a table, or an object; hold an object in no registry."""
        try:
            if isinstance(choice, str):
                return {"name": choice}
            if isinstance(choice, Mapping):
                return dict(_plain(choice))
            return table_of(registry, choice)
        except InputError as error:
            if isinstance(choice, type) or choice is None or isinstance(choice, int | float | list):
                raise InputError(f"{where}: {error}") from None
            entry = entry_of(type(choice))
            if entry is not None and entry.kind != registry.kind:
                raise InputError(f"{where}: {error}") from None
        name = number = type(choice).__name__
        count = 1
        while number in self._choices and self._choices[number] is not choice:
            count += 1
            number = f"{name} {count}"
        self._choices[number] = choice
        return {"name": number, **_options(choice)}


def _options(choice: Any) -> dict[str, Any]:
    """Return what an object of a class in no registry was made with, for recordings to tell."""
    if not is_dataclass(choice):
        return {}
    own = {field.name: getattr(choice, field.name) for field in fields(choice) if field.init}
    return {key: _plain(value) for key, value in own.items() if value is not None}


def _plain(value: Any) -> Any:
    """Return a value as TOML and JSON have it; what they have no value for, in words."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return value if isinstance(value, bool | int | float | str) else repr(value)
