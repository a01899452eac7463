"""Wavefront OBJ: read line by line, so that an error names the line.

trimesh reads OBJ, too, but it counts relative indices from the end of the file, joins the objects,
and invents what is missing in a truncated file.
"""

from array import array
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.scenes.formats.mesh_format import DEFAULT_COLOR, MESH_FORMATS, RawFile, RawMesh
from rmp3d.scenes.polygons import triangulate_all


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


@MESH_FORMATS.register(".obj")
class Wavefront:
    """Wavefront OBJ."""

    def read(self, path: Path) -> RawFile:
        """Return the meshes of a file, one for each object (or group, if it has no objects).

        Colors are those of the materials, else of the vertices. A material library outside the
        file's folder is not opened.

        Raises:
            InputError: Names the line that cannot be understood.
        """
        content = _read_lines(path)
        if not content.vertices:
            raise InputError(f"{path}: cannot be read as OBJ: there is no vertex (`v x y z`) in it")
        vertices = np.frombuffer(content.vertices).reshape(-1, 3)
        faces, polygon = _triangles(path, content, vertices)
        colors = _colors(path, content, faces, polygon)
        group_of = np.frombuffer(content.groups, np.int64)[polygon]
        meshes = []
        for name, numbers in _part_groups(path, content).items():
            rows = np.flatnonzero(np.isin(group_of, numbers))
            used, index = np.unique(faces[rows], return_inverse=True)
            meshes.append(RawMesh(name, vertices[used], index.reshape(-1, 3), colors[rows]))
        return RawFile(meshes, vertices)


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
    return triangulate_all(vertices, corners, counts)


def _part_groups(path: Path, content: _Content) -> dict[str, list[int]]:
    """Return the numbers of the groups that make up each part."""
    by_object = any(name for name, _ in content.group_names)
    names: dict[str, list[int]] = {}
    for (name, group), number in content.group_names.items():
        names.setdefault((name if by_object else group) or path.stem, []).append(number)
    return names


def _read_lines(path: Path) -> _Content:
    content = _Content()
    place = ("", "")
    group = material = 0
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for number, line in _logical_lines(file):
                word, _, rest = line.partition(" ")
                if word == "v":
                    _add_vertex(content, rest)
                elif word == "f":
                    if group == 0:
                        group = content.group_names.setdefault(place, len(content.group_names) + 1)
                    _add_face(content, rest, number, group, material)
                elif word == "o":
                    place, group = (rest.strip() or "object", ""), 0
                elif word == "g":
                    place, group = (place[0], rest.strip()), 0
                elif word == "usemtl":
                    names = content.material_names
                    material = names.setdefault(rest.strip(), len(names))
                elif word == "mtllib":
                    content.libraries.append(rest.strip())
    except (ValueError, OverflowError) as error:
        raise InputError(f"{path}: line {number}: cannot be read as OBJ: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    return content


def _logical_lines(file: TextIO) -> Iterator[tuple[int, str]]:
    """Yield line number and text, without comments and with continued lines joined."""
    pending = ""
    for number, line in enumerate(file, 1):
        text = pending + line.partition("#")[0].strip().replace("\t", " ")
        pending = ""
        if text.endswith("\\"):
            pending = text[:-1] + " "
        elif text:
            yield number, text


def _add_vertex(content: _Content, rest: str) -> None:
    numbers = [float(word) for word in rest.split()]
    if len(numbers) < 3:
        raise ValueError(f"a vertex needs three coordinates, got {len(numbers)}")
    content.vertices.extend(numbers[:3])
    # A fourth number is a weight; six are a color after the place.
    content.vertex_colors.extend(numbers[3:6] if len(numbers) >= 6 else (np.nan,) * 3)


def _add_face(content: _Content, rest: str, line: int, group: int, material: int) -> None:
    count = len(content.vertices) // 3
    polygon = []
    for word in rest.split():
        index = int(word.partition("/")[0])
        if index == 0 or index < -count:
            raise ValueError(f"there is no vertex {index} (indices count from 1, or back from -1)")
        polygon.append(index - 1 if index > 0 else count + index)
    if len(polygon) < 3:
        raise ValueError(f"a face needs three corners, got {len(polygon)}")
    content.corners.extend(polygon)
    content.counts.append(len(polygon))
    content.lines.append(line)
    content.groups.append(group)
    content.materials.append(material)


def _colors(path: Path, content: _Content, faces: Index, polygon: Index) -> Float:
    """Return the (F, 3) colors: of the material, else of the vertices, else the default."""
    of_vertices = np.frombuffer(content.vertex_colors).reshape(-1, 3)
    colors = np.clip(of_vertices[faces].mean(axis=1), 0.0, 1.0) if len(faces) else np.empty((0, 3))
    colors = np.where(np.isnan(colors), DEFAULT_COLOR, colors)
    known = {}
    for library in content.libraries:
        known.update(_read_materials(path.parent, library))
    material_of = np.frombuffer(content.materials, np.int64)[polygon]
    for name, number in content.material_names.items():
        if name in known:
            colors[material_of == number] = known[name]
    return colors


def _read_materials(folder: Path, library: str) -> dict[str, tuple[float, ...]]:
    """Return the diffuse color of each material; none if the library is missing."""
    path = (folder / library).resolve()
    if not path.is_relative_to(folder.resolve()) or not path.is_file():
        return {}
    colors: dict[str, tuple[float, ...]] = {}
    name = ""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        word, *rest = line.split() or [""]
        if word == "newmtl":
            name = " ".join(rest)
        elif word == "Kd" and len(rest) >= 3:
            with suppress(ValueError):
                colors[name] = tuple(min(max(float(number), 0.0), 1.0) for number in rest[:3])
    return colors
