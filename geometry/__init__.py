"""Arrays, rotations, errors, and triangle-mesh queries used by every other package."""

from geometry.arrays import Bool, Float, Index, frozen
from geometry.errors import InputError, MeshError, Rmp3dError
from geometry.mesh import TriangleMesh, join
from geometry.registry import Registry

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
