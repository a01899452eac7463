"""The kinds of targets on the command line: scenario, problem, recording, scene, mesh."""

from pathlib import Path
from typing import Any

from rmp3d.errors import prefix_errors_with_file
from rmp3d.geometry.checked_toml import checked
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import shown_path
from rmp3d.scenario.loading import builtin_table, load
from rmp3d.scenario.overrides import apply_overrides
from rmp3d.scenario.tables import GroupTable
from rmp3d.scenes import Scene, SceneDescription, builtin_scenarios, load_scene

RECORDING_SUFFIX = ".rmp3d"
PROBLEM_SUFFIXES = (".cfg", ".env")
RESULT_SUFFIX = ".json"


def is_recording(target: str) -> bool:
    """Whether the target names a recording file."""
    return Path(target).suffix == RECORDING_SUFFIX


def is_problem(target: str) -> bool:
    """Whether the target names a problem file, of OMPL.app or PMPL."""
    return Path(target).suffix.lower() in PROBLEM_SUFFIXES


def is_result(target: str) -> bool:
    """Whether the target names a result of `rmp3d plan`."""
    return Path(target).suffix.lower() == RESULT_SUFFIX


def scene_of(target: str, overrides: list[str]) -> Scene:
    """Return the scene of a built-in name, a scenario file, or a mesh file.

    Args:
        target: Name or path.
        overrides: ``key=value`` of the scenario; a mesh has only ``scene`` keys.

    Raises:
        InputError: The target or one of its files is wrong.
    """
    with prefix_errors_with_file(target):
        return described_scene(target, description_of_target(target, overrides)[0])


def described_scene(target: str, description: SceneDescription) -> Scene:
    """Return the scene that `description_of_target` found for a target.

    Raises:
        InputError: One of its mesh files is wrong.
    """
    with prefix_errors_with_file(target):
        return load_scene(description, Path("/"))


def description_of_target(
    target: str, overrides: list[str]
) -> tuple[SceneDescription, GroupTable | None]:
    """Return the scene's table of a target, and its first group; None for a mesh file.

    Args:
        target: Name or path.
        overrides: ``key=value`` of the scenario; a mesh has only ``scene`` keys.

    Raises:
        InputError: The target is wrong.
    """
    path = Path(target)
    if target in builtin_scenarios() and not overrides:
        scenario = builtin_table(target)
        return scenario.scene, scenario.groups[0]
    if target in builtin_scenarios() or path.suffix == ".toml" or not path.suffix:
        scenario = load(target, overrides)
        return scenario.scene, scenario.groups[0]
    if not path.exists():
        raise InputError(f"{shown_path(target)}: no such file")
    table: dict[str, Any] = {"scene": {"mesh": str(path.resolve())}}
    apply_overrides(table, overrides)
    unknown = sorted(set(table) - {"scene"})
    if unknown:
        raise InputError(f"--set {unknown[0]}: a mesh has only `scene` keys, such as `scene.up=y`")
    with prefix_errors_with_file(target):
        return checked(table["scene"], SceneDescription, "`scene`"), None
