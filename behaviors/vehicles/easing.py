"""Easing: a force grows and fades over a short time, as muscles and motors let it."""

import numpy as np

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import level
from rmp3d.behaviors.vehicles.forces import fading
from rmp3d.behaviors.vehicles.limits import within_ellipse
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.compiled import compiled


def eased(flock: Flock, wanted: Float, dt: float) -> Float:
    r"""Return the velocity (N, 3) [m/s] after a step in which the force comes near the wanted one.

    With the acceleration a of the last step and the wanted one w, the new one is

    .. math:: a + (1 - e^{-dt / \tau}) (w - a)

    as far as the forces allow it, with the body's `force_time` :math:`\tau`: w changes at once
    where a waypoint is passed or a neighbor comes into view, but no body does. What is left of a
    brake does not drive the body back from where it wants to go. Whatever safety asks for, braking
    above all, comes after this.

    Args:
        flock: Present state.
        wanted: (N, 3) velocities that can be had after the step [m/s].
        dt: Time step [s].
    """
    bodies = flock.bodies
    share = easing(bodies, dt)[:, None]
    if (share == 1.0).all():
        return wanted
    change = share * (wanted - flock.velocity) / dt
    _add_fading(change, level(flock, flock.acceleration), flock.velocity, wanted, share[:, 0], dt)
    reached = within_ellipse(
        flock.velocity, bodies.grounded, change, bodies.max_acceleration, bodies.max_brake,
        bodies.max_side_acceleration, dt,
    )  # fmt: skip
    return np.where(share < 1.0, reached, wanted)


@compiled
def _add_fading(change, acceleration, velocity, wanted, share, dt):
    """Add what is left of accelerations (N, 3) [m/s^2] to changes (N, 3) of velocities."""
    for i in range(change.shape[0]):
        x, y, z = fading(acceleration[i], velocity[i], wanted[i], share[i], dt)
        change[i, 0], change[i, 1], change[i, 2] = (
            change[i, 0] + x,
            change[i, 1] + y,
            change[i, 2] + z,
        )


def easing(bodies: Bodies, dt: float) -> Float:
    """Return the share (N,) of the way to a wanted force that is gone in a step ``dt`` [s].

    It is all of it for bodies with a turn radius, which choose no force across their heading.
    """
    slow = (bodies.force_time > 0.0) & (bodies.turn_radius == 0.0)
    return np.where(slow, -np.expm1(-dt / np.where(slow, bodies.force_time, 1.0)), 1.0)
