"""Parse AC3D text into an `Ac3dDocument`.

The format is Inivis's, as described by its page of 2003 and the unofficial guide of 2017
(``AC3Db``; and the material blocks of ``AC3Dc``). Of several textures the first counts. Entries
that change no shape and no color are ignored: subdivision, creases, links, and the marks for
hidden, locked or folded objects.
"""

import math
from array import array
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np

from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import open_input, shown_path
from rmp3d.geometry.plain_cause import plain_cause
from rmp3d.geometry.printable import printable, shortened
from rmp3d.geometry.registry import LONGEST_NAME, unknown_name
from rmp3d.scenes.formats.ac3d_document import (
    CLOSED_LINE,
    OPEN_LINE,
    POLYGON,
    STILL,
    STRIP,
    UPRIGHT,
    Ac3dDocument,
    Ac3dObject,
    Surfaces,
)
from rmp3d.scenes.formats.mesh_format import MAX_BYTES, MAX_COUNT

MAX_OBJECTS = 100_000
MAX_LINE = 1 << 16

_PASSED_OVER = "subdiv crease url hidden locked folded".split()
_KNOWN = [
    "name",
    "data",
    "rot",
    "loc",
    "numvert",
    "numsurf",
    "kids",
    "texture",
    "texrep",
    "texoff",
    *_PASSED_OVER,
]


def read_document(path: Path) -> Ac3dDocument:
    """Return the document of an AC3D file; its tree may have any depth.

    Raises:
        InputError: It names the line that cannot be understood, or the end of a truncated file.
    """
    with open_input(path, MAX_BYTES) as file:
        lines = _Lines(file)
        try:
            return _DocumentParser(lines).document()
        except (InputError, ValueError, OverflowError) as error:
            cause = plain_cause(error)
    raise InputError(f"{shown_path(path)}: line {lines.number}: cannot be read as AC3D: {cause}")


