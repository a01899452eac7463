"""Decorators that compile functions: cached on disk, IEEE division, no reordering of sums.

Compiled functions have no type hints; the functions that call them state shapes and types. Python
notices Ctrl-C only when a compiled function returns, so long work is cut into `calls`.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import event
from numba.core.dispatcher import Dispatcher

# Of each module with compiled functions: the stamps of its file and of those that it calls into.
_stamps: dict[str, frozenset[tuple[str, float, int]]] = {}


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Return the function compiled, and kept on disk until one of its sources changes."""
    dispatcher = numba.njit(cache=True, error_model="numpy", **options)(function)
    _keep_until_a_source_changes(dispatcher)
    return dispatcher


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a function that a traversal calls at every step: there, a call costs as much."""
    return compiled(function, forceinline=True)


def _keep_until_a_source_changes(dispatcher: Any) -> None:
    """Let what is kept on disk depend on the files of the functions that are called, too.

    Numba looks at the function's own file only, and would run the old code of a function that was
    compiled into this one. The files are those of the compiled functions that the module has
    imported, and of theirs.
    """
    function = dispatcher.py_func
    names = {
        value.py_func.__module__
        for value in list(function.__globals__.values())
        if isinstance(value, Dispatcher) and value.py_func.__module__ in _stamps
    }
    source = Path(function.__code__.co_filename)
    try:
        state = source.stat()
        file = dispatcher._cache._cache_file
    except (OSError, AttributeError):  # not from a file; or another numba, which keeps less well
        return
    own = frozenset({(source.name, state.st_mtime, state.st_size)})
    _stamps[function.__module__] = own.union(*(_stamps[name] for name in names))
    file._source_stamp = tuple(sorted(_stamps[function.__module__]))


ROWS = 1024
"""Rows of one call. Even if each looks at a million triangles, a call ends after seconds."""

_compiling = event.TimingListener()
event.register("numba:compile", _compiling)


def compiling_seconds() -> float:
    """Return how long numba has compiled in this process [s]; loading from disk is not counted."""
    return float(_compiling.duration) if _compiling.done else 0.0


def compiles_first() -> bool:
    """Return whether numba has not compiled the kernels on this machine yet (about 25 s, once)."""
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(__file__).parent / "__pycache__")
    return next(folder.rglob("*.nbi"), None) is None


def calls(count: int, rows: int = ROWS) -> list[slice]:
    """Return which of ``count`` rows each of several calls of a compiled function takes."""
    return [slice(first, min(first + rows, count)) for first in range(0, count, rows)]
