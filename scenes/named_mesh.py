"""A checked mesh with its name and colors."""

from dataclasses import dataclass

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.paint import Paint


@dataclass(frozen=True, eq=False)
class NamedMesh:
    """A mesh of a file: name, triangles, the (F, 3) colors of its faces, and pictures on them."""

    name: str
    mesh: TriangleMesh
    colors: Float
    paint: Paint | None = None
