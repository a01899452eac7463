"""Meshes of files turned, scaled and moved to where a description puts them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from rmp3d.geometry.arrays import Float, read_only
from rmp3d.geometry.errors import InputError, MeshError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.weak_cache import weak_cache
from rmp3d.scenes.description import PlacedMesh, SceneDescription
from rmp3d.scenes.mesh_file import MeshFile
from rmp3d.scenes.meshes import MAX_PARTS, MAX_TRIANGLES, unique_names
from rmp3d.scenes.named_mesh import NamedMesh
from rmp3d.scenes.part import Role
from rmp3d.scenes.patterns import Patterns
from rmp3d.scenes.sizes import unit_note

Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""Turns a y-up file: (x, y, z) becomes (x, -z, y)."""

FARTHEST = 1e8
"""Farthest from the origin that a scene may reach [m]. Distances to it have 1e-8 m left then; the
Earth fits, in coordinates from its center or on a map."""

Reader = Callable[[str, str], tuple[Path, MeshFile]]
"""Takes the name of a file and the key that names it."""


@dataclass
class PlacedMeshes:
    """The meshes of a scene in their places.

    Attributes:
        meshes: With unique names.
        roles: What an entry of `meshes` says about the role of each.
        notes: Of the readers, and about units.
    """

    meshes: list[NamedMesh] = field(default_factory=list)
    roles: list[Role | None] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Pose:
    """Where the meshes of one file come to lie: ``turn (scale (upright - origin)) + position``."""

    key: str
    scale: float | None
    position: Sequence[float]
    upright: Float
    origin: Float | None = None
    turn: Float | None = None

    @property
    def _numbers(self) -> tuple[object, ...]:
        arrays = (self.upright, self.origin, self.turn)
        rows = (None if array is None else tuple(array.ravel().tolist()) for array in arrays)
        return (self.scale, *self.position, *rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Pose) and self._numbers == other._numbers

    def __hash__(self) -> int:
        return hash(self._numbers)

    def applied(self, mesh: TriangleMesh, path: Path, unit: float | None) -> TriangleMesh:
        vertices = mesh.vertices @ self.upright.T
        if self.origin is not None:
            vertices = vertices - self.origin
        vertices = vertices * (self.scale or unit or 1.0)
        if self.turn is not None:
            vertices = vertices @ self.turn.T
        vertices = vertices + np.array(self.position)
        try:
            made = TriangleMesh(read_only(vertices), mesh.faces)
        except MeshError as error:
            raise InputError(
                f"{path}: {self.key}`scale` or `position` is not usable: {error}"
            ) from None
        reach = float(np.abs(vertices).max(initial=0.0))
        if reach > FARTHEST:
            raise InputError(
                f"{path}: {self.key}reaches {reach:.3g} m from the origin, but a scene may reach "
                f"{FARTHEST:g} m: see its unit (`scale`) and its place (`position`, `center`)"
            )
        return made


def placed(description: SceneDescription, names: list[str], read: Reader) -> PlacedMeshes:
    """Return the meshes of a description, in the order of `mesh` and then of `meshes`.

    Args:
        description: The `[scene]` table.
        names: The files of its key `mesh`.
        read: Returns the content of a file; it is called once for each.

    Raises:
        InputError: Names the key or the file, what is wrong, and what would be right.
    """
    found = PlacedMeshes()
    files = [read(name, "scene.mesh") for name in names]
    origin = _origin(description, files)
    for path, file in files:
        upright = _upright(description.up or file.up)
        pose = _Pose(
            key="", scale=description.scale, position=description.position,
            upright=upright, origin=origin,
        )  # fmt: skip
        prefix = None if len(files) == 1 else path.stem
        labels = [part.name if prefix is None else f"{prefix}/{part.name}" for part in file.parts]
        _add(found, path, file, pose, labels, None)
    _add_entries(found, description.meshes, read)
    unique = unique_names([mesh.name for mesh in found.meshes])
    flipped = _flips(description.flip, unique)
    found.meshes = [
        _flipped(replace(mesh, name=name), turned)
        for name, mesh, turned in zip(unique, found.meshes, flipped, strict=True)
    ]
    found.notes = list(dict.fromkeys(found.notes))
    return found


