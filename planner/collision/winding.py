"""Winding numbers of points by solid angles, in numpy: containment without ray casting."""

import numpy as np

from rmp3d.geometry import Bool, Float, TriangleMesh

CHUNK = 500_000  # point-triangle pairs at a time, to bound memory


def winding_number(mesh: TriangleMesh, points: Float) -> Float:
    r"""Return how often a closed mesh winds around each point: 0 outside, 1 (or -1) inside.

    The sum over triangles of the solid angle seen from the point, over :math:`4\pi`, with

    .. math:: \tan(\Omega / 2) = \frac{a \cdot (b \times c)}
              {|a||b||c| + (a \cdot b)|c| + (b \cdot c)|a| + (c \cdot a)|b|}

    (van Oosterom and Strackee 1983, "The solid angle of a plane triangle").

    Args:
        mesh: Closed.
        points: (M, 3) [m].

    Returns:
        (M,) winding numbers, whole up to rounding where the point is not on the mesh.
    """
    total = np.zeros(len(points))
    rows = max(1, CHUNK // len(mesh.faces))
    for first in range(0, len(points), rows):
        offset = mesh.triangles[None] - points[first : first + rows, None, None]  # (m, F, 3, 3)
        size = np.linalg.norm(offset, axis=3)
        a, b, c = np.moveaxis(offset, 2, 0)
        A, B, C = np.moveaxis(size, 2, 0)
        triple = np.einsum("...i,...i->...", a, np.cross(b, c))
        below = A * B * C
        below += np.einsum("...i,...i->...", a, b) * C
        below += np.einsum("...i,...i->...", b, c) * A
        below += np.einsum("...i,...i->...", c, a) * B
        total[first : first + rows] = 2.0 * np.arctan2(triple, below).sum(axis=1)
    return total / (4.0 * np.pi)


def is_inside(mesh: TriangleMesh, points: Float) -> Bool:
    """Return which points (M, 3) a closed mesh winds around, however its faces are oriented."""
    inside: Bool = np.abs(winding_number(mesh, points)) > 0.5
    return inside
