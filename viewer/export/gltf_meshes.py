"""Triangle meshes and lines as glTF meshes: y up, smooth normals, a material for each color."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.places import distinct
from rmp3d.scenes.paint import NO_PICTURE, Paint
from rmp3d.viewer.export.gltf_document import INDICES, VERTICES, GltfDocument
from rmp3d.viewer.palette import linear
from rmp3d.viewer.shapes.surfaces import corner_normals, dyed_share

MOST_MATERIALS = 24  # a mesh of more colors has them at its vertices
TRIANGLES, LINE_STRIP = 4, 3


def y_up(vectors: Float) -> Float:
    """Return vectors (..., 3) of our world, z up, in glTF's, y up: (x, y, z) to (x, z, -y)."""
    return np.stack([vectors[..., 0], vectors[..., 2], -vectors[..., 1]], axis=-1)


def y_up_xyzw(quaternion_wxyz: Float) -> Float:
    """Return rotations (..., 4) for glTF: y up on both sides, scalar last."""
    return np.concatenate([y_up(quaternion_wxyz[..., 1:]), quaternion_wxyz[..., :1]], axis=-1)


def dyed(colors: Float, tint: Float) -> Float:
    """Return linear colors (F, 3) of a character's faces in its group's color, as the viewer does.

    Args:
        colors: (F, 3) sRGB 0..1.
        tint: (3,) sRGB of the group.
    """
    own, share = linear(colors), dyed_share(colors)[:, None]
    value = own @ np.array([0.2126, 0.7152, 0.0722])  # keeps some of the light and dark
    return own + share * (linear(tint) * (0.8 + 0.5 * value[:, None]) - own)


