"""Files that appear under their final name only when they are whole.

A file is first written beside its target, as ``.NAME.<16 random digits>.part``. Its name cannot be
predicted, and it is made only if nothing has that name, so that no link planted in the folder is
followed. When it is whole it takes its target's place in one step; the older file is there until
then. An error or Ctrl-C removes it. A killed process cannot: the next writer to the same target
does, for a lock on the file shows whether its writer lives.
"""

import errno
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

from rmp3d.geometry.errors import InputError
from rmp3d.geometry.uninterrupted import uninterrupted

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # not a POSIX system
    fcntl = None

BLOCK = 2**20
"""Bytes copied at a time."""
LONGEST_NAME = 40
"""Letters of the target's name in the name of an unfinished file; systems limit names."""
ABANDONED_AFTER = 86_400.0
"""Seconds after which an unfinished file is abandoned, where no lock can show it."""
STANDARD_OUTPUT = Path("-")
DESCRIPTOR = re.compile(r"/dev/(stdin|stdout|stderr|fd/\d+)|/proc/(self|\d+)/fd/\d+")
"""Names of files that are open already."""


@contextmanager
def whole_file(
    path: Path, what: str = "", kind: type[InputError] = InputError
) -> Iterator[BinaryIO]:
    """Yield a file to write to, which takes the place of ``path`` when the context is left.

    A pipe or a device gets everything at the end, as does standard output, which is called ``-``.
    A link is followed.

    Args:
        path: The target.
        what: What an error calls its content, such as "the map".
        kind: Of the error.

    Raises:
        InputError: The file cannot be written.
    """
    try:
        if is_stream(path):
            from tempfile import TemporaryFile  # slow to load

            with TemporaryFile() as content:
                yield content
                content.seek(0)
                with _stream(path) as stream:
                    while block := content.read(BLOCK):
                        stream.write(block)
            return
        unfinished: UnfinishedFile | None = None
        try:
            with uninterrupted():  # what is there is known, so that Ctrl-C removes it
                unfinished = UnfinishedFile(path)
            with open(unfinished.descriptor, "w+b", closefd=False) as file:
                yield file
                if not file.closed:
                    file.flush()
            unfinished.finish()
        except BaseException:
            if unfinished is not None:
                unfinished.discard()
            raise
    except (OSError, ValueError) as error:
        if isinstance(error, ValueError) and "\0" not in str(path):
            raise
        raise unwritable(path, error, what, kind) from None


def write_whole(path: Path, content: str | bytes, what: str = "") -> None:
    """Write a file that is text or bytes; see `whole_file`."""
    with whole_file(path, what) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def unwritable(
    path: Path, error: Exception, what: str = "", kind: type[InputError] = InputError
) -> InputError:
    """Return the error that a file cannot be written, and why."""
    reason = getattr(error, "strerror", None) or str(error)
    name = str(path).replace("\0", r"\0")
    return kind(f"{name}: {f'{what} ' if what else ''}cannot be written ({reason})")


class UnfinishedFile:
    """An empty file beside its target, to be finished or discarded.

    Make it inside `uninterrupted`, together with the noting of it: Ctrl-C between the two would
    leave the file behind.

    Attributes:
        path: Where it is now.
        descriptor: It is open for reading and writing, and locked.

    Raises:
        OSError: It cannot be made, or the target cannot be written.
    """

    def __init__(self, target: Path) -> None:
        self._target = Path(os.path.realpath(target))
        if self._target.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        if self._target.exists() and not os.access(self._target, os.W_OK):
            raise PermissionError(None, "the file there is write-protected")
        _remove_abandoned(self._target)
        self.path, self.descriptor = _made_and_locked(self._target)
        self._open = True

    def finish(self, *, keep_open: bool = False, replace: bool = True) -> None:
        """Give the file its target's name.

        Args:
            keep_open: Whether ``descriptor`` remains open.
            replace: Whether it takes the place of an older file.

        Raises:
            FileExistsError: There is a file by now, and it must not be replaced.
            OSError: Not all of it reached the disk.
        """
        _sync(self.descriptor)
        if fcntl is None:  # such a system does not rename open files
            self._close()
        with uninterrupted():
            if replace or not _linked(self.path, self._target):
                os.replace(self.path, self._target)
            self.path = self._target
            if not keep_open:
                self._close()
            elif fcntl is None:
                self.descriptor = os.open(self.path, os.O_RDWR | getattr(os, "O_BINARY", 0))
                self._open = True

    def discard(self) -> None:
        """Remove it, unless it is finished."""
        with uninterrupted(), suppress(OSError):
            self._close()
            if self.path != self._target:
                os.unlink(self.path)

    def _close(self) -> None:
        if self._open:
            self._open = False
            os.close(self.descriptor)


def is_stream(path: Path) -> bool:
    """Return whether a target is a pipe, a device, or open already, so that nothing replaces it."""
    if path == STANDARD_OUTPUT or DESCRIPTOR.fullmatch(os.path.abspath(path)):
        return True
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _stream(path: Path) -> BinaryIO:
    """Open a stream for writing."""
    if path == STANDARD_OUTPUT:
        sys.stdout.flush()
        return open(sys.stdout.fileno(), "wb", closefd=False)
    return path.open("wb")


def _made_and_locked(target: Path) -> tuple[Path, int]:
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    while True:
        name = f".{target.name[:LONGEST_NAME]}.{os.urandom(8).hex()}.part"
        path = target.with_name(name)
        descriptor = os.open(path, flags, 0o666)
        _lock(descriptor, wait=True)
        if os.fstat(descriptor).st_nlink == 0:  # another writer took it for abandoned
            os.close(descriptor)
            continue
        with suppress(OSError, AttributeError):
            os.fchmod(descriptor, stat.S_IMODE(os.stat(target).st_mode))
        return path, descriptor


def _remove_abandoned(target: Path) -> None:
    """Remove the unfinished files of killed processes that wrote to the same target."""
    start = re.escape(f".{target.name[:LONGEST_NAME]}.")
    pattern = re.compile(rf"{start}[0-9a-f]{{16}}\.part")
    with suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if pattern.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    _remove_if_abandoned(entry.path)


def _remove_if_abandoned(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    try:
        is_old = time.time() - os.fstat(descriptor).st_mtime > ABANDONED_AFTER
        locked = _lock(descriptor, wait=False)
        if locked:
            os.unlink(path)
    finally:
        os.close(descriptor)
    if locked is None and is_old:  # Windows does not remove open files
        os.unlink(path)


def _lock(descriptor: int, *, wait: bool) -> bool | None:
    """Lock a file for its writer.

    Returns:
        Whether it could be locked; None if the system or the file system has no locks.
    """
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _linked(path: Path, target: Path) -> bool:
    """Give a file another name that nothing has; return whether the file system can do so."""
    try:
        os.link(path, target)
    except FileExistsError:
        raise
    except (OSError, AttributeError):
        return False
    os.unlink(path)
    return True


def _sync(descriptor: int) -> None:
    """Wait until the file is on the disk; some file systems cannot say."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