def _add_entries(found: PlacedMeshes, entries: Sequence[PlacedMesh], read: Reader) -> None:
    known: dict[str, tuple[Path, MeshFile]] = {}
    taken: dict[str, int] = {}
    triangles = 0
    for row, entry in enumerate(entries):
        key = f"scene.meshes[{row}]"
        if entry.file not in known:
            known[entry.file] = read(entry.file, f"{key}.file")
        path, file = known[entry.file]
        triangles += sum(len(part.mesh.faces) for part in file.parts)
        if triangles > MAX_TRIANGLES:
            raise InputError(
                f"`{key}`: with this one there are {triangles:,} triangles in `scene.meshes`, but "
                f"at most {MAX_TRIANGLES:,} are read"
            )
        if entry.rotation is not None and entry.yaw:
            raise InputError(f"`{key}`: give either `yaw` or `rotation`, not both")
        turn = _rotation(entry.rotation or (0.0, 0.0, entry.yaw))
        pose = _Pose(
            key=f"`{key}`: ", scale=entry.scale, position=entry.position,
            upright=_upright(entry.up or file.up), turn=turn,
        )  # fmt: skip
        name = path.stem if entry.name is None else entry.name
        taken[name] = taken.get(name, 0) + 1
        label = name if taken[name] == 1 else f"{name}.{taken[name]}"
        single = len(file.parts) == 1
        labels = [label if single else f"{label}/{part.name}" for part in file.parts]
        _add(found, path, file, pose, labels, entry.role, flip=entry.flip)


def _add(
    found: PlacedMeshes, path: Path, file: MeshFile, pose: _Pose, labels: Sequence[str],
    role: Role | None, flip: bool = False,
) -> None:  # fmt: skip
    """Add the meshes of one file under other names, and its notes."""
    count = len(found.meshes) + len(file.parts)
    if count > MAX_PARTS:
        raise InputError(
            f"{pose.key or '`scene.mesh`: '}{path.name}: with this file there are {count:,} parts, "
            f"but a scene may have at most {MAX_PARTS:,}; join some of them"
        )
    own = _in_place(file, path, pose)
    found.meshes += [
        _flipped(NamedMesh(label, mesh, part.colors, part.paint), flip)
        for label, mesh, part in zip(labels, own, file.parts, strict=True)
    ]
    found.roles += [role] * len(own)
    boxes = np.array([mesh.bounds for mesh in own])
    bounds = np.array([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])
    about_unit = unit_note(file.unit, pose.scale, bounds)
    notes = [*file.notes, about_unit] if about_unit else file.notes
    found.notes += [f"{path.name}: {note}" for note in notes]


@weak_cache
def _in_place(file: MeshFile, path: Path, pose: _Pose) -> list[TriangleMesh]:
    """Return the meshes of a file in a pose; another scene of the same file has the same ones.

    So what is known of a mesh (its normals, whether it is closed) is known in that scene, too.
    """
    return [pose.applied(part.mesh, path, file.unit) for part in file.parts]


def _origin(description: SceneDescription, files: list[tuple[Path, MeshFile]]) -> Float:
    """Return the point (3,) of the upright files, in their units, that becomes the origin."""
    if description.center != "vertices" or not files:
        return np.zeros(3)
    sums = [_upright(description.up or file.up) @ file.vertex_sum for _, file in files]
    return sum(sums, np.zeros(3)) / sum(file.vertex_count for _, file in files)


def _upright(up: str) -> Float:
    return Y_UP if up == "y" else np.eye(3)


def _rotation(angles: Sequence[float]) -> Float | None:
    """Return the turn (3, 3) of roll, pitch and yaw [degrees] about fixed axes; None for none."""
    return turn_matrix(angles) if any(angles) else None


def turn_matrix(angles: Sequence[float]) -> Float:
    """Return the turn (3, 3) of roll, pitch and yaw [degrees] about the fixed axes x, y and z."""
    (sr, sp, sy), (cr, cp, cy) = np.sin(np.radians(angles)), np.cos(np.radians(angles))
    roll = np.array([[1.0, 0.0, 0.0], [0.0, cr, -sr], [0.0, sr, cr]])
    pitch = np.array([[cp, 0.0, sp], [0.0, 1.0, 0.0], [-sp, 0.0, cp]])
    yaw = np.array([[cy, -sy, 0.0], [sy, cy, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(yaw @ pitch @ roll)


def _flips(flip: bool | list[str], names: Sequence[str]) -> list[bool]:
    """Return which parts are turned to the other side.

    Raises:
        InputError: A pattern fits no part.
    """
    if isinstance(flip, bool):
        return [flip] * len(names)
    patterns = Patterns(flip, names, "`scene.flip`")
    patterns.refuse_unused()
    return [patterns.first(name) >= 0 for name in names]


def _flipped(part: NamedMesh, flip: bool) -> NamedMesh:
    if not flip:
        return part
    mesh = TriangleMesh(part.mesh.vertices, part.mesh.faces[:, ::-1])
    return replace(part, mesh=mesh, paint=part.paint and part.paint.flipped())
