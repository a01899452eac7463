"""Easing: a force grows and fades over a short time, as muscles and motors let it."""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import level
from rmp3d.behaviors.vehicles.limits import within_ellipse
from rmp3d.geometry.arrays import Float


def eased(flock: Flock, wanted: Float, dt: float) -> Float:
    r"""Return the velocity (N, 3) [m/s] after a step in which the force comes near the wanted one.

    With the acceleration a of the last step and the wanted one w, the new one is

    .. math:: a + (1 - e^{-dt / \tau}) (w - a)

    as far as the forces allow it, with the body's `force_time` :math:`\tau`: w changes at once
    where a waypoint is passed or a neighbor comes into view, but no body does. Whatever safety asks
    for, braking above all, comes after this.

    Args:
        flock: Present state.
        wanted: (N, 3) velocities that can be had after the step [m/s].
        dt: Time step [s].
    """
    bodies = flock.bodies
    slow = bodies.force_time > 0.0
    if not slow.any():
        return wanted
    now = level(flock, flock.acceleration)
    share = -np.expm1(-dt / np.where(slow, bodies.force_time, 1.0))[:, None]
    change = now + share * ((wanted - flock.velocity) / dt - now)
    reached = within_ellipse(
        flock.velocity, bodies.grounded, change, bodies.max_acceleration, bodies.max_brake,
        bodies.max_side_acceleration, dt,
    )  # fmt: skip
    return np.where(slow[:, None], reached, wanted)
