"""Arrays, rotations, errors, and triangle-mesh queries used by every other package."""

from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.geometry.errors import InputError, MeshError, Rmp3dError
from rmp3d.geometry.mesh import TriangleMesh, join
from rmp3d.geometry.registry import Registry

__all__ = [
    "Bool",
    "Float",
    "Index",
    "InputError",
    "MeshError",
    "Registry",
    "Rmp3dError",
    "TriangleMesh",
    "frozen",
    "join",
]
