"""The `[scene]` table for the arguments of a Python program."""

import glob
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import ArrayLike

from rmp3d.geometry.checked_toml import checked, read_toml
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.geometry.short_repr import in_short
from rmp3d.scenes.assembly import GROUND_PLANE, MEMORY, absolute_name, assembled
from rmp3d.scenes.builtin import builtin_scenarios, builtin_scenes
from rmp3d.scenes.description import PlacedMesh, SceneDescription
from rmp3d.scenes.formats import RawMesh
from rmp3d.scenes.given import cleaned
from rmp3d.scenes.named_mesh import NamedMesh
from rmp3d.scenes.part import Part, Role
from rmp3d.scenes.source import GivenRegion, SceneSource, region_descriptions

NAME = r"\w[\w .-]*"
"""Of a scene that is in no file: it becomes the name of one when it is saved."""


def description_at(target: str | Path) -> tuple[SceneDescription, Path]:
    """Return the description of a built-in scene or of a file, and where its paths start.

    Raises:
        InputError: No such name or file, or what is wrong in the file.
    """
    name, path = str(target), Path(target)
    if name in builtin_scenes():
        return SceneDescription(name=name), Path()
    path = builtin_scenarios().get(name, path)
    if path.suffix == ".toml":
        table = read_toml(path).get("scene", {})
        return checked(table, SceneDescription, f"{path}: `scene`"), path.parent
    if path.suffix:
        return SceneDescription(mesh=str(path)), Path()
    raise InputError(unknown_name("built-in scene", name, list(builtin_scenes())))


def stated_description(
    *, regions: Mapping[str, GivenRegion], ground: float | None, roles: Mapping[str, Role],
    position: Sequence[float], bounds: ArrayLike | None, flip: bool | Sequence[str],
    meshes: Sequence[PlacedMesh], **others: Any,
) -> SceneDescription:  # fmt: skip
    """Return the description that the arguments of `rmp3d.scenes.Scene.from_mesh` state.

    Raises:
        InputError: Names the argument, what was given, and what would be right.
    """
    table = {key: value for key, value in others.items() if value is not None}
    table |= {"roles": dict(roles), "position": _listed("position", position)}
    table |= {"flip": flip if isinstance(flip, bool) else list(flip)}
    table |= {"meshes": [_entry(row, mesh) for row, mesh in enumerate(meshes)]}
    table |= {"ground": {"height": ground}} if ground is not None else {}
    table |= {"bounds": _listed("bounds", bounds)} if bounds is not None else {}
    with naming_arguments():
        description = checked(table, SceneDescription, "`scene`")
    description.regions = region_descriptions(regions)
    return description


def _entry(row: int, mesh: PlacedMesh) -> dict[str, Any]:
    """Return an entry of `meshes` as a file has it, its path absolute."""
    if not isinstance(mesh, PlacedMesh):
        raise InputError(
            f"`meshes[{row}]` must be a `PlacedMesh`, such as PlacedMesh('chair.obj'), got "
            f"{in_short(mesh)}"
        )
    own = {name: getattr(mesh, name) for name in mesh.__struct_fields__}
    own["file"] = absolute_name(str(mesh.file), "")
    for name in ("position", "rotation"):
        own[name] = None if own[name] is None else _listed(f"meshes[{row}].{name}", own[name])
    return {name: value for name, value in own.items() if value is not None}


def check_name(name: str) -> None:
    """Refuse a name that a file cannot have everywhere.

    Raises:
        InputError: Says which letters are allowed.
    """
    if not isinstance(name, str) or not re.fullmatch(NAME, name):
        raise InputError(f"`name`: {name!r}; use letters, digits, spaces, `-`, `_` and `.`")


def at_rest(description: SceneDescription, parts: Sequence[Part]) -> SceneDescription:
    """Return a description of meshes that are turned, scaled and placed already.

    Args:
        description: What they were made of.
        parts: What was made; roles that came from `meshes` are stated by name.
    """
    roles = dict(description.roles)
    if any(entry.role is not None for entry in description.meshes):
        named = [part for part in parts if part.name != GROUND_PLANE]
        roles |= {glob.escape(part.name): part.stated_role for part in named}
    return msgspec.structs.replace(
        description, meshes=[], up="z", center="none", scale=None, position=(0.0, 0.0, 0.0),
        flip=False, roles=roles, embed=True,
    )  # fmt: skip


def own_meshes(parts: Sequence[Part]) -> list[NamedMesh]:
    """Return the meshes of parts, without the floor that a description adds."""
    return [
        NamedMesh(part.name, part.mesh, part.colors) for part in parts if part.name != GROUND_PLANE
    ]


def placed_source(
    name: str, meshes: Sequence[NamedMesh], description: SceneDescription
) -> SceneSource:
    """Return the source of a scene whose meshes are in no file.

    The meshes are placed once, here, and then cleaned as a file's are: a file of them reads back
    to the same bits.

    Args:
        name: Of the scene.
        meshes: As they were given.
        description: Says the rest.

    Raises:
        InputError: The name or a mesh cannot be used.
    """
    check_name(name)
    key = MEMORY + name
    stated = msgspec.structs.replace(description, mesh=key)
    parts = assembled(stated, Path(), {key: meshes}).parts
    raw = [
        RawMesh(mesh.name, mesh.mesh.vertices, mesh.mesh.faces, mesh.colors)
        for mesh in own_meshes(parts)
    ]
    return SceneSource(at_rest(stated, parts), {key: cleaned(raw, "`mesh`")})


@contextmanager
def naming_arguments() -> Iterator[None]:
    """Let an error name the argument of a call, not the key of a file."""
    try:
        yield
    except InputError as error:
        error.args = (str(error).replace("`scene.", "`"), *error.args[1:])
        raise


def _listed(name: str, value: ArrayLike) -> Any:
    """Return numbers in lists, as a file has them.

    Raises:
        InputError: They are no numbers.
    """
    try:
        return np.array(value, np.float64).tolist()
    except (TypeError, ValueError):
        raise InputError(f"`{name}` must be numbers, got {value!r}") from None
