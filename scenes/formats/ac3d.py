"""AC3D (``.ac``): named meshes from the object tree of a file, and a file from meshes."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import shown_path
from rmp3d.scenes.formats.ac3d_document import (
    POLYGON,
    STILL,
    STRIP,
    UPRIGHT,
    Ac3dDocument,
    Ac3dObject,
    Surfaces,
    write_document,
)
from rmp3d.scenes.formats.ac3d_parser import read_document
from rmp3d.scenes.formats.mesh_format import DEFAULT_COLOR, MESH_FORMATS, RawFile, RawMesh
from rmp3d.scenes.formats.textures import NamedTextures
from rmp3d.scenes.formats.wavefront_textures import places_of_faces
from rmp3d.scenes.named_mesh import NamedMesh
from rmp3d.scenes.polygons import triangulate_all

TWO_SIDED = 0x20


@MESH_FORMATS.register(".ac")
class Ac3d:
    """AC3D, y up."""

    def read(self, path: Path) -> RawFile:
        """Return the meshes of a file, one for each object with surfaces, placed by the tree.

        The colors are those of textures, else of materials. Polygons and strips are cut into
        triangles. Ignored are lines, subdivision (the control mesh is used), and whether the
        modeler hides an object. A mesh has the name of its object, or its object's kind if there
        is no name.

        Raises:
            InputError: Names the line that cannot be understood.
        """
        document = read_document(path)
        colors = np.vstack([np.clip(document.colors, 0.0, 1.0), DEFAULT_COLOR])  # -1: the default
        textures = NamedTextures(path.parent)
        meshes, vertices = [], [np.empty((0, 3))]
        for each, (rotation, location) in zip(document.objects, _placements(document), strict=True):
            placed = each.vertices @ rotation + location
            vertices.append(placed)
            try:
                faces, surface = _triangles(each)
            except InputError as error:
                raise InputError(f"{shown_path(path)}: object `{each.name}`: {error}") from None
            if len(faces):
                painted, picture, places = colors[each.surfaces.material[surface]], None, None
                if each.texture:
                    own = each.surfaces
                    places = places_of_faces(faces, surface, own.corners, own.count, each.places)
                    painted = textures.painted(painted, places, each.texture)
                    picture = textures.rows(places, each.texture)
                if np.linalg.det(rotation) < 0.0:
                    faces = faces[:, ::-1]
                    places = None if places is None else places[:, ::-1]
                name = each.name or each.kind
                meshes.append(RawMesh(name, placed, faces, painted, picture, places))
        pictures = tuple(textures.pictures.encoded)
        notes = tuple(textures.notes)
        return RawFile(meshes, np.concatenate(vertices), "y", notes=notes, pictures=pictures)


def write(path: Path, meshes: Sequence[NamedMesh]) -> None:
    """Write meshes as objects of one world, without turning them; in AC3D itself, y is up.

    Raises:
        InputError: The file cannot be written.
    """
    stacked = np.concatenate([np.empty((0, 3)), *(mesh.colors for mesh in meshes)])
    colors, material = np.unique(stacked, axis=0, return_inverse=True)
    ends = np.cumsum([len(mesh.colors) for mesh in meshes])
    rows = np.split(material.reshape(-1), ends[:-1]) if len(meshes) else []
    none = np.empty(0, np.intp)
    world = Surfaces(none, none, none, none)
    objects = [Ac3dObject("world", "", -1, STILL, UPRIGHT, np.empty((0, 3)), world)]
    for mesh, row in zip(meshes, rows, strict=True):
        faces = mesh.mesh.faces
        flags, count = np.full(len(faces), TWO_SIDED), np.full(len(faces), 3)
        surfaces = Surfaces(flags, row, count, faces.reshape(-1))
        objects.append(
            Ac3dObject("poly", mesh.name, 0, STILL, UPRIGHT, mesh.mesh.vertices, surfaces)
        )
    names = tuple(f"color {number}" for number in range(len(colors)))
    write_document(path, Ac3dDocument(names, colors, tuple(objects)))


def _placements(document: Ac3dDocument) -> list[tuple[Float, Float]]:
    """Return rotation (3, 3) and location (3,) of each object in the file's frame, for rows.

    A point v is at ``v R + t`` of its parent, which is at ``(v R + t) R' + t'``, and so on up.
    """
    placements: list[tuple[Float, Float]] = []
    for each in document.objects:
        rotation, location = each.rotation, each.location
        if each.parent >= 0:
            turn, move = placements[each.parent]
            rotation, location = rotation @ turn, location @ turn + move
        placements.append((rotation, location))
    return placements


def _triangles(each: Ac3dObject) -> tuple[Index, Index]:
    """Return the triangles (F, 3) of an object, and the surface (F,) of each, in order."""
    surfaces = each.surfaces
    kind = surfaces.flags & 0xF
    faces, owners = [np.empty((0, 3), np.intp)], [np.empty(0, np.intp)]
    polygons = np.flatnonzero((kind == POLYGON) & (surfaces.count >= 3))
    if len(polygons):
        within = np.zeros(len(kind), bool)
        within[polygons] = True
        corners = surfaces.corners[np.repeat(within, surfaces.count)]
        cut, polygon = triangulate_all(each.vertices, corners, surfaces.count[polygons])
        faces.append(cut)
        owners.append(polygons[polygon])
    ends = np.cumsum(surfaces.count)
    for row in np.flatnonzero((kind == STRIP) & (surfaces.count >= 3)):
        strip = surfaces.corners[ends[row] - surfaces.count[row] : ends[row]]
        cut = np.stack([strip[:-2], strip[1:-1], strip[2:]], axis=1)
        cut[1::2] = cut[1::2, ::-1]  # every other triangle of a strip has the opposite orientation
        faces.append(cut)
        owners.append(np.full(len(cut), row))
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    return np.concatenate(faces)[order], owner[order]
