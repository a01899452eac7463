"""Read mesh files of every format as named, colored, checked meshes.

A mesh file is not trusted: its size is limited, it cannot run code, the files that it refers to
must lie in its own folder, and every failure is an `InputError` that names the file.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Bool, Float, frozen, read_only
from rmp3d.geometry.errors import InputError, MeshError
from rmp3d.geometry.input_files import open_input, shown_path
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.places import distinct
from rmp3d.geometry.printable import printable, shortened
from rmp3d.scenes.formats import MESH_FORMATS, MeshFormat, RawFile, RawMesh
from rmp3d.scenes.formats.mesh_format import MAX_BYTES
from rmp3d.scenes.kept_files import kept_mesh_file
from rmp3d.scenes.memory import check_memory
from rmp3d.scenes.mesh_file import MeshFile
from rmp3d.scenes.named_mesh import NamedMesh
from rmp3d.scenes.paint import NO_PICTURE, Paint

MAX_TRIANGLES = 20_000_000
MAX_PARTS = 20_000
MAX_COORDINATE = 1e100
"""Largest coordinate: products of a few smaller ones stay finite."""
CHUNK = 200_000
"""Triangles or points that are looked at together."""
CACHED = 8_000
"""Triangles whose areas are computed together: so many fit into the processor's cache."""
FARTHEST = 1e4
"""Repeats of a picture on a face that are told apart in single precision."""
FLAT = 1e-12
"""A triangle lower than this share of its longest side counts as one without area."""
_READ: ContextVar[dict[Path, MeshFile] | None] = ContextVar("read", default=None)


def read_meshes(path: Path) -> list[NamedMesh]:
    """Return the meshes of a file in the file's own axes and units.

    Raises:
        InputError: As `read_mesh_file`.
    """
    return list(read_mesh_file(path).parts)


@contextmanager
def each_file_read_once() -> Iterator[None]:
    """Inside, a mesh file that was read is not read again: for several scenes of the same files."""
    token = _READ.set({})
    try:
        yield
    finally:
        _READ.reset(token)


def read_mesh_file(path: Path) -> MeshFile:
    """Read a mesh file of any known format; see also `each_file_read_once`.

    Vertices at one point become one. Triangles without area are dropped; a note counts them.

    Raises:
        InputError: The file is missing, empty, too large, truncated, of an unknown or the wrong
            format; or it has no triangles, vertices that are not finite, or bad indices.
    """
    path = Path(path)
    read_before = _READ.get()
    if read_before is None:
        return _read_mesh_file(path)
    if path not in read_before:
        read_before[path] = _read_mesh_file(path)
    return read_before[path]


def _read_mesh_file(path: Path) -> MeshFile:
    mesh_format = _format(path)
    _check_size(path)
    check_memory(path)

    def read() -> MeshFile:
        with np.errstate(all="ignore"):  # numbers may be anything until they are checked below
            file = mesh_format.read(path)
        return checked_meshes(file, shown_path(path))

    return kept_mesh_file(path, read)


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
        largest = max((_largest(rows) for rows in _chunks(file.vertices)), default=0.0)
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
    if len(raw) > MAX_PARTS:
        raise InputError(
            f"{where}: {len(raw):,} parts, but at most {MAX_PARTS:,} are read; join some of them"
        )
    notes = list(file.notes)
    parts, dropped, merged = [], 0, 0
    for name, mesh in zip(unique_names([mesh.name for mesh in raw]), raw, strict=True):
        kept = _clean(where, name, mesh, file.pictures)
        dropped += len(mesh.faces) - (0 if kept is None else len(kept.mesh.faces))
        if kept is not None:
            parts.append(_without_repeats(kept))
            merged += len(kept.mesh.faces) - len(parts[-1].mesh.faces)
    if not parts:
        raise InputError(f"{where}: none of its {triangles} triangles has an area")
    if dropped:
        notes.append(f"{dropped} of {triangles} triangles have no area and were dropped")
    if merged:
        notes.append(f"{merged} of {triangles} triangles were there twice, and are there once now")
    return MeshFile(tuple(parts), file.up, total, len(file.vertices), tuple(notes), file.unit)


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
    suffix = shortened(printable(path.suffix), 40)
    raise InputError(
        f"{shown_path(path)}: not a known mesh format (suffix `{suffix}`); known: {known}"
    )


