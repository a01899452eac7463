"""BYU polygon files (`.g`), the meshes of PMPL: reader and writer.

A header ``parts vertices faces edges``; two numbers for each part, its first and last face; the
vertices; the faces, as vertex numbers that count from 1, the last of each face negative.
"""

from itertools import pairwise
from pathlib import Path

import numpy as np

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import shown_path
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.whole_file import write_whole
from rmp3d.scenes.formats.mesh_format import (
    DEFAULT_COLOR,
    MESH_FORMATS,
    RawFile,
    RawMesh,
)
from rmp3d.scenes.polygons import triangulate_all
from rmp3d.scenes.tokens import Tokens, read_text

MAX_PARTS = 100_000
FEWEST_CORNERS = 1000  # that a face may have; else a few times the number of vertices


@MESH_FORMATS.register(".g")
class Byu:
    """BYU polygons, the meshes of PMPL."""

    def read(self, path: Path) -> RawFile:
        """Return the mesh of a BYU file; its parts are one mesh.

        Raises:
            InputError: Names the line that cannot be understood.
        """
        return _read(path)


def _read(path: Path) -> RawFile:
    tokens = Tokens(path, read_text(path))
    parts = tokens.take_int("the number of parts", 1, MAX_PARTS)
    vertex_count = tokens.take_int("the number of vertices", 1)
    face_count = tokens.take_int("the number of faces", 1)
    tokens.take_int("the number of edges")
    if tokens.left < 2 * parts + 3 * vertex_count + 3 * face_count:
        raise InputError(
            f"{path}: its header says {parts} parts, {vertex_count} vertices and {face_count} "
            f"faces, but only {tokens.left} numbers follow; is the file cut short?"
        )
    for part in range(2 * parts):
        tokens.take_int(f"the range of part {part // 2 + 1}", 0)
    vertices = np.array([tokens.take_float("a coordinate") for _ in range(3 * vertex_count)])
    vertices = vertices.reshape(-1, 3)
    corners: list[int] = []
    counts: list[int] = []
    for face in range(1, face_count + 1):
        polygon = _polygon(tokens, face, vertex_count)
        if len(set(polygon)) < len(polygon):  # a corner twice: no simple polygon, cut as a fan
            fan = [(polygon[0], second, third) for second, third in pairwise(polygon[1:])]
            corners += [corner for triangle in fan for corner in triangle]
            counts += [3] * len(fan)
        else:
            corners += polygon
            counts.append(len(polygon))
    try:
        rows, count = np.array(corners, np.intp), np.array(counts, np.intp)
        faces, _ = triangulate_all(vertices, rows, count, fans=False)
    except InputError as error:
        raise InputError(f"{shown_path(path)}: {error}") from None
    colors = np.tile(DEFAULT_COLOR, (len(faces), 1))
    return RawFile([RawMesh(Path(path).stem, vertices, faces, colors)], vertices)


def _polygon(tokens: Tokens, face: int, vertex_count: int) -> list[int]:
    """Return the vertices of a face, counted from 0."""
    polygon: list[int] = []
    while True:
        corner = tokens.take_int(f"a corner of face {face}", -vertex_count, vertex_count)
        if corner == 0:
            raise tokens.error(f"face {face} refers to vertex 0; vertices count from 1")
        polygon.append(abs(corner) - 1)
        if corner < 0:
            break
        if len(polygon) > max(FEWEST_CORNERS, 4 * vertex_count):
            raise tokens.error(f"face {face} does not end (no negative vertex)")
    if len(polygon) < 3:
        raise tokens.error(f"face {face} has {len(polygon)} corners, but needs three")
    return polygon


def write(path: Path, mesh: TriangleMesh) -> None:
    """Write a mesh as a BYU file of one part, coordinates with all their digits.

    Raises:
        InputError: The file cannot be written.
    """
    faces = len(mesh.faces)
    lines = [f"1 {len(mesh.vertices)} {faces} {3 * faces}", f"1 {faces}"]
    lines += [f"{x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()]
    lines += [f"{a + 1} {b + 1} {-(c + 1)}" for a, b, c in mesh.faces.tolist()]
    write_whole(Path(path), "\n".join(lines) + "\n")
