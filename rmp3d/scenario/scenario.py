"""A scenario as objects: a scene, groups, changes and settings, from Python or from a file."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Unpack

import msgspec

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.short_repr import in_short
from rmp3d.models.loading import is_embedded
from rmp3d.models.saving import settled
from rmp3d.scenario.group import Change, Group
from rmp3d.scenario.held import HeldObjects
from rmp3d.scenario.loading import from_objects, load
from rmp3d.scenario.objects import ObjectTables
from rmp3d.scenario.settings import Settings, split_settings
from rmp3d.scenario.tables import ScenarioTable, check_places
from rmp3d.scenes import Scene
from rmp3d.scenes.assembly import MEMORY, is_in_memory


class Scenario:
    """A scene, groups, changes and settings: everything that a run depends on.

    >>> group = Group("drone", 3, start=(0, 0, 5), goal=(30, 0, 5))
    >>> Scenario("sky", [group], seed=1, nodes=200).table.planner.nodes
    200

    A scenario can be loaded from a file and saved to one (`load`, `save`). A run of the saved file
    gives the same recording, byte for byte.

    Args:
        scene: A `Scene`, or what `Scene.load` takes: a built-in scene's name, a file.
        groups: At least one `Group`.
        seed: Seed of all randomness.
        name: For messages and recordings.
        description: One line.
        changes: Changes during the run.
        settings: Keywords of `Settings`: ``nodes``, ``sampler``, ``duration``, ``dt``, ...

    Attributes:
        table: The same as the table of a scenario file.
        held: The objects in it that are in no file and no registry.

    Raises:
        InputError: It names the argument or key, the given value, and what would be right.
    """

    table: ScenarioTable
    held: HeldObjects

    def __init__(
        self,
        scene: Scene | str | Path,
        groups: Group | Sequence[Group],
        *,
        seed: int = 0,
        name: str = "scenario",
        description: str = "",
        changes: Sequence[Change] = (),
        **settings: Unpack[Settings],
    ) -> None:
        stated = _scene_of(scene).reproducible
        tables = ObjectTables(Path.cwd())
        rows = [
            tables.group_table(group.named(group.name or f"group {row + 1}"))
            for row, group in enumerate(_listed("groups", groups, Group))
        ]
        if tables.regions:
            stated = stated.with_regions(tables.regions)
        assert stated.source is not None
        split = split_settings(settings)
        table = {
            "name": name,
            "description": description,
            "seed": seed,
            "scene": msgspec.to_builtins(stated.source.description),
            "groups": rows,
            "changes": [
                tables.change_table(change) for change in _listed("changes", changes, Change)
            ],
            "planner": tables.planner_table(split["planner"]),
            "simulation": split["simulation"],
            **split["top"],
        }
        held = tables.held(stated.source if stated.source.is_held else None)
        self._set(from_objects(table, held, "scenario"), held)
        self.__dict__["scene"] = stated
        check_places(self.table, stated)

    def _set(self, table: ScenarioTable, held: HeldObjects) -> None:
        self.table, self.held = table, held

    @classmethod
    def load(
        cls,
        target: str | Path,
        overrides: Sequence[str] = (),
        *,
        members: int | None = None,
        behavior: str | None = None,
        formation: str | None = None,
        seed: int | None = None,
        **settings: Unpack[Settings],
    ) -> "Scenario":
        """Return a built-in scenario by its name, or the scenario of a file.

        >>> Scenario.load("parking", members=3, duration=5.0).table.groups[0].members
        3

        Args:
            target: A name (`rmp3d scenarios`), or the path of a scenario file (``.toml``).
            overrides: ``key=value`` each, as ``--set`` of the command line has them.
            members: Number of members of the first group.
            behavior: Name of the first group's behavior.
            formation: Formation of the first group's behavior.
            seed: Seed of all randomness.
            settings: Keywords of `Settings`.

        Raises:
            InputError: Names file and key, what was given, and what is allowed.
        """
        table = load(
            str(target), overrides, members=members, behavior=behavior, formation=formation,
            seed=seed,
        )  # fmt: skip
        return cls.of(table).changed(**settings)

    @classmethod
    def of(cls, scenario: "Scenario | ScenarioTable") -> "Scenario":
        """Return the scenario of a table; meshes and characters that say `embed` are read now.

        Raises:
            InputError: One of those cannot be read.
        """
        return scenario if isinstance(scenario, Scenario) else cls.held_by(*_embedded(scenario))

    @classmethod
    def held_by(cls, table: ScenarioTable, held: HeldObjects) -> "Scenario":
        """Return the scenario of a table and of the objects that it names."""
        made = cls.__new__(cls)
        made._set(table, held)
        return made

    def changed(self, *, seed: int | None = None, **settings: Unpack[Settings]) -> "Scenario":
        """Return the same scenario with another seed or other settings.

        Raises:
            InputError: A setting is unknown or wrong.
        """
        given = {**settings, **({} if seed is None else {"seed": seed})}
        if not given:
            return self
        tables = ObjectTables(Path.cwd(), self.held)
        split = split_settings(settings)
        table = msgspec.to_builtins(self.table)
        table["planner"] |= tables.planner_table(split["planner"])
        table["simulation"] |= split["simulation"]
        table |= split["top"]
        table["seed"] = table["seed"] if seed is None else seed
        held = tables.held(self.held.scene)
        made = self.held_by(from_objects(_without_none(table), held, "scenario"), held)
        if "scene" in self.__dict__:
            made.__dict__["scene"] = self.scene
        return made

    @cached_property
    def scene(self) -> Scene:
        """The scene; its files are read at the first access.

        Raises:
            InputError: A mesh file is missing or cannot be read.
        """
        return Scene.described(self.table.scene, held=self.held.scene)

    @property
    def name(self) -> str:
        """The name, for messages and recordings."""
        return self.table.name

    @property
    def seed(self) -> int:
        """The seed of all randomness."""
        return self.table.seed

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups, with behaviors and characters as objects where they are in no file."""
        from rmp3d.behaviors import ACTIVITIES, GROUP_BEHAVIORS

        return tuple(
            Group(
                tuple(self.held.characters.get(name, name) for name in group.characters)
                if len(group.kinds) > 1
                else self.held.characters.get(group.kinds[0], group.kinds[0]),
                group.members,
                start=group.start,
                goal=group.goal,
                behavior=self.held.choose(GROUP_BEHAVIORS, group.behavior),
                goal_radius=group.goal_radius,
                speed_limit=group.speed_limit,
                max_step=group.max_step,
                heading=group.heading,
                at_rest=group.at_rest,
                afterwards=self.held.choose(ACTIVITIES, group.afterwards)
                if group.afterwards
                else None,
                reserve=group.reserve,
                name=group.name,
            )
            for group in self.table.groups
        )

    def save(self, path: Path | str) -> Path:
        """Write a scenario file that runs the same, byte for byte.

        Meshes and characters that are in no file are written beside it, into ``NAME.files``.

        Args:
            path: Ends in ``.toml``.

        Returns:
            The path.

        Raises:
            InputError: It cannot be written, or a behavior or sampler is of a class in no registry,
                which a file cannot name.
        """
        from rmp3d.scenario.saving import save_objects

        return save_objects(self.table, self.held, Path(path))

    def __repr__(self) -> str:
        table = self.table
        groups = ", ".join(
            f"{group.members} {'/'.join(group.kinds)} ({group.behavior['name']})"
            for group in table.groups
        )
        return f"<Scenario `{table.name}`: {groups}; seed {table.seed}>"


