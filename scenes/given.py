"""Named, checked meshes from the mesh argument of a Python program."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.scenes.formats.mesh_format import DEFAULT_COLOR, RawFile, RawMesh
from rmp3d.scenes.mesh_file import MeshFile
from rmp3d.scenes.meshes import checked_meshes, read_mesh_file
from rmp3d.scenes.named_mesh import NamedMesh
from rmp3d.scenes.placing import Y_UP

GivenMesh: TypeAlias = TriangleMesh | tuple[ArrayLike, ArrayLike] | Any
"""A `TriangleMesh`; arrays (vertices (V, 3), faces (F, 3)); or a mesh or scene of trimesh."""

SHOWN = 60  # letters of a wrong argument that an error repeats


def files_in(mesh: Any) -> list[str]:
    """Return the absolute paths of mesh files, if those were given; nothing for a mesh itself."""
    each = list(mesh) if isinstance(mesh, list | tuple) else [mesh]
    if not each or not all(isinstance(file, str | Path) for file in each):
        return []
    return [str(Path(file).absolute()) for file in each]


def named_meshes(mesh: GivenMesh | Mapping[str, GivenMesh], name: str) -> list[NamedMesh]:
    """Return the meshes that were given, checked and cleaned as those of a file.

    Args:
        mesh: One mesh, or several by the names of their parts.
        name: Of the only part, if it has no name of its own.

    Raises:
        InputError: Says of which argument, and what it may be.
    """
    parts = dict(mesh) if isinstance(mesh, Mapping) else {name: mesh}
    if not parts:
        raise InputError("`mesh`: an empty dictionary; give at least one mesh by its name")
    raw: list[RawMesh] = []
    for key, each in parts.items():
        _check_name(key)
        raw += _raw(key, each)
    return list(cleaned(raw, "`mesh`"))


def one_mesh(mesh: Any) -> NamedMesh:
    """Return what was given as one mesh, its vertices as they are; of a file, all its meshes.

    Raises:
        InputError: It is none.
    """
    if isinstance(mesh, TriangleMesh):
        return NamedMesh("mesh", mesh, np.tile(DEFAULT_COLOR, (len(mesh.faces), 1)))
    files = files_in(mesh)
    if files:
        parts = [part for path in files for part in in_meters(read_mesh_file(Path(path)))]
    else:
        parts = named_meshes(mesh, "mesh")
    colors = np.concatenate([part.colors for part in parts])
    return NamedMesh(parts[0].name, join([part.mesh for part in parts]), colors)


def in_meters(file: MeshFile, up: str | None = None) -> list[NamedMesh]:
    """Return the meshes of a file with z up, in meters if the file says its unit.

    Args:
        file: As it was read.
        up: The axis of the file that points up; default: what the file says.
    """
    upright = (up or file.up) == "z"
    if upright and file.unit in (None, 1.0):
        return list(file.parts)
    turn = (np.eye(3) if upright else Y_UP) * (file.unit or 1.0)
    return [
        NamedMesh(
            part.name, TriangleMesh(part.mesh.vertices @ turn.T, part.mesh.faces), part.colors
        )
        for part in file.parts
    ]


def cleaned(raw: list[RawMesh], where: str) -> tuple[NamedMesh, ...]:
    """Return meshes as a file of them would be read: checked, equal vertices merged.

    Raises:
        InputError: They contain no triangles, or numbers that are not finite.
    """
    stacked = np.concatenate([np.empty((0, 3)), *(mesh.vertices for mesh in raw)])
    return checked_meshes(RawFile(raw, stacked), where).parts


def _check_name(name: object) -> None:
    if not isinstance(name, str) or not name.strip() or not name.isprintable() or '"' in name:
        raise InputError(
            f"`mesh`: a part is called {name!r}; a name is printable text without quotation marks"
        )


def _raw(name: str, mesh: Any) -> list[RawMesh]:
    if hasattr(mesh, "geometry") and hasattr(mesh, "graph"):
        return _of_trimesh_scene(name, mesh)
    if hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        return [_of_arrays(name, mesh.vertices, mesh.faces, _colors(mesh))]
    if isinstance(mesh, tuple | list) and len(mesh) == 2:
        return [_of_arrays(name, mesh[0], mesh[1], None)]
    raise InputError(
        f"`mesh`: `{name}` is {_shown(mesh)}; give a trimesh, a pair of arrays (vertices, faces), "
        "or the path of a mesh file"
    )


def _of_arrays(name: str, vertices: ArrayLike, faces: ArrayLike, colors: Float | None) -> RawMesh:
    try:
        points = np.array(vertices, np.float64)
        corners = np.asarray(faces)
    except (TypeError, ValueError) as error:
        raise InputError(f"`mesh`: `{name}`: not arrays of numbers ({error})") from None
    if points.ndim != 2 or points.shape[1] != 3:
        raise InputError(f"`mesh`: `{name}`: vertices must have shape (V, 3), got {points.shape}")
    if corners.ndim != 2 or corners.shape[1] != 3:
        raise InputError(
            f"`mesh`: `{name}`: faces must have shape (F, 3), triangles, got {corners.shape}"
        )
    if not np.issubdtype(corners.dtype, np.integer):
        raise InputError(f"`mesh`: `{name}`: faces must be whole numbers, got {corners.dtype}")
    if colors is None or colors.shape != corners.shape:
        colors = np.tile(DEFAULT_COLOR, (len(corners), 1))
    return RawMesh(name, points, corners.astype(np.intp), colors)


def _of_trimesh_scene(name: str, scene: Any) -> list[RawMesh]:
    """Return the meshes of a trimesh scene where its graph puts them, by the names of its nodes."""
    raw = []
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        mesh = scene.geometry[geometry]
        if hasattr(mesh, "faces") and len(mesh.faces):
            placed = mesh.copy()
            placed.apply_transform(transform)
            label = str(node)
            _check_name(label)
            raw.append(_of_arrays(label, placed.vertices, placed.faces, _colors(placed)))
    if not raw:
        raise InputError(f"`mesh`: `{name}` is a scene of trimesh without any mesh")
    return raw


def _colors(mesh: Any) -> Float | None:
    """Return the (F, 3) colors of faces, if the mesh says some."""
    colors = getattr(mesh, "colors", None)
    if colors is not None:
        return np.asarray(colors, np.float64)
    visual = getattr(mesh, "visual", None)
    if visual is None or not getattr(visual, "defined", False):
        return None
    if getattr(visual, "kind", None) == "texture":
        visual = visual.to_color()
    return np.asarray(visual.face_colors, np.float64)[:, :3] / 255.0


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}... ({type(value).__name__})"
