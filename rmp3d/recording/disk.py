"""Locks and reserves disk space for a file, also on systems without a call for it."""

import os
from pathlib import Path
from types import ModuleType

from rmp3d.errors import RecordingError

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None

BOOKKEEPING = 2**20
"""More bytes than HDF5 needs for its own lists when a block of frames is written."""

_BLOCK = bytes(2**16)


def locked(path: Path) -> int:
    """Return a descriptor that holds the file for one writer until it is closed.

    Without `fcntl`, and on a file system without locks, a second writer is not noticed.

    Raises:
        RecordingError: The file cannot be written, or another run is writing to it.
    """
    # Windows would otherwise change line ends in the bytes.
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(path, flags, 0o644)
    except OSError as error:
        raise RecordingError(f"{path}: cannot be written ({error.strerror})") from None
    if fcntl is None:
        return descriptor
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RecordingError(f"{path}: another run is writing to it; choose another `-o`") from None
    except OSError:
        pass  # a file system without locks
    return descriptor


def reserve(descriptor: int, size: int) -> None:
    """Check that ``size`` more bytes can be written, and release them again.

    If a write fails inside HDF5, the process crashes when it closes the file. So the space is
    checked before. HDF5's own lists take less than `BOOKKEEPING`. On a system without
    `posix_fallocate` (macOS, Windows), the check writes zeros.

    Raises:
        OSError: The disk is full, or the file would exceed a limit.
    """
    end = os.fstat(descriptor).st_size
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(descriptor, end, size + BOOKKEEPING)
        else:
            _write_zeros(descriptor, end, size + BOOKKEEPING)
    finally:
        os.ftruncate(descriptor, end)


def _write_zeros(descriptor: int, start: int, count: int) -> None:
    os.lseek(descriptor, start, os.SEEK_SET)
    while count > 0:
        count -= os.write(descriptor, _BLOCK[:count])
