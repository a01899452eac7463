"""The formats that trimesh reads; trimesh is imported only when such a file is read."""

from pathlib import Path

from rmp3d.scenes.formats.mesh_format import MESH_FORMATS, RawFile


@MESH_FORMATS.register(".3mf")
@MESH_FORMATS.register(".dae")
@MESH_FORMATS.register(".glb")
@MESH_FORMATS.register(".gltf")
@MESH_FORMATS.register(".zae")
class ThroughTrimesh:
    """3MF, COLLADA and glTF."""

    def read(self, path: Path) -> RawFile:
        """Return the meshes of a file, node transforms applied, one for each node with a mesh.

        Raises:
            InputError: The file does not have the format of its suffix, or is truncated.
        """
        from rmp3d.scenes.formats import trimesh_reader  # takes half a second

        return trimesh_reader.read(path)
