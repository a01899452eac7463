"""Decorators that compile functions: cached on disk, IEEE division, no reordering of sums.

Compiled functions have no type hints; the functions that call them state shapes and types. Python
notices Ctrl-C only when a compiled function returns, so long work is cut into `calls`.
"""

import os
from pathlib import Path

import numba
from numba.core import event

compiled = numba.njit(cache=True, error_model="numpy")
# For a function that a traversal calls at every step: there, a call costs as much as the work.
inlined = numba.njit(cache=True, error_model="numpy", forceinline=True)

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
