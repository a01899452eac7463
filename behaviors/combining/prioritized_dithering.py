"""Prioritized dithering: by priority, but each behavior is only sometimes considered."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.combining.combining import COMBININGS, SteeringRequest
from rmp3d.behaviors.combining.priority import first_of
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.noise import uniform
from rmp3d.behaviors.steering_behavior import SteeringOutput, Surroundings
from rmp3d.geometry.errors import InputError

# Channels of randomness: one for each place in the list.
CHANNEL = 100


@COMBININGS.register("prioritized_dithering")
@dataclass(frozen=True)
class PrioritizedDithering:
    """Take the first request that is considered by chance and not zero.

    Each behavior has its ``probability`` of being considered, drawn anew for each agent in every
    slot of time. The first one that is considered and asks for anything decides alone; if there
    is none, nothing is asked for. So a behavior of low priority comes to its turn even if those
    before it always ask, and nothing cancels (Reynolds 1999).

    Attributes:
        slot: Time for which a draw holds [s], so that results do not depend on the time step.
    """

    slot: float = 0.1

    def __post_init__(self) -> None:
        if not 0.0 < self.slot < np.inf:
            raise InputError(f"`slot` must be positive, got {self.slot}")

    def combine(
        self, requests: Sequence[SteeringRequest], flock: Flock, around: Surroundings
    ) -> SteeringOutput:
        """Return the combined steering; see `Combining`."""
        slot = int(np.floor(around.time / self.slot + 1e-6))
        considered = np.ones((len(requests), len(flock)), np.bool_)
        for row, request in enumerate(requests):
            drawn = uniform(around.seed, around.chance, CHANNEL + row, slot)
            considered[row] = drawn < request.probability
        return first_of(requests, considered, flock)
