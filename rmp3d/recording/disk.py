"""Locks and reserves disk space for a file, also on systems without a call for it."""

import os
from contextlib import suppress
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


def locked(path: Path) -> int | None:
    """Return a descriptor that holds an older file, so that no run writes to it until it is closed.

    On a file system without locks, a run that writes to it is not noticed.

    Returns:
        None if there is no such file, or without `fcntl`: Windows would not replace an open file.

    Raises:
        OSError: The file cannot be written.
        RecordingError: Another run is writing to it.
    """
    while fcntl is not None:
        try:
            descriptor = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            break
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise RecordingError(
                f"{path}: another run is writing to it; choose another `-o`"
            ) from None
        except OSError:
            return descriptor  # a file system without locks
        with suppress(OSError):
            if os.path.samestat(os.fstat(descriptor), os.stat(path)):
                return descriptor
        os.close(descriptor)  # another run has just replaced it
    return None


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
