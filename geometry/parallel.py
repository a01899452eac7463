"""Rows that are computed side by side by several threads, with the same bytes as by one.

What is called for a block of rows writes only these rows, so neither the number of threads nor the
order of the blocks can be seen in the result. Python's lock is released by functions compiled with
`rmp3d.geometry.compiled.released`; these are threads of Python, not numba's parallel loops: they
need no second compilation of each function, work in a process that was forked, and may be called
from the thread that draws the window.
"""

import atexit
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count as counting
from itertools import pairwise
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from rmp3d.geometry.compiled import ROWS
from rmp3d.geometry.errors import InputError

T = TypeVar("T")
VARIABLE = "RMP3D_THREADS"
"""Variable of the environment that says how many threads compute; by default one per processor."""
LEAST = 256
"""Rows of a block, at least: fewer are not worth a thread."""
BLOCKS = 4
"""Blocks for each thread: one that is done early takes another."""

_chosen: list[int] = []  # the last one counts
_queues: dict[tuple[int, int], "SimpleQueue[_Handed[Any] | None]"] = {}  # by process and threads
_worker = threading.local()


def threads() -> int:
    """Return how many threads compute.

    Raises:
        InputError: The variable `VARIABLE` is not a whole number from 1 to 1024.
    """
    if _chosen:
        return _chosen[-1]
    stated = os.environ.get(VARIABLE, "").strip()
    if not stated:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else _processors()
    if not stated.isascii() or not stated.isdigit() or not 1 <= int(stated) <= 1024:
        raise InputError(f"{VARIABLE}: must be a whole number from 1 to 1024, given {stated!r}")
    return int(stated)


@contextmanager
def using_threads(count: int) -> Iterator[None]:
    """Let so many threads compute, instead of what the environment says."""
    _chosen.append(count)
    try:
        yield
    finally:
        _chosen.pop()


def in_blocks(call: Callable[[slice], T], count: int, least: int = LEAST) -> list[T]:
    """Call a function for blocks of ``count`` rows, side by side; return its answers in order.

    A block has about the rows of one compiled call, at most. After Ctrl-C or an error, blocks that
    have not begun never do; one of several compiled calls asks `stopped` between them.

    Args:
        call: Takes a slice of the rows, and writes nothing but these.
        count: Rows.
        least: Rows of a block, at least.
    """
    wanted = 1 if getattr(_worker, "busy", False) else threads()
    blocks = min(max(BLOCKS * wanted, count // ROWS), count // least)
    if wanted == 1 or blocks < 2:
        return [call(slice(0, count))]
    edges = [count * row // blocks for row in range(blocks + 1)]
    rows = [slice(low, high) for low, high in pairwise(edges)]
    return _Blocks(call, rows).worked_off(wanted)


def meanwhile(call: Callable[[], T], rows: int) -> Callable[[], T]:
    """Let another thread begin a call; return what gives its answer, or raises its error.

    Whoever asks for the answer computes it where no thread has begun it: the others are busy, or
    there is none. The call must change nothing that anybody looks at before.

    Args:
        call: Computed once.
        rows: About which it asks; a few are not worth a thread.
    """
    wanted = threads()
    if wanted == 1 or rows < 2 * LEAST or getattr(_worker, "busy", False):
        return call

    def alone() -> T:
        _worker.stop = None  # of the blocks before
        return call()

    begun = _Handed(alone)
    _helpers(wanted - 1).put(begun)
    return lambda: begun.answers[0] if begun.is_over() else call()


class _Handed(Generic[T]):
    """A call that is handed over to whichever thread has time first, if any has.

    Attributes:
        answers: What it returned, once it is over.
    """

    __slots__ = ("_call", "_error", "_gate", "_is_taken_back", "answers")

    def __init__(self, call: Callable[[], T]) -> None:
        self._call, self._gate = call, threading.Lock()
        self._is_taken_back = False
        self._error: BaseException | None = None
        self.answers: list[T] = []

    def begin(self) -> None:
        """Call it, unless it was taken back."""
        if not self._gate.acquire(blocking=False):
            return
        try:
            if not self._is_taken_back:
                self.answers.append(self._call())
        except BaseException as error:  # raised where it is asked for
            self._error = error
        finally:
            self._gate.release()

    def is_over(self) -> bool:
        """Wait for the call to end; take it back, and return False, where it has not begun.

        Raises:
            BaseException: What the call raised.
        """
        with self._gate:
            self._is_taken_back = True
        if self._error is not None:
            raise self._error
        return bool(self.answers)


class _Stop:
    """Whether blocks that have not begun never do."""

    __slots__ = ("is_set",)

    def __init__(self) -> None:
        self.is_set = False


class _Blocks(Generic[T]):
    """Blocks that several threads, the caller's among them, take one after another.

    To hand a block to a thread takes longer than to compute many of them, so a thread is handed
    all that are left.
    """

    def __init__(self, call: Callable[[slice], T], rows: list[slice]) -> None:
        self._call = call
        self._rows = rows
        self._answers: list[Any] = [None] * len(rows)
        self._next = counting()
        self._stop = _Stop()

    def worked_off(self, wanted: int) -> list[T]:
        """Return the answers of all blocks, computed by so many threads."""
        try:
            helpers = _helpers(wanted - 1)
            handed = [_Handed(self._take) for _ in range(min(wanted, len(self._rows)) - 1)]
            for each in handed:
                helpers.put(each)
            _worker.busy = True
            try:
                self._take()
            finally:
                _worker.busy, _worker.stop = False, None
            for each in handed:  # one that has not begun would find nothing any more
                each.is_over()
        except BaseException:
            self._stop.is_set = True  # also for a block that was handed over while Ctrl-C came
            raise
        return self._answers

    def _take(self) -> None:
        _worker.stop = self._stop
        for row in self._next:
            if row >= len(self._rows) or self._stop.is_set:
                return
            try:
                self._answers[row] = self._call(self._rows[row])
            except BaseException:
                self._stop.is_set = True
                raise


def stopped() -> bool:
    """Return whether nobody waits any more for what this thread computes."""
    stop: _Stop | None = getattr(_worker, "stop", None)
    return stop is not None and stop.is_set


def _helpers(count: int) -> "SimpleQueue[_Handed[Any] | None]":
    """Return what so many threads take calls from, beside the caller's.

    Futures would tell and keep more, and take longer than many a block. The threads stay until the
    program ends, which waits for the calls that they have begun.
    """
    key = os.getpid(), count  # a forked process has none of the threads
    if key not in _queues:
        queue: SimpleQueue[_Handed[Any] | None] = SimpleQueue()
        begun = [
            threading.Thread(target=_help, args=(queue,), name="rmp3d", daemon=True)
            for _ in range(count)
        ]
        for each in begun:
            each.start()
        _queues[key] = queue
        atexit.register(_end, queue, begun)
    return _queues[key]


def _help(queue: "SimpleQueue[_Handed[Any] | None]") -> None:
    """Begin calls, until there is None."""
    _worker.busy = True
    while (handed := queue.get()) is not None:
        handed.begin()
        del handed  # what it holds is not kept until the next one comes


def _end(queue: "SimpleQueue[_Handed[Any] | None]", helpers: list[threading.Thread]) -> None:
    for _ in helpers:
        queue.put(None)
    for each in helpers:
        each.join()


def _processors() -> int:
    return os.cpu_count() or 1
