"""Wavefront OBJ: read line by line, so that an error names the line.

trimesh reads OBJ, too, but it counts relative indices from the end of the file, joins the objects,
and invents what is missing in a truncated file.
"""

import os
from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import BinaryIO, NamedTuple, TextIO

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import open_input, read_input, shown_path
from rmp3d.geometry.plain_cause import plain_cause
from rmp3d.geometry.printable import shortened
from rmp3d.geometry.registry import LONGEST_NAME
from rmp3d.scenes.formats.mesh_format import (
    DEFAULT_COLOR,
    MAX_BYTES,
    MAX_COUNT,
    MESH_FORMATS,
    RawFile,
    RawMesh,
)
from rmp3d.scenes.formats.wavefront_blocks import Run, face_block, runs, vertex_block
from rmp3d.scenes.formats.wavefront_textures import (
    painted,
    places_of_faces,
    texture_of_line,
    texture_places,
)
from rmp3d.scenes.polygons import triangulate_all

MAX_LIBRARIES = 100
MAX_LIBRARY_BYTES = 16 * 2**20
"""Most material libraries of a file that are read, and the size of each."""
UNKNOWN = (np.nan, np.nan, np.nan)


@dataclass
class _Content:
    """The contents of a file's lines, in order."""

    vertices: array = field(default_factory=lambda: array("d"))  # 3 each
    vertex_colors: array = field(default_factory=lambda: array("d"))  # 3 each
    corners: array = field(default_factory=lambda: array("q"))  # of all polygons
    counts: array = field(default_factory=lambda: array("q"))  # of each polygon's corners
    lines: array = field(default_factory=lambda: array("q"))  # of each polygon
    groups: array = field(default_factory=lambda: array("q"))  # of each polygon
    materials: array = field(default_factory=lambda: array("q"))  # of each polygon
    group_names: dict[tuple[str, str], int] = field(default_factory=dict)
    material_names: dict[str, int] = field(default_factory=lambda: {"": 0})
    libraries: list[str] = field(default_factory=list)
    edges: int = 0
    last_edge: int = 0  # its line
    place: tuple[str, str] = ("", "")  # object and group of the faces that follow
    group: int = 0  # its number; 0: it has none yet
    material: int = 0  # of the faces that follow

    def group_of_faces(self) -> int:
        """Return the number of the group that faces belong to now."""
        if self.group == 0:
            self.group = self.group_names.setdefault(self.place, len(self.group_names) + 1)
        return self.group


class _Material(NamedTuple):
    """The diffuse color of a material, and the file of its texture, empty if it has none."""

    color: tuple[float, float, float] = UNKNOWN
    texture: str = ""


@MESH_FORMATS.register(".obj")
class Wavefront:
    """Wavefront OBJ."""

    def read(self, path: Path) -> RawFile:
        """Return the meshes of a file, one for each object (or group, if it has no objects).

        Colors are those of the materials and their textures, else of the vertices. A material
        library outside the file's folder is not opened.

        Raises:
            InputError: Names the line that cannot be understood.
        """
        content = _read_lines(path)
        if not content.vertices:
            raise InputError(f"{path}: cannot be read as OBJ: there is no vertex (`v x y z`) in it")
        vertices = np.frombuffer(content.vertices).reshape(-1, 3)
        faces, polygon = _triangles(path, content, vertices)
        look = _look(path, content, faces, polygon)
        names = _part_groups(path, content)
        part_of_group = np.empty(len(content.group_names) + 1, np.intp)
        for part, numbers in enumerate(names.values()):
            part_of_group[numbers] = part
        part_of = part_of_group[np.frombuffer(content.groups, np.int64)[polygon]]
        ends = np.cumsum(np.bincount(part_of, minlength=len(names)))
        rows_of = np.split(np.argsort(part_of, kind="stable"), ends[:-1])
        meshes = []
        for name, rows in zip(names, rows_of, strict=False):  # without names, one empty piece
            used, index = np.unique(faces[rows], return_inverse=True)
            meshes.append(
                RawMesh(
                    name, vertices[used], index.reshape(-1, 3), look.colors[rows],
                    None if look.picture is None else look.picture[rows],
                    None if look.places is None else look.places[rows],
                )
            )  # fmt: skip
        notes = list(look.notes)
        if content.edges:
            notes.append(f"{content.edges} faces of two corners are edges and were passed over")
        return RawFile(meshes, vertices, notes=tuple(notes), pictures=look.pictures)


