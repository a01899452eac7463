"""Decorators that compile functions: cached on disk, IEEE division, no reordering of sums.

Compiled functions have no type hints; the functions that call them state shapes and types. Python
notices Ctrl-C only when a compiled function returns, so long work is cut into `calls`.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import numba
import numpy as np
from numba.core import event, types

from rmp3d.geometry.kernel_files import CAME_WITH, keep_until_a_source_changes


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Return the function compiled, and kept on disk until one of its sources changes."""
    dispatcher = numba.njit(cache=True, error_model="numpy", **options)(function)
    keep_until_a_source_changes(dispatcher)
    _compile_once_for_constants(dispatcher)
    return dispatcher


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a function that a traversal calls at every step: there, a call costs as much."""
    return compiled(function, forceinline=True)


def released(function: Callable[..., Any]) -> Any:
    """Compile a function that lets other threads run meanwhile; see `rmp3d.geometry.parallel`."""
    return compiled(function, nogil=True)


def _compile_once_for_constants(dispatcher: Any) -> None:
    """Let a compiled call with a constant, 0 or True, use what any integer or truth value uses.

    Numba would compile the called function again for each constant.
    """
    template = dispatcher.get_call_template

    def get_call_template(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        plain = {name: types.unliteral(kind) for name, kind in kws.items()}
        return template(tuple(types.unliteral(kind) for kind in args), plain)

    dispatcher.get_call_template = get_call_template


@compiled
def assign(target, source):
    """Copy an array (K,) into another: ``target[:] = source`` compiles the text of its error."""
    for k in range(source.shape[0]):
        target[k] = source[k]


ROWS = 1024
"""Rows of one call. Even if each looks at a million triangles, a call ends after seconds."""

_compiling = event.TimingListener()
event.register("numba:compile", _compiling)


def compiling_seconds() -> float:
    """Return how long numba has compiled in this process [s]; loading from disk is not counted."""
    return float(_compiling.duration) if _compiling.done else 0.0


class _Told(event.Listener):
    """Tells that numba begins to compile, at most once in a while."""

    def __init__(self, tell: Callable[[], None], pause: float) -> None:
        self._tell, self._pause, self._last = tell, pause, -np.inf

    def on_start(self, event: Any) -> None:
        """Tell."""
        if monotonic() - self._last > self._pause:
            self._last = monotonic()
            self._tell()

    def on_end(self, event: Any) -> None:
        """Nothing is told at its end."""


def tell_of_compiling(tell: Callable[[], None], pause: float = 0.5) -> None:
    """Have ``tell`` called from now on when this process compiles, not when it loads from disk.

    Args:
        tell: Called when numba begins to compile a function.
        pause: Time [s] for which it is not called again.
    """
    event.register("numba:compile", _Told(tell, pause))


def compiles_first() -> bool:
    """Return whether the kernels must be compiled first on this machine (half a minute, once)."""
    if CAME_WITH.is_dir():
        return False
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(__file__).parent / "__pycache__")
    return next(folder.rglob("*.nbi"), None) is None


def calls(count: int, rows: int = ROWS) -> list[slice]:
    """Return which of ``count`` rows each of several calls of a compiled function takes."""
    return calls_of(slice(0, count), rows)


def calls_of(block: slice, rows: int = ROWS) -> list[slice]:
    """Return which rows of a block each of several calls of a compiled function takes."""
    firsts = range(block.start, block.stop, rows)
    return [slice(first, min(first + rows, block.stop)) for first in firsts]
