"""What a vehicle can do in one step: thrust, braking and side force, and the tightest turn."""

import numpy as np

from behaviors.behavior import RESPONSE_TIME, level
from behaviors.flock import Flock
from behaviors.vehicles.turning import turned
from geometry.arrays import Bool, Float
from geometry.vectors import clip_length, length, unit

# Share of its wanted speed at which a vehicle drives round to what lies beside or behind it.
TURNING_PACE = 0.3


def attainable(flock: Flock, wanted: Float, dt: float) -> Float:
    r"""Return the velocity (N, 3) [m/s] nearest to ``wanted`` that can be had after one step.

    The difference is made up in `RESPONSE_TIME`, as far as the force lasts: forces with a part f
    along the motion and a part s across it can be exerted if
    :math:`(f / F)^2 + (s / S)^2 \le 1`, with S the side force and F the thrust, or the braking
    where f is against the motion (the friction ellipse of tires). At rest all force is thrust.

    A vehicle with a turn radius R moves along its heading only, which turns at no more than
    :math:`\min(\omega, v / R, S / v)`, so that its force across the motion vanishes at low speed
    (Reynolds 1999, "Locomotion", on lateral steering at low speeds). What is not ahead
    it reaches by driving round, at `TURNING_PACE`.

    Args:
        flock: Present state; its velocity is left for the new one.
        wanted: (N, 3) [m/s].
        dt: Time step [s].
    """
    change = (wanted - flock.velocity) / RESPONSE_TIME
    velocity = flock.velocity + clip_length(change, flock.acceleration) * dt
    uneven = (flock.brake != flock.acceleration) | (flock.side_acceleration != flock.acceleration)
    if uneven.any():
        limited = flock.velocity + _within_ellipse(flock, change) * dt
        velocity = np.where(uneven[:, None], limited, velocity)
    driven = flock.turn_radius > 0.0
    if driven.any():
        velocity = np.where(driven[:, None], _driven(flock, wanted, driven, dt), velocity)
    return velocity


def _within_ellipse(flock: Flock, acceleration: Float) -> Float:
    """Return accelerations (N, 3) scaled down to what the vehicle's forces allow."""
    motion = level(flock, flock.velocity)
    resting = length(motion)[:, None] < 1e-9
    course = np.where(resting, unit(acceleration), unit(motion))
    along = np.einsum("ij,ij->i", acceleration, course)
    across = length(acceleration - along[:, None] * course)
    most = np.where(along < 0.0, flock.brake, flock.acceleration)
    use = np.hypot(along / most, across / flock.side_acceleration)
    return acceleration / np.maximum(use, 1.0)[:, None]


def _driven(flock: Flock, wanted: Float, driven: Bool, dt: float) -> Float:
    """Return velocities (N, 3) of vehicles that only move ahead, by a turn radius above zero."""
    motion, wanted = level(flock, flock.velocity), level(flock, wanted)
    speed, pace = length(motion), length(wanted)
    heading = unit(level(flock, flock.heading))
    course = np.where(speed[:, None] > 1e-9, unit(motion), heading)
    radius = np.where(driven, flock.turn_radius, 1.0)
    rate = np.minimum(flock.max_turn_rate, speed / radius)
    rate = np.minimum(rate, flock.side_acceleration / np.maximum(speed, 1e-9))
    ahead = np.einsum("ij,ij->i", unit(wanted), course)
    pace = pace * np.maximum(ahead, TURNING_PACE)
    gain = np.clip((pace - speed) / RESPONSE_TIME, -flock.brake, flock.acceleration)
    share = 1.0 - np.exp(-dt / RESPONSE_TIME)
    course = turned(course, np.where(pace[:, None] > 0.0, wanted, course), rate * dt, share)
    return np.maximum(speed + gain * dt, 0.0)[:, None] * course