def _triangles(path: Path, content: _Content, vertices: Float) -> tuple[Index, Index]:
    """Return the triangles (F, 3), and the polygon (F,) of each."""
    corners = np.frombuffer(content.corners, np.int64)
    counts = np.frombuffer(content.counts, np.int64)
    bad = np.flatnonzero(corners >= len(vertices))
    if len(bad):
        line = content.lines[np.searchsorted(np.cumsum(counts), bad[0], side="right")]
        raise InputError(
            f"{path}: line {line}: a face refers to vertex {corners[bad[0]] + 1}, but there are "
            f"{len(vertices)}; is the file cut short?"
        )
    try:
        return triangulate_all(vertices, corners, counts)
    except InputError as error:
        raise InputError(f"{shown_path(path)}: {error}") from None


def _part_groups(path: Path, content: _Content) -> dict[str, list[int]]:
    """Return the numbers of the groups that make up each part."""
    by_object = any(name for name, _ in content.group_names)
    names: dict[str, list[int]] = {}
    for (name, group), number in content.group_names.items():
        names.setdefault((name if by_object else group) or path.stem, []).append(number)
    return names


def _read_lines(path: Path) -> _Content:
    content = _Content()
    number = 0
    try:
        with open_input(path, MAX_BYTES) as file:
            for run in runs(file):
                if run.word == "skip" or _add_block(content, run):
                    continue
                source = file if run.word == "rest" else BytesIO(run.text)
                text = TextIOWrapper(source, "utf-8", "replace")
                for number, line in _logical_lines(text, run.first):
                    _add_line(content, line, number)
            if content.last_edge == number > 0 and not _ends_with_a_line(file):
                raise _LineError("a face needs three corners, got 2; is the file cut short?")
    except _LineError as error:
        cause = str(error)
    except ValueError as error:
        cause = plain_cause(error)
    else:
        return content
    raise InputError(f"{shown_path(path)}: line {number}: cannot be read as OBJ: {cause}")


def _ends_with_a_line(file: BinaryIO) -> bool:
    file.seek(-1, os.SEEK_END)
    return file.read(1) in b"\r\n"


def _add_block(content: _Content, run: Run) -> bool:
    """Add many lines of vertices or faces at once; return whether they are plain enough."""
    if run.word == "v":
        numbers = vertex_block(run)
        if numbers is not None:
            colors = numbers[:, 3:] if numbers.shape[1] == 6 else np.full((len(numbers), 3), np.nan)
            content.vertices.frombytes(numbers[:, :3].tobytes())
            content.vertex_colors.frombytes(colors.tobytes())
        return numbers is not None
    found = face_block(run) if run.word == "f" else None
    if found is None:
        return False
    corners, counts = found
    known = len(content.vertices) // 3
    if ((corners == 0) | (corners < -known) | (corners > MAX_COUNT)).any():
        return False
    content.corners.frombytes(np.where(corners > 0, corners - 1, known + corners).tobytes())
    content.counts.frombytes(counts.tobytes())
    content.lines.frombytes(np.arange(run.first, run.first + run.lines).tobytes())
    content.groups.frombytes(np.full(run.lines, content.group_of_faces()).tobytes())
    content.materials.frombytes(np.full(run.lines, content.material).tobytes())
    return True


def _add_line(content: _Content, line: str, number: int) -> None:
    word, _, rest = line.partition(" ")
    if word == "v":
        _add_vertex(content, rest)
    elif word == "f":
        _add_face(content, rest, number)
    elif word == "o":
        content.place, content.group = (rest.strip() or "object", ""), 0
    elif word == "g":
        content.place, content.group = (content.place[0], rest.strip()), 0
    elif word == "usemtl":
        names = content.material_names
        content.material = names.setdefault(rest.strip(), len(names))
    elif word == "mtllib":
        content.libraries.append(rest.strip())


class _LineError(Exception):
    """What is wrong in a line, in words."""


def _logical_lines(file: TextIO, first: int = 1) -> Iterator[tuple[int, str]]:
    """Yield line number and text, without comments and with continued lines joined."""
    pending: list[str] = []
    for number, line in enumerate(file, first):
        text = line.partition("#")[0].strip().replace("\t", " ")
        if text.endswith("\\"):
            pending.append(text[:-1])
            continue
        if pending:
            text, pending = " ".join([*pending, text]), []
        if text:
            yield number, text


def _add_vertex(content: _Content, rest: str) -> None:
    numbers = [float(word) for word in rest.split()]
    if len(numbers) < 3:
        raise _LineError(f"a vertex needs three coordinates, got {len(numbers)}")
    content.vertices.extend(numbers[:3])
    # A fourth number is a weight; six are a color after the place.
    content.vertex_colors.extend(numbers[3:6] if len(numbers) >= 6 else (np.nan,) * 3)


