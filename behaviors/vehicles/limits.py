"""What a vehicle can do in one step: thrust, braking and side force, and the tightest turn."""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, level
from rmp3d.behaviors.vehicles.backing import course_of, goes_backward
from rmp3d.behaviors.vehicles.forces import REST, use_of_force
from rmp3d.behaviors.vehicles.pivoting import stops_to_turn
from rmp3d.behaviors.vehicles.turning import turned
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.vectors import length, unit

# Share of its wanted speed at which a vehicle drives round to what lies beside or behind it.
TURNING_PACE = 0.3


def attainable(flock: Flock, wanted: Float, dt: float, backward: Bool | None = None) -> Float:
    r"""Return the velocity (N, 3) [m/s] nearest to ``wanted`` that can be had after one step.

    The difference is made up in `RESPONSE_TIME`, as far as the force lasts: forces with a part f
    along the motion and a part s across it can be exerted if
    :math:`(f / F)^2 + (s / S)^2 \le 1`, with S the side force and F the thrust, or the braking
    where f is against the motion (the friction ellipse of tires). At rest all force is thrust.

    A vehicle with a turn radius R moves along its heading only, which turns at no more than
    :math:`\min(\omega, v / R, S / v)`, so that its force across the motion vanishes at low speed
    (Reynolds 1999, "Locomotion", on lateral steering at low speeds). What is not ahead
    it reaches by driving round, at `TURNING_PACE`; one that pivots and is slow stops and turns.
    One that shall go backward stops, and then drives against its heading by the same rules.

    Args:
        flock: Present state; its velocity is left for the new one.
        wanted: (N, 3) [m/s].
        dt: Time step [s].
        backward: (N,) vehicles that shall go backward, of those that can; None: none.
    """
    change = (wanted - flock.velocity) / RESPONSE_TIME
    driven = flock.bodies.turn_radius > 0.0
    if driven.any():
        if backward is None:
            backward = np.zeros(len(flock), np.bool_)
        ahead = (_driven(flock, wanted, driven, dt, backward) - flock.velocity) / dt
        change = np.where(driven[:, None], ahead, change)
    return within_ellipse(
        flock.velocity, flock.bodies.grounded, change, flock.bodies.max_acceleration,
        flock.bodies.max_brake,
        flock.bodies.max_side_acceleration, dt,
    )  # fmt: skip


@compiled
def within_ellipse(velocity, grounded, change, thrust, brake, side, dt):
    """Return velocities (N, 3) after accelerations, scaled to what the vehicles' forces allow.

    The forces share an ellipse, see `attainable`. Walkers' are in plan: the ground carries them up.
    """
    result = np.empty_like(change)
    for i in range(change.shape[0]):
        x, y, z = velocity[i, 0], velocity[i, 1], velocity[i, 2]
        ax, ay, az = change[i, 0], change[i, 1], change[i, 2]
        if grounded[i]:
            z, az = 0.0, 0.0
        use = use_of_force(ax, ay, az, x, y, z, thrust[i], brake[i], side[i])
        step = dt / max(use, 1.0)
        result[i, 0], result[i, 1], result[i, 2] = x + step * ax, y + step * ay, z + step * az
    return result


def _driven(flock: Flock, wanted: Float, driven: Bool, dt: float, backward: Bool) -> Float:
    """Return velocities (N, 3) of vehicles that move along their heading, by their turn radius."""
    motion, wanted = level(flock, flock.velocity), level(flock, wanted)
    speed, pace = length(motion), length(wanted)
    course = course_of(flock, motion, backward)
    backs = goes_backward(flock, motion)
    changes = np.where(speed > REST, backs != backward, False) & (
        flock.bodies.max_reverse_speed > 0.0
    )
    pace = np.where(backward, np.minimum(pace, flock.bodies.max_reverse_speed), pace)
    radius = np.where(driven, flock.bodies.turn_radius, 1.0)
    rate = np.minimum(flock.bodies.max_turn_rate, speed / radius)
    rate = np.minimum(rate, flock.bodies.max_side_acceleration / np.maximum(speed, 1e-9))
    ahead = np.einsum("ij,ij->i", unit(wanted), course)
    pace = pace * np.maximum(ahead, TURNING_PACE)
    gain = np.clip(
        (pace - speed) / RESPONSE_TIME, -flock.bodies.max_brake, flock.bodies.max_acceleration
    )
    gain = np.where(stops_to_turn(flock, wanted) & ~backward, -flock.bodies.max_brake, gain)
    gain = np.where(changes, -flock.bodies.max_brake, gain)
    share = 1.0 - np.exp(-dt / RESPONSE_TIME)
    turns = (pace > 0.0) & ~changes
    course = turned(course, np.where(turns[:, None], wanted, course), rate * dt, share)
    return np.maximum(speed + gain * dt, 0.0)[:, None] * course
