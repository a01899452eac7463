"""Array types of every signature, and the function that freezes an array."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Float: TypeAlias = NDArray[np.float64]
Index: TypeAlias = NDArray[np.intp]
Bool: TypeAlias = NDArray[np.bool_]


def frozen(array: ArrayLike, dtype: Any = np.float64) -> NDArray[Any]:
    """Return a read-only, C-ordered copy of ``array``; the array itself if it is like that."""
    if (
        isinstance(array, np.ndarray)
        and array.dtype == dtype
        and array.base is None
        and array.flags.c_contiguous
        and not array.flags.writeable
    ):
        return array
    copy = np.array(array, dtype=dtype, order="C")
    copy.setflags(write=False)
    return copy


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array that was just made and that nobody else has, read-only, without a copy."""
    array.setflags(write=False)
    return array
