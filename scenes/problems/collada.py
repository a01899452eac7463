"""Meshes of OMPL.app problems: the triangles, and the reference point of a robot.

OMPL.app reads COLLADA with Assimp. Assimp turns a mesh with z up to y up, and joins identical
vertices; the reference point of a robot is the mean of the vertices that are left. The reader here
does the same, so that the poses in a `.cfg` have the same meaning.
"""

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import open_input, shown_path
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.plain_cause import LONGEST_CAUSE, plain_cause
from rmp3d.geometry.printable import printable, shortened
from rmp3d.geometry.vectors import length
from rmp3d.scenes.formats.instances import check_collada
from rmp3d.scenes.formats.mesh_format import MAX_BYTES
from rmp3d.scenes.meshes import FLAT, MAX_TRIANGLES, read_mesh_file

TO_Y_UP = {
    "Z_UP": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
    "X_UP": np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    "Y_UP": np.eye(3),
}
"""Columns are turned by these, by the file's `<up_axis>`."""

JOIN_DECIMALS = 5
"""Vertices are identical if position, normal and texture agree to this many decimals."""


LOSES_TRIANGLES = re.compile(
    r"geometry|\bnode .* not found|translate|rotate|scale|matrix|lookat|transform", re.I
)
"""Errors in a COLLADA file with these words lose or move triangles; others only change looks."""


@dataclass(frozen=True, eq=False)
class OmplMesh:
    """A mesh as OMPL.app has it.

    Attributes:
        mesh: Its triangles, y up; of doubled ones (front and back) one is left.
        center: (3,) the reference point of a robot with this mesh.
        bounds: (2, 3) the box around all vertices, those of lines included.
    """

    mesh: TriangleMesh
    center: Float
    bounds: Float


def read(path: Path) -> OmplMesh:
    """Read a COLLADA file (`.dae`) as OMPL.app does; other formats in the file's own axes.

    Raises:
        InputError: The file is missing, broken, too large, or contains no triangles.
    """
    path = Path(path)
    if path.suffix.lower() != ".dae":
        file = read_mesh_file(path)
        triangles = np.concatenate([part.mesh.triangles for part in file.parts])
        vertices = np.concatenate([part.mesh.vertices for part in file.parts])
    else:
        triangles, vertices = _read_collada(path)
    if len(triangles) == 0:
        raise InputError(f"{path}: contains no triangles (lines only?)")
    if not (np.isfinite(triangles).all() and np.isfinite(vertices).all()):
        raise InputError(f"{path}: a vertex is not finite")
    mesh = _distinct_triangles(path, triangles)
    box = frozen([vertices.min(axis=0), vertices.max(axis=0)])
    return OmplMesh(mesh, frozen(vertices.mean(axis=0)), box)


def _read_collada(path: Path) -> tuple[Float, Float]:
    """Return triangles (F, 3, 3) and the joined vertices (V, 3) of all instances, y up."""
    with open_input(path, MAX_BYTES) as file:
        try:
            check_collada(file)
        except (InputError, etree.XMLSyntaxError) as error:
            raise InputError(
                f"{shown_path(path)}: cannot be read as COLLADA: {plain_cause(error)}"
            ) from None
    import collada
    from collada.common import DaeBrokenRefError, DaeError, DaeUnsupportedError

    triangles: list[Float] = []
    vertices: list[Float] = []
    count = 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ignored = [DaeError, DaeUnsupportedError, DaeBrokenRefError]
            document = collada.Collada(str(path), ignore=ignored)
            _refuse_losses(path, document)
            turn = TO_Y_UP[document.assetInfo.upaxis] * (document.assetInfo.unitmeter or 1.0)
            for corners, joined in _primitives(document):
                triangles.append(corners)
                vertices.append(joined)
                count += len(corners)
                if count > MAX_TRIANGLES:
                    raise InputError(f"{path}: more than {MAX_TRIANGLES:,} triangles")
    except InputError as error:
        text = str(error)
        raise InputError(
            text if text.startswith(str(path)) else f"{shown_path(path)}: {text}"
        ) from None
    # A parser may raise any exception on arbitrary input; each becomes an error of this file.
    except Exception as error:
        raise InputError(
            f"{shown_path(path)}: cannot be read as COLLADA: {plain_cause(error)}; "
            "is the file cut short?"
        ) from None
    empty = np.empty((0, 3))
    with np.errstate(invalid="ignore"):  # what is not finite is refused by `read`, in words
        return (
            np.concatenate([np.empty((0, 3, 3)), *triangles]) @ turn.T,
            np.concatenate([empty, *vertices]) @ turn.T,
        )


