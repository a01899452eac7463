"""Noise wander: stroll about, turning by smooth noise."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.noise import smooth
from rmp3d.behaviors.steering.wander import check_vertical, level_course
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, force_towards, level
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.rotations import WORLD_UP
from rmp3d.geometry.vectors import unit

TURN_CHANNELS, CLIMB_CHANNEL = (10, 11, 12), 13
# Scales and weights of the turning's octaves; one alone has no slow part, and would turn back.
OCTAVES = ((1.0, 0.4), (3.0, 0.3), (9.0, 0.3))


@STEERING_BEHAVIORS.register("noise_wander")
@dataclass(frozen=True)
class NoiseWander:
    r"""Turn and climb by Perlin's noise in time, at cruise speed.

    With noises n and k in [-1, 1] of the agent's own, that vary over ``period`` seconds (n has
    two slower octaves too), the side acceleration is :math:`a n` to the left of the level course,
    and the slope of the wanted motion is :math:`\kappa k`. The noise is a function of the seed,
    the agent and the time, so it needs no memory and does not depend on the time step (Reynolds
    1999, "Steering behaviors for autonomous characters", on coherent noise in place of the random
    walk).

    Attributes:
        period: Scale on which the noise varies [s].
        strength: Largest side acceleration a [m/s^2].
        vertical: Steepest slope that flyers fly, rise over run, 0 to 1.
    """

    period: float = 1.5
    strength: float = 2.5
    vertical: float = 0.4

    def __post_init__(self) -> None:
        if not 0.0 < self.period < np.inf:
            raise InputError(f"`period` must be positive, got {self.period}")
        if not 0.0 <= self.strength < np.inf:
            raise InputError(f"`strength` must be 0 or more, got {self.strength}")
        check_vertical(self.vertical)

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        time = around.time / self.period
        turn = sum(
            weight * smooth(around.seed, around.chance, channel, time / scale)
            for channel, (scale, weight) in zip(TURN_CHANNELS, OCTAVES, strict=True)
        )
        climb = smooth(around.seed, around.chance, CLIMB_CHANNEL, time)
        course = level_course(flock)
        sloped = level(flock, course + (self.vertical * climb)[:, None] * WORLD_UP)
        force = force_towards(flock, flock.bodies.cruise_speed[:, None] * unit(sloped))
        side = (flock.bodies.mass * self.strength * turn)[:, None] * np.cross(WORLD_UP, course)
        return level(flock, force) + side
