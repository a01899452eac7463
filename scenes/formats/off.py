"""OFF: vertices and polygons as text."""

import re
from pathlib import Path

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import read_input, shown_path
from rmp3d.scenes.formats.mesh_format import MAX_BYTES, MESH_FORMATS, RawFile
from rmp3d.scenes.formats.polygon_mesh import polygon_mesh
from rmp3d.scenes.formats.text_rows import TextRows


@MESH_FORMATS.register(".off")
class Off:
    """OFF, with or without colors and normals, which are passed over."""

    def read(self, path: Path) -> RawFile:
        """Return the mesh of a file.

        Raises:
            InputError: Names the line that cannot be understood.
        """
        rows = TextRows(path, read_input(path, MAX_BYTES).decode("utf-8", "replace"))
        first = rows.take("line") if rows.left else [""]
        keyword = re.fullmatch(r"(?:ST)?C?N?OFF", first[0], re.IGNORECASE)
        if not keyword:
            raise InputError(
                f"{shown_path(path)}: cannot be read as OFF: it does not begin with `OFF`"
            )
        counts = first[1:] or (rows.take("numbers of vertices and faces") if rows.left else [])
        if len(counts) < 2 or not all(word.isdecimal() and len(word) < 12 for word in counts[:2]):
            raise rows.error("the numbers of vertices and faces should follow `OFF`", -1)
        vertices = rows.take_table(int(counts[0]), 3, "vertices", at_least=True)
        corners, sizes, _ = rows.take_lists(int(counts[1]), "faces")
        return polygon_mesh(path, vertices, corners, sizes)