class Meshes:
    """Adds meshes to a document; equal colors share a material."""

    def __init__(self, document: GltfDocument) -> None:
        self._document = document
        self._materials: dict[tuple[str, tuple[float, ...]], int] = {}
        self._pictures: dict[int, int] = {}

    def add(
        self,
        name: str,
        mesh: TriangleMesh,
        colors: Float,
        skin: Callable[[Float], NDArray[np.float32]] | None = None,
    ) -> int:
        """Add triangles of F faces with linear colors (F, 3), z up; return the mesh's row.

        Triangles without area are left out: they have no normal, which glTF asks for.

        Args:
            name: Of the mesh.
            mesh: F faces [m].
            colors: Linear light.
            skin: Returns joints and weights (M, 8) of places (M, 3); None: it has no bones.
        """
        solid = np.any(mesh.normals, axis=1)
        if solid.any():
            mesh, colors = mesh.select(solid), colors[solid]
        shades, shade_of = distinct(np.round(colors, 4))
        corners = np.concatenate([y_up(mesh.triangles), y_up(corner_normals(mesh))], axis=2)
        if len(shades) > MOST_MATERIALS:
            paint = np.broadcast_to(colors[:, None], (len(colors), 3, 3))
            rows = np.concatenate([corners, paint], axis=2).reshape(-1, 9)
            primitives = [self._primitive(rows, self._material(np.ones(3), "painted"), skin)]
        else:
            primitives = [
                self._primitive(
                    corners[shade_of == row].reshape(-1, 6), self._material(shade), skin
                )
                for row, shade in enumerate(shades)
            ]
        return self._document.add("meshes", {"name": name, "primitives": primitives})

    def add_painted(
        self,
        name: str,
        mesh: TriangleMesh,
        colors: Float,
        paint: Paint,
        skin: Callable[[Float], NDArray[np.float32]] | None = None,
    ) -> int:
        """Add triangles as `add`, with pictures where they have some; return the mesh's row."""
        solid = np.any(mesh.normals, axis=1)
        rows = np.flatnonzero(solid if solid.any() else ~solid)
        bare = rows[paint.picture[rows] == NO_PICTURE]
        primitives: list[Mapping[str, Any]] = []
        if len(bare):
            plain = self._document.rows("meshes")[
                self.add(name, mesh.select(bare), colors[bare], skin)
            ]
            primitives = plain["primitives"]
            self._document.rows("meshes").pop()
        corners = np.concatenate([y_up(mesh.triangles), y_up(corner_normals(mesh))], axis=2)
        for picture in paint.used():
            own = rows[paint.picture[rows] == picture]
            places = paint.places[own] * [1.0, -1.0] + [0.0, 1.0]  # glTF's v goes down
            each = np.concatenate([corners[own], places], axis=2).reshape(-1, 8)
            material = self._picture_material(paint.pictures[picture])
            primitives = [*primitives, self._primitive(each, material, skin)]
        return self._document.add("meshes", {"name": name, "primitives": primitives})

    def _picture_material(self, data: bytes) -> int:
        if id(data) not in self._pictures:
            self._pictures[id(data)] = self._document.add(
                "materials",
                {
                    "name": f"picture {len(self._pictures) + 1}",
                    "pbrMetallicRoughness": {
                        "baseColorTexture": {"index": self._document.add_picture(data)},
                        "metallicFactor": 0.0,
                        "roughnessFactor": 0.9,
                    },
                    "alphaMode": "MASK",
                    "doubleSided": True,
                },
            )
        return self._pictures[id(data)]

    def add_line(self, name: str, points: Float, color: Float) -> int:
        """Add a polyline (K, 3), z up, with a linear color (3,); return the mesh's row."""
        position = y_up(points).astype(np.float32)
        primitive = {
            "attributes": {"POSITION": self._document.add_array(position, VERTICES, bounds=True)},
            "material": self._material(color),
            "mode": LINE_STRIP,
        }
        return self._document.add("meshes", {"name": name, "primitives": [primitive]})

    def _primitive(
        self, corners: Float, material: int, skin: Callable[[Float], NDArray[np.float32]] | None
    ) -> dict:
        """Return a primitive of corners (3F, 6 to 9): position, normal, texture place or color."""
        rows, index = distinct(corners.astype(np.float32))
        add = self._document.add_array
        attributes = {
            "POSITION": add(rows[:, :3], VERTICES, bounds=True),
            "NORMAL": add(rows[:, 3:6], VERTICES),
        }
        if corners.shape[1] == 8:
            attributes["TEXCOORD_0"] = add(rows[:, 6:], VERTICES)
        if corners.shape[1] == 9:
            paint = np.full((len(rows), 4), 65535, np.uint16)
            paint[:, :3] = np.round(65535 * np.clip(rows[:, 6:], 0.0, 1.0))
            attributes["COLOR_0"] = add(paint, VERTICES, normalized=True)
        if skin is not None:
            places = np.stack([rows[:, 0], -rows[:, 2], rows[:, 1]], axis=-1)
            follows = skin(places.astype(np.float64))
            weights = follows[:, 4:].astype(np.float32)
            weights /= weights.sum(axis=1, keepdims=True)
            joints = np.where(weights > 0.0, follows[:, :4], 0.0)  # as validators want it
            attributes["JOINTS_0"] = add(joints.astype(np.uint8), VERTICES)
            attributes["WEIGHTS_0"] = add(weights, VERTICES)
        kind = np.uint16 if len(rows) < 65535 else np.uint32
        return {
            "attributes": attributes,
            "indices": add(index.reshape(-1).astype(kind), INDICES),
            "material": material,
            "mode": TRIANGLES,
        }

    def _material(self, color: Float, name: str = "") -> int:
        shade = np.clip(np.round(color, 4), 0.0, 1.0)
        key = (name, tuple(shade.tolist()))
        if key not in self._materials:
            self._materials[key] = self._document.add(
                "materials",
                {
                    "name": name or _hexadecimal(shade),
                    "pbrMetallicRoughness": {
                        "baseColorFactor": [*shade.tolist(), 1.0],
                        "metallicFactor": 0.0,
                        "roughnessFactor": 0.9,
                    },
                    "doubleSided": True,
                },
            )
        return self._materials[key]


def _hexadecimal(color: Float) -> str:
    """Return the sRGB name of a linear color, such as ``#c8b49a``."""
    srgb = np.where(color <= 0.0031308, 12.92 * color, 1.055 * color ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * value):02x}" for value in srgb)
