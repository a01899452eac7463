"""Shun: keep away from all of a group, the harder the nearer they are."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, level
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length, unit


@STEERING_BEHAVIORS.register("shun")
@dataclass(frozen=True)
class Shun:
    r"""Move away from every neighbor within the fear distance; calm down when there is none.

    With position x, velocity v, the neighbors' positions t, fear distance D, acceleration s and
    rate of calming q, the force on mass m is

    .. math:: f = m \left( s \sum_j \max(0, 1 - \|x - t_j\| / D) \,
              \frac{x - t_j}{\|x - t_j\|} + w \sum_k \max(0, 1 - g_k / W) \, n_k - q v \right)

    with the gaps g and directions n from the nearest point of an obstacle, and from the borders
    of the scene's bounds, to the body: without it a chased agent ends pressed to a wall. So one
    at rest far from all stays at rest, and a chased one runs at no more than s / q. ``among`` in a
    combination says which agents it shuns: ``{ name = "shun", among = "dogs" }``. The law of fear
    is that of Lien, Bayazit, Sowell, Rodriguez, Amato 2004, "Shepherding behaviors", as its
    simulator has it. One in the same place is shunned along x, the lower row to -x.

    Attributes:
        distance: Fear distance D, between the reference points [m].
        strength: Acceleration s away from one who is very near [m/s^2].
        calming: Rate q at which motion dies down [1/s].
        wall_distance: Kept from obstacles and the border W [m]; 0: they do not matter.
        wall_strength: Acceleration w away from an obstacle that is touched [m/s^2].
    """

    distance: float = 6.0
    strength: float = 5.0
    calming: float = 1.0
    wall_distance: float = 0.0
    wall_strength: float = 2.0
    needs: ClassVar[tuple[str, ...]] = ("neighbors",)

    def __post_init__(self) -> None:
        if not 0.0 < self.distance < np.inf:
            raise InputError(f"`distance` must be positive, got {self.distance}")
        for name in ("strength", "calming", "wall_distance", "wall_strength"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be 0 or more, got {getattr(self, name)}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        near = around.neighbors
        apart = length(near.offset)
        away = -unit(near.offset)
        away[apart == 0.0, 0] = np.where(near.lower, -1.0, 1.0)[apart == 0.0]
        fear = self.strength * np.maximum(1.0 - apart / self.distance, 0.0)
        pull = near.sum(fear[:, None] * away) - self.calming * flock.velocity
        if self.wall_distance > 0.0:
            pull += self.wall_strength * self._from_walls(flock, around)
        return flock.bodies.mass[:, None] * level(flock, pull)

    def _from_walls(self, flock: Flock, around: Surroundings) -> Float:
        """Return the sum (N, 3) over obstacle and borders of directions away, weighted."""
        reach = self.wall_distance
        push = np.zeros_like(flock.position)
        if around.obstacles is not None and len(flock):
            middle = flock.position.copy()
            middle[:, 2] += flock.bodies.capsule_axis.mean(axis=1)
            cap = reach + float(flock.bodies.radius.max())
            gap, nearest, _ = around.obstacles.closest_point(middle, cap)
            weight = np.clip(1.0 - (gap - flock.bodies.radius) / reach, 0.0, 1.0)
            push += np.where(gap < cap, weight, 0.0)[:, None] * unit(level(flock, middle - nearest))
        if around.bounds is not None:
            for side, sign in zip(around.bounds, (1.0, -1.0), strict=True):
                gap = sign * (flock.position - side) - flock.bodies.radius[:, None]
                push += sign * np.clip(1.0 - gap / reach, 0.0, 1.0)
        return push
