"""Mesh files that were read before are taken from the disk cache, checked and cleaned.

Large files, and those of which the library that reads them takes as long to load as a large file
takes to read.

A file is known by its content, its name (parts may be called so), and the content of the material
libraries of an OBJ file. Files that refer to others, such as pictures, are read anew each time.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import frozen
from rmp3d.geometry.disk_cache import Arrays, check_rows, kept
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import open_input, read_input
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.scenes.formats.mesh_format import MAX_BYTES
from rmp3d.scenes.mesh_file import MeshFile
from rmp3d.scenes.named_mesh import NamedMesh
from rmp3d.scenes.paint import NO_PICTURE, Paint

KEPT_FROM = 4 * 2**20
"""Bytes of a file from which on it is kept: about 100,000 triangles, read in half a second."""
GLB_KEPT_FROM = 2**10
"""The same for glTF: the library that reads it takes as long to load."""
MAX_LIBRARY_BYTES = 2**20
PIECE = 2**23
UNCLEAR = b"?"
"""Stands for a library whose name is not plain."""
LIBRARY = re.compile(rb"^[ \t]*mtllib[ \t]+(.*?)[ \t\r]*$", re.MULTILINE)


def kept_mesh_file(path: Path, read: Callable[[], MeshFile]) -> MeshFile:
    """Return the contents of a mesh file, read by ``read`` or kept from an earlier time."""
    content = _content(path)
    if content is None:
        return read()
    return kept("painted mesh file", content, read, _encode, _decode)


def _content(path: Path) -> list[bytes] | None:
    """Return what the contents depend on; None if the file is small, or refers to other files."""
    with open_input(path, MAX_BYTES) as file:
        suffix = path.suffix.lower()
        least = GLB_KEPT_FROM if suffix == ".glb" else KEPT_FROM
        if os.fstat(file.fileno()).st_size < least:
            return None
        start = file.read(PIECE)
        libraries: list[bytes] = []
        if suffix == ".glb":
            length = int.from_bytes(start[12:16], "little")
            if length > len(start) or b'"uri"' in start[:length]:
                return None
        elif suffix == ".ply":
            if b"end_header" not in start or b"texturefile" in start[:10_000].lower():
                return None
        elif suffix == ".obj":
            names = list(_libraries(start, file))
            found = [_library(path.parent, name) for name in dict.fromkeys(names)]
            libraries = [each for each in found if each is not None]
            if len(found) > len(libraries):
                return None
        elif suffix not in (".stl", ".off"):
            return None
        file.seek(0)
        digest = hashlib.sha256()
        while piece := file.read(PIECE):
            digest.update(piece)
    return [path.name.encode("utf-8", "surrogateescape"), digest.digest(), *libraries]


def _libraries(start: bytes, file: BinaryIO) -> Iterator[bytes]:
    """Yield the names of the material libraries of an OBJ file."""
    piece = start
    while piece:
        following = file.read(PIECE)
        cut = piece.rfind(b"\n") + 1 if following else len(piece)
        named = LIBRARY.findall(piece[:cut])
        yield from named
        if piece.count(b"mtllib", 0, cut) != len(named):
            yield UNCLEAR
        piece = piece[cut:] + following if following else b""


def _library(folder: Path, name: bytes) -> bytes | None:
    """Return the digest of a material library; None if its content does not say all."""
    if name == UNCLEAR or b"\0" in name:
        return None
    path = folder / name.decode("utf-8", "replace")
    if not path.exists():
        return b"missing"
    try:
        content = read_input(path, MAX_LIBRARY_BYTES)
    except InputError:
        return None
    return None if b"map_" in content.lower() else hashlib.sha256(content).digest()


def _encode(file: MeshFile) -> Arrays:
    parts = file.parts
    text = {
        "names": [part.name for part in parts],
        "up": file.up,
        "notes": list(file.notes),
        "unit": file.unit,
    }
    colors = np.concatenate([part.colors for part in parts])
    faces = np.concatenate([part.mesh.faces for part in parts])
    return {
        **_encoded_paint(file),
        "text": np.frombuffer(json.dumps(text).encode(), np.uint8),
        "sizes": np.array([[len(p.mesh.vertices), len(p.mesh.faces)] for p in parts], "<i8"),
        "vertices": np.concatenate([part.mesh.vertices for part in parts]),
        "faces": faces.astype("<i4") if faces.max() < 2**31 else faces,
        "colors": colors[:1] if (colors == colors[0]).all() else colors,
        "sum": file.vertex_sum,
        "count": np.array([file.vertex_count], "<i8"),
    }


def _encoded_paint(file: MeshFile) -> Arrays:
    """Return the pictures on faces as arrays; nothing if there are none."""
    painted = [part.paint for part in file.parts if part.paint is not None]
    if not painted:
        return {}
    rows = [np.full(len(part.mesh.faces), NO_PICTURE) for part in file.parts]
    for own, part in zip(rows, file.parts, strict=True):
        own[:] = NO_PICTURE if part.paint is None else part.paint.picture
    picture = np.concatenate(rows)
    places = [part.paint.places[part.paint.picture != NO_PICTURE] for part in file.parts
              if part.paint is not None]  # fmt: skip
    pictures = painted[0].pictures
    return {
        "picture": picture.astype("<i4"),
        "places": np.concatenate(places),
        "pictures": np.frombuffer(b"".join(pictures), np.uint8),
        "picture_sizes": np.array([len(each) for each in pictures], "<i8"),
    }


def _decoded_paint(arrays: Arrays, faces: int) -> Paint | None:
    """Return the pictures on all faces of a file.

    Raises:
        ValueError: The arrays are not those of a file.
    """
    if "picture" not in arrays:
        return None
    picture, sizes = arrays["picture"], arrays["picture_sizes"]
    check_rows(sizes, MAX_BYTES, (len(sizes),))
    ends = np.cumsum(sizes)
    data = arrays["pictures"].tobytes()
    if picture.shape != (faces,) or len(data) != (ends[-1] if len(ends) else 0):
        raise ValueError("its pictures cannot be used")
    places = np.zeros((faces, 3, 2))
    places[picture != NO_PICTURE] = arrays["places"]
    pictures = [data[end - size : end] for end, size in zip(ends, sizes, strict=True)]
    return Paint(tuple(pictures), picture, places)


def _decode(arrays: Arrays) -> MeshFile:
    """Return a file of arrays.

    Raises:
        ValueError: They are not those of a file.
        MeshError: A mesh cannot be used.
    """
    text = json.loads(arrays["text"].tobytes())
    names, sizes = list(map(str, text["names"])), arrays["sizes"]
    vertices, faces, colors = arrays["vertices"], arrays["faces"], arrays["colors"]
    check_rows(sizes, 2**40, (len(names), 2))
    total = sizes.sum(axis=0).tolist()
    check_rows(faces, max(total), (total[1], 3))
    colors = np.broadcast_to(colors, (total[1], 3)) if len(colors) == 1 else colors
    for array, shape in ((vertices, (total[0], 3)), (colors, (total[1], 3)), (arrays["sum"], (3,))):
        _check_numbers(array, shape)
    if len(names) != len(set(names)) or text["up"] not in ("y", "z") or (sizes < 1).any():
        raise ValueError("its parts cannot be used")
    borders = np.concatenate([np.zeros((1, 2), np.intp), np.cumsum(sizes, axis=0)])
    paint, parts = _decoded_paint(arrays, total[1]), []
    for name, (v0, f0), (v1, f1) in zip(names, borders[:-1], borders[1:], strict=True):
        mesh = TriangleMesh(vertices[v0:v1], faces[f0:f1])
        own = paint and paint.select(slice(f0, f1))
        parts.append(NamedMesh(name, mesh, frozen(colors[f0:f1]), own))
    unit = text["unit"] if text["unit"] is None else float(text["unit"])
    notes = tuple(map(str, text["notes"]))
    count = int(arrays["count"][0])
    return MeshFile(tuple(parts), text["up"], arrays["sum"], count, notes, unit)


def _check_numbers(array: NDArray[Any], shape: tuple[int, ...]) -> None:
    if array.shape != shape or array.dtype != np.float64 or not np.isfinite(array).all():
        raise ValueError("an array has another shape or type")
