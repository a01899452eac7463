"""Directions along which two triangles may be apart."""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import unit

FLAT = 1e-9
"""A triangle of less than about this share of its longest edge's square has no plane of its own."""


def first_directions(moving: Float, standing: Float) -> Float:
    """Return directions (M, 6, 3) that are often enough: normals, axes, and between the middles."""
    axes = np.broadcast_to(np.eye(3), (len(moving), 3, 3))
    normals = [np.cross(each[:, 1] - each[:, 0], each[:, 2] - each[:, 0])
               for each in (moving, standing)]  # fmt: skip
    middles = moving.mean(axis=1) - standing.mean(axis=1)
    return np.concatenate([unit(np.stack([*normals, middles], axis=1)), axes], axis=1)


def further_directions(moving: Float, standing: Float) -> Float:
    """Return the directions (M, 15, 3) of the separating-axis theorem, without the normals.

    Two triangles that do not touch are apart along a normal, along the product of two edges, or,
    in one plane, across an edge. The plane of one without area is that of its edge and the middle
    of the other.
    """
    middles = moving.mean(axis=1) - standing.mean(axis=1)
    edges = [each[:, [1, 2, 0]] - each for each in (moving, standing)]
    crossed = np.cross(edges[0][:, :, None], edges[1][:, None]).reshape(-1, 9, 3)
    normals = [_normals(each, middles)[:, None] for each in edges]
    outward = [np.cross(edge, normal) for edge, normal in zip(edges, normals, strict=True)]
    return unit(np.concatenate([crossed, *outward], axis=1))


def _normals(edges: Float, middles: Float) -> Float:
    """Return normals (M, 3) of triangles, given by their edges (M, 3, 3); not of unit length."""
    normals = np.cross(edges[:, 0], edges[:, 1])
    squares = (edges**2).sum(axis=2)
    flat = np.flatnonzero((normals**2).sum(axis=1) <= (FLAT * squares.max(axis=1)) ** 2)
    if len(flat):
        longest = edges[flat, squares[flat].argmax(axis=1)]
        normals[flat] = np.cross(longest, middles[flat])
    return normals
