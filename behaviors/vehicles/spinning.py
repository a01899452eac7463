"""Orientation steered by angular accelerations: Millington's model, in three dimensions."""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.rotations import frame, quaternion_from_matrix, rotate
from rmp3d.geometry.vectors import clip_length, length, unit

# Time in which a wanted angular velocity is taken up [s]; the slides' time to target.
SPIN_TIME = 0.1
# Angles are made up at this rate when they are small [1/s].
SPIN_GAIN = 4.0
# Share of the angular acceleration that slowing down counts on.
SPIN_CAUTION = 0.5


def spun(flock: Flock, turning: Float, dt: float) -> tuple[Float, Float, Float]:
    r"""Return spin, heading and up (each (N, 3)) after one step of angular accelerations.

    .. math:: \omega' = \omega + \alpha dt, \qquad R' = \exp(\omega' dt) R

    with :math:`\alpha` cut to the largest torque over inertia and :math:`\omega'` to the largest
    turn rate (Millington 2019, "Artificial Intelligence for Games", 3.2, where angles are
    numbers; here rotation vectors in the world frame). Walkers turn about the vertical only.

    Args:
        flock: Present state.
        turning: (N, 3) angular accelerations [rad/s^2], world frame.
        dt: Time step [s].
    """
    upright = flock.bodies.grounded[:, None] & [True, True, False]
    turning = np.where(upright, 0.0, turning)
    spin = (
        np.where(upright, 0.0, flock.spin)
        + clip_length(turning, flock.bodies.max_turn_acceleration) * dt
    )
    spin = clip_length(spin, flock.bodies.max_turn_rate)
    step = quaternion_of_rotation(spin * dt)
    axes = frame(rotate(step, flock.heading), rotate(step, flock.up))
    return spin, axes[:, :, 0], axes[:, :, 2]


def turning_to(
    flock: Flock, rotation: Float, gain: float = SPIN_GAIN, response: float = SPIN_TIME
) -> Float:
    r"""Return the angular accelerations (N, 3) [rad/s^2] that turn by ``rotation`` and stop there.

    With the rotation vector of angle a and axis n still to go, the wanted angular velocity is

    .. math:: \min(k a, \sqrt{2 \beta \alpha a}, \omega_{max}) \, n

    and it is taken up in the response time: `Arrive`, for angles.

    Args:
        flock: Present state.
        rotation: (N, 3) rotation vectors [rad], world frame.
        gain: k [1/s].
        response: Time in which a wanted angular velocity is taken up [s].
    """
    angle = length(rotation)
    stopping = np.sqrt(
        2.0 * SPIN_CAUTION * np.minimum(flock.bodies.max_turn_acceleration, 1e9) * angle
    )
    rate = np.minimum(np.minimum(gain * angle, stopping), flock.bodies.max_turn_rate)
    return (rate[:, None] * unit(rotation) - flock.spin) / response


def rotation_between(start: Float, end: Float) -> Float:
    """Return the shortest rotation vectors (N, 3) [rad] that turn frames (N, 3, 3) into others."""
    return rotation_of_matrix(end @ np.swapaxes(start, -1, -2))


def rotation_to(direction: Float, wanted: Float) -> Float:
    """Return the shortest rotation vectors (N, 3) [rad] from unit directions to others (N, 3).

    Where the two are opposite it is half a turn to the left about +z, or about +x for a vertical
    direction; where ``wanted`` is zero, none.
    """
    axis = np.cross(direction, wanted)
    sine, cosine = length(axis), np.einsum("ij,ij->i", direction, wanted)
    lost = (sine < 1e-9) & (cosine < 0.0)
    spare = np.where(np.abs(direction[:, 2:]) > 0.9, [[1.0, 0.0, 0.0]], [[0.0, 0.0, 1.0]])
    spare = unit(spare - np.einsum("ij,ij->i", spare, direction)[:, None] * direction)
    axis = np.where(lost[:, None], spare, unit(axis))
    return np.arctan2(np.where(lost, 0.0, sine), cosine)[:, None] * axis


def rotation_of_matrix(rotation: Float) -> Float:
    """Return rotation vectors (N, 3) [rad], no longer than pi, of matrices (N, 3, 3)."""
    quaternion = quaternion_from_matrix(rotation)
    sine = length(quaternion[:, 1:])
    return 2.0 * np.arctan2(sine, quaternion[:, 0])[:, None] * unit(quaternion[:, 1:])


def quaternion_of_rotation(rotation: Float) -> Float:
    """Return unit quaternions (N, 4), scalar first, of rotation vectors (N, 3) [rad]."""
    half = 0.5 * length(rotation)[:, None]
    return np.hstack([np.cos(half), np.sin(half) * unit(rotation)])


def follow(flock: Flock, course: Float, rows: Bool, dt: float) -> tuple[Float, Float]:
    """Return spin and heading (each (N, 3)) of bodies whose rotational inertia keeps them back.

    Their heading is turned to ``course`` (N, 3) by a limited angular acceleration; a zero course
    stops the turn. Rows not in ``rows`` (N,) keep spin and heading.
    """
    gap = rotation_to(flock.heading, unit(course))
    spin, heading, _ = spun(flock, turning_to(flock, gap), dt)
    keep = ~rows[:, None]
    return np.where(keep, flock.spin, spin), np.where(keep, flock.heading, heading)
