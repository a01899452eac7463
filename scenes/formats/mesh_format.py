"""The contract of mesh formats, and the data that their readers return."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.registry import Registry

MESH_FORMATS = Registry("mesh format")
"""The formats by suffix, in lower case and with its dot."""

MAX_BYTES = 2 * 2**30
"""Largest size of a file, also after it is unpacked."""

MAX_COUNT = 60_000_000
"""Most elements that a file may declare: three corners for each triangle of the largest mesh."""

DEFAULT_COLOR = (0.7, 0.7, 0.7)
"""Color of a mesh without a color in its file."""


@dataclass(frozen=True, eq=False)
class RawMesh:
    """A mesh as it is in its file, not checked yet.

    Attributes:
        name: As in the file; it need not be unique.
        vertices: (V, 3), in the file's units, node transforms applied.
        faces: (F, 3) vertex indices.
        colors: (F, 3), 0 to 1.
        picture: (F,) row of each face's picture in its file, -1 for none; None: no face has one.
        places: (F, 3, 2) texture coordinates of the corners, v up, where there is a picture.
    """

    name: str
    vertices: Float
    faces: Index
    colors: Float
    picture: Index | None = None
    places: Float | None = None


@dataclass(frozen=True, eq=False)
class RawFile:
    """The contents of a mesh file, not checked yet.

    Attributes:
        meshes: In the order of the file.
        vertices: (A, 3) all vertices in the file, used or not.
        up: The axis that points up, by the format's rule or as the file states.
        unit: Meters per unit of the file, by the format's rule or as the file states; None if
            neither says it.
        notes: What was not read, such as a missing texture, one line each.
        pictures: That faces have, encoded as PNG or JPEG.
    """

    meshes: list[RawMesh]
    vertices: Float
    up: Literal["y", "z"] = "z"
    unit: float | None = None
    notes: tuple[str, ...] = ()
    pictures: tuple[bytes, ...] = ()


class MeshFormat(Protocol):
    """A format; its class has no parameters and is registered in `MESH_FORMATS` by its suffix."""

    def read(self, path: Path) -> RawFile:
        """Return the contents of a file.

        Raises:
            InputError: It names the file and, in a text format, the line that is wrong.
        """
