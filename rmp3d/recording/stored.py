"""What a recording's file holds, checked before memory is given for it.

A file may declare arrays of any size, in few bytes. Only plain arrays that are in the file itself,
with the filters that recordings use, are read. What is compressed becomes at most `DEFLATE` times
as large, so all arrays together may declare so many times the file's size. What is read at once,
when a recording is opened, has a limit of its own.
"""

import time
import zlib
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from math import prod
from typing import Any

import h5py
import numpy as np
from h5py import h5a, h5d, h5g, h5l, h5o, h5p, h5s, h5z
from numpy.typing import NDArray

from rmp3d.recording.byte_source import PAUSE, TRIES, ByteSource
from rmp3d.recording.checksum import fletcher32, unshuffled

DEFLATE = 1032
"""zlib makes at most so many bytes of one."""
CHUNK_ROOM = 64
"""A chunk may be so many times larger than the array, and `LARGEST_CHUNK` beside."""
LARGEST_CHUNK = 2**20
CHECKSUM = 4
"""Bytes of a chunk's checksum."""
UNCHECKED_CHUNK = 2**18
"""Stored bytes of a chunk that may be unpacked at once: at most a quarter of a gigabyte comes out
of them. Larger chunks are unpacked piece by piece before, to see how much they hold."""
HEADER_BYTES = 2**26
HEADER_RATIO = 256
"""What is read at once may take `HEADER_BYTES`, and `HEADER_RATIO` times the file's size."""
LARGEST_TEXT = 2**24
"""Bytes of a text, such as the scenario."""
LONGEST_NAME = 400
"""Bytes of a name, such as that of a formation."""
MOST_AXES = 4
USUAL = [h5z.FILTER_SHUFFLE, h5z.FILTER_DEFLATE, h5z.FILTER_FLETCHER32]
"""How large arrays are packed; all other arrays use some of these filters."""
FILTERS = set(USUAL)

UNREADABLE = (
    OSError, RuntimeError, ValueError, KeyError, TypeError, AttributeError, IndexError,
    OverflowError, ArithmeticError, EOFError,
)  # fmt: skip
"""What h5py and NumPy raise about a damaged file."""


class DamagedError(ValueError):
    """A part of a recording is not as it has to be; says which part and why."""


class StoredFile:
    """An open file of a recording, read-only."""

    def __init__(self, source: ByteSource) -> None:
        self.source = source
        self._file = h5py.File(source, "r")
        self._seen: set[tuple[int, int]] = set()
        self._declared = 0
        self._read_at_once = 0

    def close(self) -> None:
        """Close the file."""
        with suppress(*UNREADABLE):  # what HDF5 finds damaged only then was not read
            self._file.close()
        self.source.close()

    def attribute(self, name: str, kinds: str) -> Any:
        """Return an attribute of the file: one number, or text as bytes.

        Args:
            name: Of the attribute.
            kinds: Of NumPy's types, such as "iu".

        Raises:
            DamagedError: There is none, or it is something else.
        """
        root = self._file.id
        if not h5a.exists(root, name.encode()):
            raise DamagedError(f"`{name}` is missing")
        found = h5a.open(root, name.encode())
        dtype = found.dtype
        simple = found.get_space().get_simple_extent_type() == h5s.SCALAR
        if not simple or dtype.kind not in kinds or dtype.itemsize > LONGEST_NAME:
            raise DamagedError(f"`{name}` is not a single value of its type")
        value = np.empty((), dtype)
        found.read(value)
        return value[()]

    def names(self, path: str) -> list[str]:
        """Return the names in a group, sorted; none if there is no such group.

        Raises:
            DamagedError: It is no group, or a name is no text.
        """
        found = self._object(path)
        if found is None:
            return []
        if not isinstance(found, h5g.GroupID):
            raise DamagedError(f"`{path}` is no group")
        names = sorted(h5py.Group(found))
        if not all(name.isprintable() for name in names):
            raise DamagedError(f"a name in `{path}` is no text")
        return names

    def array(self, path: str, dtype: Any, axes: int | None = None) -> "StoredArray":
        """Return an array, not yet read.

        Args:
            path: Of the array in the file.
            dtype: Its type, or letters of the kinds that it may be of.
            axes: How many it has; any number up to `MOST_AXES` if None.

        Raises:
            DamagedError: There is none, it is another one, or larger than the file can hold.
        """
        found = self._object(path)
        if found is None:
            raise DamagedError(f"`{path}` is missing")
        if not isinstance(found, h5d.DatasetID):
            raise DamagedError(f"`{path}` is no array")
        array = StoredArray(path, found, self.source)
        array.check_type(dtype, axes)
        where = h5o.get_info(found)
        if (where.fileno, where.addr) not in self._seen:
            self._seen.add((where.fileno, where.addr))
            self._declared += array.size
        if self._declared > DEFLATE * self.source.present_size:
            raise DamagedError(f"`{path}` and others declare more than the file can hold")
        return array

    def read(self, path: str, dtype: Any, axes: int | None = None) -> NDArray[Any]:
        """Return all of an array that is read when a recording is opened; see `array`.

        Raises:
            DamagedError: As `array`; or what is read so is too large for such a file.
        """
        array = self.array(path, dtype, axes)
        self._read_at_once += array.size
        if self._read_at_once > HEADER_BYTES + HEADER_RATIO * self.source.size:
            raise DamagedError(f"`{path}` and others declare more than such a file can hold")
        return array[...]

    def text(self, path: str) -> str:
        """Return a text that is stored as bytes.

        Raises:
            DamagedError: As `read`; or it is longer than `LARGEST_TEXT`, or no UTF-8.
        """
        array = self.array(path, np.uint8, 1)
        if array.size > LARGEST_TEXT:
            raise DamagedError(f"`{path}` is longer than {LARGEST_TEXT} bytes")
        return decoded_text(self.read(path, np.uint8, 1).tobytes(), path)

    def texts(self, path: str) -> tuple[str, ...]:
        """Return the rows of a list of names.

        Raises:
            DamagedError: As `read`; or one is no UTF-8.
        """
        return tuple(decoded_text(row, path) for row in self.read(path, "S", 1).tolist())

    def has(self, path: str) -> bool:
        """Return whether there is something of that name."""
        return self._object(path) is not None

    def _object(self, path: str) -> Any:
        """Return an object of the file itself; None if there is none.

        Raises:
            DamagedError: A link leads elsewhere.
        """
        found: Any = h5g.open(self._file.id, b"/")
        for name in path.encode().split(b"/"):
            if not isinstance(found, h5g.GroupID):
                raise DamagedError(f"`{path}` is missing")
            if not found.links.exists(name):
                return None
            if found.links.get_info(name).type != h5l.TYPE_HARD:
                raise DamagedError(f"`{path}` is a link to elsewhere")
            found = h5o.open(found, name)
        return found


