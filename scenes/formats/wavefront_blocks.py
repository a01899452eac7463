"""Lines of an OBJ file, many at a time: vertices and faces of large files, read by NumPy.

Only lines that are plain are read so: numbers that NumPy understands, as many as they should be.
All others are left to the reader that goes line by line, and that knows what is wrong in which
line.
"""

import re
import warnings
from collections.abc import Iterator
from itertools import pairwise
from typing import BinaryIO, NamedTuple

import numpy as np

from rmp3d.geometry.arrays import Float, Index

PIECE = 2**23
"""Bytes of the file that are looked at together."""
FEW = 50
"""Lines in a row from which on it pays to read them together."""
JOINED = re.compile(rb"\\[ \t\r]*\n|\r(?!\n)")
"""A line that goes on in the next one, or an end of a line as on old systems."""
REFERENCES = re.compile(rb"/[^\s]*")
"""What follows the vertex of a corner: its texture and its normal."""
SPACES = np.zeros(256, np.bool_)
SPACES[[9, 10, 13, 32]] = True


WORDS = ("other", "v", "f", "skip")


class Run(NamedTuple):
    """Lines in a row that begin alike.

    Attributes:
        word: "v" or "f"; "other" for lines of any kind, "skip" for lines that say nothing, "rest"
            for all lines that are left.
        first: Number of the first line, from 1.
        lines: Number of lines.
        text: The lines.
    """

    word: str
    first: int
    lines: int
    text: bytes


def runs(file: BinaryIO) -> Iterator[Run]:
    """Yield the lines of a file in order.

    Before a line that goes on in the next one, a run of the word "rest" is the last; the file is
    then where its first line begins.
    """
    rest, first, position = b"", 1, 0
    while piece := file.read(PIECE):
        piece = rest + piece
        cut = piece.rfind(b"\n") + 1
        if JOINED.search(piece) or cut == 0:
            file.seek(position)
            yield Run("rest", first, 0, b"")
            return
        rest = piece[cut:]
        for run in _runs(piece[:cut], first):
            yield run
            first = run.first + run.lines
        position += cut
    if rest:
        yield Run("other", first, 1, rest)


def _runs(piece: bytes, first: int) -> Iterator[Run]:
    data = np.frombuffer(piece, np.uint8)
    ends = np.flatnonzero(data == 10) + 1
    starts = np.concatenate([[0], ends[:-1]])
    begins, following = data[starts], data[np.minimum(starts + 1, len(data) - 1)]
    blank = (following == 32) | (following == 9)
    kind = np.zeros(len(starts), np.int8)
    kind[(begins == ord("v")) & blank] = 1
    kind[(begins == ord("f")) & blank] = 2
    kind[(begins == ord("v")) & ((following == ord("n")) | (following == ord("t")))] = 3
    borders = np.flatnonzero(np.diff(kind)) + 1
    begin = 0  # of short runs in a row, which are one run of any kind
    for a, b in pairwise([0, *borders.tolist(), len(kind)]):
        if b - a < FEW:
            continue
        if begin < a:
            yield Run("other", first + begin, a - begin, piece[starts[begin] : starts[a]])
        yield Run(WORDS[kind[a]], first + a, b - a, piece[starts[a] : ends[b - 1]])
        begin = b
    if begin < len(kind):
        yield Run("other", first + begin, len(kind) - begin, piece[starts[begin] :])


def vertex_block(run: Run) -> Float | None:
    """Return the 3, 4 or 6 numbers (V, W) of lines of vertices, None if the lines are not plain."""
    read = _numbers(run.text, np.float64)
    if read is None:
        return None
    numbers, counts = read
    width = int(counts[0])
    if width not in (3, 4, 6) or (counts != width).any():
        return None
    return numbers.reshape(-1, width)


def face_block(run: Run) -> tuple[Index, Index] | None:
    """Return the vertices of faces, and their number (P,), None if the lines are not plain.

    The vertices are as in the file: they count from 1, or back from -1.
    """
    text = REFERENCES.sub(b"", run.text) if b"/" in run.text else run.text
    read = None if b"." in text else _numbers(text, np.int64)
    if read is None or (read[1] < 3).any():
        return None
    return read


def _numbers(text: bytes, kind: type) -> tuple[np.ndarray, Index] | None:
    """Return all numbers after the first letters of lines, and their number in each line."""
    data = np.frombuffer(text, np.uint8).copy()
    starts = np.concatenate([[0], np.flatnonzero(data == 10)[:-1] + 1])
    data[starts] = 32
    space = SPACES[data]
    begins = ~space
    begins[1:] &= space[:-1]
    counts = np.add.reduceat(begins, starts, dtype=np.intp)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # where the text is no number
        try:
            numbers: np.ndarray = np.fromstring(data.tobytes(), kind, sep=" ")
        except ValueError:
            return None
    return (numbers, counts) if len(numbers) == counts.sum() else None
