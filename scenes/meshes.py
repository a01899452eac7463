"""Read mesh files of every format as named, colored, checked meshes.

A mesh file is not trusted: its size is limited, it cannot run code, the files that it refers to
must lie in its own folder, and every failure is an `InputError` that names the file.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rmp3d.geometry.arrays import Float, Index, frozen
from rmp3d.geometry.errors import InputError, MeshError
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.vectors import length
from rmp3d.scenes.formats import MESH_FORMATS, MeshFormat, RawFile, RawMesh
from rmp3d.scenes.formats.mesh_format import MAX_BYTES
from rmp3d.scenes.named_mesh import NamedMesh

MAX_TRIANGLES = 20_000_000
MANY_TRIANGLES = 2_000_000
MAX_COORDINATE = 1e100
"""Largest coordinate: products of a few smaller ones stay finite."""
FLAT = 1e-12
"""A triangle lower than this share of its longest side counts as one without area."""


@dataclass(frozen=True, eq=False)
class MeshFile:
    """The checked contents of a mesh file.

    Attributes:
        parts: Its meshes, with unique names, in the order of the file.
        up: The axis that points up, by the format's rule or as the file states.
        vertex_sum: (3,) sum of all vertices in the file, used or not.
        vertex_count: Number of these vertices.
        notes: Changes made by the reader, and warnings.
    """

    parts: tuple[NamedMesh, ...]
    up: str
    vertex_sum: Float
    vertex_count: int
    notes: tuple[str, ...]


def read_meshes(path: Path) -> list[NamedMesh]:
    """Return the meshes of a file in the file's own axes and units.

    Raises:
        InputError: As `read_mesh_file`.
    """
    return list(read_mesh_file(path).parts)


def read_mesh_file(path: Path) -> MeshFile:
    """Read a mesh file of any known format.

    Vertices at one point become one. Triangles without area are dropped; a note counts them.

    Raises:
        InputError: The file is missing, empty, too large, truncated, of an unknown or the wrong
            format; or it has no triangles, vertices that are not finite, or bad indices.
    """
    path = Path(path)
    mesh_format = _format(path)
    _check_size(path)
    with np.errstate(all="ignore"):  # numbers may be anything until they are checked below
        file = mesh_format.read(path)
    return checked_meshes(file, str(path))


def checked_meshes(file: RawFile, where: str) -> MeshFile:
    """Return the meshes of a file or of a Python program, checked and cleaned.

    Args:
        file: Not checked yet.
        where: The file's path, or the argument; errors begin with it.

    Raises:
        InputError: No triangles, too many, vertices that are not finite, or bad indices.
    """
    with np.errstate(all="ignore"):
        total = file.vertices.sum(axis=0)
        largest = np.abs(file.vertices[np.isfinite(file.vertices)]).max(initial=0.0)
    if largest > MAX_COORDINATE:
        raise InputError(
            f"{where}: has a coordinate of {largest:.3g}, but at most {MAX_COORDINATE:g} are read"
        )
    raw = file.meshes
    if not any(len(mesh.faces) for mesh in raw):
        raise InputError(f"{where}: contains no triangles (points or lines only?)")
    triangles = sum(len(mesh.faces) for mesh in raw)
    if triangles > MAX_TRIANGLES:
        raise InputError(
            f"{where}: {triangles:,} triangles, but at most {MAX_TRIANGLES:,} are read; "
            "make the mesh coarser"
        )
    notes = [f"{triangles:,} triangles: this will be slow"] if triangles > MANY_TRIANGLES else []
    parts, dropped = [], 0
    for name, mesh in zip(unique_names([mesh.name for mesh in raw]), raw, strict=True):
        kept = _clean(where, name, mesh)
        dropped += len(mesh.faces) - (0 if kept is None else len(kept.mesh.faces))
        if kept is not None:
            parts.append(kept)
    if not parts:
        raise InputError(f"{where}: none of its {triangles} triangles has an area")
    if dropped:
        notes.append(f"{dropped} of {triangles} triangles have no area and were dropped")
    return MeshFile(tuple(parts), file.up, total, len(file.vertices), tuple(notes))


def unique_names(names: Iterable[str]) -> list[str]:
    """Return the names, a repeated one followed by a number: wall, wall 2, wall 3."""
    taken: set[str] = set()
    numbers: dict[str, int] = {}  # the last one that each name was given
    unique = []
    for name in names:
        fresh, number = name, numbers.get(name, 1)
        while fresh in taken:
            number += 1
            fresh = f"{name} {number}"
        numbers[name] = number
        taken.add(fresh)
        unique.append(fresh)
    return unique


def _format(path: Path) -> MeshFormat:
    suffix = path.suffix.lower()
    if suffix in MESH_FORMATS:
        return MESH_FORMATS[suffix]()
    known = ", ".join(MESH_FORMATS)
    raise InputError(f"{path}: not a known mesh format (suffix `{path.suffix}`); known: {known}")


def _check_size(path: Path) -> None:
    if not path.exists():
        raise InputError(f"{path}: no such file")
    if not path.is_file():
        raise InputError(f"{path}: is not a file")
    size = path.stat().st_size
    if size == 0:
        raise InputError(f"{path}: the file is empty")
    if size > MAX_BYTES:
        raise InputError(
            f"{path}: {size / 2**30:.1f} GiB; at most {MAX_BYTES / 2**30:.0f} are read"
        )


def _clean(where: str, name: str, raw: RawMesh) -> NamedMesh | None:
    """Merge equal vertices, drop triangles without area; None if nothing is left."""
    if len(raw.faces) == 0:
        return None
    try:
        mesh = TriangleMesh(raw.vertices, raw.faces)
    except MeshError as error:
        raise InputError(f"{where}: mesh `{name}`: {error}") from None
    corners = mesh.triangles  # (F, 3, 3)
    sides = corners - np.roll(corners, 1, axis=1)
    longest = length(sides).max(axis=1)  # (F,)
    with np.errstate(over="ignore", invalid="ignore"):
        has_area = 2.0 * mesh.areas > FLAT * longest**2
    if not has_area.any():
        return None
    places, place_of = _distinct(mesh.vertices)
    faces = place_of[mesh.faces[has_area]]
    used = np.zeros(len(places), bool)
    used[faces] = True
    faces = (np.cumsum(used) - 1)[faces]
    return NamedMesh(name, TriangleMesh(places[used], faces), frozen(raw.colors[has_area]))


def _distinct(points: Float) -> tuple[Float, Index]:
    """Return the distinct rows (U, 3) of points (V, 3), sorted, and the row (V,) of each point.

    As `numpy.unique` along an axis, but several times as fast on a million points.
    """
    points = points + 0.0  # makes a negative zero positive, so that both are one place
    order = np.lexsort(points.T[::-1])
    ranked = points[order]
    is_new = np.ones(len(points), bool)
    is_new[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    row = np.empty(len(points), np.intp)
    row[order] = np.cumsum(is_new) - 1
    return ranked[is_new], row
