"""Colored named parts, and the one binary glTF file that they are written to."""

import json
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh, join


class Model:
    """Parts by name, each made of shapes in one color."""

    def __init__(self) -> None:
        self._shapes: dict[str, list[tuple[TriangleMesh, str]]] = {}

    def add(self, part: str, color: str, *shapes: TriangleMesh) -> None:
        """Add shapes to a part, which is made when it is first named.

        Args:
            part: Its name.
            color: As on the web: ``#rrggbb``.
            shapes: World frame, z up.
        """
        self._shapes.setdefault(part, []).extend((shape, color) for shape in shapes)

    def placed(self, other: "Model", prefix: str, position: Any, turn: float = 0.0) -> None:
        """Add another model, turned by ``turn`` [degrees], moved; its names get a prefix."""
        angle = np.radians(turn)
        c, s = np.cos(angle), np.sin(angle)
        rotation = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        for part, shapes in other._shapes.items():
            for shape, color in shapes:
                moved = shape.transformed(rotation, np.asarray(position, float))
                self.add(f"{prefix}{part}", color, moved)

    def mapped(self, place: Callable[[Float], Float], colors: Mapping[str, str]) -> "Model":
        """Return the model with its points (M, 3) put elsewhere, and some colors replaced."""
        other = Model()
        for part, shapes in self._shapes.items():
            for shape, color in shapes:
                moved = TriangleMesh(place(shape.vertices), shape.faces)
                other.add(part, colors.get(color, color), moved)
        return other

    def write(self, path: Path) -> None:
        """Write a binary glTF 2.0 file: y up, a node for each part, a primitive for each color.

        The same parts give the same bytes.
        """
        header: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "rmp3d"},
            "scene": 0,
            "scenes": [{"nodes": list(range(len(self._shapes)))}],
            "nodes": [],
            "meshes": [],
            "materials": [],
            "accessors": [],
            "bufferViews": [],
        }
        binary = bytearray()
        materials: dict[str, int] = {}
        for row, (name, shapes) in enumerate(self._shapes.items()):
            header["nodes"].append({"name": name, "mesh": row})
            primitives = []
            for color in dict.fromkeys(color for _, color in shapes):
                mesh = join([shape for shape, own in shapes if own == color])
                material = materials.setdefault(color, len(materials))
                primitives.append(_primitive(header, binary, mesh, material))
            header["meshes"].append({"name": name, "primitives": primitives})
        header["materials"] = [color_material(color) for color in materials]
        header["buffers"] = [{"byteLength": len(binary)}]
        text = json.dumps(header, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        size = 12 + 8 + len(text) + 8 + len(binary)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(
            struct.pack("<4sII", b"glTF", 2, size)
            + struct.pack("<I4s", len(text), b"JSON")
            + text
            + struct.pack("<I4s", len(binary), b"BIN\0")
            + bytes(binary)
        )


def _primitive(
    header: dict[str, Any], binary: bytearray, mesh: TriangleMesh, material: int
) -> dict[str, Any]:
    """Append vertices and indices to the buffer; return the primitive that refers to them."""
    used, index = np.unique(mesh.vertices[mesh.faces].reshape(-1, 3), axis=0, return_inverse=True)
    points = (used[:, [0, 2, 1]] * (1.0, 1.0, -1.0)).astype("<f4") + np.float32(0.0)
    short = len(used) < 65535
    corners = index.reshape(-1).astype("<u2" if short else "<u4")
    first = len(header["accessors"])
    for data, target in ((points, 34962), (corners, 34963)):
        header["bufferViews"].append(
            {
                "buffer": 0,
                "byteOffset": len(binary),
                "byteLength": data.nbytes,
                "target": target,
            }
        )
        binary += data.tobytes()
        binary += b"\0" * (-len(binary) % 4)
    header["accessors"] += [
        {
            "bufferView": first,
            "componentType": 5126,
            "count": len(points),
            "type": "VEC3",
            "min": points.min(axis=0).tolist(),
            "max": points.max(axis=0).tolist(),
        },
        {
            "bufferView": first + 1,
            "componentType": 5123 if short else 5125,
            "count": len(corners),
            "type": "SCALAR",
        },
    ]
    return {"attributes": {"POSITION": first}, "indices": first + 1, "material": material}


def color_material(color: str) -> dict[str, Any]:
    """Return a glTF material of one color, written as on the web: ``#rrggbb``."""
    shown = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0
    factor = [round(float(value), 5) for value in linear_from_srgb(shown)]
    return {
        "name": color,
        "pbrMetallicRoughness": {
            "baseColorFactor": [*factor, 1.0],
            "metallicFactor": 0.0,
            "roughnessFactor": 0.9,
        },
    }


def linear_from_srgb(shown: Float) -> Float:
    """Return linear light, 0 to 1, of display values, 0 to 1 (IEC 61966-2-1)."""
    return np.where(shown <= 0.04045, shown / 12.92, ((shown + 0.055) / 1.055) ** 2.4)
