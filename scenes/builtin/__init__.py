"""The built-in scenes: one folder each, with `scene.glb`, `scene.toml` and `scenario.toml`.

The meshes are made by the scripts in `scenes/build`. Further scenarios are in `scenarios`.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

import msgspec

from rmp3d.geometry.checked_toml import checked, read_toml
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.scenes.description import SceneDescription

FOLDER = Path(__file__).parent


class SceneFile(msgspec.Struct, forbid_unknown_fields=True):
    """The contents of a `scene.toml`: one line about the scene, and its `[scene]` table."""

    description: str
    scene: SceneDescription


@cache
def builtin_scenes() -> tuple[str, ...]:
    """Return the names of the built-in scenes, sorted."""
    return tuple(sorted(file.parent.name for file in FOLDER.glob("*/scene.toml")))


@cache
def builtin_scenarios() -> Mapping[str, Path]:
    """Return the built-in scenarios, file by name: one per scene, and those in `scenarios`.

    A scene's own scenario has the scene's name; the name of another is its path, such as
    ``steering/seek``.
    """
    own = {name: FOLDER / name / "scenario.toml" for name in builtin_scenes()}
    root = FOLDER / "scenarios"
    more = {
        file.relative_to(root).with_suffix("").as_posix(): file for file in root.rglob("*.toml")
    }
    return MappingProxyType(dict(sorted({**own, **more}.items())))


def builtin_folder(name: str) -> Path:
    """Return the folder of a built-in scene; its scenario is `scenario.toml` in there.

    Raises:
        InputError: There is no such scene; names the nearest, and all.
    """
    if name not in builtin_scenes():
        raise InputError(unknown_name("built-in scene", name, list(builtin_scenes())))
    return FOLDER / name


def builtin_description(name: str) -> tuple[SceneDescription, Path]:
    """Return the description of a built-in scene and the folder that its paths start at."""
    folder = builtin_folder(name)
    return _read(folder).scene, folder


def builtin_summary(name: str) -> str:
    """Return one line about a built-in scene."""
    return _read(builtin_folder(name)).description


def _read(folder: Path) -> SceneFile:
    path = folder / "scene.toml"
    return checked(read_toml(path), SceneFile, str(path))