class StoredArray:
    """An array in the file, whose declaration is sound.

    Attributes:
        path: In the file.
        shape: As declared when it was opened.
        dtype: Of its values.

    Raises:
        DamagedError: It is not in the file itself, or declares more than it can hold.
    """

    def __init__(self, path: str, dataset: h5d.DatasetID, source: ByteSource) -> None:
        self.path = path
        self._source = source
        self._dataset = dataset
        plan = dataset.get_create_plist()
        layout = plan.get_layout()
        if layout not in (h5d.COMPACT, h5d.CONTIGUOUS, h5d.CHUNKED) or plan.get_external_count():
            raise DamagedError(f"`{path}` is not stored in the file itself")
        used = [plan.get_filter(row)[0] for row in range(plan.get_nfilters())]
        if len(set(used)) < len(used) or not set(used) <= FILTERS:
            raise DamagedError(f"`{path}` is packed in a way that recordings are not")
        if dataset.get_space().get_simple_extent_type() != h5s.SIMPLE:
            raise DamagedError(f"`{path}` is no array")
        self._filters = used
        self.shape: tuple[int, ...] = tuple(int(size) for size in dataset.shape)
        self.dtype: np.dtype[Any] = dataset.dtype
        self._chunk: tuple[int, ...] = ()
        self._check_size(layout, plan)

    @property
    def size(self) -> int:
        """Bytes of all values."""
        return prod(self.shape) * self.dtype.itemsize

    def check_type(self, dtype: Any, axes: int | None) -> None:
        """Refuse another type or number of axes.

        Raises:
            DamagedError: It is another one.
        """
        if isinstance(dtype, str) and dtype.isalpha():
            fits = self.dtype.kind in dtype and self.dtype.itemsize <= LONGEST_NAME
        else:
            fits = self.dtype == np.dtype(dtype)
        if not fits or self.dtype.hasobject:
            raise DamagedError(f"`{self.path}` has values of another type")
        if len(self.shape) > MOST_AXES or (axes is not None and len(self.shape) != axes):
            raise DamagedError(f"`{self.path}` has {len(self.shape)} axes")

    def __getitem__(self, part: Any) -> NDArray[Any]:
        """Return a part of the values.

        Raises:
            DamagedError: It cannot be read.
        """
        for left in reversed(range(TRIES if self._source.is_marked else 1)):
            try:
                self._check_chunks(part)
                return np.asarray(h5py.Dataset(self._dataset)[part])
            except DamagedError:
                raise
            except UNREADABLE:
                if left:
                    time.sleep(PAUSE)  # perhaps its writer is writing this very part
        raise DamagedError(f"`{self.path}` does not fit its checksum, or is cut off")

    def piece_rows(self) -> int:
        """Return how many rows of the last axis a stored piece has that has all of the others.

        It is zero if pieces are not so.
        """
        whole = len(self._chunk) > 0 and self._chunk[:-1] == self.shape[:-1]
        return self._chunk[-1] if whole else 0

    def piece(self, first: int) -> NDArray[Any]:
        """Return the stored piece that begins at row ``first`` of the last axis.

        It has all of the other axes (see `piece_rows`). Other threads work meanwhile, which they
        do not while HDF5 unpacks.

        Raises:
            DamagedError: It cannot be read.
        """
        last = min(first + self._chunk[-1], self.shape[-1])
        found = None
        if self._filters == USUAL and self.dtype == np.uint64 and not self._source.is_marked:
            found = self._unpacked((0,) * (len(self.shape) - 1) + (first,))
        return self[..., first:last] if found is None else found[..., : last - first]

    def _unpacked(self, corner: tuple[int, ...]) -> NDArray[Any] | None:
        """Return a piece, of whose bytes no more are unpacked than it declares.

        It is None if there is none, or something is wrong with it, which HDF5 says better.
        """
        declared = prod(self._chunk) * self.dtype.itemsize
        try:
            mask, packed = self._dataset.read_direct_chunk(corner)
            unpacker = zlib.decompressobj()
            data = unpacker.decompress(packed[:-CHECKSUM], declared)
        except (*UNREADABLE, zlib.error):
            return None
        stated = int.from_bytes(packed[-CHECKSUM:], "little")
        is_sound = not mask and len(data) == declared and not unpacker.unconsumed_tail
        if not is_sound or fletcher32(np.frombuffer(packed[:-CHECKSUM], np.uint8)) != stated:
            return None
        values = np.empty(self._chunk, np.uint64)
        unshuffled(np.frombuffer(data, np.uint8), values.reshape(-1))
        return values

    def _check_size(self, layout: int, plan: h5p.PropDCID) -> None:
        """Refuse what no file of this size can hold.

        HDF5 is not asked how much is stored in pieces: it would look at as many as the file
        declares.
        """
        most = room = self._source.present_size
        if layout == h5d.CHUNKED:
            chunk = plan.get_chunk()
            bytes_of_chunk = prod(chunk) * self.dtype.itemsize
            count = prod(-(-size // rows) for size, rows in zip(self.shape, chunk, strict=True))
            if not 0 < bytes_of_chunk <= LARGEST_CHUNK + CHUNK_ROOM * self.size or count > room:
                raise DamagedError(f"`{self.path}` is stored in pieces that are too large")
            self._chunk = chunk
            most = DEFLATE * room if h5z.FILTER_DEFLATE in self._filters else room
        elif layout == h5d.CONTIGUOUS and self.size:
            offset = self._dataset.get_offset()
            most = 0 if offset is None else room - offset
        if self.size > most:
            raise DamagedError(f"`{self.path}` declares more than the file can hold")

    def _check_chunks(self, part: Any) -> None:
        """Refuse large stored pieces that hold more than they declare.

        Raises:
            DamagedError: One does.
        """
        if h5z.FILTER_DEFLATE not in self._filters or self._source.size <= UNCHECKED_CHUNK:
            return
        declared = prod(self._chunk) * self.dtype.itemsize
        for corner in product(*self._corners(part)):
            mask, packed = self._dataset.read_direct_chunk(corner)
            is_packed = not mask & (1 << self._filters.index(h5z.FILTER_DEFLATE))
            if (
                is_packed
                and len(packed) > UNCHECKED_CHUNK
                and _holds_more(packed, declared + CHECKSUM)
            ):
                raise DamagedError(f"`{self.path}` holds more than it declares")

    def _corners(self, part: Any) -> Sequence[range]:
        """Return the first rows, along each axis, of the chunks that a part touches."""
        wanted = list(part) if isinstance(part, tuple) else [part]
        if Ellipsis in wanted:
            at = wanted.index(Ellipsis)
            missing = len(self.shape) - len(wanted) + 1
            wanted[at : at + 1] = [slice(None)] * missing
        wanted += [slice(None)] * (len(self.shape) - len(wanted))
        corners = []
        for rows, size, step in zip(wanted, self.shape, self._chunk, strict=True):
            start, stop, _ = rows.indices(size)
            corners.append(range(start - start % step, max(stop, start), step))
        return corners


def decoded_text(data: bytes, path: str) -> str:
    """Return text of UTF-8.

    Raises:
        DamagedError: It is none.
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise DamagedError(f"`{path}` is no text") from None


def _holds_more(packed: bytes, declared: int) -> bool:
    """Return whether packed bytes hold more than ``declared``, unpacking them piece by piece."""
    unpacker, count = zlib.decompressobj(), 0
    try:
        while packed and not unpacker.eof and count <= declared:
            count += len(unpacker.decompress(packed, LARGEST_CHUNK))
            packed = unpacker.unconsumed_tail
    except zlib.error:
        return False  # HDF5 finds this damage itself
    return count > declared
