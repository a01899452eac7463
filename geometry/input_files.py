"""Opening of the files that a user gives: regular files only, and no larger than a limit.

Every reader opens its file here. A pipe would let it wait for ever, a device may have no end, and
a file may grow while it is read.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.printable import printable

KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}
"""What is not read, by the type in its mode."""


def read_input(path: Path, limit: int) -> bytes:
    """Return the content of a regular file of at most ``limit`` bytes.

    Raises:
        InputError: As `open_input`.
    """
    with open_input(path, limit) as file:
        # Memory is given for all that is asked for: first for what the file has.
        size = min(limit, os.fstat(file.fileno()).st_size)
        content = file.read(size + 1)
        if len(content) > size:  # it grows
            content += file.read(limit - size)
    if len(content) > limit:
        raise _too_large(path, limit)
    return content


@contextmanager
def open_input(path: Path, limit: int) -> Iterator[BinaryIO]:
    """Open a regular file of at most ``limit`` bytes for reading.

    Raises:
        InputError: The file is missing, not readable, too large, or no regular file; names it.
            An error of the operating system inside the context, too.
    """
    try:
        # Without O_NONBLOCK, opening a pipe would wait for its writer.
        opened = open(path, "rb", opener=_opener)
    except (OSError, ValueError) as error:
        raise _plain(path, error) from None
    with opened as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"{shown_path(path)}: {_kind(found.st_mode)}")
        if found.st_size > limit:
            raise _too_large(path, limit)
        try:
            yield file
        except OSError as error:
            raise _plain(path, error) from None


def check_input(path: Path, limit: int) -> None:
    """Check a file that another library opens itself.

    Raises:
        InputError: As `open_input`.
    """
    with open_input(path, limit):
        pass


def absolute_path(folder: Path, name: str | Path) -> str:
    """Return the absolute path of a file that is named relative to a folder.

    Raises:
        InputError: No file can have that name.
    """
    try:
        return str((Path(folder) / name).resolve())
    except (OSError, ValueError, RuntimeError):
        raise InputError(f"`{shown_path(name)}` is not the name of a file") from None


def shown_path(path: Path | str) -> str:
    """Return a path for a message: on one line, its end if it is very long."""
    text = printable(str(path))
    return text if len(text) <= LONGEST_PATH else f"...{text[-LONGEST_PATH:]}"


LONGEST_PATH = 300
"""Most letters of a path in a message."""


def size_text(count: int) -> str:
    """Return a number of bytes in words, such as ``64 MiB``."""
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count} bytes"


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _kind(mode: int) -> str:
    kind = KINDS.get(stat.S_IFMT(mode), "something else")
    return f"is {kind}, not a file; only regular files are read"


def _too_large(path: Path, limit: int) -> InputError:
    text = f"larger than {size_text(limit)}, the limit for a file of this kind"
    return InputError(f"{shown_path(path)}: {text}")


def _plain(path: Path, error: OSError | ValueError) -> InputError:
    """Return the error about a file that cannot be opened or read."""
    here = shown_path(path)
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return InputError(f"{here}: no such file")
    if isinstance(error, OSError):
        mode = _mode(path)  # opening a directory or a socket fails before its mode is looked at
        if mode and not stat.S_ISREG(mode):
            return InputError(f"{here}: {_kind(mode)}")
        return InputError(f"{here}: cannot be read ({error.strerror or 'an error of the system'})")
    return InputError(f"{here}: not the name of a file")


def _mode(path: Path) -> int:
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):
        return 0
