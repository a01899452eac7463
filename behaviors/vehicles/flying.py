"""Flying with banking: the body rolls into its turns."""

from math import pi, sqrt, tan

import numpy as np

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.vehicles.facing import STRAIGHT_UP, faced
from rmp3d.behaviors.vehicles.leaning import rolled
from rmp3d.behaviors.vehicles.looking import FLAT, looked_ahead, turn_share
from rmp3d.behaviors.vehicles.vehicle import VEHICLES, Motion
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.axes import up_of_frame
from rmp3d.geometry.compiled import compiled

GRAVITY = 9.81
# A flyer sways aside by this angle [rad] without turning to it, and by that one if it looks to
# where it will be.
SWAY, SWAY_AHEAD = np.radians(15.0), np.radians(27.0)
# Time in which the roll follows the lift [s].
ROLL_TIME = 0.25
# Time in which the heading follows the velocity of a brisk flyer [s], and in plan, where it turns
# to no sway, of that one and of the one foreseen, and what brisk is [m/s].
TURN_TIME = 0.15
YAW_TIME, YAW_TIME_AHEAD = 0.08, 0.015
BRISK = 0.5
# A flyer of which nothing else is said rolls no farther [rad]: it keeps the right side up.
STEEPEST_ROLL = np.radians(75.0)


def fly(
    flock: Flock,
    velocity: Float,
    dt: float,
    steering: SteeringOutput | None = None,
    wanted: Float | None = None,
) -> Flock:
    r"""Return the flock after one step at a velocity (N, 3) [m/s].

    The heading follows the velocity at a limited rate, its pitch up to a largest angle: a
    quadcopter climbs level where an airplane or a fish points its nose up. It turns round in plan,
    not over the top; with velocities ``wanted`` (N, 3) in the long run it follows there the
    velocity that is foreseen. The approximate up is the lift that carries the body round its turn,
    :math:`g \hat z + \kappa a` with the acceleration a and the banking weight :math:`\kappa`, so
    that in a steady level turn the roll has the tangent :math:`\kappa v^2 / (g R)`; it is followed
    in `ROLL_TIME` (Reynolds 1999, "Locomotion", approximate up; here with physical weights). The
    roll has a largest angle, too, so that a flyer that dives does not end on its back. Only flyers
    whose pitch is not limited may loop.

    Where ``steering`` orients the body, its orientation follows that instead, roll included,
    whichever direction it flies in.
    """
    velocity = np.ascontiguousarray(velocity)
    looks, sway, time = velocity, SWAY, YAW_TIME
    if wanted is not None:
        plan = looked_ahead(flock, velocity * FLAT, wanted, dt)
        looks, sway, time = plan + velocity * (1.0 - FLAT), SWAY_AHEAD, YAW_TIME_AHEAD
    course, brisk = _course(looks, flock.bodies.max_pitch)
    yaw_share = brisk * turn_share(flock.heading, looks, sway, time, dt)
    share = brisk * (1.0 - np.exp(-dt / TURN_TIME))
    facing = faced(flock, course, share, dt, steering, yaw_share)
    up = _banked(
        np.ascontiguousarray(facing.heading), flock.up, flock.velocity, velocity,
        flock.bodies.banking,
        dt, 1.0 - np.exp(-dt / ROLL_TIME),
    )  # fmt: skip
    up = rolled(np.ascontiguousarray(facing.heading), up, steepest_roll(flock.bodies))
    if facing.oriented.any():
        up = np.where(facing.oriented[:, None], facing.up, up)
    return flock.moved(
        position=flock.position + velocity * dt,
        velocity=velocity,
        heading=facing.heading,
        up=up,
        spin=facing.spin,
    )


def steepest_roll(bodies: Bodies) -> Float:
    """Return how far (N,) [rad] flyers roll at most; those that may loop, all the way round."""
    most = np.where(bodies.max_roll > 0.0, bodies.max_roll, STEEPEST_ROLL)
    return np.where(bodies.max_pitch < STRAIGHT_UP, most, np.pi)


@VEHICLES.register("flying")
class Flying:
    """Fly in any direction, nose along the motion, rolled into the turns."""

    grounded, space = False, "translation"

    def move(self, flock: Flock, motion: Motion) -> Flock:
        """Return the flock after one step; see `fly`."""
        return fly(flock, motion.velocity, motion.dt, motion.steering, motion.wanted)


@compiled
def _course(velocity, max_pitch):
    """Return where noses shall point (N, 3), and how much (N,) that means, 0 to 1.

    What a motion up or down in a body of limited pitch means to the nose is said by its part in
    plan.
    """
    count = velocity.shape[0]
    course, brisk = np.empty((count, 3)), np.empty(count)
    for i in range(count):
        x, y, z = velocity[i, 0], velocity[i, 1], velocity[i, 2]
        if max_pitch[i] < 0.5 * pi:
            steepest = tan(max_pitch[i]) * sqrt(x * x + y * y)
            z = min(max(z, -steepest), steepest)
        course[i, 0], course[i, 1], course[i, 2] = x, y, z
        # The slower it moves, the less its direction of motion means.
        brisk[i] = min(sqrt(x * x + y * y + z * z) / BRISK, 1.0) ** 2
    return course, brisk


@compiled
def _banked(heading, up, before, after, banking, dt, share):
    """Return the ups (N, 3) that have come a share of the way to the lift.

    The lift is that of the change between the velocities ``before`` and ``after`` (N, 3).
    """
    result = np.empty_like(heading)
    for i in range(heading.shape[0]):
        hx, hy, hz = heading[i, 0], heading[i, 1], heading[i, 2]
        pull = banking[i] / dt
        lx = pull * (after[i, 0] - before[i, 0])
        ly = pull * (after[i, 1] - before[i, 1])
        lz = pull * (after[i, 2] - before[i, 2]) + GRAVITY
        x, y, z = up_of_frame(hx, hy, hz, lx, ly, lz)
        x = (1.0 - share) * up[i, 0] + share * x
        y = (1.0 - share) * up[i, 1] + share * y
        z = (1.0 - share) * up[i, 2] + share * z
        result[i, 0], result[i, 1], result[i, 2] = up_of_frame(hx, hy, hz, x, y, z)
    return result
