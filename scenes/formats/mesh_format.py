"""What every mesh format does, and what its reader hands over."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.registry import Registry

MESH_FORMATS = Registry("mesh format")
"""The formats by suffix, in lower case and with its dot."""

MAX_BYTES = 2 * 2**30
"""Of a file, and of what it unpacks to."""

DEFAULT_COLOR = (0.7, 0.7, 0.7)
"""Of what a file gives no color."""


@dataclass(frozen=True, eq=False)
class RawMesh:
    """A mesh as its file has it, not checked yet.

    Attributes:
        name: As the file has it; need not be unique.
        vertices: (V, 3), in the file's units, node transforms applied.
        faces: (F, 3) vertex indices.
        colors: (F, 3), 0 to 1.
    """

    name: str
    vertices: Float
    faces: Index
    colors: Float


@dataclass(frozen=True, eq=False)
class RawFile:
    """What a file holds, not checked yet.

    Attributes:
        meshes: In the order of the file.
        vertices: (A, 3) all vertices that it lists, used or not.
        up: The axis that points up, by the format's rule or the file's own word.
    """

    meshes: list[RawMesh]
    vertices: Float
    up: Literal["y", "z"] = "z"


class MeshFormat(Protocol):
    """A format, made without arguments and entered in `MESH_FORMATS` under its suffix."""

    def read(self, path: Path) -> RawFile:
        """Return what a file holds.

        Raises:
            InputError: Names the file and, in a text format, the line that cannot be understood.
        """
