"""The contract of a combining scheme, and what it combines."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import (
    SteeringBehavior,
    SteeringOutput,
    Surroundings,
    steer,
    turns,
)
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.registry import Registry
from rmp3d.geometry.vectors import clip_length

COMBININGS = Registry("combining scheme")


@dataclass(frozen=True, eq=False)
class SteeringRequest:
    """What one behavior asks for in this step, worked out only if somebody looks at it.

    Attributes:
        behavior: Which.
        flock: The n agents.
        around: What they know, the behavior's own memory included.
        weight: Factor on its force and its turning.
        probability: That a scheme that draws at random considers it.
        able: (n,) agents that know enough to be steered by it; None: all.
    """

    behavior: SteeringBehavior
    flock: Flock
    around: Surroundings
    weight: float = 1.0
    probability: float = 1.0
    able: Bool | None = None

    @property
    def turns(self) -> bool:
        """Whether it steers orientations too."""
        return turns(self.behavior)

    @cached_property
    def steering(self) -> SteeringOutput:
        """Force and turning, weighted; zero for agents that are not able."""
        force, turning, oriented = steer(self.behavior, self.flock, self.around)
        if self.able is not None:
            force = np.where(self.able[:, None], force, 0.0)
            turning = np.where(self.able[:, None], turning, 0.0)
            oriented = oriented & self.able
        self.around.note(self.behavior, self.weight * force)
        return SteeringOutput(self.weight * force, self.weight * turning, oriented)


class Combining(Protocol):
    """A scheme that makes one steering of several; a frozen dataclass of its options."""

    def combine(
        self, requests: Sequence[SteeringRequest], flock: Flock, around: Surroundings
    ) -> SteeringOutput:
        """Return the combined steering of n agents, no force above its agent's largest.

        Linear and angular parts are combined side by side: an agent may take its force from one
        request and its turning from another.

        Args:
            requests: In order of priority, the highest first.
            flock: The n agents.
            around: Time, seed and rows of the agents.
        """
        ...


def nothing(count: int) -> SteeringOutput:
    """Return the steering of ``count`` agents that are asked for nothing."""
    return SteeringOutput(np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count, np.bool_))


def within_limits(steering: SteeringOutput, flock: Flock) -> SteeringOutput:
    """Return the steering with forces cut to the agents' largest; vehicles limit turning."""
    return steering._replace(force=clip_length(steering.force, flock.bodies.max_force))


def is_asking(vectors: Float) -> Bool:
    """Return which rows (n, 3) are not exactly zero, (n,)."""
    return np.any(vectors != 0.0, axis=1)
