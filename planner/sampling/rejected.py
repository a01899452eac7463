"""The configurations that a sampler looked at and found not free, for pictures of its work."""

from typing import Any

import numpy as np

from rmp3d.geometry import Bool, Float
from rmp3d.planner.sampling.sampler import Sampler
from rmp3d.planner.spaces import Space


def rejected_configurations(
    sampler: Sampler, space: Space, attempts: int, rng: np.random.Generator
) -> Float:
    """Return what a sampler refuses in its first attempts, (R, W).

    Args:
        sampler: The rule.
        space: Where to sample.
        attempts: How many to make.
        rng: Source of all randomness.
    """
    watched = _Watched(space)
    sampler.attempt(watched, attempts, 0, rng)
    return np.concatenate([np.zeros((0, space.width)), *watched.rejected])


class _Watched:
    """A space that remembers what it was asked about and is not free."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self.rejected: list[Float] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._space, name)

    def is_free(self, configurations: Float) -> Bool:
        free = self._space.is_free(configurations)
        self.rejected.append(configurations[~free])
        return free
