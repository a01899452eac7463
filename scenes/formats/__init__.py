"""Mesh formats by suffix, one file each; a new format is one new file and its import here."""

from rmp3d.scenes.formats import ac3d, byu, off, ply, stl, through_trimesh, wavefront
from rmp3d.scenes.formats.mesh_format import MESH_FORMATS, MeshFormat, RawFile, RawMesh

__all__ = [
    "MESH_FORMATS",
    "MeshFormat",
    "RawFile",
    "RawMesh",
    "ac3d",
    "byu",
    "off",
    "ply",
    "stl",
    "through_trimesh",
    "wavefront",
]
