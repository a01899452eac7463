"""3MF, COLLADA, glTF, OFF, PLY and STL, read by trimesh."""

import logging
import re
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import numpy as np
import trimesh
from trimesh.resolvers import FilePathResolver

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.scenes.formats.declared_size import check_declared_size
from rmp3d.scenes.formats.mesh_format import DEFAULT_COLOR, MAX_BYTES, RawFile, RawMesh

_ZIPPED = (".3mf", ".zae")


class ConfinedResolver(FilePathResolver):
    """Opens the files that a mesh file refers to, if they are in its folder."""

    def get(self, name: str) -> bytes:
        """Return the content of a file beside the mesh.

        Raises:
            InputError: The file is outside the folder, missing, or too large.
        """
        folder = Path(self.parent).resolve()
        path = (folder / name.strip()).resolve()
        if not path.is_relative_to(folder):
            raise InputError(f"it refers to `{name}`, which is outside its folder")
        if not path.is_file():
            raise InputError(f"it refers to `{name}`, which is not beside it")
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"it refers to `{name}`, which is too large")
        return path.read_bytes()


def read(path: Path) -> RawFile:
    """Return the meshes of a file, node transforms applied, one for each node with a mesh.

    Raises:
        InputError: The file does not have the format of its suffix, or is truncated.
    """
    kind = path.suffix.lower()[1:]
    try:
        _refuse_zip_bomb(path)
        check_declared_size(path)
        with path.open("rb") as file, _quiet():
            scene = trimesh.load_scene(
                file, file_type=kind, resolver=ConfinedResolver(str(path)), process=False
            )
            meshes = _meshes(scene, path.stem)
    # A parser may raise any exception on arbitrary input; each becomes an error of this file.
    except Exception as error:
        reason = str(error).strip().splitlines()
        detail = f"{type(error).__name__}: {reason[0][:200]}" if reason else type(error).__name__
        if isinstance(error, InputError):
            detail = str(error)
        raise InputError(
            f"{path}: cannot be read as {kind.upper()} ({detail}); "
            "is the file cut short, or its suffix wrong?"
        ) from None
    vertices = [mesh.vertices for mesh in meshes] or [np.empty((0, 3))]
    return RawFile(meshes, np.concatenate(vertices), _up(path))


@contextmanager
def _quiet() -> Iterator[None]:
    """Hide warnings and trimesh's log, with its tracebacks, from the user."""
    log = logging.getLogger("trimesh")
    before = log.disabled
    log.disabled = True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.disabled = before


def _meshes(scene: Any, stem: str) -> list[RawMesh]:
    order = {name: row for row, name in enumerate(scene.geometry)}
    found: dict[str, list[tuple[int, RawMesh]]] = {}
    for node in scene.graph.nodes_geometry:
        transform, geometry_name = scene.graph[node]
        geometry = scene.geometry[geometry_name]
        if not isinstance(geometry, trimesh.Trimesh) or len(geometry.faces) == 0:
            continue
        name = _part_name(scene, node, geometry, stem)
        mesh = _raw(name, geometry, np.asarray(transform, np.float64))
        found.setdefault(name, []).append((order[geometry_name], mesh))
    groups = [[mesh for _, mesh in sorted(group, key=_row)] for group in found.values()]
    firsts = [min(group, key=_row)[0] for group in found.values()]
    ranked = sorted(range(len(groups)), key=lambda i: (firsts[i], groups[i][0].name))
    return [_join(groups[i]) for i in ranked]


def _row(entry: tuple[int, RawMesh]) -> int:
    return entry[0]


def _part_name(scene: Any, node: str, geometry: Any, stem: str) -> str:
    """Return the node's name; primitives (materials) of one glTF mesh share their node's."""
    if scene.source.file_type in ("stl", "ply", "off"):
        return stem
    if geometry.metadata.get("from_gltf_primitive"):
        return str(scene.graph.transforms.parents[node])
    return str(node)


def _raw(name: str, geometry: Any, transform: Float) -> RawMesh:
    faces = np.asarray(geometry.faces, np.intp)
    vertices = np.asarray(geometry.vertices, np.float64)
    vertices = vertices @ transform[:3, :3].T + transform[:3, 3]
    if faces.min() < 0 or faces.max() >= len(vertices):
        worst = faces.max() if faces.min() >= 0 else faces.min()
        raise InputError(f"a face refers to vertex {worst}, but there are {len(vertices)}")
    if np.linalg.det(transform[:3, :3]) < 0.0:  # a mirror turns the triangles inside out
        faces = faces[:, ::-1]
    return RawMesh(name, vertices, faces, _colors(geometry))


def _colors(geometry: Any) -> Float:
    """Return the (F, 3) face colors, of the material times those of the vertices."""
    visual, faces = geometry.visual, geometry.faces
    colors = np.tile(DEFAULT_COLOR, (len(faces), 1))
    if visual.kind == "face":
        colors = np.asarray(visual.face_colors, np.float64)[:, :3] / 255.0
    elif visual.kind == "vertex":
        of_vertices = np.asarray(visual.vertex_colors, np.float64)[:, :3] / 255.0
        colors = of_vertices[faces].mean(axis=1)
    elif visual.kind == "texture":
        material = visual.material
        colors = np.tile(_material_color(material), (len(faces), 1))
    return np.clip(colors, 0.0, 1.0)


def _material_color(material: Any) -> Float:
    if hasattr(material, "baseColorFactor"):  # glTF: linear light, white if not stated
        factor = material.baseColorFactor
        linear = np.ones(3) if factor is None else np.asarray(factor, np.float64)[:3] / 255.0
        return srgb_from_linear(linear)
    return np.asarray(material.main_color, np.float64)[:3] / 255.0


def srgb_from_linear(linear: Float) -> Float:
    """Return display values, 0 to 1, of linear light, 0 to 1 (IEC 61966-2-1)."""
    return np.where(
        linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055
    )


def _join(meshes: list[RawMesh]) -> RawMesh:
    if len(meshes) == 1:
        return meshes[0]
    offsets = np.cumsum([0] + [len(mesh.vertices) for mesh in meshes[:-1]])
    faces = [mesh.faces + offset for mesh, offset in zip(meshes, offsets, strict=True)]
    return RawMesh(
        meshes[0].name,
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate(faces),
        np.concatenate([mesh.colors for mesh in meshes]),
    )


def _up(path: Path) -> Literal["y", "z"]:
    """Return the up axis: y for glTF, the stated axis for COLLADA, z for all other formats."""
    suffix = path.suffix.lower()
    if suffix == ".dae":
        with path.open("rb") as file:
            head = file.read(1 << 20)
        return "y" if re.search(rb"<up_axis>\s*Y_UP\s*</up_axis>", head) else "z"
    return "y" if suffix in (".glb", ".gltf") else "z"


def _refuse_zip_bomb(path: Path) -> None:
    if path.suffix.lower() not in _ZIPPED:
        return
    with zipfile.ZipFile(path) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
    if size > MAX_BYTES:
        raise InputError(f"it unpacks to {size / 2**30:.1f} GiB")
