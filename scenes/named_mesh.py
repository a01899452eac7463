"""A checked mesh with its name and colors."""

from dataclasses import dataclass

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh


@dataclass(frozen=True, eq=False)
class NamedMesh:
    """A mesh of a file: name, triangles, and the (F, 3) colors of its faces."""

    name: str
    mesh: TriangleMesh
    colors: Float
