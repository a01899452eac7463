"""Attraction: attractors draw those in their range, repulsors push them away."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, level
from rmp3d.behaviors.terrain.ahead import Spheres, sphere_array
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length, unit


@STEERING_BEHAVIORS.register("attraction")
@dataclass(frozen=True)
class Attraction:
    r"""Be drawn by attractors and pushed by repulsors, harder the nearer they are.

    With sources c of range R at the distance d from the position x, acceleration A and the sign s,
    1 for attractors and -1 for repulsors,

    .. math:: f = m A \sum_c s \max(0, 1 - d / R) \, (c - x) / d

    Reich, Ko, Becket, Badler 1994, "Terrain reasoning for human locomotion", steer by the sum of
    what attractor and repulsor sensors read (thesis, 2.3); the law that falls off in proportion is
    ours. For walkers only level distances count. A source in the own place does nothing.

    Attributes:
        attractors: [x, y, z, range] of each place that draws them [m].
        repulsors: [x, y, z, range] of each place that drives them off [m].
        strength: A, of one source at no distance [m/s^2].
    """

    attractors: Spheres = ()
    repulsors: Spheres = ()
    strength: float = 2.0

    def __post_init__(self) -> None:
        for name in ("attractors", "repulsors"):
            try:
                sphere_array(getattr(self, name))
            except InputError:
                raise InputError(
                    f"`{name}` must be a list of [x, y, z, range] with positive ranges"
                ) from None
        if not 0.0 < self.strength < np.inf:
            raise InputError(f"`strength` must be positive, got {self.strength}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        pull = np.zeros_like(flock.position)
        for sign, sources in ((1.0, self.attractors), (-1.0, self.repulsors)):
            for x, y, z, reach in sphere_array(sources).tolist():
                offset = level(flock, np.array([x, y, z]) - flock.position)
                share = np.maximum(1.0 - length(offset) / reach, 0.0)
                pull += sign * share[:, None] * unit(offset)
        return self.strength * flock.bodies.mass[:, None] * pull
