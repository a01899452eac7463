"""The contents of a mesh file after it was read, checked and cleaned."""

from dataclasses import dataclass

from rmp3d.geometry.arrays import Float
from rmp3d.scenes.named_mesh import NamedMesh


@dataclass(frozen=True, eq=False)
class MeshFile:
    """The checked contents of a mesh file.

    Attributes:
        parts: Its meshes, with unique names, in the order of the file.
        up: The axis that points up, by the format's rule or as the file states.
        vertex_sum: (3,) sum of all vertices in the file, used or not.
        vertex_count: Number of these vertices.
        notes: Changes made by the reader, and warnings.
        unit: Meters per unit of the file; None if neither the file nor its format says it.
    """

    parts: tuple[NamedMesh, ...]
    up: str
    vertex_sum: Float
    vertex_count: int
    notes: tuple[str, ...]
    unit: float | None = None
