"""From a target on the command line to a checked scenario."""

import copy
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from rmp3d.geometry.checked_toml import checked, read_toml
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import absolute_path, shown_path
from rmp3d.geometry.printable import printable
from rmp3d.geometry.registry import unknown_name
from rmp3d.scenario.held import NOTHING_HELD, HeldObjects
from rmp3d.scenario.measuring import check_lines
from rmp3d.scenario.overrides import apply_overrides, assign, set_value
from rmp3d.scenario.tables import (
    MAX_MEMBERS_OF_ALL,
    MAX_STEPS,
    ChangeTable,
    GroupTable,
    ScenarioTable,
)
from rmp3d.scenario.track_tables import with_tracks
from rmp3d.scenario.trip_tables import room_for_comers, with_trips
from rmp3d.scenes import builtin_scenarios
from rmp3d.scenes.assembly import is_in_memory

DEFAULT_BEHAVIOR = "narrow_passages"
"""Of a group that states none."""
NOTHING: Mapping[str, Any] = {}


def load(
    target: str,
    overrides: Sequence[str] = (),
    *,
    members: int | None = None,
    behavior: str | None = None,
    formation: str | None = None,
    seed: int | None = None,
    values: Mapping[str, Any] = NOTHING,
    values_folder: Path | None = None,
) -> ScenarioTable:
    """Return a built-in scenario or the scenario of a file, with overrides, checked.

    Args:
        target: The name of a built-in scenario, or the path of a scenario file.
        overrides: ``key=value`` each; keys are dotted (``groups.0.members=5``), values are
            TOML, and what is not TOML is a string. Relative paths in them start at the working
            folder; those of the file at its own.
        members: Number of members of the first group.
        behavior: Behavior of the first group; if it differs from the file's, it begins with its
            own defaults, and ``overrides`` change these.
        formation: Formation of the first group's behavior.
        seed: Seed of the scenario.
        values: By dotted key, as in ``overrides``, but not as text; before these.
        values_folder: Where relative paths in ``values`` start; None: the working folder.

    Raises:
        InputError: It names file and key, the given value, and what is allowed.
    """
    path, name = _find(target)
    table = read_toml(path)
    table.setdefault("groups", [{}])
    table = _with_paths(table, path.resolve().parent, target)
    assign(table, values)
    table = _with_paths(table, values_folder or Path.cwd(), target)
    if behavior is not None:
        _choose_behavior(table["groups"], behavior)
    apply_overrides(table, overrides)
    for key, value in (("seed", seed), ("groups.0.members", members)):
        if value is not None:
            set_value(table, key.split("."), value, f"--{key.rsplit('.', 1)[-1]}")
    table = _normalized(table, name)
    _check_behavior(table["groups"], behavior)
    if formation is not None:
        _choose_formation(table["groups"], formation)
    return _checked_scenario(table, Path.cwd(), str(target))


def builtin_table(name: str) -> ScenarioTable:
    """Return the table of a built-in scenario as its file has it, without defaults of behaviors.

    To look these up loads all behaviors, which takes as long as a small scene is looked over.
    """
    path, own = _find(name)
    table = _with_paths(read_toml(path), path.resolve().parent, name)
    table.setdefault("groups", [{}])
    return checked(_normalized(table, own), ScenarioTable, name)


def from_table(table: Mapping[str, Any], where: str = "scenario") -> ScenarioTable:
    """Return the scenario of a table as in a file; relative paths start at the working folder.

    Args:
        table: Not changed.
        where: What errors call it.

    Raises:
        InputError: Names the key, what was given, and what is allowed.
    """
    own = {"groups": [{}], **copy.deepcopy(dict(table))}
    return _checked_scenario(_normalized(own, "scenario"), Path.cwd(), where)


def from_objects(table: Mapping[str, Any], held: HeldObjects, where: str) -> ScenarioTable:
    """Return the scenario of a table that names objects of a Python program; see `from_table`.

    Args:
        table: Not changed.
        held: What its names mean that are in no file and no registry.
        where: What errors call it.

    Raises:
        InputError: Names the key, what was given, and what is allowed.
    """
    own = {"groups": [{}], **copy.deepcopy(dict(table))}
    return _checked_scenario(_normalized(own, "scenario"), Path.cwd(), where, held)


