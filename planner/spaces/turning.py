"""Turning unit quaternions, rows (M, 4), scalar first, by rotation vectors in the world frame."""

import numpy as np

from rmp3d.geometry import Float
from rmp3d.geometry.vectors import length, unit


def turned(quaternion_wxyz: Float, rotation: Float) -> Float:
    """Return quaternions (M, 4) turned further by rotation vectors (M, 3) [rad]."""
    angle = length(rotation)[:, None]
    scale = 0.5 * np.sinc(angle / (2.0 * np.pi))
    return product(np.hstack([np.cos(0.5 * angle), scale * rotation]), quaternion_wxyz)


def rotation_between(start_wxyz: Float, end_wxyz: Float) -> Float:
    """Return the rotation vectors (M, 3) [rad] of the short turns from start[i] to end[i]."""
    inverse = start_wxyz * [1.0, -1.0, -1.0, -1.0]
    turn = product(end_wxyz, inverse)
    turn = np.where(turn[:, :1] < 0.0, -turn, turn)
    sine = length(turn[:, 1:])
    return 2.0 * np.arctan2(sine, turn[:, 0])[:, None] * unit(turn[:, 1:])


def product(p: Float, q: Float) -> Float:
    """Return the products (M, 4), of length one: first q turns, then p."""
    w = p[:, 0] * q[:, 0] - np.einsum("ij,ij->i", p[:, 1:], q[:, 1:])
    xyz = p[:, :1] * q[:, 1:] + q[:, :1] * p[:, 1:] + np.cross(p[:, 1:], q[:, 1:])
    return unit(np.hstack([w[:, None], xyz]))
