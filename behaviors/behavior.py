"""The contract of a steering behavior, what it may look at, and how several are combined."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from behaviors.flock import Flock
from behaviors.neighbors import Neighbors
from geometry.arrays import Float
from geometry.query import MeshQuery
from geometry.registry import Registry
from geometry.vectors import clip_length

STEERING = Registry("steering behavior")

# Time in which a behavior wants a difference of velocity made up [s].
RESPONSE_TIME = 0.25


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What every behavior may look at in one step, found once for all of them.

    Attributes:
        neighbors: Ordered pairs of near agents.
        subgoal: (N, 3) where each agent wants to be now [m].
        subgoal_velocity: (N, 3) how that point moves [m/s].
        obstacles: Queries to the scene's obstacles, or None in an empty scene.
        rng: Drawn from in the order behaviors are listed.
    """

    neighbors: Neighbors
    subgoal: Float
    subgoal_velocity: Float
    obstacles: MeshQuery | None
    rng: np.random.Generator


class Behavior(Protocol):
    """A steering behavior: stateless, vectorized over the flock."""

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N], world frame, that each agent asks for."""
        ...


def force_towards(flock: Flock, desired_velocity: Float) -> Float:
    """Return the force (N, 3) [N] that makes up for a velocity in `RESPONSE_TIME`."""
    return flock.mass[:, None] * (desired_velocity - flock.velocity) / RESPONSE_TIME


def blend(weighted: Sequence[tuple[float, Behavior]], flock: Flock, around: Surroundings) -> Float:
    """Return the weighted sum of behaviors (N, 3) [N], cut to each agent's largest force."""
    force = np.zeros_like(flock.position)
    for weight, behavior in weighted:
        force += weight * behavior.steering_force(flock, around)
    return clip_length(force, flock.max_force)