def _checked_scenario(
    table: dict[str, Any], folder: Path, where: str, held: HeldObjects = NOTHING_HELD
) -> ScenarioTable:
    scenario = checked(_with_paths(table, folder, where), ScenarioTable, where)
    _check_whole(scenario, where)
    check_choices(scenario, where, held)
    return _with_goals(scenario, where, held)


def check_choices(scenario: ScenarioTable, where: str, held: HeldObjects = NOTHING_HELD) -> None:
    """Refuse names that are not registered, and options that the named class does not have.

    Raises:
        InputError: It names the key, and the nearest name or all names.
    """
    from rmp3d.behaviors import ACTIVITIES, GROUP_BEHAVIORS
    from rmp3d.planner import COSTS, LOCAL_PLANNERS, PLANNERS, SAMPLERS, SPACES

    if scenario.planner.space not in ("auto", *SPACES):
        problem = unknown_name("space", scenario.planner.space, ["auto", *SPACES])
        raise InputError(f"{where}: `planner.space`: {problem}")
    held.choose(SAMPLERS, scenario.planner.sampler, f"{where}: `planner.sampler`")
    held.choose(LOCAL_PLANNERS, scenario.planner.local_planner, f"{where}: `planner.local_planner`")
    held.choose(COSTS, scenario.planner.cost, f"{where}: `planner.cost`")
    for row, cost in enumerate(scenario.planner.against):
        held.choose(COSTS, cost, f"{where}: `planner.against[{row}]`")
    if scenario.planner.planner != "auto":
        held.choose(PLANNERS, scenario.planner.planner, f"{where}: `planner.planner`")
    for row, group in enumerate(scenario.groups):
        held.choose(GROUP_BEHAVIORS, group.behavior, f"{where}: `groups[{row}].behavior`")
        if group.afterwards is not None:
            held.choose(ACTIVITIES, group.afterwards, f"{where}: `groups[{row}].afterwards`")
    for row, change in enumerate(scenario.changes):
        if change.behavior is not None:
            held.choose(GROUP_BEHAVIORS, change.behavior, f"{where}: `changes[{row}].behavior`")
        if change.afterwards is not None:
            held.choose(ACTIVITIES, change.afterwards, f"{where}: `changes[{row}].afterwards`")


def _find(target: str) -> tuple[Path, str]:
    """Return the scenario file of a target, and the name it gives by default."""
    path = Path(target)
    builtin = builtin_scenarios()
    if target in builtin:
        return builtin[target], path.name
    if path.suffix == ".toml":
        return path, printable(path.stem)
    if path.is_dir():
        raise InputError(f"{target}: is a folder; give a file that is in it")
    if path.exists():
        raise InputError(
            f"{target}: not a scenario file (.toml); `rmp3d inspect` and `rmp3d view` take meshes"
        )
    folders = {name.rpartition("/")[0] for name in builtin}
    if path.suffix or path.parent.as_posix() not in {".", *folders}:
        raise InputError(f"{shown_path(target)}: no such file")
    among = [name for name in builtin if name.rpartition("/")[0] == target.rpartition("/")[0]]
    raise InputError(unknown_name("built-in scenario or scenario file", target, among))


