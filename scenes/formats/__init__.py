"""Mesh formats by suffix, one file each; a new one is its file and its import here."""

from scenes.formats import ac3d, byu, through_trimesh, wavefront
from scenes.formats.mesh_format import MESH_FORMATS, MeshFormat, RawFile, RawMesh

__all__ = [
    "MESH_FORMATS",
    "MeshFormat",
    "RawFile",
    "RawMesh",
    "ac3d",
    "byu",
    "through_trimesh",
    "wavefront",
]
