"""Results about large meshes that are kept on disk, so that the next command need not find them.

A result is arrays. It is named by the content that it was computed from and by the code that
computes, so it never has to be renewed: another mesh has another name. What is read is checked; a
file that is damaged, renamed or not ours is computed again and replaced.

`RMP3D_CACHE` says where the files are: ``off`` is nowhere, anything else is a folder. If it is not
set, they are in the folder for such files that the system has for each user.
"""

import hashlib
import json
import os
import re
import struct
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.errors import Rmp3dError
from rmp3d.geometry.input_files import open_input
from rmp3d.geometry.whole_file import whole_file

Arrays: TypeAlias = Mapping[str, NDArray[Any]]
Result = TypeVar("Result")

SWITCH = "RMP3D_CACHE"
OFF = ("off", "0", "no", "none")
MOST_BYTES = 2 * 2**30
"""Of all files together; the ones that were used longest ago go first."""
MOST_FILES = 2000
MOST_BYTES_OF_ONE = 2**30
MAGIC = b"RMP3D cache 002\n"
KINDS = ("<f8", "<f4", "<i8", "<i4", "<u4", "|u1")
"""Types of arrays, as NumPy writes them."""
NAME = re.compile(r"[0-9a-f]{64}\.cache")
HEAD = len(MAGIC) + hashlib.sha256().digest_size
DAMAGED = (Rmp3dError, OSError, ValueError, KeyError, TypeError, IndexError, RecursionError)
"""What reading a file may end with, whatever is in it."""


def kept(
    what: str,
    content: Iterable[bytes],
    make: Callable[[], Result],
    encode: Callable[[Result], Arrays],
    decode: Callable[[Arrays], Result],
) -> Result:
    """Return a result from the disk, or make and keep it.

    Args:
        what: Name of the result, such as "tree".
        content: Digests of all that the result depends on.
        make: Computes the result.
        encode: Returns its arrays, of the types in `KINDS`.
        decode: Returns the result of arrays from the disk. It checks all of them (shapes, ranges
            of indices), and raises a `ValueError` or `InputError` if they cannot be used.
    """
    folder = cache_folder()
    if folder is None:
        return make()
    name = hashlib.sha256(b"\0".join([what.encode(), code_digest(), *content])).hexdigest()
    path = folder / f"{name}.cache"
    with suppress(*DAMAGED):
        found = decode(_read(path))
        with suppress(OSError):
            os.utime(path)
        return found
    made = make()
    with suppress(Rmp3dError, OSError):
        _write(path, encode(made))
    return made


def cache_folder() -> Path | None:
    """Return the folder of the files; None if they are switched off or there is no such folder."""
    stated = os.environ.get(SWITCH, "")
    if stated:
        return None if stated.lower() in OFF else Path(stated).absolute()
    with suppress(RuntimeError):  # a user without a home
        if sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local")
        elif sys.platform == "darwin":
            base = Path.home() / "Library/Caches"
        else:
            base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        return base / "rmp3d" if base.is_absolute() else None
    return None


@lru_cache(maxsize=1)
def code_digest() -> bytes:
    """Return the digest of the code that computes what is kept: meshes, trees, what is drawn."""
    digest = hashlib.sha256(f"{np.__version__} {sys.version_info[:2]} {_of_trimesh()}".encode())
    package = Path(__file__).parent.parent
    for folder in ("geometry", "scenes", "scenes/formats", "viewer", "viewer/shapes"):
        for path in sorted((package / folder).glob("*.py")):
            digest.update(path.read_bytes())
    return digest.digest()


def _of_trimesh() -> str:
    from importlib.metadata import PackageNotFoundError, version  # slow to load

    with suppress(PackageNotFoundError):
        return version("trimesh")
    return ""


def _read(path: Path) -> Arrays:
    """Return the arrays of a file.

    Raises:
        ValueError: It is damaged, or no file of ours.
        InputError: It cannot be opened.
    """
    with open_input(path, MOST_BYTES_OF_ONE) as file:
        owner = os.fstat(file.fileno()).st_uid
        if hasattr(os, "getuid") and owner != os.getuid():
            raise ValueError("it is another user's")
        data = file.read(MOST_BYTES_OF_ONE)
    if not data.startswith(MAGIC):
        raise ValueError("it does not begin as such a file")
    if _checksum(path, [memoryview(data)[HEAD:]]) != data[len(MAGIC) : HEAD]:
        raise ValueError("its checksum is wrong, or it had another name")
    (length,) = struct.unpack_from("<Q", data, HEAD)
    start = HEAD + 8 + length
    found = {}
    for name, kind, shape in json.loads(data[HEAD + 8 : start]):
        size = prod(shape)
        if kind not in KINDS or min(shape, default=0) < 0:
            raise ValueError("it has an array of another type")
        array = np.frombuffer(data, kind, size, start) if size else np.empty(0, kind)
        found[str(name)] = array.reshape(shape).copy()  # a copy is aligned
        start += array.nbytes
    if start != len(data):
        raise ValueError("it has another length than it says")
    return found


def _write(path: Path, arrays: Arrays) -> None:
    """Write a file, and remove old ones if there are too many."""
    table = json.dumps([[name, row.dtype.str, list(row.shape)] for name, row in arrays.items()])
    head = struct.pack("<Q", len(table)) + table.encode()
    pieces = [memoryview(head), *map(_bytes_of, arrays.values())]
    size = HEAD + sum(len(piece) for piece in pieces)
    if size > MOST_BYTES_OF_ONE:
        return
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _make_room(path.parent, size)
    with whole_file(path) as file:
        file.write(MAGIC + _checksum(path, pieces))
        for piece in pieces:
            file.write(piece)


def _checksum(path: Path, pieces: Sequence[memoryview]) -> bytes:
    """Return the checksum of what a file holds under its name: under another one it is false."""
    digest = hashlib.sha256(path.name.encode())
    for piece in pieces:
        digest.update(piece)
    return digest.digest()


def _bytes_of(array: NDArray[Any]) -> memoryview:
    """Return the bytes of an array, in C order."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _make_room(folder: Path, size: int) -> None:
    """Remove the files that were used longest ago until another one fits."""
    found: list[tuple[float, int, str]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                about = entry.stat(follow_symlinks=False)
                found.append((about.st_mtime, about.st_size, entry.path))
    total, count = size + sum(each for _, each, _ in found), 1 + len(found)
    for _, each, path in sorted(found):
        if total <= MOST_BYTES and count <= MOST_FILES:
            return
        with suppress(OSError):
            os.unlink(path)
        total, count = total - each, count - 1


def digest_of(arrays: Sequence[NDArray[Any]]) -> bytes:
    """Return a digest of the types, shapes and bytes of arrays."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.dtype.str} {array.shape}".encode())
        digest.update(_bytes_of(array))
    return digest.digest()


def check_rows(rows: NDArray[Any], count: int, shape: tuple[int, ...]) -> None:
    """Check that an array has a shape, and only whole numbers from 0 to less than ``count``.

    Raises:
        ValueError: It has not.
    """
    if rows.dtype.kind != "i" or rows.shape != shape:
        raise ValueError("an array has another shape or type")
    if rows.size and (rows.min() < 0 or rows.max() >= count):
        raise ValueError("an index is out of range")
