"""STL: triangles, binary or as text."""

from array import array
from pathlib import Path

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import read_input, shown_path
from rmp3d.geometry.printable import printable, shortened
from rmp3d.geometry.registry import LONGEST_NAME
from rmp3d.scenes.formats.mesh_format import (
    DEFAULT_COLOR,
    MAX_BYTES,
    MESH_FORMATS,
    RawFile,
    RawMesh,
)

HEADER = 84  # bytes before the triangles of a binary file; the last four are their number
TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
PASSED_OVER = ("solid", "outer", "endloop")


@MESH_FORMATS.register(".stl")
class Stl:
    """STL; the solids of a text file are one mesh, and colors are passed over."""

    def read(self, path: Path) -> RawFile:
        """Return the mesh of a file.

        Raises:
            InputError: It is cut short, or a line cannot be understood.
        """
        content = read_input(path, MAX_BYTES)
        declared = int.from_bytes(content[HEADER - 4 : HEADER], "little")
        if len(content) == HEADER + declared * TRIANGLE.itemsize and len(content) >= HEADER:
            rows = np.frombuffer(content, TRIANGLE, offset=HEADER)
            vertices = rows["corners"].reshape(-1, 3).astype(np.float64)
        elif content[:HEADER].lstrip()[:5].lower() == b"solid" and b"\0" not in content[:HEADER]:
            vertices = _corners_of_text(path, content)
        elif len(content) < HEADER:
            raise InputError(
                f"{shown_path(path)}: cannot be read as STL: {len(content)} bytes, and no text"
            )
        else:
            raise InputError(
                f"{shown_path(path)}: cannot be read as STL: its header says {declared:,} "
                f"triangles, which take {HEADER + declared * TRIANGLE.itemsize:,} bytes, but it "
                f"has {len(content):,}; is the file cut short?"
            )
        faces = np.arange(len(vertices), dtype=np.intp).reshape(-1, 3)
        colors = np.tile(DEFAULT_COLOR, (len(faces), 1))
        return RawFile([RawMesh(path.stem, vertices, faces, colors)], vertices)


def _corners_of_text(path: Path, content: bytes) -> Float:
    """Return the corners (3 F, 3) of the triangles in a text."""
    corners, in_facet, word, line_number = array("d"), 0, "", 0
    for line_number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
        words = line.split()
        if not words:
            continue
        word = words[0].lower()
        if word == "vertex":
            try:
                _, x, y, z = words[:4]
                corners.extend((float(x), float(y), float(z)))
            except ValueError:
                raise _error(path, line_number, "`vertex` needs three numbers", line) from None
            in_facet += 1
        elif word in ("facet", "endfacet"):
            if in_facet != (3 if word == "endfacet" else 0):
                raise _error(path, line_number, f"a facet of {in_facet} vertices, not 3", line)
            in_facet = 0
        elif word not in PASSED_OVER and not word.startswith("endsolid"):
            raise _error(path, line_number, "expected `facet`, `vertex` or `endsolid`", line)
    if not word.startswith("endsolid"):
        raise _error(path, line_number, "ends before `endsolid`; is the file cut short?", "")
    return np.frombuffer(corners).reshape(-1, 3)


def _error(path: Path, line: int, message: str, text: str) -> InputError:
    shown = f", not `{shortened(printable(text.strip()), LONGEST_NAME)}`" if text.strip() else ""
    return InputError(f"{shown_path(path)}: line {line}: cannot be read as STL: {message}{shown}")
