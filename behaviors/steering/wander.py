"""Wander: stroll about, turning by a random walk on a sphere ahead."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.noise import uniform
from rmp3d.behaviors.steering.align import Turning
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, force_towards, level
from rmp3d.behaviors.vehicles.spinning import quaternion_of_rotation
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import WORLD_UP, frame, rotate
from rmp3d.geometry.vectors import length, unit

# How long a push of the random walk lasts [s], whatever the time step is.
PUSH_TIME = 0.1
# Slower than this, the heading is the course [m/s].
MOVING = 0.05
CHANNELS = (0, 1, 2)


@STEERING_BEHAVIORS.register("wander")
@dataclass(frozen=True)
class Wander:
    r"""Seek a point that walks at random over a sphere ahead of the agent.

    With p the point on the unit sphere, in the level frame of the course, the direction sought is

    .. math:: O \hat x + R \, (p_x, p_y, \kappa p_z)

    for the offset O, the radius R and the verticality :math:`\kappa`, at cruise speed. Its angular
    velocity is drawn anew ten times a second from a cube of half the edge ``rate``, so the walk
    does not depend on the time step. Walkers keep to the circle.

    Reynolds 1999, "Steering behaviors for autonomous characters" (a sphere around the agent's own
    front), with the offset, radius and rate of Millington 2019, "Artificial Intelligence for
    Games", 3.3, whose walk depends on the frame rate.

    Attributes:
        offset: Of the sphere's center ahead [m].
        radius: [m], less than the offset.
        rate: Largest angular velocity of the walk, about each axis [rad/s].
        vertical: Share of the vertical part that flyers use, 0 to 1.
        output: ``velocity``: cruise speed towards the point. ``heading``: the body turns to face
            the point, and the largest force pushes along the heading (Millington's linear and
            angular output); the sphere is then ahead of the nose, and `Friction` keeps the course
            on it.
    """

    offset: float = 4.0
    radius: float = 1.0
    rate: float = 8.0
    vertical: float = 0.4
    output: Literal["velocity", "heading"] = "velocity"

    def __post_init__(self) -> None:
        if not 0.0 < self.radius < self.offset < np.inf:
            raise InputError(
                f"`radius` must be positive and less than `offset`, got {self.radius} and "
                f"{self.offset}"
            )
        if not 0.0 <= self.rate < np.inf:
            raise InputError(f"`rate` must be 0 or more, got {self.rate}")
        check_vertical(self.vertical)

    def remembered(self, flock: Flock, around: Surroundings) -> Float:
        """Return the points (N, 3) on the unit spheres, in the agents' level frames."""
        point = np.tile([1.0, 0.0, 0.0], (len(flock), 1))
        if around.memory is not None:
            point = around.memory
        slot = int(around.time / PUSH_TIME + 1e-6)
        push = np.stack(
            [uniform(around.seed, around.chance, channel, slot) for channel in CHANNELS], axis=1
        )
        spin = self.rate * (2.0 * push - 1.0)
        spin[flock.bodies.grounded, :2] = 0.0
        return unit(rotate(quaternion_of_rotation(spin * around.dt), point))

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        if self.output == "heading":
            return flock.bodies.max_force[:, None] * level(flock, flock.heading)
        direction = level(flock, self._direction(flock, around, level_course(flock)))
        return force_towards(flock, flock.bodies.cruise_speed[:, None] * direction)

    def steering_turn(self, flock: Flock, around: Surroundings) -> tuple[Float, Bool]:
        """Return angular accelerations (N, 3) [rad/s^2] and which agents it orients (N,)."""
        oriented = np.full(len(flock), self.output == "heading")
        if self.output == "velocity":
            return np.zeros((len(flock), 3)), oriented
        aim = self._direction(flock, around, level_heading(flock))
        return Turning().turn_into(flock, aim, np.broadcast_to(WORLD_UP, aim.shape), oriented)

    def _direction(self, flock: Flock, around: Surroundings, course: Float) -> Float:
        """Return the unit direction (N, 3) to the point on the sphere ahead on a course (N, 3)."""
        point = self.remembered(flock, around) if around.memory is None else around.memory
        aim = self.radius * point * [1.0, 1.0, self.vertical] + [self.offset, 0.0, 0.0]
        axes = frame(course, WORLD_UP)
        return unit(np.einsum("nij,nj->ni", axes, aim))


def level_course(flock: Flock) -> Float:
    """Return the level unit directions (N, 3) of motion, or of the heading without one."""
    flat = np.array([1.0, 1.0, 0.0])
    motion = flock.velocity * flat
    moving = length(motion)[:, None] > MOVING
    return unit(np.where(moving, motion, level_heading(flock)))


def level_heading(flock: Flock) -> Float:
    """Return the level unit directions (N, 3) of the headings."""
    flat = np.array([1.0, 1.0, 0.0])
    heading = flock.heading * flat
    # With the nose straight up, the belly shows where it pointed before it was raised.
    nose = np.where(length(heading)[:, None] > 1e-6, heading, -flock.up * flat)
    return unit(np.where(length(nose)[:, None] > 0.0, nose, [1.0, 0.0, 0.0]))


def check_vertical(vertical: float) -> None:
    """Refuse a verticality out of range."""
    if not 0.0 <= vertical <= 1.0:
        raise InputError(f"`vertical` must be from 0 to 1, got {vertical}")
