"""3MF, COLLADA, glTF, and PLY with a texture, read by trimesh."""

import io
import logging
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
import trimesh
from trimesh.resolvers import FilePathResolver

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import open_input, read_input, shown_path
from rmp3d.geometry.plain_cause import plain_cause
from rmp3d.scenes.formats.archives import check_archive
from rmp3d.scenes.formats.collada_text import mended
from rmp3d.scenes.formats.colors import srgb_from_linear
from rmp3d.scenes.formats.gltf_structure import check_gltf
from rmp3d.scenes.formats.instances import check_3mf, check_collada
from rmp3d.scenes.formats.mesh_format import DEFAULT_COLOR, MAX_BYTES, RawFile, RawMesh
from rmp3d.scenes.formats.pictures import Pictures
from rmp3d.scenes.formats.stated_units import stated_units
from rmp3d.scenes.formats.textures import (
    TextureError,
    Textures,
    find_texture,
    is_picture,
    missing_textures,
    plain_picture,
    read_texture,
)
from rmp3d.scenes.paint import NO_PICTURE, joined_places
from rmp3d.scenes.tokens import confined

_ZIPPED = (".3mf", ".zae")
HINT = "; is the file cut short, or its suffix wrong?"


class ConfinedResolver(FilePathResolver):
    """Opens the files that a mesh file refers to, if they are in its folder.

    A texture may also be in the folder around it. One that is missing is replaced by plain gray.

    Attributes:
        missing: Which textures are missing, and why.
    """

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.missing: dict[str, str] = {}

    def get(self, name: str) -> bytes:
        """Return the content of a file beside the mesh.

        Raises:
            InputError: The file is outside the folder, missing, or too large.
        """
        if is_picture(name):
            return self._texture(name)
        return read_input(confined(Path(self.parent), name.strip(), "in it"), MAX_BYTES)

    def _texture(self, name: str) -> bytes:
        try:
            return read_texture(find_texture(Path(self.parent), name))
        except TextureError as error:
            self.missing[name] = str(error)
            return plain_picture()


def read(path: Path) -> RawFile:
    """Return the meshes of a file, node transforms applied, one for each node with a mesh.

    Raises:
        InputError: The file does not have the format of its suffix, or is truncated.
    """
    kind = path.suffix.lower()[1:]
    try:
        _check_structure(path)
        with open_input(path, MAX_BYTES) as file, _quiet():
            resolver = ConfinedResolver(str(path))
            damaged: list[str] = []
            content: IO[bytes] = file
            if kind == "dae":
                text, damaged[:] = mended(file.read())
                content = io.BytesIO(text)
            scene = trimesh.load_scene(content, file_type=kind, resolver=resolver, process=False)
            pictures = Pictures()
            meshes = _meshes(scene, path.stem, damaged, pictures)
            units = stated_units(path)
    # A parser may raise any exception on arbitrary input; each becomes an error of this file.
    except Exception as error:
        hint = "" if isinstance(error, InputError) else HINT
        raise InputError(
            f"{shown_path(path)}: cannot be read as {kind.upper()}: {plain_cause(error)}{hint}"
        ) from None
    vertices = [mesh.vertices for mesh in meshes] or [np.empty((0, 3))]
    stacked = vertices[0] if len(vertices) == 1 else np.concatenate(vertices)
    notes = (*missing_textures(resolver.missing), *dict.fromkeys(damaged), *pictures.notes)
    return RawFile(meshes, stacked, units.up, units.unit, notes, tuple(pictures.encoded))


@contextmanager
def _quiet() -> Iterator[None]:
    """Hide warnings and trimesh's log, with its tracebacks, from the user.

    A log may have children, such as `trimesh.util`; what they say ends at their parent.
    """
    log, nowhere = logging.getLogger("trimesh"), logging.NullHandler()
    before = log.propagate
    log.propagate = False
    log.addHandler(nowhere)  # without a handler, warnings would go to the terminal
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        log.removeHandler(nowhere)
        log.propagate = before


def _meshes(scene: Any, stem: str, notes: list[str], pictures: Pictures) -> list[RawMesh]:
    order = {name: row for row, name in enumerate(scene.geometry)}
    textures, is_linear = Textures(), scene.source.file_type in ("glb", "gltf")
    found: dict[str, list[tuple[int, RawMesh]]] = {}
    uses = Counter(id(_image_of(scene.geometry[each])) for each in _drawn(scene))
    for node in scene.graph.nodes_geometry:
        transform, geometry_name = scene.graph[node]
        geometry = scene.geometry[geometry_name]
        if not isinstance(geometry, trimesh.Trimesh) or len(geometry.faces) == 0:
            continue
        name = _part_name(scene, node, geometry, stem)
        mesh = _raw(name, geometry, np.asarray(transform, np.float64))
        try:
            mesh = replace(mesh, colors=_colors(geometry, textures, is_linear))
            mesh = _pictured(mesh, geometry, is_linear, pictures)
        except TextureError as error:
            notes.append(f"a texture of `{name}` {error}; it is drawn without it")
        found.setdefault(name, []).append((order[geometry_name], mesh))
        image = _image_of(geometry)
        uses[id(image)] -= 1
        if image is not None and uses[id(image)] == 0:
            textures.forget(image)  # the texels of a large one take 256 MiB
    groups = [[mesh for _, mesh in sorted(group, key=_row)] for group in found.values()]
    firsts = [min(group, key=_row)[0] for group in found.values()]
    ranked = sorted(range(len(groups)), key=lambda i: (firsts[i], groups[i][0].name))
    return [_join(groups[i]) for i in ranked]


