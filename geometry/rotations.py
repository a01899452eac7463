"""Rotations as matrices and as scalar-first quaternions.

Convention: a rotation acts on columns, ``world = R @ body``; body axes are x heading, y left,
z up, so the columns of R are heading, left and up in the world frame.
"""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import length, unit

WORLD_UP = np.array([0.0, 0.0, 1.0])
WORLD_UP.setflags(write=False)


def frame(heading: Float, up: Float) -> Float:
    """Return right-handed body frames; their x axis is exactly the heading.

    ``left = up x heading`` and ``up`` is re-orthogonalized. Where ``up`` is parallel to the
    heading (or zero) the world axis least aligned with the heading takes its place.

    Args:
        heading: (..., 3), need not be unit, must not be zero.
        up: (..., 3) approximate up, broadcast against ``heading``.

    Returns:
        (..., 3, 3) rotation matrices with columns heading, left, up.
    """
    heading, up = np.broadcast_arrays(unit(np.asarray(heading, float)), np.asarray(up, float))
    left = np.cross(up, heading)
    lost = length(left) < 1e-9 * np.maximum(length(up), 1e-300)
    if np.any(lost):
        spare = np.eye(3)[np.argmin(np.abs(heading), axis=-1)]
        left = np.where(lost[..., None], np.cross(spare, heading), left)
    left = unit(left)
    return np.stack([heading, left, np.cross(heading, left)], axis=-1)


def quaternion_from_matrix(rotation: Float) -> Float:
    """Return unit quaternions (..., 4), scalar first with w >= 0, of matrices (..., 3, 3).

    Shepperd's method (1978): the largest of four candidates is used, so no division is by a
    small number.
    """
    m = np.asarray(rotation, float)
    m00, m11, m22 = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    squares = np.stack(
        [1 + m00 + m11 + m22, 1 + m00 - m11 - m22, 1 - m00 + m11 - m22, 1 - m00 - m11 + m22], -1
    )
    x, y, z = (
        m[..., 2, 1] - m[..., 1, 2],
        m[..., 0, 2] - m[..., 2, 0],
        m[..., 1, 0] - m[..., 0, 1],
    )
    xy, yz, zx = (
        m[..., 1, 0] + m[..., 0, 1],
        m[..., 2, 1] + m[..., 1, 2],
        m[..., 0, 2] + m[..., 2, 0],
    )
    candidates = np.stack(
        [
            np.stack([squares[..., 0], x, y, z], -1),
            np.stack([x, squares[..., 1], xy, zx], -1),
            np.stack([y, xy, squares[..., 2], yz], -1),
            np.stack([z, zx, yz, squares[..., 3]], -1),
        ],
        -2,
    )
    best = np.argmax(squares, axis=-1)
    quaternion = np.take_along_axis(candidates, best[..., None, None], axis=-2)[..., 0, :]
    quaternion = unit(quaternion)
    return np.where(quaternion[..., :1] < 0.0, -quaternion, quaternion)


def matrix_from_quaternion(quaternion_wxyz: Float) -> Float:
    """Return rotation matrices (..., 3, 3) of unit quaternions (..., 4), scalar first."""
    w, x, y, z = np.moveaxis(np.asarray(quaternion_wxyz, float), -1, 0)
    return np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
            np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
            np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1),
        ],
        -2,
    )


def rotate(quaternion_wxyz: Float, vectors: Float) -> Float:
    """Return vectors (..., 3) turned by unit quaternions (..., 4), broadcast together."""
    w = quaternion_wxyz[..., :1]
    axis = quaternion_wxyz[..., 1:]
    twice = 2.0 * np.cross(axis, vectors)
    return vectors + w * twice + np.cross(axis, twice)


def slerp(start_wxyz: Float, end_wxyz: Float, share: Float) -> Float:
    """Interpolate unit quaternions (..., 4) on the short arc; ``share`` (...) is in [0, 1]."""
    dot = np.einsum("...i,...i->...", start_wxyz, end_wxyz)
    end = np.where(dot[..., None] < 0.0, -end_wxyz, end_wxyz)
    angle = np.arccos(np.clip(np.abs(dot), 0.0, 1.0))
    sine = np.sin(angle)
    small = sine < 1e-9
    safe = np.where(small, 1.0, sine)
    a = np.where(small, 1.0 - share, np.sin((1.0 - share) * angle) / safe)
    b = np.where(small, share, np.sin(share * angle) / safe)
    return unit(a[..., None] * start_wxyz + b[..., None] * end)


def angle_between(a_wxyz: Float, b_wxyz: Float) -> Float:
    """Return the rotation angle [rad] in [0, pi] between unit quaternions (..., 4)."""
    dot = np.abs(np.einsum("...i,...i->...", a_wxyz, b_wxyz))
    # 2 acos(dot) loses half the digits near zero; the chord keeps them.
    sign = np.where(np.einsum("...i,...i->...", a_wxyz, b_wxyz) < 0.0, -1.0, 1.0)
    chord = length(a_wxyz - sign[..., None] * b_wxyz)
    return np.where(
        dot > 0.9,
        4.0 * np.arcsin(np.clip(chord / 2.0, 0.0, 1.0)),
        2.0 * np.arccos(np.clip(dot, 0.0, 1.0)),
    )


def product(p_wxyz: Float, q_wxyz: Float) -> Float:
    """Return the products (M, 4) of quaternions: first q turns, then p.

    Rounding leaves the length of a product slightly off one; a caller that needs unit length
    scales the rows.
    """
    p, q = p_wxyz, q_wxyz
    w = p[:, 0] * q[:, 0] - np.einsum("ij,ij->i", p[:, 1:], q[:, 1:])
    xyz = p[:, :1] * q[:, 1:] + q[:, :1] * p[:, 1:] + np.cross(p[:, 1:], q[:, 1:])
    return np.hstack([w[:, None], xyz])


def turned(quaternion_wxyz: Float, rotation: Float) -> Float:
    """Return unit quaternions (M, 4) turned further by rotation vectors (M, 3) [rad], world frame.

    The length of a rotation vector is the angle; its direction is the axis.
    """
    angle = length(rotation)[:, None]
    scale = 0.5 * np.sinc(angle / (2.0 * np.pi))
    turn = np.hstack([np.cos(0.5 * angle), scale * rotation])
    return unit(product(turn, quaternion_wxyz))


def rotation_vector(start_wxyz: Float, end_wxyz: Float) -> Float:
    """Return the rotation vectors (M, 3) [rad] of the short turns from start[i] to end[i]."""
    inverse = start_wxyz * [1.0, -1.0, -1.0, -1.0]
    turn = unit(product(end_wxyz, inverse))
    turn = np.where(turn[:, :1] < 0.0, -turn, turn)
    sine = length(turn[:, 1:])
    return 2.0 * np.arctan2(sine, turn[:, 0])[:, None] * unit(turn[:, 1:])


def uniform_rotations(values: Float) -> Float:
    """Map values (M, 3) of the unit cube to unit quaternions (M, 4), uniformly.

    Shoemake 1992, "Uniform random rotations" (Graphics Gems III).
    """
    a, b = np.sqrt(1.0 - values[:, 0]), np.sqrt(values[:, 0])
    s, t = 2.0 * np.pi * values[:, 1], 2.0 * np.pi * values[:, 2]
    return np.stack([b * np.cos(t), a * np.sin(s), a * np.cos(s), b * np.sin(t)], axis=1)