def _scene_of(scene: Any) -> Scene:
    return scene if isinstance(scene, Scene) else Scene.load(scene)


def _listed(name: str, given: Any, kind: type) -> list[Any]:
    listed = [given] if isinstance(given, kind) else given
    if not isinstance(listed, Iterable) or isinstance(listed, str | Mapping):
        raise InputError(f"`{name}` must be a list of {kind.__name__}, got {in_short(given)}")
    listed = list(listed)
    for row, each in enumerate(listed):
        if not isinstance(each, kind):
            raise InputError(f"`{name}[{row}]` must be a {kind.__name__}, got {in_short(each)}")
    return listed


def _embedded(table: ScenarioTable) -> tuple[ScenarioTable, HeldObjects]:
    """Return a table with names of held objects where it, or a character file, says `embed`."""
    source = None
    if table.scene.embed and (table.scene.mesh or table.scene.meshes):
        source = Scene.described(table.scene).source
        assert source is not None
        table = msgspec.structs.replace(table, scene=source.description)
    own = {
        name: settled(HeldObjects().character(name))
        for name in table.kinds
        if not is_in_memory(name) and is_embedded(name)
    }
    if not own:
        return table, HeldObjects(scene=source)
    names = {file: MEMORY + character.name for file, character in own.items()}
    groups = [
        msgspec.structs.replace(
            group,
            character=names.get(group.character, group.character)
            if isinstance(group.character, str)
            else [names.get(name, name) for name in group.character],
        )
        for group in table.groups
    ]
    held = HeldObjects(source, {names[file]: character for file, character in own.items()})
    return msgspec.structs.replace(table, groups=groups), held


def _without_none(value: Any) -> Any:
    """Return a table without keys that say nothing, which a file cannot have."""
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    return [_without_none(item) for item in value] if isinstance(value, list) else value
