"""Sphere avoidance: the tutorial's rule, three probes ahead and one obstacle at a time."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, level
from rmp3d.behaviors.terrain.ahead import Spheres, sphere_array
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length, unit


@STEERING_BEHAVIORS.register("sphere_avoidance")
@dataclass(frozen=True)
class SphereAvoidance:
    r"""Push from the center of the most threatening sphere to the point ahead.

    With the position x, velocity v, largest speed s and sight L the point ahead is

    .. math:: a = x + L \frac{\|v\|}{s} \frac{v}{\|v\|}

    A sphere is in the way if a, the point halfway there, or x itself is nearer to its center c than
    its radius and the body's. Of those in the way the one with the center nearest to x counts, and

    .. math:: f = m A \, (a - c) / \|a - c\|

    Bevilacqua 2013, "Understanding steering behaviors: collision avoidance", whose obstacles are
    circles and whose agents are points. A point ahead that is at the center pushes to the left.
    `LookAheadAvoidance` and `ObstacleAvoidance` avoid the scene's triangles.

    Attributes:
        spheres: [x, y, z, radius] of the obstacles [m].
        sight: L, how far ahead an agent looks at its largest speed [m].
        strength: A, the acceleration asked for [m/s^2].
    """

    spheres: Spheres = ()
    sight: float = 4.0
    strength: float = 3.0

    def __post_init__(self) -> None:
        sphere_array(self.spheres)
        for name in ("sight", "strength"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        spheres = sphere_array(self.spheres)
        if len(spheres) == 0 or len(flock) == 0:
            return np.zeros_like(flock.position)
        ahead = self.sight * flock.velocity / flock.bodies.max_speed[:, None]
        middle = flock.position.copy()
        middle[:, 2] += flock.bodies.capsule_axis.mean(axis=1)
        probes = middle[:, None] + np.array([1.0, 0.5, 0.0])[:, None] * ahead[:, None]  # (N, 3, 3)
        offset = probes[:, :, None] - spheres[:, :3]  # (N, 3, K, 3)
        # Walkers do not get over or under anything: only the level distance counts.
        offset[flock.bodies.grounded, ..., 2] = 0.0
        apart = np.linalg.norm(offset, axis=3)
        blocks = (apart <= spheres[:, 3] + flock.bodies.radius[:, None, None]).any(axis=1)  # (N, K)
        worst = np.argmin(np.where(blocks, apart[:, 2], np.inf), axis=1)
        push = level(flock, offset[np.arange(len(flock)), 0, worst])
        left = np.cross(flock.up, unit(flock.velocity))
        push = np.where(length(push)[:, None] > 1e-9, push, left)
        force = (self.strength * flock.bodies.mass)[:, None] * unit(push)
        return np.where(blocks.any(axis=1)[:, None], force, 0.0)
