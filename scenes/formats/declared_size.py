"""Check the size that the header of a mesh file declares, before the file is read.

Some readers accept a truncated file as a smaller one, or allocate all memory that a header asks
for.
"""

import json
import struct
from pathlib import Path

from rmp3d.geometry.errors import InputError

MAX_COUNT = 60_000_000
"""Three corners for each triangle of the largest mesh that is read."""

MAX_HEADER = 1000


def check_declared_size(path: Path) -> None:
    """Check the counts in the header of an OFF, PLY or glTF file; others have none to check.

    Raises:
        InputError: The file has less data than its header declares, or declares too much.
        ValueError: The header cannot be understood (also as `KeyError`, `TypeError`).
    """
    suffix = path.suffix.lower()
    if suffix == ".off":
        _check_off(path)
    elif suffix == ".ply":
        _check_ply(path)
    elif suffix in (".glb", ".gltf"):
        _check_gltf(path)


def _check_off(path: Path) -> None:
    text = path.read_text(encoding="utf-8", errors="replace")
    lines = [words for line in text.splitlines() if (words := line.partition("#")[0].split())]
    first = lines[0][1:] or lines[1]
    body = lines[1 if len(lines[0]) > 1 else 2 :]
    vertices, faces = int(first[0]), int(first[1])
    _refuse_large(vertices, faces)
    rows = body[: vertices + faces]
    if len(rows) < vertices + faces or (rows and faces and len(rows[-1]) <= int(rows[-1][0])):
        raise InputError(
            f"its header says {vertices} vertices and {faces} faces, but {len(rows)} lines follow"
        )


def _check_ply(path: Path) -> None:
    with path.open("rb") as file:
        header: list[list[bytes]] = []
        while len(header) < MAX_HEADER and header[-1:] != [[b"end_header"]]:
            header.append(file.readline(10_000).split())
        counts = [int(words[2]) for words in header if words[:1] == [b"element"]]
        _refuse_large(*counts)
        if [b"format", b"ascii", b"1.0"] in header:
            lines = sum(1 for line in file if line.strip())
            if lines < sum(counts):
                raise InputError(f"its header says {sum(counts)} lines, but {lines} follow")


def _check_gltf(path: Path) -> None:
    data = path.read_bytes()
    if path.suffix.lower() == ".glb":
        magic, _, size, length, _ = struct.unpack_from("<4sIII4s", data)
        if magic != b"glTF":
            raise InputError("it does not begin as a binary glTF file")
        if size > len(data):
            raise InputError(f"its header says {size} bytes, but there are {len(data)}")
        data = data[20 : 20 + length]
    header = json.loads(data)
    _refuse_large(*(accessor["count"] for accessor in header.get("accessors", [])))


def _refuse_large(*counts: int) -> None:
    for count in counts:
        if not 0 <= count <= MAX_COUNT:
            raise InputError(f"it declares {count:,} elements; at most {MAX_COUNT:,} are read")