class _Lines:
    """The lines of a file that are not blank, with their numbers."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.number = 0

    def next(self) -> str | None:
        """Return the next line, stripped; None at the end of the file."""
        while line := self._file.readline(MAX_LINE):
            self.number += 1
            if len(line) == MAX_LINE:
                raise InputError(f"the line is longer than {MAX_LINE:,} characters")
            if text := line.decode("utf-8", "replace").strip():
                return text
        return None

    def words(self) -> list[str]:
        """Return the words of the next line, which must be there."""
        line = self.next()
        if line is None:
            raise InputError("the file ends in the middle of an object; is it cut short?")
        return line.split()

    def skip(self, size: int) -> None:
        """Skip free text of ``size`` bytes and what is left of its last line."""
        while size > 0:
            text = self._file.read(min(size, MAX_LINE))
            if not text:
                raise InputError("the file ends in the middle of `data`; is it cut short?")
            self.number += text.count(b"\n")
            size -= len(text)
            if size == 0:
                self.number += 1
                self._file.readline(MAX_LINE)


@dataclass
class _Pending:
    """An object; its ``kids`` line is not read yet."""

    kind: str
    parent: int
    name: str = ""
    location: Float = field(default_factory=lambda: STILL)
    rotation: Float = field(default_factory=lambda: UPRIGHT)
    vertices: array = field(default_factory=lambda: array("d"))  # 3 each
    flags: array = field(default_factory=lambda: array("q"))
    materials: array = field(default_factory=lambda: array("q"))
    counts: array = field(default_factory=lambda: array("q"))
    corners: array = field(default_factory=lambda: array("q"))
    texture: str = ""
    repeat: Float = field(default_factory=lambda: np.ones(2))
    offset: Float = field(default_factory=lambda: np.zeros(2))
    places: array = field(default_factory=lambda: array("d"))  # 2 each, if it has a texture

    def finished(self) -> Ac3dObject:
        parts = (self.flags, self.materials, self.counts, self.corners)
        surfaces = Surfaces(*(frozen(np.frombuffer(part, np.int64), np.intp) for part in parts))
        vertices = frozen(np.frombuffer(self.vertices).reshape(-1, 3))
        places = np.frombuffer(self.places).reshape(-1, 2) * self.repeat + self.offset
        return Ac3dObject(
            self.kind, self.name, self.parent, self.location, self.rotation, vertices, surfaces,
            self.texture, frozen(places),
        )  # fmt: skip


class _DocumentParser:
    """Reads a document; its methods raise `InputError` about the line that `_Lines` is at."""

    def __init__(self, lines: _Lines) -> None:
        self.lines = lines
        self.names: list[str] = []
        self.colors: list[list[float]] = []
        self.objects: list[Ac3dObject] = []
        self.totals = {"vertices": 0, "surfaces": 0, "corners": 0}

    def document(self) -> Ac3dDocument:
        header = self.lines.next() or ""
        if not header.startswith("AC3D"):
            raise InputError(f"the file must begin with `AC3Db`, not `{_shown(header)}`")
        open_rows: list[list[int]] = []  # of each ancestor: its row, and how many kids are missing
        while line := self.lines.next():
            word = line.split(maxsplit=1)[0]
            if word == "MATERIAL":
                name, rest = _quoted(line)
                self._add_material(name, rest.split())
            elif word == "MAT":
                self._add_material(_quoted(line)[0], self._block())
            elif word == "OBJECT":
                self._add_object(line, open_rows)
            else:
                raise InputError(f"expected `MATERIAL` or `OBJECT`, not `{_shown(line)}`")
        if open_rows:
            row, missing = open_rows[-1]
            raise InputError(
                f"the file ends, but {missing} of the kids of object "
                f"`{self.objects[row].name or self.objects[row].kind}` are missing; "
                "is it cut short?"
            )
        colors = frozen(np.array(self.colors).reshape(-1, 3))
        return Ac3dDocument(tuple(self.names), colors, tuple(self.objects))

    def _block(self) -> list[str]:
        """Return the words of a material block up to its ``ENDMAT``."""
        block: list[str] = []
        while (words := self.lines.words()) != ["ENDMAT"]:
            if words[0] == "data":
                self.lines.skip(_count(words))
            elif words[0] == "rgb":
                block = words
        return block

    def _add_material(self, name: str, words: list[str]) -> None:
        if "rgb" not in words:
            raise InputError("a material needs `rgb` and three numbers")
        self.names.append(name)
        self.colors.append(_numbers(words[words.index("rgb") :], 3))

    def _add_object(self, line: str, open_rows: list[list[int]]) -> None:
        if len(self.objects) == MAX_OBJECTS:
            raise InputError(f"more than {MAX_OBJECTS:,} objects")
        kind = _shown(line[len("OBJECT") :].strip()) or "object"
        pending = _Pending(kind, open_rows[-1][0] if open_rows else -1)
        kids = self._attributes(pending)
        if open_rows:
            open_rows[-1][1] -= 1
        if kids:
            open_rows.append([len(self.objects), kids])
        self.objects.append(pending.finished())
        while open_rows and open_rows[-1][1] == 0:
            open_rows.pop()

    def _attributes(self, pending: _Pending) -> int:
        """Read all of an object; return how many kids follow it."""
        while (line := self.lines.next()) is not None:
            words = line.split()
            word = words[0]
            if word == "kids":
                return _count(words)
            if word == "name":
                pending.name = _quoted(line)[0]
            elif word == "data":
                self.lines.skip(_count(words))
            elif word == "loc":
                pending.location = frozen(_numbers(words, 3))
            elif word == "rot":
                pending.rotation = frozen(np.reshape(_numbers(words, 9), (3, 3)))
            elif word == "texture":
                pending.texture = pending.texture or _quoted(line)[0]
            elif word in ("texrep", "texoff"):
                numbers = np.array(_numbers(words, 2))
                pending.repeat, pending.offset = (
                    (numbers, pending.offset) if word == "texrep" else (pending.repeat, numbers)
                )
            elif word == "numvert":
                self._add_vertices(pending, self._counted("vertices", words))
            elif word == "numsurf":
                for _ in range(self._counted("surfaces", words)):
                    self._add_surface(pending)
            elif word not in _PASSED_OVER:
                raise InputError(unknown_name("word of an object", _shown(word), _KNOWN))
        raise InputError("the file ends in the middle of an object; is it cut short?")

    def _counted(self, what: str, words: list[str]) -> int:
        """Return the count that a line announces, unless there are too many in all."""
        count = _count(words)
        self.totals[what] += count
        if self.totals[what] > MAX_COUNT:
            raise InputError(f"{self.totals[what]:,} {what}; at most {MAX_COUNT:,} are read")
        return count

    def _add_vertices(self, pending: _Pending, count: int) -> None:
        for _ in range(count):
            pending.vertices.extend(_numbers(["vertex", *self.lines.words()], 3))

    def _add_surface(self, pending: _Pending) -> None:
        flags, material = 0, -1
        while (words := self.lines.words())[0] != "refs":
            if words[0] == "SURF":
                flags = _flags(words)
            elif words[0] == "mat":
                material = _count(words)
                if self.colors and material >= len(self.colors):
                    raise InputError(
                        f"there is no material {_shown(str(material))}, only {len(self.colors)}"
                    )
            else:
                raise InputError(f"expected `SURF`, `mat` or `refs`, not `{_shown(words[0])}`")
        count = self._counted("corners", words)
        known = len(pending.vertices) // 3
        for _ in range(count):
            words = self.lines.words()
            corner = int(words[0])
            if not 0 <= corner < known:
                raise InputError(
                    f"a surface refers to vertex {_shown(words[0])}, but the object has {known} so "
                    "far (they count from 0)"
                )
            pending.corners.append(corner)
            if pending.texture:
                pending.places.extend(_place(words))
        pending.flags.append(flags)
        pending.materials.append(material if self.colors else -1)
        pending.counts.append(count)


def _count(words: list[str]) -> int:
    """Return the whole number after the first word."""
    value = int(words[1]) if len(words) > 1 else -1
    if value < 0:
        raise InputError(f"`{_shown(words[0])}` needs a number, 0 or more")
    return value


def _flags(words: list[str]) -> int:
    flags = int(words[1], 0) if len(words) > 1 else -1
    if not 0 <= flags < 1 << 32 or flags & 0xF not in (POLYGON, CLOSED_LINE, OPEN_LINE, STRIP):
        raise InputError(
            "`SURF` needs flags that end in 0 (polygon), 1 or 2 (line), or 4 (triangle strip)"
        )
    return flags


def _numbers(words: list[str], count: int) -> list[float]:
    """Return the ``count`` numbers after the first word; more are passed over."""
    numbers = [float(word) for word in words[1 : 1 + count]]
    if len(numbers) < count:
        raise InputError(f"`{_shown(words[0])}` needs {count} numbers, got {len(numbers)}")
    if not all(map(math.isfinite, numbers)):
        raise InputError(f"`{_shown(words[0])}` has a number that is not finite")
    return numbers


def _place(words: list[str]) -> list[float]:
    """Return the texture coordinates after the vertex of a corner, NaN if they are none."""
    try:
        place = [float(word) for word in words[1:3]]
    except ValueError:
        place = []
    return place if len(place) == 2 else [math.nan, math.nan]


def _quoted(line: str) -> tuple[str, str]:
    """Return the name after the first word, its quotation marks removed, and the rest."""
    _, text = [*line.split(maxsplit=1), ""][:2]
    if text.startswith('"') and text.count('"') > 1:
        name, _, rest = text[1:].rpartition('"')
    else:
        name, _, rest = text.partition(" ")
    return name, rest


def _shown(text: str) -> str:
    """Return so much of a text that a message stays short."""
    return shortened(printable(text), LONGEST_NAME)
