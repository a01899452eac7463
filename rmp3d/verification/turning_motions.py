"""Rigid motions in closed form: where corners are, and between which bounds they stay."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.geometry.vectors import unit


@dataclass(frozen=True, eq=False)
class MovedCorners:
    """Corners (M, n, 3) at a moment, and what bounds their motion around it.

    Attributes:
        points: The corners.
        velocity: Per unit of the motion.
        along: k x u of each corner u about the reference point; k is the axis of the turn.
        inward: k x (k x u).
        angle: (M, 1, 1) of the whole motion [rad].
    """

    points: Float
    velocity: Float
    along: Float
    inward: Float
    angle: Float

    def seen(self, directions: Float) -> "MovedCorners":
        """Return the coordinates (M, D, n) along directions (M, D, 3)."""
        points, velocity, along, inward = (
            directions @ vectors.transpose(0, 2, 1)
            for vectors in (self.points, self.velocity, self.along, self.inward)
        )
        return MovedCorners(points, velocity, along, inward, self.angle)


@dataclass(frozen=True, eq=False)
class TurningMotions:
    """Motions (M,) of a body: each straight, about a fixed axis k through the reference.

    A corner u turns by a to u + sin(a) (k x u) + (1 - cos(a)) k x (k x u) (Rodrigues).
    """

    begin: Float  # (M, 3)
    straight: Float  # (M, 3)
    angle: Float  # (M,)
    rotation: Float  # (M, 3, 3) at the start
    around: Float  # (M, 3, 3) the matrix of k x; zero where nothing turns

    @classmethod
    def between(cls, start: Float, end: Float) -> "TurningMotions":
        """Return the motions between configurations (M, 7)."""
        first, last = start[:, 3:], end[:, 3:]
        along = np.einsum("ij,ij->i", first, last)
        last, along = np.where(along[:, None] < 0.0, -last, last), np.abs(along)
        # The vector part of last * conj(first).
        axis = first[:, :1] * last[:, 1:] - last[:, :1] * first[:, 1:]
        axis -= np.cross(last[:, 1:], first[:, 1:])
        sine = np.linalg.norm(axis, axis=1)
        x, y, z = unit(axis).T
        around = np.zeros((len(start), 3, 3))
        around[:, [2, 0, 1], [1, 2, 0]] = np.stack([x, y, z], axis=1)
        around[:, [1, 2, 0], [2, 0, 1]] = -np.stack([x, y, z], axis=1)
        return cls(
            begin=start[:, :3],
            straight=end[:, :3] - start[:, :3],
            angle=2.0 * np.arctan2(sine, along),
            rotation=matrix_from_quaternion(first),
            around=around,
        )

    def at(self, motion: Index, corners: Float, moment: Float) -> MovedCorners:
        """Return corners (P or 1, n, 3) in motions (P,) at moments (P,) of these; each is 0 to 1.

        Corners are those of the body about its reference point.
        """
        angle, straight = self.angle[motion, None, None], self.straight[motion, None]
        around, turned = self.around[motion], moment[:, None, None] * angle
        rotation = self.rotation[motion]
        across = around @ rotation
        rotation = rotation + np.sin(turned) * across + (1.0 - np.cos(turned)) * (around @ across)
        points = corners @ rotation.transpose(0, 2, 1)
        along = points @ around.transpose(0, 2, 1)
        inward = along @ around.transpose(0, 2, 1)
        points += self.begin[motion, None] + moment[:, None, None] * straight
        return MovedCorners(points, straight + angle * along, along, inward, angle)


def bounds(moved: MovedCorners, half: Float) -> tuple[Float, Float]:
    """Return the interval of each coordinate over a piece of the motion.

    sin(a) is a, wrong by at most |a|**3 / 6; 1 - cos(a) lies between 0 and a**2 / 2.
    """
    turn = half * moved.angle
    around = half * np.abs(moved.velocity) + (turn**3 / 6.0) * np.abs(moved.along)
    bent = (0.5 * turn**2) * moved.inward
    return moved.points - around + np.minimum(bent, 0.0), moved.points + around + np.maximum(
        bent, 0.0
    )


def swung(moved: MovedCorners, half: Float) -> tuple[Float, Float]:
    """Return the interval of each coordinate in a piece of half a length (M,) if it only turns.

    With c for the coordinate, s along and b inward it is c + b + s sin(a) - b cos(a), so at most
    c + b + sqrt(s**2 + b**2), which it comes to where tan(a) = -s / b. That is in the piece or not.
    """
    turn = half[:, None, None] * moved.angle
    sine, cosine = np.sin(turn), np.cos(turn)
    rest, size = moved.points + moved.inward, np.hypot(moved.along, moved.inward)
    swing, most = np.abs(moved.along) * sine, -moved.inward * cosine
    beyond, within = np.abs(moved.along) * cosine, moved.inward * sine
    high = np.where((moved.inward < 0.0) & (beyond <= -within), size, most + swing)
    low = np.where((moved.inward > 0.0) & (beyond <= within), -size, most - swing)
    return rest + low, rest + high