def _drawn(scene: Any) -> Iterator[str]:
    """Yield the name of the geometry of each node that has one with faces."""
    for node in scene.graph.nodes_geometry:
        _, name = scene.graph[node]
        geometry = scene.geometry[name]
        if isinstance(geometry, trimesh.Trimesh) and len(geometry.faces):
            yield name


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
    """Return a mesh in its place, gray."""
    faces = np.asarray(geometry.faces, np.intp)
    vertices = np.asarray(geometry.vertices, np.float64)
    if not np.array_equal(transform, np.eye(4)):
        vertices = vertices @ transform[:3, :3].T + transform[:3, 3]
    if faces.min() < 0 or faces.max() >= len(vertices):
        worst = faces.max() if faces.min() >= 0 else faces.min()
        raise InputError(f"a face refers to vertex {worst}, but there are {len(vertices)}")
    if np.linalg.det(transform[:3, :3]) < 0.0:  # a mirror turns the triangles inside out
        faces = faces[:, ::-1]
    return RawMesh(name, vertices, faces, np.tile(DEFAULT_COLOR, (len(faces), 1)))


def _colors(geometry: Any, textures: Textures, is_linear: bool) -> Float:
    """Return the (F, 3) face colors: of the faces, the vertices, or the material and texture.

    Args:
        geometry: Of trimesh.
        textures: Of its file.
        is_linear: Whether the file states colors as linear light, not as display values.

    Raises:
        TextureError: The texture is not usable.
    """
    visual, faces = geometry.visual, geometry.faces
    colors = np.tile(DEFAULT_COLOR, (len(faces), 1))
    if visual.kind == "face":
        colors = np.asarray(visual.face_colors, np.float64)[:, :3] / 255.0
    elif visual.kind == "vertex":
        of_vertices = np.asarray(visual.vertex_colors, np.float64)[:, :3] / 255.0
        colors = of_vertices[faces].mean(axis=1)
    elif visual.kind == "texture":
        material = visual.material
        colors = np.tile(_material_color(material, is_linear), (len(faces), 1))
        image = _image(material)
        if image is not None and visual.uv is not None:
            colors *= textures.mean_colors(image, np.asarray(visual.uv, np.float64)[faces])
    return np.clip(colors, 0.0, 1.0)


def _pictured(mesh: RawMesh, geometry: Any, is_linear: bool, pictures: Pictures) -> RawMesh:
    """Return a mesh with the picture of its material, whose colors were taken before."""
    visual, image = geometry.visual, _image_of(geometry)
    if image is None or visual.uv is None:
        return mesh
    row = pictures.row(image, _material_color(visual.material, is_linear))
    if row == NO_PICTURE:
        return mesh
    places = np.asarray(visual.uv, np.float64)[mesh.faces]
    return replace(mesh, picture=np.full(len(mesh.faces), row), places=places)


def _image_of(geometry: Any) -> Any:
    """Return the picture of the material of a mesh, None if it has none."""
    visual = geometry.visual
    return _image(visual.material) if visual.kind == "texture" else None


def _image(material: Any) -> Any:
    """Return the picture of a material, None if it has none."""
    return getattr(material, "baseColorTexture", None) or getattr(material, "image", None)


def _material_color(material: Any, is_linear: bool) -> Float:
    if hasattr(material, "baseColorFactor"):  # white if not stated
        factor = material.baseColorFactor
        color = np.ones(3) if factor is None else np.asarray(factor, np.float64)[:3] / 255.0
        return srgb_from_linear(color) if is_linear else color
    return np.asarray(material.main_color, np.float64)[:3] / 255.0


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
        *joined_places([(mesh.picture, mesh.places, len(mesh.faces)) for mesh in meshes]),
    )


def _check_structure(path: Path) -> None:
    """Raise an error for what trimesh would run into, or read without end."""
    suffix = path.suffix.lower()
    if suffix in (".glb", ".gltf"):
        check_gltf(path)
    elif suffix in _ZIPPED:
        check_archive(path)
        with zipfile.ZipFile(path) as archive:
            if suffix == ".3mf":
                check_3mf(archive)
            for name in archive.namelist() if suffix == ".zae" else ():
                if name.lower().endswith(".dae"):
                    with archive.open(name) as inside:
                        check_collada(inside)
    elif suffix == ".dae":
        with open_input(path, MAX_BYTES) as file:
            check_collada(file)
