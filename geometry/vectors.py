"""Vectors in rows: lengths, unit vectors, vectors cut to a length."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rmp3d.geometry.arrays import Float

SHORT = 1e-140
"""Squares of shorter vectors lose digits: their lengths are wrong by up to all of it."""
LARGER = 2.0**500
MANY = 512
"""So many rows (N, 3) go through one compiled loop."""


def length(vectors: Float) -> Float:
    """Return the Euclidean lengths (...,) of vectors (..., D)."""
    if are_many(vectors):
        from rmp3d.geometry.row_vectors import lengths

        size = np.empty(len(vectors))
        lengths(as_read_only(vectors), size)
        return size
    return np.sqrt(np.einsum("...i,...i->...", vectors, vectors))


def unit(vectors: Float) -> Float:
    """Return vectors (..., D) scaled to length one; a zero vector stays zero."""
    if are_many(vectors):
        from rmp3d.geometry.row_vectors import units

        found = np.empty_like(vectors)
        units(as_read_only(vectors), SHORT, LARGER, found)
        return found
    size = length(vectors)[..., None]
    tiny = (size > 0.0) & (size < SHORT)
    if tiny.any():  # velocities that fade away
        vectors = vectors * np.where(tiny, LARGER, 1.0)
        size = length(vectors)[..., None]
    return np.divide(vectors, size, out=np.zeros_like(vectors), where=size > 0.0)


def clip_length(vectors: Float, limit: Float | float) -> Float:
    """Return vectors (..., D); longer ones are cut to ``limit`` (a number, or one per row)."""
    if are_many(vectors):
        from rmp3d.geometry.row_vectors import clipped

        found = np.empty_like(vectors)
        limits = np.broadcast_to(np.asarray(limit, dtype=np.float64), len(vectors))
        clipped(as_read_only(vectors), as_read_only(np.ascontiguousarray(limits)), found)
        return found
    size = length(vectors)
    bound = np.broadcast_to(np.asarray(limit, dtype=np.float64), size.shape)
    scale = np.divide(bound, size, out=np.ones_like(size), where=size > bound)
    return vectors * scale[..., None]


def are_many(vectors: Float) -> bool:
    """Return whether vectors are rows (N, 3) that one compiled loop should go through."""
    return (
        vectors.ndim == 2
        and vectors.shape[1] == 3
        and len(vectors) >= MANY
        and vectors.dtype == np.float64
        and vectors.flags.c_contiguous
    )


def as_read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a view that cannot be written: compiled functions know one kind of array only."""
    view = array.view()
    view.setflags(write=False)
    return view
