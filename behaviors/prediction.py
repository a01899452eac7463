"""How far ahead to think of someone else's motion."""

import numpy as np

from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import length


def interception_time(offset: Float, velocity: Float, speed: Float, most: float) -> Float:
    r"""Return the earliest times (N,) [s] at which a straight run can meet a straight motion.

    It is the least T > 0 with :math:`\|o + u T\| = s T`, for the offset o and the velocity u of
    the one to meet and the own speed s; ``most`` where that is longer or there is none.

    Args:
        offset: (N, 3) to the one to meet [m].
        velocity: (N, 3) of the one to meet [m/s].
        speed: (N,) own [m/s].
        most: Largest answer [s].
    """
    a = np.einsum("ij,ij->i", velocity, velocity) - speed**2
    b = np.einsum("ij,ij->i", offset, velocity)
    c = np.einsum("ij,ij->i", offset, offset)
    root = np.sqrt(np.maximum(b * b - a * c, 0.0))
    # Of a T^2 + 2 b T + c = 0; written so that a = 0 (equal speeds) is no special case.
    lower = -b + root
    with np.errstate(divide="ignore", invalid="ignore"):
        time = np.where(a < 0.0, (b + root) / -a, c / lower)
    reachable = np.where(a < 0.0, True, (b * b >= a * c) & (lower > 0.0))
    time = np.where(c == 0.0, 0.0, np.where(reachable, time, most))
    return np.clip(np.nan_to_num(time, nan=most, posinf=most), 0.0, most)


def closest_approach(offset: Float, velocity: Float, most: float) -> tuple[Float, Float]:
    r"""Return when (M,) [s] two straight motions are nearest, and their distance (M,) [m] then.

    The time is :math:`t = -p \cdot v / v^2`, from now on, and the gap :math:`\|p + v t\|`, for
    relative positions p and relative velocities v; two that keep their distance are nearest now.

    Args:
        offset: (M, 3) relative positions [m].
        velocity: (M, 3) relative velocities [m/s].
        most: Largest time [s].
    """
    rate = np.einsum("ij,ij->i", velocity, velocity)
    closing = -np.einsum("ij,ij->i", offset, velocity)
    time = np.divide(closing, rate, out=np.zeros_like(rate), where=rate > 0.0)
    time = np.clip(time, 0.0, most)
    return time, length(offset + time[:, None] * velocity)
