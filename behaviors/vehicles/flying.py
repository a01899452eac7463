"""Flying with banking: the body rolls into its turns."""

import numpy as np

from behaviors.behavior import Steering
from behaviors.flock import Flock
from behaviors.vehicles.facing import faced
from geometry.arrays import Float
from geometry.rotations import WORLD_UP, frame
from geometry.vectors import length

GRAVITY = 9.81
# Time in which the roll follows the lift [s].
ROLL_TIME = 0.25
# Time in which the heading follows the velocity of a brisk flyer [s], and what brisk is [m/s].
TURN_TIME = 0.15
BRISK = 0.5


def fly(flock: Flock, velocity: Float, dt: float, steering: Steering | None = None) -> Flock:
    r"""Return the flock after one step at a velocity (N, 3) [m/s].

    The heading follows the velocity at a limited rate, its pitch up to a largest angle: a
    quadcopter climbs level where an airplane or a fish points its nose up. The approximate up is
    the lift that carries the body round its turn, :math:`g \hat z + \kappa a` with the
    acceleration a and the banking weight :math:`\kappa`, so that in a steady level turn the roll
    has the tangent :math:`\kappa v^2 / (g R)`; it is followed in `ROLL_TIME` (Reynolds 1999,
    "Locomotion", approximate up; here with physical weights).

    Where ``steering`` orients the body, its orientation follows that instead, roll included,
    whichever way it flies.
    """
    acceleration = (velocity - flock.velocity) / dt
    course = velocity.copy()
    free = flock.max_pitch >= np.pi / 2
    steepest = np.where(free, np.inf, np.tan(flock.max_pitch) * length(velocity[:, :2]))
    course[:, 2] = np.clip(course[:, 2], -steepest, steepest)
    share = (1.0 - np.exp(-dt / TURN_TIME)) * np.clip(length(course) / BRISK, 0.0, 1.0) ** 2
    facing = faced(flock, course, share, dt, steering)
    lift = GRAVITY * WORLD_UP + flock.banking[:, None] * acceleration
    roll = 1.0 - np.exp(-dt / ROLL_TIME)
    up = (1.0 - roll) * flock.up + roll * frame(facing.heading, lift)[:, :, 2]
    up = np.where(facing.oriented[:, None], facing.up, frame(facing.heading, up)[:, :, 2])
    return flock.moved(
        position=flock.position + velocity * dt,
        velocity=velocity,
        heading=facing.heading,
        up=up,
        spin=facing.spin,
    )