def _check_size(path: Path) -> None:
    with open_input(path, MAX_BYTES) as file:
        if not file.read(1):
            raise InputError(f"{shown_path(path)}: the file is empty")


def _clean(where: str, name: str, raw: RawMesh, pictures: tuple[bytes, ...]) -> NamedMesh | None:
    """Merge equal vertices, drop triangles without area; None if nothing is left."""
    if len(raw.faces) == 0:
        return None
    try:
        mesh = TriangleMesh(raw.vertices, raw.faces)
    except MeshError as error:
        raise InputError(f"{where}: mesh `{name}`: {error}") from None
    has_area = np.concatenate(
        [_has_area(mesh.vertices[rows]) for rows in _chunks(mesh.faces, CACHED)]
    )
    if not has_area.any():
        return None
    places, place_of = distinct(mesh.vertices)
    faces = place_of[mesh.faces[has_area]]
    used = np.zeros(len(places), bool)
    used[faces] = True
    faces = (np.cumsum(used) - 1)[faces]
    cleaned = TriangleMesh(read_only(places[used]), read_only(faces))
    return NamedMesh(name, cleaned, frozen(raw.colors[has_area]), _paint(raw, has_area, pictures))


def _paint(raw: RawMesh, kept: Bool, pictures: tuple[bytes, ...]) -> Paint | None:
    """Return the pictures on the faces (F,) that are kept; places that are not finite have none."""
    if raw.picture is None or raw.places is None:
        return None
    placed: Bool = np.asarray(np.isfinite(raw.places).all(axis=(1, 2)))
    picture = np.where(placed, raw.picture, NO_PICTURE)
    places = np.where(placed[:, None, None], np.clip(raw.places, -FARTHEST, FARTHEST), 0.0)
    return Paint(pictures, picture, places).select(kept)


def _has_area(corners: Float) -> Bool:
    """Return which triangles (F, 3, 3) have an area, (F,).

    By coordinate, several times as fast as rows of three numbers.
    """
    a, b, c = np.ascontiguousarray(corners.transpose(1, 2, 0))  # (3, F) each
    with np.errstate(over="ignore", invalid="ignore"):
        (ux, uy, uz), (vx, vy, vz), (wx, wy, wz) = b - a, c - a, c - b
        longest = np.maximum(
            np.maximum(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz),
            wx * wx + wy * wy + wz * wz,
        )
        x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        large: Bool = np.sqrt(x * x + y * y + z * z) > FLAT * longest
    return large


def _largest(points: Float) -> float:
    return float(np.abs(points[np.isfinite(points)]).max(initial=0.0))


def _chunks(rows: NDArray[Any], size: int = CHUNK) -> Iterator[NDArray[Any]]:
    """Yield an array in pieces, so that what is computed of them takes little memory."""
    for first in range(0, len(rows), size):
        yield rows[first : first + size]


def _without_repeats(part: NamedMesh) -> NamedMesh:
    """Return the mesh without triangles that repeat another one, its sense of rotation included."""
    faces = part.mesh.faces
    if len(faces) == 1:
        return part
    first = faces.argmin(axis=1)
    rows = np.arange(len(faces))
    one, two, three = (faces[rows, (first + turn) % 3] for turn in range(3))
    edge = one * len(part.mesh.vertices) + two
    order = np.argsort(edge, kind="stable")
    alike = np.diff(edge[order]) == 0
    if not alike.any():
        return part
    near = np.concatenate([alike, [False]]) | np.concatenate([[False], alike])
    same = order[near]  # rows of triangles that share a directed edge with another one
    keys = np.column_stack([edge[same], three[same]])
    # A stable sort keeps the first of equal ones before the others.
    _, kept = np.unique(keys, axis=0, return_index=True)
    if len(kept) == len(keys):
        return part
    keep = np.ones(len(faces), bool)
    keep[same] = False
    keep[same[kept]] = True
    paint = part.paint and part.paint.select(keep)
    return NamedMesh(part.name, part.mesh.select(keep), frozen(part.colors[keep]), paint)
