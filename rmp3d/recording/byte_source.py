"""The bytes of a recording, as HDF5 is given them.

A file whose writer is at work, or was killed, is marked in its first bytes (the superblock). HDF5
refuses a marked file, unless it is opened for reading beside its writer: then it repeats whatever
does not fit its checksum, for minutes. So the first bytes are checked here, and HDF5 is given them
without the mark. Damage is found at once, and Ctrl-C ends any reading.
"""

import io
import os
import time
from contextlib import ExitStack
from pathlib import Path

from rmp3d.errors import RecordingError
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.input_files import open_input, shown_path
from rmp3d.recording.checksum import lookup3

SIGNATURE = b"\x89HDF\r\n\x1a\n"
SUPERBLOCK = 48
"""Bytes of the superblock of version 3, which HDF5 1.10 introduced: signature, version, size of
addresses, size of lengths, flags, and from byte 12 on the addresses of base, extension, end of file
and root group, and the checksum."""
VERSIONS = bytes([3, 8, 8])
MARKS = (0, 1, 5)
"""Flags: closed, open, open with readers beside."""
MOST_BYTES = 2**50
GROWTH = 2**40
"""Bytes that a writer may add while the file is read."""
TRIES = 5
PAUSE = 0.01  # [s] between tries; a writer needs less for its first bytes


class ByteSource(io.RawIOBase):
    """A read-only file that h5py takes.

    Attributes:
        size: Bytes when it was opened.
        is_marked: Whether a run is writing the file, or was killed while it wrote.
    """

    def __init__(self, path: Path, content: bytes | None = None) -> None:
        """Open a file, or bytes in memory, which errors call ``path``.

        Raises:
            RecordingError: The file is missing, no regular file, or no recording, or its first
                bytes are damaged.
        """
        self._at = 0
        self._opened = ExitStack()
        self._memory = None if content is None else memoryview(content)
        if content is None:
            try:
                self._file = self._opened.enter_context(open_input(path, MOST_BYTES))
            except InputError as error:
                raise RecordingError(str(error)) from None
        try:
            self._head = self._checked_head()
        except ValueError as error:
            self._opened.close()
            raise RecordingError(f"{shown_path(path)}: {error}") from None

    @property
    def present_size(self) -> int:
        """Bytes that there are now; a writer adds some."""
        if self._memory is not None:
            return len(self._memory)
        return os.fstat(self._file.fileno()).st_size

    def close(self) -> None:
        """Close the file."""
        super().close()
        self._opened.close()

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a byte; see `io.RawIOBase`."""
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._end}[whence]
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        """Return the byte that is read next."""
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill a buffer; behind the end of the file there are zeros, as in HDF5's own driver."""
        view = memoryview(buffer)
        start, count = self._at, len(view)
        found = self._raw(start, count)
        view[: len(found)] = found
        view[len(found) :] = bytes(count - len(found))
        if start < SUPERBLOCK:
            part = self._head[start : start + count]
            view[: len(part)] = part
        self._at += count
        return count

    def _raw(self, start: int, count: int) -> bytes | memoryview:
        if self._memory is not None:
            return self._memory[start : start + count]
        self._file.seek(start)
        return self._file.read(count)

    def _checked_head(self) -> bytes:
        """Return the superblock that HDF5 is given.

        Raises:
            ValueError: It is damaged, or there is none.
        """
        for left in reversed(range(TRIES)):
            self.size = self.present_size
            head = bytes(self._raw(0, SUPERBLOCK))
            if not head.startswith(SIGNATURE):
                raise ValueError("not a recording (no HDF5 file)")
            if head[8] < VERSIONS[0]:
                raise ValueError("an HDF5 file, but not a recording")
            problem = _problem(head, self.size)
            if not problem:
                break
            if left == 0:
                raise ValueError(f"damaged recording ({problem})")
            time.sleep(PAUSE)  # perhaps its writer is writing these bytes just now
        self.is_marked = head[11] != 0
        self._end = self.size + GROWTH * self.is_marked
        bare = head[:11] + b"\0" + head[12:28] + self._end.to_bytes(8, "little") + head[36:44]
        return bare + lookup3(bare).to_bytes(4, "little")


def _problem(head: bytes, size: int) -> str:
    """Return what is wrong with a superblock in a file of so many bytes; empty if nothing is."""
    if len(head) < SUPERBLOCK:
        return "cut short"
    if lookup3(head[:44]) != int.from_bytes(head[44:48], "little"):
        return "its first bytes do not fit their checksum"
    if head[8:11] != VERSIONS or head[11] not in MARKS or any(head[12:20]):
        return "its first bytes are not those of a recording"
    end = int.from_bytes(head[28:36], "little")
    return f"truncated: {size} of {end} bytes" if size < end else ""