def _normalized(table: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the table with names given, and with ``{ name = ... }`` where a name is enough."""
    table = {"name": name, **table}
    if isinstance(table.get("planner"), dict):
        table["planner"] = _tables(table["planner"], ("sampler", "local_planner", "cost"))
    if isinstance(table["groups"], list):
        table["groups"] = [
            _tables({"name": GroupTable.default_name(row), **group}, ("behavior", "afterwards"))
            if isinstance(group, dict)
            else group
            for row, group in enumerate(table["groups"])
        ]
    if isinstance(table.get("changes"), list):
        table["changes"] = [
            _tables(change, ("behavior", "afterwards")) if isinstance(change, dict) else change
            for change in table["changes"]
        ]
    return table


def _tables(table: dict[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    named = {key: {"name": table[key]} for key in keys if isinstance(table.get(key), str)}
    return {**table, **named}


def _choose_behavior(groups: Any, behavior: str) -> None:
    """Give the first group a behavior; the options of another one in the file are dropped."""
    if not _has_first(groups):
        return
    stated = groups[0].get("behavior", DEFAULT_BEHAVIOR)
    name = stated.get("name") if isinstance(stated, dict) else stated
    if name != behavior:
        groups[0]["behavior"] = {"name": behavior}


def _check_behavior(groups: Any, behavior: str | None) -> None:
    """Refuse ``--set groups.0.behavior=...`` that contradicts ``--behavior``."""
    if behavior is None or not _has_first(groups):
        return
    stated = groups[0].get("behavior", DEFAULT_BEHAVIOR)
    name = stated.get("name", behavior) if isinstance(stated, dict) else behavior
    if name != behavior:
        raise InputError(
            f"--behavior {behavior}: but --set says `groups.0.behavior.name` is `{name}`; "
            "leave one of them out"
        )


def _choose_formation(groups: Any, formation: str) -> None:
    if _has_first(groups):
        stated = groups[0].get("behavior", {"name": DEFAULT_BEHAVIOR})
        if isinstance(stated, dict):  # else neither a name nor a table: the types are checked next
            groups[0]["behavior"] = {**stated, "formation": formation}


def _has_first(groups: Any) -> bool:
    return isinstance(groups, list) and bool(groups) and isinstance(groups[0], dict)


def _with_paths(table: dict[str, Any], folder: Path, where: str) -> dict[str, Any]:
    try:
        return _resolved(table, folder)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _resolved(table: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the table with the paths in it absolute, taken from the file's own folder."""
    scene = table.get("scene")
    if isinstance(scene, dict):
        scene = table["scene"] = with_tracks(scene, folder)
        mesh = scene.get("mesh")
        if isinstance(mesh, str):
            scene["mesh"] = _resolved_mesh(mesh, folder)
        elif isinstance(mesh, list):
            scene["mesh"] = [
                _resolved_mesh(item, folder) if isinstance(item, str) else item for item in mesh
            ]
        entries = scene.get("meshes")
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict) and isinstance(entry.get("file"), str):
                entry["file"] = _resolved_mesh(entry["file"], folder)
    planner = table.get("planner")
    if isinstance(planner, dict) and isinstance(planner.get("roadmap"), str):
        planner["roadmap"] = planner["roadmap"] and absolute_path(folder, planner["roadmap"])
    for row, group in enumerate(table["groups"] if isinstance(table["groups"], list) else ()):
        if isinstance(group, dict) and "character" in group:
            try:
                group["character"] = _resolved_character(group["character"], folder)
            except InputError as error:
                raise InputError(f"`groups[{row}].character`: {error}") from None
        if isinstance(group, dict) and "behavior" in group:
            group["behavior"] = with_trips(group["behavior"], folder)
    return table


def _resolved_mesh(file: str, folder: Path) -> str:
    return file if is_in_memory(file) else absolute_path(folder, file)


def _resolved_character(value: Any, folder: Path) -> Any:
    """Return a name or a list of names with absolute paths; a list of one name alone is that.

    Raises:
        InputError: There is no such file.
    """
    if isinstance(value, list):
        if not all(isinstance(name, str) for name in value):
            return value
        names = [_resolved_character(name, folder) for name in value]
        return names[0] if len(set(names)) == 1 else names
    if not str(value).endswith(".toml"):
        return value
    path = absolute_path(folder, value)
    if not os.path.exists(path):  # false, too, for names that no file can have
        raise InputError(f"{shown_path(path)}: no such file")
    return path


