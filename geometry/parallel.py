"""Rows that are computed side by side by several threads, with the same bytes as by one.

What is called for a block of rows writes only these rows, so neither the number of threads nor the
order of the blocks can be seen in the result. Python's lock is released by functions compiled with
`rmp3d.geometry.compiled.released`; these are threads of Python, not numba's parallel loops: they
need no second compilation of each function, work in a process that was forked, and may be called
from the thread that draws the window.
"""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count as counting
from itertools import pairwise
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
_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}  # by process and threads
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

    begun = _pool(wanted - 1).submit(alone)
    return lambda: call() if begun.cancel() else begun.result()


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
        self._stop = threading.Event()

    def worked_off(self, wanted: int) -> list[T]:
        """Return the answers of all blocks, computed by so many threads."""
        helpers: list[Future[None]] = []
        try:
            pool = _pool(wanted - 1)
            helpers += [pool.submit(self._take) for _ in range(min(wanted, len(self._rows)) - 1)]
            _worker.busy = True
            try:
                self._take()
            finally:
                _worker.busy, _worker.stop = False, None
            for each in helpers:
                if not each.cancel():  # one that has not begun finds nothing any more
                    each.result()
        except BaseException:
            self._stop.set()  # also for a block that was handed over while Ctrl-C came
            raise
        return self._answers

    def _take(self) -> None:
        _worker.stop = self._stop
        for row in self._next:
            if row >= len(self._rows) or self._stop.is_set():
                return
            try:
                self._answers[row] = self._call(self._rows[row])
            except BaseException:
                self._stop.set()
                raise


def stopped() -> bool:
    """Return whether nobody waits any more for what this thread computes."""
    stop = getattr(_worker, "stop", None)
    return stop is not None and stop.is_set()


def _pool(count: int) -> ThreadPoolExecutor:
    """Return threads that have begun.

    Another thread begins them: where Ctrl-C meets `concurrent.futures` while it begins one, it
    knows nothing of that thread, and Python waits for it without end when it exits.
    """
    key = os.getpid(), count  # a forked process has none of the threads
    if key not in _pools:
        made = ThreadPoolExecutor(count, "rmp3d", initializer=_begin)
        beginning = threading.Thread(target=_begin_threads, args=(made, count))
        beginning.start()
        beginning.join()
        _pools[key] = made
    return _pools[key]


def _begin_threads(pool: ThreadPoolExecutor, count: int) -> None:
    together = threading.Barrier(count)  # a thread is begun only where no other has time
    try:
        list(pool.map(lambda _: together.wait(), range(count)))
    except RuntimeError:  # the system gives no more threads, which the caller's next call says
        together.abort()


def _begin() -> None:
    _worker.busy = True


def _processors() -> int:
    return os.cpu_count() or 1
