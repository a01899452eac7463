"""Boxes around what a rigid body sweeps in pieces of its motions.

Seen along one direction, a corner of a body that turns about a fixed axis swings as c + m cos(a) +
n sin(a), and the straight part of the motion adds a length that is known. So a box whose first axis
lies along the straight part fits in the other two directions exactly, however far the body goes.
"""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.rotations import matrix_from_quaternion, rotation_vector, slerp
from rmp3d.geometry.vectors import unit

CHUNK = 500_000  # corners of the body, each in a piece, that are looked at together


@dataclass(frozen=True, eq=False)
class MotionPieces:
    """Pieces (P,) of motions.

    Attributes:
        motion: (P,) row of the motion.
        begin: (P,) share of the motion at which the piece begins.
        size: Share of a motion that each of them is.
    """

    motion: Index
    begin: Float
    size: float

    def halves(self) -> "MotionPieces":
        """Return both halves of each piece."""
        size = 0.5 * self.size
        begin = self.begin[:, None] + [0.0, size]
        return MotionPieces(np.repeat(self.motion, 2), begin.ravel(), size)

    def select(self, kept: Bool) -> "MotionPieces":
        """Return some of the pieces."""
        return MotionPieces(self.motion[kept], self.begin[kept], self.size)


@dataclass(frozen=True, eq=False)
class SweptBoxes:
    """Boxes (P,).

    Attributes:
        axes: (P, 3, 3) unit axes of each box, as rows.
        center: (P, 3) [m]
        half: (P, 3) half of the lengths along the axes [m].
    """

    axes: Float
    center: Float
    half: Float

    def corners(self, row: int) -> Float:
        """Return the corners (8, 3) of a box."""
        signs = _SIGNS * self.half[row]
        corners: Float = signs @ self.axes[row] + self.center[row]
        return corners

    def contain(self, row: int, points: Float) -> bool:
        """Return whether any of the points (C, 3) is in a box."""
        seen = np.abs((points - self.center[row]) @ self.axes[row].T)
        return bool((seen <= self.half[row]).all(axis=1).any())


_SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
BOX_FACES = np.array([
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
])  # fmt: skip
"""Rows (12, 3) of `SweptBoxes.corners`: the triangles of a box."""


def swept_boxes(path: Float, points: Float, pieces: MotionPieces, slack: float) -> SweptBoxes:
    """Return a box around what a body sweeps in each piece.

    Args:
        path: (K, 7) configurations; in between the body goes straight and turns by slerp.
        points: (V, 3) corners of the body, about its reference point.
        pieces: Of the K - 1 motions.
        slack: Added on all sides [m], for rounding.
    """
    start, end = path[pieces.motion], path[pieces.motion + 1]
    middle = pieces.begin + 0.5 * pieces.size
    straight = end[:, :3] - start[:, :3]
    place = start[:, :3] + middle[:, None] * straight
    turn = rotation_vector(start[:, 3:], end[:, 3:])
    rotation = matrix_from_quaternion(slerp(start[:, 3:], end[:, 3:], middle))
    angle = 0.5 * pieces.size * np.linalg.norm(turn, axis=1)
    axes = _axes(straight, turn, rotation)
    low, high = np.empty((2, len(place), 3))
    rows = max(1, CHUNK // len(points))
    for at in range(0, len(place), rows):
        own = slice(at, at + rows)
        low[own], high[own] = _swings(points, unit(turn[own]), rotation[own], axes[own], angle[own])
    reach = 0.5 * pieces.size * np.abs(np.einsum("pij,pj->pi", axes, straight)) + slack
    offset = np.einsum("pi,pij->pj", 0.5 * (low + high), axes)
    return SweptBoxes(axes, place + offset, 0.5 * (high - low) + reach)


def _axes(straight: Float, turn: Float, rotation: Float) -> Float:
    """Return axes (P, 3, 3), as rows: along the straight part, then across it by the turn's axis.

    Where nothing goes or turns, the body's own axes take the place.
    """
    own = rotation.transpose(0, 2, 1)  # the body's axes, as rows
    first = unit(straight)
    first = np.where(first.any(axis=1, keepdims=True), first, unit(np.cross(turn, own[:, 0])))
    first = np.where(first.any(axis=1, keepdims=True), first, own[:, 0])
    along = np.einsum("pij,pj->pi", own, first)
    guide = own[np.arange(len(own)), np.abs(along).argmin(axis=1)]  # the most across it
    across = turn - np.einsum("pi,pi->p", turn, first)[:, None] * first
    turns = np.linalg.norm(across, axis=1) > 1e-6 * np.linalg.norm(turn, axis=1)
    guide = np.where(turns[:, None], unit(across), guide)
    second = unit(np.cross(guide, first))
    return np.stack([first, second, np.cross(first, second)], axis=1)


def _swings(
    points: Float, around: Float, rotation: Float, axes: Float, angle: Float
) -> tuple[Float, Float]:
    """Return the least and greatest coordinates (P, 3) along axes, about the reference point.

    The points are turned by ``rotation`` in the middle of a piece, and by up to ``angle`` about
    ``around`` on either side of it.
    """
    # Coordinates of turned points are those of the points along directions turned back.
    still = np.einsum("pi,pij->pj", around, rotation)  # (P, 3)
    back = axes @ rotation  # (P, 3, 3)
    across = np.cross(axes, around[:, None]) @ rotation
    share = np.einsum("pij,pj->pi", axes, around)[:, :, None]
    resting = share * (points @ still.T).T[:, None]  # (P, 3, V)
    cosine = back @ points.T - resting
    sine = np.abs(across @ points.T)
    size = np.hypot(cosine, sine)
    c, s = np.cos(angle)[:, None, None], np.sin(angle)[:, None, None]
    swung, beyond = sine * s, sine * c
    most = np.where((cosine > 0.0) & (beyond <= cosine * s), size, cosine * c + swung)
    least = np.where((cosine < 0.0) & (beyond <= -cosine * s), -size, cosine * c - swung)
    return (resting + least).min(axis=2), (resting + most).max(axis=2)
