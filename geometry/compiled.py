"""The one way a function is compiled: cached on disk, IEEE division, no reordering of sums.

Kernels carry no type hints; their callers state shapes and types.
"""

import numba

compiled = numba.njit(cache=True, error_model="numpy")
