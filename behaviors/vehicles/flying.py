"""Flying with banking: the body rolls into its turns."""

import numpy as np

from behaviors.flock import Flock
from behaviors.vehicles.turning import turned
from geometry.arrays import Float
from geometry.rotations import WORLD_UP, frame
from geometry.vectors import length

GRAVITY = 9.81
# Time in which the roll follows the lift [s].
ROLL_TIME = 0.25
# Below this speed the heading stays [m/s].
SLOWEST = 0.1


def fly(flock: Flock, velocity: Float, dt: float) -> Flock:
    r"""Return the flock after one step at a velocity (N, 3) [m/s].

    The heading follows the velocity at a limited rate. The approximate up is the lift that
    carries the body round its turn, :math:`g \hat z + \kappa a` with the acceleration a across
    the heading and the banking weight :math:`\kappa`, so that in a steady level turn the roll has
    the tangent :math:`\kappa v^2 / (g R)`; it is followed in `ROLL_TIME` (Reynolds 1999,
    "Locomotion", approximate up; here with physical weights).
    """
    acceleration = (velocity - flock.velocity) / dt
    moving = length(velocity) > SLOWEST
    wanted = np.where(moving[:, None], velocity, 0.0)
    heading = turned(flock.heading, wanted, flock.max_turn_rate * dt)
    lift = GRAVITY * WORLD_UP + flock.banking[:, None] * acceleration
    share = 1.0 - np.exp(-dt / ROLL_TIME)
    wanted_up = frame(heading, lift)[:, :, 2]
    up = (1.0 - share) * flock.up + share * wanted_up
    return flock.moved(
        position=flock.position + velocity * dt,
        velocity=velocity,
        heading=heading,
        up=frame(heading, up)[:, :, 2],
    )
