"""Vectors in rows: lengths, unit vectors, vectors cut to a length."""

import numpy as np

from rmp3d.geometry.arrays import Float

SHORT = 1e-140
"""Squares of shorter vectors lose digits: their lengths are wrong by up to all of it."""
LARGER = 2.0**500


def length(vectors: Float) -> Float:
    """Return the Euclidean lengths (...,) of vectors (..., D)."""
    return np.sqrt(np.einsum("...i,...i->...", vectors, vectors))


def unit(vectors: Float) -> Float:
    """Return vectors (..., D) scaled to length one; a zero vector stays zero."""
    size = length(vectors)[..., None]
    tiny = (size > 0.0) & (size < SHORT)
    if tiny.any():  # velocities that fade away
        vectors = vectors * np.where(tiny, LARGER, 1.0)
        size = length(vectors)[..., None]
    return np.divide(vectors, size, out=np.zeros_like(vectors), where=size > 0.0)


def clip_length(vectors: Float, limit: Float | float) -> Float:
    """Return vectors (..., D); longer ones are cut to ``limit`` (a number, or one per row)."""
    size = length(vectors)
    bound = np.broadcast_to(np.asarray(limit, dtype=np.float64), size.shape)
    scale = np.divide(bound, size, out=np.ones_like(size), where=size > bound)
    return vectors * scale[..., None]
