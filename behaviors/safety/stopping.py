"""Stopping distances of a body that brakes by the same speed in every time step.

With a time step dt and q = brake * dt (the speed lost in a step), a body of speed s that brakes
from its next step on travels

    D(s) = dt (m s - q m (m + 1) / 2),  m = floor(s / q)

and one that moves for one step at s and then brakes travels E(s) = s dt + D(s). E is increasing
and piecewise linear, so it has a closed inverse. The integrator is v' = v + a dt, p' = p + v' dt.
"""

from math import floor, sqrt

from rmp3d.geometry.compiled import compiled, inlined


@compiled
def braking_distance(speed, loss, dt):
    """Return D(speed) [m] for a loss of speed q = ``loss`` [m/s] a step."""
    steps = floor(speed / loss)
    return dt * (steps * speed - loss * steps * (steps + 1.0) * 0.5)


@compiled
def reach_of_speed(speed, loss, dt):
    """Return E(speed) [m]: one step at ``speed``, then braking."""
    return speed * dt + braking_distance(speed, loss, dt)


@compiled
def speed_of_reach(reach, loss, dt):
    """Return the speed [m/s] whose E is ``reach`` [m]."""
    steps = floor((sqrt(1.0 + 8.0 * reach / (loss * dt)) - 1.0) * 0.5)
    return (reach / dt + loss * steps * (steps + 1.0) * 0.5) / (steps + 1.0)


@inlined
def speed_over_reach(reach, loss, dt):
    """Return by what the displacement (3,) until a stop is multiplied to have the velocity."""
    size = sqrt(reach[0] ** 2 + reach[1] ** 2 + reach[2] ** 2)
    return speed_of_reach(size, loss, dt) / size if size > 1e-12 else 1.0 / dt