def _refuse_losses(path: Path, document: Any) -> None:
    """Raise `InputError` if an error that the parser ignored loses triangles."""
    faults = [str(error) for error in document.errors]
    lost = [fault for fault in faults if LOSES_TRIANGLES.search(fault)]
    meshes = document.xmlnode.getroot().iterfind(f".//{document.tag('geometry')}")
    listed = sum(node.find(document.tag("mesh")) is not None for node in meshes)
    if lost or len(document.geometries) < listed:
        reason = (lost or faults or ["two meshes have one id"])[0]
        bare = re.sub(r"^\w+(Error|Exception): ", "", reason)  # a type of the parser's language
        cause = shortened(printable(" ".join(bare.split())), LONGEST_CAUSE)
        raise InputError(f"{shown_path(path)}: a mesh in it cannot be read ({cause})")


def _primitives(document: Any) -> Iterator[tuple[Float, Float]]:
    """Yield triangles (F, 3, 3) and joined vertices of each primitive of each instance."""
    from collada.lineset import BoundLineSet
    from collada.polylist import BoundPolylist

    if document.scene is None:
        return
    for geometry in document.scene.objects("geometry"):
        for bound in geometry.primitives():
            primitive = bound.triangleset() if isinstance(bound, BoundPolylist) else bound
            if primitive.vertex is None or len(primitive.vertex_index) == 0:
                continue
            places = np.asarray(primitive.vertex, np.float64)
            index = np.asarray(primitive.vertex_index, np.intp)
            if index.min() < 0 or index.max() >= len(places):
                raise InputError(f"a face refers to vertex {index.max()} of {len(places)}")
            if isinstance(primitive, BoundLineSet):
                yield np.empty((0, 3, 3)), _joined(places[index.ravel()], [])
            elif index.shape[1:] == (3,):
                columns = _attributes(primitive)
                yield places[index], _joined(places[index.ravel()], columns)


def _attributes(primitive: Any) -> list[Float]:
    """Return the normals and texture coordinates of the corners, if there are any."""
    columns: list[Float] = []
    if primitive.normal is not None and primitive.normal_index is not None:
        normals = np.asarray(primitive.normal, np.float64)
        columns.append(normals[np.asarray(primitive.normal_index, np.intp).ravel()])
    indices = primitive.texcoord_indexset or ()
    for index, values in zip(indices, primitive.texcoordset or (), strict=False):
        texture = np.asarray(values, np.float64)[np.asarray(index, np.intp).ravel()]
        columns.append(texture[:, :2])
    return columns


def _joined(places: Float, attributes: list[Float]) -> Float:
    """Return the positions (J, 3) of corners that differ in position or attributes."""
    rows = np.round(np.hstack([places, *attributes]), JOIN_DECIMALS) + 0.0
    _, first = np.unique(rows, axis=0, return_index=True)
    return places[first]


def _distinct_triangles(path: Path, triangles: Float) -> TriangleMesh:
    """Return the mesh of the triangles with an area; equal ones of any orientation count once."""
    sides = triangles - np.roll(triangles, 1, axis=1)
    longest = length(sides).max(axis=1)
    doubled_area = length(np.cross(sides[:, 1], sides[:, 2]))
    triangles = triangles[doubled_area > FLAT * longest**2]
    if len(triangles) == 0:
        raise InputError(f"{path}: none of its triangles has an area")
    vertices, faces = np.unique(triangles.reshape(-1, 3) + 0.0, axis=0, return_inverse=True)
    faces = faces.reshape(-1, 3)
    _, first = np.unique(np.sort(faces, axis=1), axis=0, return_index=True)
    return TriangleMesh(vertices, faces[np.sort(first)])
