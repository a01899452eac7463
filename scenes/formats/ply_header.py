"""The header of a PLY file: which elements follow, and what each of their rows holds."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import shown_path
from rmp3d.geometry.printable import printable, shortened
from rmp3d.geometry.registry import LONGEST_NAME

MAX_HEADER = 1 << 20
MAX_LINES = 1000
TYPES = {
    "char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4",
    "float": "f4", "double": "f8", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2",
    "int32": "i4", "uint32": "u4", "float32": "f4", "float64": "f8",
}  # fmt: skip
FORMATS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}


@dataclass(frozen=True)
class PlyProperty:
    """One value of a row, or a list of values.

    Attributes:
        name: As in the file.
        kind: Type of the value, or of each value of the list.
        count_kind: Type of the list's length; None: it is no list.
    """

    name: str
    kind: np.dtype
    count_kind: np.dtype | None = None


@dataclass
class PlyElement:
    """Rows of one kind, such as vertices."""

    name: str
    count: int
    properties: list[PlyProperty] = field(default_factory=list)


@dataclass(frozen=True)
class PlyHeader:
    """The header.

    Attributes:
        is_text: Whether numbers are text.
        elements: In the order of the file.
        size: Bytes of the header.
        lines: Lines of the header.
        has_texture: Whether it names a texture.
    """

    is_text: bool
    elements: list[PlyElement]
    size: int
    lines: int
    has_texture: bool


def read_header(path: Path, content: bytes) -> PlyHeader:
    """Return the header of a file's content.

    Raises:
        InputError: Names the line that cannot be understood.
    """
    end = content.find(b"end_header", 0, MAX_HEADER)
    size = content.find(b"\n", end) + 1 if end >= 0 else 0
    if not content.startswith(b"ply"):
        raise _error(path, 1, "a PLY file begins with `ply`")
    if size == 0:
        raise _error(path, 1, "there is no line `end_header`; is the file cut short?")
    lines = content[:end].decode("utf-8", "replace").splitlines()
    if len(lines) > MAX_LINES:
        raise _error(path, MAX_LINES, f"a header of more than {MAX_LINES:,} lines")
    order: str | None = None
    elements: list[PlyElement] = []
    for number, line in enumerate(lines[1:], 2):
        words = line.split()
        if not words or words[0] in ("comment", "obj_info"):
            continue
        if words[0] == "format" and len(words) > 1 and words[1] in FORMATS:
            order = FORMATS[words[1]]
        elif words[0] == "element" and len(words) == 3 and _is_count(words[2]):
            elements.append(PlyElement(words[1], int(words[2])))
        elif words[0] == "property" and elements and order is not None:
            elements[-1].properties.append(_property(path, number, words, order))
        else:
            shown = shortened(printable(line.strip()), LONGEST_NAME)
            raise _error(path, number, f"`{shown}` is not understood")
    if order is None:
        raise _error(path, 1, f"there is no line `format` with one of {', '.join(FORMATS)}")
    has_texture = any("texturefile" in line.lower() for line in lines)
    return PlyHeader(order == "", elements, size, len(lines) + 1, has_texture)


def _property(path: Path, line: int, words: list[str], order: str) -> PlyProperty:
    kinds = words[2:4] if words[1:2] == ["list"] else words[1:2]
    unknown = [kind for kind in kinds if kind not in TYPES]
    if unknown or len(words) != (5 if len(kinds) == 2 else 3):
        raise _error(path, line, "should be `property TYPE NAME` or `property list TYPE TYPE NAME`")
    types = [np.dtype((order or "<") + TYPES[kind]) for kind in kinds]
    if len(types) == 1:
        return PlyProperty(words[2], types[0])
    if types[0].kind == "f":
        raise _error(path, line, "the length of a list is a whole number")
    return PlyProperty(words[4], types[1], types[0])


def _is_count(word: str) -> bool:
    return word.isdecimal() and len(word) < 12


def _error(path: Path, line: int, message: str) -> InputError:
    return InputError(f"{shown_path(path)}: line {line}: cannot be read as PLY: {message}")
