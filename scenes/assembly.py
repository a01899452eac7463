"""The parts of a scene from its description: read the meshes, turn, scale, place, give roles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError, MeshError
from rmp3d.geometry.input_files import shown_path
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.plain_cause import plain_cause
from rmp3d.scenes.builtin import builtin_description
from rmp3d.scenes.description import RegionDescription, SceneDescription
from rmp3d.scenes.mesh_file import MeshFile
from rmp3d.scenes.meshes import read_mesh_file
from rmp3d.scenes.motions import moved_parts
from rmp3d.scenes.named_mesh import NamedMesh
from rmp3d.scenes.part import Part
from rmp3d.scenes.patterns import Patterns
from rmp3d.scenes.placing import placed
from rmp3d.scenes.presence import present_parts
from rmp3d.scenes.region import Region

GROUND_PLANE = "ground plane"
GROUND_COLOR = (0.62, 0.62, 0.58)
DEFAULT_MAX_SLOPE = np.pi / 4
MEMORY = "memory:"
"""Start of the name of a mesh or character that is in this process, not in a file."""

Meshes = Mapping[str, Sequence[NamedMesh]]
"""Meshes in memory, by their names in a description."""


@dataclass(frozen=True, eq=False, kw_only=True)
class AssembledScene:
    """The result of a description; the fields are those of `rmp3d.scenes.Scene`."""

    name: str
    parts: tuple[Part, ...]
    regions: Mapping[str, Region]
    bounds: Float
    max_slope: float
    roles_stated: bool
    notes: tuple[str, ...]


def is_in_memory(name: str) -> bool:
    """Whether a mesh or character of this name is an object in this process, and no file."""
    return name.startswith(MEMORY)


def absolute_name(name: str, folder: Path | str) -> str:
    """Return the absolute path of a mesh file that starts at a folder, or a name in memory."""
    return name if is_in_memory(name) else str((Path(folder) / name).absolute())


def mesh_files(description: SceneDescription) -> list[str]:
    """Return the mesh files of a description, or the names of meshes in memory."""
    mesh = description.mesh or []
    return [mesh] if isinstance(mesh, str) else mesh


def assembled(description: SceneDescription, folder: Path, meshes: Meshes) -> AssembledScene:
    """Return the assembled scene of a description.

    Args:
        description: The `[scene]` table.
        folder: Where the file with that table is; relative paths start there.
        meshes: The meshes in memory, by the names in the description.

    Raises:
        InputError: It names the key or the mesh file, what is wrong, and what would be right.
    """
    if description.name is not None:
        return _of_builtin(description)
    if not description.mesh and not description.meshes:
        raise InputError(
            "`scene`: needs `name` (a built-in scene), `mesh` (a file) or `meshes` (files with a "
            "place each)"
        )

    def read(file: str, key: str) -> tuple[Path, MeshFile]:
        return _read_one(file, folder, meshes, key)

    found = placed(description, mesh_files(description), read)
    names = [mesh.name for mesh in found.meshes]
    patterns = Patterns(description.roles, names, "`scene.roles`")
    stated = {k: role for k, role in enumerate(description.roles.values())}
    parts = [
        Part(
            mesh.name, stated.get(patterns.first(mesh.name), role or "obstacle"),
            mesh.mesh, mesh.colors, mesh.paint,
        )
        for mesh, role in zip(found.meshes, found.roles, strict=True)
    ]  # fmt: skip
    patterns.refuse_unused()
    if description.ground is not None:
        parts.append(_ground(description, parts))
    moved, begins = moved_parts(parts, description)
    parts = list(present_parts(moved, description))
    bounds = description.bounds or _around(parts)
    first = [*mesh_files(description), *(entry.file for entry in description.meshes)][0]
    return AssembledScene(
        name=first.removeprefix(MEMORY) if is_in_memory(first) else Path(first).stem,
        parts=tuple(parts),
        regions=regions_of(description.regions),
        bounds=np.array(bounds),
        max_slope=_slope(description),
        roles_stated=bool(description.roles)
        or description.ground is not None
        or any(role is not None for role in found.roles),
        notes=(*found.notes, *begins),
    )


def _of_builtin(description: SceneDescription) -> AssembledScene:
    name = str(description.name)
    fixed = {
        "mesh", "meshes", "up", "center", "scale", "position", "flip", "roles", "ground", "embed"
    }  # fmt: skip
    fresh = SceneDescription()
    if description.scale == 1.0:  # older recordings say it of every scene
        fixed.remove("scale")
    given = sorted(key for key in fixed if getattr(description, key) != getattr(fresh, key))
    if given:
        raise InputError(
            f"`scene.{given[0]}`: cannot be given with `name`: a built-in scene has its own"
        )
    try:
        stated, folder = builtin_description(name)
    except InputError as error:
        raise InputError(f"`scene.name`: {error}") from None
    own = assembled(stated, folder, {})
    moved, begins = moved_parts(own.parts, description)
    return AssembledScene(
        name=name,
        parts=present_parts(moved, description),
        regions={**own.regions, **regions_of(description.regions)},
        bounds=own.bounds if description.bounds is None else np.array(description.bounds),
        max_slope=own.max_slope if description.max_slope is None else _slope(description),
        roles_stated=own.roles_stated,
        notes=(*own.notes, *begins),
    )


def _read_one(file: str, folder: Path, meshes: Meshes, key: str) -> tuple[Path, MeshFile]:
    if not is_in_memory(file):
        path = Path(folder) / file
        try:
            there = path.exists()
        except (OSError, ValueError) as error:  # too long, or a null in it
            shown = shown_path(path)
            raise InputError(f"`{key}`: {shown}: cannot be used ({plain_cause(error)})") from None
        if not there:
            raise InputError(f"`{key}`: {shown_path(path)}: no such file")
        return path, read_mesh_file(path)
    if file not in meshes:
        raise InputError(
            f"`{key}`: `{file}` was a mesh in the memory of a Python process; it is not here: "
            "save the scenario from Python (`scenario.save`), which writes the mesh beside it"
        )
    vertices = np.concatenate([part.mesh.vertices for part in meshes[file]])
    held = MeshFile(tuple(meshes[file]), "z", vertices.sum(axis=0), len(vertices), (), 1.0)
    return Path(file.removeprefix(MEMORY)), held


def _ground(description: SceneDescription, parts: list[Part]) -> Part:
    assert description.ground is not None
    lower, upper = np.array(description.bounds or _around(parts), float)
    (x0, y0, _), (x1, y1, _) = lower, upper
    z = description.ground.height
    corners = np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z]])
    try:
        mesh = TriangleMesh(corners, np.array([[0, 1, 2], [0, 2, 3]]))
    except MeshError as error:
        raise InputError(f"`scene.ground`: {error}") from None
    return Part(GROUND_PLANE, "ground", mesh, np.tile(GROUND_COLOR, (2, 1)))


def _around(parts: list[Part]) -> Float:
    boxes = np.array([part.mesh.bounds for part in parts])
    return np.array([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])


def _slope(description: SceneDescription) -> float:
    if description.max_slope is None:
        return DEFAULT_MAX_SLOPE
    return float(np.radians(description.max_slope))


def regions_of(described: Mapping[str, RegionDescription]) -> dict[str, Region]:
    """Return the regions that a description states.

    Raises:
        InputError: Names the region, and what is wrong.
    """
    return {name: _region(name, region) for name, region in described.items()}


def _region(name: str, region: RegionDescription) -> Region:
    box = region.lower is not None and region.upper is not None
    ball = region.center is not None and region.radius is not None
    fields = (region.lower, region.upper, region.center, region.radius)
    if sum(field is not None for field in fields) != 2 or box == ball:
        raise InputError(
            f"`scene.regions.{name}`: needs either `lower` and `upper`, or `center` and `radius`"
        )
    try:
        if box:
            return Region.box(name, region.lower or (), region.upper or ())
        return Region.sphere(name, region.center or (), region.radius or 0.0)
    except InputError as error:
        problem = str(error).removeprefix(f"region `{name}`: ")
        raise InputError(f"`scene.regions.{name}`: {problem}") from None
