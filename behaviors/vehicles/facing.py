"""Where a body faces after a step: along its motion, or where steering turns it."""

from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.vehicles.backing import goes_backward
from rmp3d.behaviors.vehicles.spinning import follow, spun
from rmp3d.behaviors.vehicles.turning import turned
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length, unit


class Facing(NamedTuple):
    """Heading, up and spin (each (N, 3)), and which bodies steering orients (N,)."""

    heading: Float
    up: Float
    spin: Float
    oriented: Bool


def faced(
    flock: Flock, course: Float, share: Float, dt: float, steering: SteeringOutput | None
) -> Facing:
    """Return how bodies face after a step.

    Args:
        flock: Present state.
        course: (N, 3) directions that bodies face which steering does not orient; zero keeps
            the heading, and a body that drives backward faces the opposite one.
        share: (N,) of the turn to ``course`` that may be turned at once.
        dt: Time step [s].
        steering: What behaviors ask for, or None.
    """
    backs = goes_backward(flock, course)
    if backs.any():
        course = np.where(backs[:, None], -course, course)
    # A body that moves along its heading only has it along its motion at once.
    share = np.where(flock.bodies.turn_radius > 0.0, 1.0, share)
    heading = turned(flock.heading, course, flock.bodies.max_turn_rate * dt, share)
    rolls = flock.bodies.grounded & (flock.bodies.turn_radius > 0.0)
    if rolls.any():
        heading = np.where(rolls[:, None], _rolled(flock, course, dt), heading)
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


def _rolled(flock: Flock, course: Float, dt: float) -> Float:
    """Return headings (N, 3) of bodies that move along theirs only: in plan that of the motion.

    What the turn rate leaves then goes into the pitch, which follows the slope.
    """
    moves = length(course[:, :2]) > 0.0
    plan = np.where(moves[:, None], course[:, :2], flock.heading[:, :2])
    size = length(plan)
    before = flock.heading
    cross = before[:, 0] * plan[:, 1] - before[:, 1] * plan[:, 0]
    turn = np.arctan2(cross, np.einsum("ij,ij->i", before[:, :2], plan))
    pitch = np.arctan2(before[:, 2], length(before[:, :2]))
    left = np.sqrt(np.maximum((flock.bodies.max_turn_rate * dt) ** 2 - turn**2, 0.0))
    moving = course.any(axis=1)
    wanted = np.where(moving, np.arctan2(course[:, 2], size), pitch)
    pitch = pitch + np.clip(wanted - pitch, -left, left)
    ahead = np.cos(pitch)[:, None] * unit(plan)
    return np.column_stack([ahead, np.sin(pitch)])
