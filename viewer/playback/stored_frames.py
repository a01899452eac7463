"""Frames of a long recording that are read when they are looked at; a part of them is kept."""

import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float, Index


class Frames(Protocol):
    """Rows of frames, (T, ...): an array, or `StoredFrames`."""

    @property
    def shape(self) -> tuple[int, ...]:
        """T and the shape of a frame."""

    def __len__(self) -> int: ...

    def __getitem__(self, rows: Any, /) -> Any: ...

    def __array__(self) -> NDArray[Any]: ...


class StoredFrames:
    """Looks like a read-only array (T, ...), and reads its frames in blocks.

    Rows are a frame, a slice of frames or an array of them; then, if wanted, what is taken of each
    frame: a number, a slice, or an array, which an array of frames needs to be as long as.

    Args:
        shape: T and the shape of a frame.
        read: Returns frames ``start`` up to ``stop``.
        block: Frames of a block.
        kept: Blocks that are kept; those go first that are the furthest from the last one read.
    """

    def __init__(
        self,
        shape: tuple[int, ...],
        read: Callable[[int, int], NDArray[Any]],
        *,
        block: int,
        kept: int,
    ) -> None:
        self.shape = shape
        self.block = block
        self.kept = kept
        self._read = read
        self._blocks: dict[int, NDArray[Any]] = {}
        self._reading = threading.Lock()

    @property
    def ndim(self) -> int:
        """How many axes there are."""
        return len(self.shape)

    @property
    def read_blocks(self) -> frozenset[int]:
        """The blocks that are there."""
        return frozenset(self._blocks)

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(self._read(0, len(self)), dtype)

    def load(self, block: int) -> NDArray[Any]:
        """Return a block; read it if it is not there."""
        found = self._blocks.get(block)
        if found is not None:
            return found
        with self._reading:
            if block not in self._blocks:
                first = block * self.block
                found = self._read(first, min(first + self.block, len(self)))
                found.setflags(write=False)
                self._blocks[block] = found
                while len(self._blocks) > self.kept:
                    del self._blocks[max(self._blocks, key=lambda each: abs(each - block))]
            return self._blocks[block]

    def __getitem__(self, rows: Any) -> NDArray[Any]:
        first, *rest = rows if isinstance(rows, tuple) else (rows,)
        if isinstance(first, (int, np.integer)):
            block, at = divmod(range(len(self))[first], self.block)
            return np.asarray(self.load(block)[(at, *rest)])
        frames = np.arange(len(self))[first]
        if isinstance(first, slice):
            parts = [
                self.load(block)[frames[frames // self.block == block] % self.block]
                for block in dict.fromkeys((frames // self.block).tolist())
            ]
            parts = parts or [np.zeros((0, *self.shape[1:]))]
            return np.concatenate([part[(slice(None), *rest)] for part in parts])
        return self._gathered(frames, rest)

    def _gathered(self, frames: Index, rest: Sequence[Any]) -> NDArray[Any]:
        """Return rows of an array of frames."""
        where, found = frames // self.block, None
        for block in np.unique(where).tolist():
            own = where == block
            picked = [each[own] if isinstance(each, np.ndarray) else each for each in rest]
            part = self.load(block)[(frames[own] % self.block, *picked)]
            if found is None:
                found = np.empty((*frames.shape, *part.shape[1:]), part.dtype)
            found[own] = part
        if found is None:
            return np.zeros((0, *self.shape[1 + len(rest) :]))
        return found


class MovedFrames:
    """Positions (T, N, 3) of other frames, seen from an origin (3,) [m]."""

    def __init__(self, frames: Frames, origin: Float) -> None:
        self._frames = frames
        self._origin = origin

    @property
    def shape(self) -> tuple[int, ...]:
        """T, N and 3."""
        return self._frames.shape

    def __len__(self) -> int:
        return len(self._frames)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.asarray(np.asarray(self._frames) - self._origin, dtype)

    def __getitem__(self, rows: Any) -> NDArray[Any]:
        return np.asarray(self._frames[rows] - self._origin)


class FrameLoader:
    """Reads blocks of several arrays ahead, in a thread of its own: those near the last wish first.

    Args:
        arrays: Of the same frames, blocks and number of blocks that are kept.
        group: Blocks that are read one after another, as the first of them begins with a key frame.

    Attributes:
        error: What reading has ended with, if it did.
    """

    def __init__(self, arrays: Sequence[StoredFrames], group: int) -> None:
        self._arrays = arrays
        self._group = group
        self._block = arrays[0].block
        self._count = len(arrays[0])
        self._blocks = -(-self._count // self._block)
        self._wish = 0
        self._wished = threading.Event()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.error: Exception | None = None

    def ready(self, frame: int) -> int:
        """Wish for a frame; return the nearest one that is there, which is itself if none is.

        Raises:
            Exception: What reading has ended with, such as an error about a damaged file.
        """
        if self.error is not None:
            raise self.error
        if self._thread is None:
            self._begin()
        self._wish = frame // self._block
        self._wished.set()
        own = self._common()
        if not own or self._wish in own:
            return frame
        nearest = min(own, key=lambda each: (abs(each - self._wish), each))
        first = nearest * self._block
        return min(max(frame, first), min(first + self._block, self._count) - 1)

    def known(self, frame: int) -> tuple[int, int]:
        """Return the first and the end of the frames around a frame that are there."""
        own, at = self._common(), frame // self._block
        first, end = at, at + 1
        while first - 1 in own:
            first -= 1
        while end in own:
            end += 1
        return first * self._block, min(end * self._block, self._count)

    def _common(self) -> frozenset[int]:
        return frozenset.intersection(*(each.read_blocks for each in self._arrays))

    def _begin(self) -> None:
        self._thread = threading.Thread(
            target=_load, args=(weakref.ref(self), self._wished, self._stop), daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """End the thread: Python must not end while it reads."""
        self._stop.set()
        self._wished.set()
        if self._thread is not None:
            self._thread.join()

    def next_block(self) -> int | None:
        """Return the block that is read next; None if all are there that are kept."""
        size, near = self._group, self._wish // self._group
        groups = range(-(-self._blocks // size))
        nearest = sorted(groups, key=lambda each: (abs(each - near), each < near))
        kept = nearest[: max(1, self._arrays[0].kept // size)]
        own = self._common()
        for group in kept:
            for block in range(group * size, min((group + 1) * size, self._blocks)):
                if block not in own:
                    return block
        return None

    def load(self, block: int) -> None:
        """Read a block of all arrays."""
        for each in self._arrays:
            each.load(block)


def _load(of: "weakref.ref[FrameLoader]", wished: threading.Event, stop: threading.Event) -> None:
    """Read what is wished for, until the loader is gone."""
    while not stop.is_set():
        loader = of()
        if loader is None:
            return
        block = loader.next_block()
        try:
            if block is not None:
                loader.load(block)
        except Exception as error:  # whoever wishes next is told
            loader.error = error
            return
        del loader
        if block is None:
            wished.wait(1.0)
            wished.clear()
