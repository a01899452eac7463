"""The one way a function is compiled: cached on disk, IEEE division, no reordering of sums.

Kernels carry no type hints; their callers state shapes and types.
"""

import os
from pathlib import Path

import numba

compiled = numba.njit(cache=True, error_model="numpy")
# For what a traversal does at every step: a call with arrays costs as much as the work.
inlined = numba.njit(cache=True, error_model="numpy", forceinline=True)


def compiles_first() -> bool:
    """Return whether the kernels have yet to be compiled on this machine (about 25 s, once)."""
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(__file__).parent / "__pycache__")
    return next(folder.rglob("*.nbi"), None) is None