def _with_goals(scenario: ScenarioTable, where: str, held: HeldObjects) -> ScenarioTable:
    """Return the scenario with the default goal where a behavior needs one.

    Raises:
        InputError: A goal is stated for a behavior that has none.
    """
    from rmp3d.behaviors import GROUP_BEHAVIORS

    groups = []
    for row, group in enumerate(scenario.groups):
        name = group.behavior["name"]
        behavior = held.choose(GROUP_BEHAVIORS, group.behavior)
        if getattr(behavior, "needs_goal", False):
            group = msgspec.structs.replace(group, goal=group.goal or GroupTable.default_goal)
        elif group.goal is not None or group.goal_radius is not None:
            raise InputError(
                f"{where}: `groups[{row}].goal`: the behavior `{name}` has no goal; "
                "say in the group's `behavior` what it is about"
            )
        elif group.afterwards is not None:
            raise InputError(
                f"{where}: `groups[{row}].afterwards`: the behavior `{name}` has no goal to arrive "
                "at, and so no afterwards; leave the key out"
            )
        reserve = max(group.reserve, room_for_comers(behavior, f"{where}: `groups[{row}]"))
        groups.append(msgspec.structs.replace(group, reserve=reserve))
    return msgspec.structs.replace(scenario, groups=groups)


def _check_whole(scenario: ScenarioTable, where: str) -> None:
    """Refuse values that contradict each other."""
    names = [group.name for group in scenario.groups]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(f"{where}: two groups are named `{twice[0]}`")
    _check_changes(scenario, where)
    check_lines(scenario.measure, where)
    if scenario.member_count > MAX_MEMBERS_OF_ALL:
        raise InputError(
            f"{where}: `groups`: {scenario.member_count:,} members in all; at most "
            f"{MAX_MEMBERS_OF_ALL:,} are simulated"
        )
    dt, duration = scenario.simulation.dt, scenario.simulation.duration
    if dt > duration:
        raise InputError(
            f"{where}: `simulation.dt` ({dt} s) is longer than `simulation.duration` ({duration} s)"
        )
    if duration / dt > MAX_STEPS:
        raise InputError(
            f"{where}: `simulation.dt`: {dt} s makes {duration / dt:,.0f} steps of "
            f"`simulation.duration` ({duration} s); at most {MAX_STEPS:,} are simulated"
        )


def _check_changes(scenario: ScenarioTable, where: str) -> None:
    groups = {group.name: group for group in scenario.groups}
    time = 0.0
    for row, change in enumerate(scenario.changes):
        here = f"{where}: `changes[{row}]"
        if change.is_of_scene:
            time = _later(change, time, here)
            continue
        if change.group not in groups:
            problem = unknown_name("group", change.group, list(groups))
            raise InputError(f"{here}.group`: {problem}")
        time = _later(change, time, here)
        given = (change.behavior or {}).get("name")
        name = groups[change.group].behavior.get("name")
        if change.behavior is not None and given != name:
            raise InputError(
                f"{here}.behavior`: a group keeps its kind of behavior while it runs, "
                f"`{name}`; given `{given}`"
            )
    counts = dict(zip(groups, scenario.counts, strict=True))
    for row, change in enumerate(scenario.changes):
        if not change.is_of_scene:
            _check_leavers(change, counts[change.group], f"{where}: `changes[{row}]")


def _later(change: ChangeTable, time: float, here: str) -> float:
    """Return the time [s] of a change; refuse it before that of the one before."""
    if change.time < time:
        raise InputError(f"{here}.time`: {change.time} s is earlier than the one before")
    return change.time


def _check_leavers(change: ChangeTable, count: int, here: str) -> None:
    """Refuse numbers of members that there never are, and points that are none."""
    numbers = [change.remove] if isinstance(change.remove, int) else change.remove
    if isinstance(numbers, list):
        wrong = [number for number in numbers if number >= count]
        if wrong:
            raise InputError(
                f"{here}.remove`: {wrong[0]}; in the course of the run `{change.group}` has "
                f"{count} members, counted from 0"
            )
    if change.send and len(change.send) != 3:
        raise InputError(f"{here}.send`: a point is [x, y, z], or [] for none; got {change.send}")
