"""Where a body faces after a step: along its motion, or where steering turns it."""

from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.vehicles.backing import goes_backward
from rmp3d.behaviors.vehicles.leaning import pitched
from rmp3d.behaviors.vehicles.looking import FLAT
from rmp3d.behaviors.vehicles.spinning import follow, spun
from rmp3d.behaviors.vehicles.turning import turned
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length, unit

# A largest pitch of no less than this is no limit [rad].
STRAIGHT_UP = np.radians(89.9)


class Facing(NamedTuple):
    """Heading, up and spin (each (N, 3)), and which bodies steering orients (N,)."""

    heading: Float
    up: Float
    spin: Float
    oriented: Bool


def faced(
    flock: Flock,
    course: Float,
    share: Float,
    dt: float,
    steering: SteeringOutput | None,
    yaw_share: Float | None = None,
) -> Facing:
    """Return how bodies face after a step.

    Args:
        flock: Present state.
        course: (N, 3) directions that bodies face which steering does not orient; zero keeps
            the heading, and a body that drives backward faces the opposite one.
        share: (N,) of the turn to ``course`` that may be turned at once.
        dt: Time step [s].
        steering: What behaviors ask for, or None.
        yaw_share: (N,) share in plan, of flyers whose pitch is limited; None: the same.
    """
    backs = goes_backward(flock, course)
    if backs.any():
        course = np.where(backs[:, None], -course, course)
    # A body that moves along its heading only has it along its motion at once.
    share = np.where(flock.bodies.turn_radius > 0.0, 1.0, share)
    heading = turned(flock.heading, course, flock.bodies.max_turn_rate * dt, share)
    heading = _over_ground(flock, course, heading, share, dt)
    heading = _within_pitch(flock, course, heading, share, dt, yaw_share)
    spin = np.zeros_like(flock.spin)
    heavy = np.isfinite(flock.bodies.max_turn_acceleration) & (flock.bodies.turn_radius == 0.0)
    if heavy.any():
        slow_spin, slow = follow(flock, course, heavy, dt)
        spin = np.where(heavy[:, None], slow_spin, spin)
        heading = np.where(heavy[:, None], slow, heading)
    up = flock.up
    if steering is None or not steering.oriented.any():
        return Facing(heading, up, spin, np.zeros(len(flock), np.bool_))
    rows = steering.oriented[:, None]
    steered = spun(flock, steering.turning, dt)
    spin, heading, up = (
        np.where(rows, mine, other)
        for mine, other in zip(steered, (spin, heading, up), strict=True)
    )
    return Facing(heading, up, spin, steering.oriented)


def _over_ground(flock: Flock, course: Float, heading: Float, share: Float, dt: float) -> Float:
    """Return headings (N, 3) in which the yaw and the pitch of walkers turn apart.

    A body that moves along its heading only has it in plan where its motion is; one that leans
    turns there at a limited rate. The pitch follows the slope.
    """
    bodies = flock.bodies
    drives = bodies.grounded & (bodies.turn_radius > 0.0)
    leans = bodies.grounded & (bodies.lean > 0.0) & ~drives
    if not (drives | leans).any():
        return heading
    moves = length(course[:, :2]) > 0.0
    plan = np.where(moves[:, None], course[:, :2], flock.heading[:, :2])
    if leans.any():
        turning = _turned_in_plan(flock, course, share, dt)
        plan = np.where(leans[:, None], turning[:, :2], plan)
    found: Float = np.where((drives | leans)[:, None], pitched(flock, plan, course, dt), heading)
    return found


def _within_pitch(
    flock: Flock, course: Float, heading: Float, share: Float, dt: float, yaw_share: Float | None
) -> Float:
    """Return headings (N, 3) in which the yaw and the pitch of flyers turn apart.

    The shortest turn to what is behind leads over the pole, beyond any largest pitch, and leaves
    the body on its back. Flyers whose pitch is not limited may do so.
    """
    bodies = flock.bodies
    limited = ~bodies.grounded & (bodies.max_pitch < STRAIGHT_UP) & (bodies.turn_radius == 0.0)
    if not limited.any():
        return heading
    limited &= length(flock.heading[:, :2]) > 1e-6
    yaw_share = share if yaw_share is None else yaw_share
    plan = _turned_in_plan(flock, course, yaw_share, dt)[:, :2]
    return np.where(limited[:, None], pitched(flock, plan, course, dt, share), heading)


def _turned_in_plan(flock: Flock, course: Float, share: Float, dt: float) -> Float:
    """Return level headings (N, 3), turned towards courses (N, 3) at a limited rate."""
    return turned(unit(flock.heading * FLAT), course * FLAT, flock.bodies.max_turn_rate * dt, share)