def _add_face(content: _Content, rest: str, line: int) -> None:
    count = len(content.vertices) // 3
    polygon = []
    for word in rest.split():
        index = int(word.partition("/")[0])
        if index == 0 or not -count <= index <= MAX_COUNT:
            given = shortened(word, LONGEST_NAME)
            raise _LineError(f"there is no vertex {given} (indices count from 1, or back from -1)")
        polygon.append(index - 1 if index > 0 else count + index)
    if len(polygon) == 2:  # exporters write edges so
        content.edges, content.last_edge = content.edges + 1, line
        return
    if len(polygon) < 3:
        raise _LineError(f"a face needs three corners, got {len(polygon)}")
    content.corners.extend(polygon)
    content.counts.append(len(polygon))
    content.lines.append(line)
    content.groups.append(content.group_of_faces())
    content.materials.append(content.material)


class _Look(NamedTuple):
    """Colors (F, 3) of faces, their pictures as in `RawMesh` and `RawFile`, and notes on them."""

    colors: Float
    picture: Index | None = None
    places: Float | None = None
    pictures: tuple[bytes, ...] = ()
    notes: tuple[str, ...] = ()


def _look(path: Path, content: _Content, faces: Index, polygon: Index) -> _Look:
    """Return what the faces look like.

    A face has the color of its texture, else of its material, its vertices, or the default.
    """
    of_vertices = np.frombuffer(content.vertex_colors).reshape(-1, 3)
    colors = np.clip(of_vertices[faces].mean(axis=1), 0.0, 1.0) if len(faces) else np.empty((0, 3))
    colors = np.where(np.isnan(colors), DEFAULT_COLOR, colors)
    known = _read_libraries(path.parent, content.libraries)
    names = content.material_names
    of_material = np.array([known[name].color if name in known else UNKNOWN for name in names])
    material = np.frombuffer(content.materials, np.int64)
    of_faces = of_material[material[polygon]]
    colors = np.where(np.isnan(of_faces), colors, of_faces)
    pictures = {
        number: known[name].texture
        for name, number in names.items()
        if name in known and known[name].texture
    }
    if not pictures:
        return _Look(colors)
    counts = np.frombuffer(content.counts, np.int64)
    textured = np.isin(material, list(pictures))
    places = np.full((len(content.corners), 2), np.nan)
    lines = np.frombuffer(content.lines, np.int64)[textured]
    with open_input(path, MAX_BYTES) as file, TextIOWrapper(file, "utf-8", "replace") as text:
        found = texture_places(_logical_lines(text), lines, counts[textured])
    places[np.repeat(textured, counts)] = found
    corners = np.frombuffer(content.corners, np.int64)
    of_triangles = places_of_faces(faces, polygon, corners, counts, places)
    colors, picture, textures = painted(
        path.parent, colors, of_triangles, material[polygon], pictures
    )
    encoded, notes = tuple(textures.pictures.encoded), tuple(textures.notes)
    return _Look(colors, picture, of_triangles, encoded, notes)


def _read_libraries(folder: Path, libraries: list[str]) -> dict[str, _Material]:
    """Return the materials by their names; none of a library that cannot be read."""
    home, found = folder.resolve(), dict.fromkeys(map(str.strip, libraries))
    paths = dict.fromkeys((home / name).resolve() for name in list(found) if "\0" not in name)
    materials: dict[str, _Material] = {}
    for path in [path for path in paths if path.is_relative_to(home)][:MAX_LIBRARIES]:
        with suppress(InputError):
            materials.update(_read_materials(path))
    return materials


def _read_materials(path: Path) -> dict[str, _Material]:
    """Return the materials of a library by their names."""
    materials: dict[str, _Material] = {}
    name = ""
    for line in read_input(path, MAX_LIBRARY_BYTES).decode("utf-8", "replace").splitlines():
        word, *rest = line.split() or [""]
        if word == "newmtl":
            name = " ".join(rest)
        elif word == "Kd" and len(rest) >= 3:
            with suppress(ValueError):
                red, green, blue = (min(max(float(number), 0.0), 1.0) for number in rest[:3])
                known = materials.get(name, _Material())
                materials[name] = known._replace(color=(red, green, blue))
        elif word.lower() == "map_kd":
            known = materials.get(name, _Material())
            materials[name] = known._replace(texture=texture_of_line(rest))
    return materials
