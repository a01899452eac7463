"""One per step: behaviors take turns, and the agents' momentum blends them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.combining.combining import COMBININGS, SteeringRequest, nothing, within_limits
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import SteeringOutput, Surroundings
from rmp3d.geometry.errors import InputError


@COMBININGS.register("one_per_step")
@dataclass(frozen=True)
class OnePerStep:
    """Work out one behavior at a time, in turn; momentum is the low-pass filter.

    Of K behaviors each acts a K-th of the time with K times its force, so the mean over a round
    is the weighted sum, at a K-th of the cost (where the largest force does not cut it). Those
    that orient take turns of their own (Reynolds 1999 names the scheme).

    Attributes:
        slot: Time that each behavior acts for [s]; 0: one time step.
    """

    slot: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.slot < np.inf:
            raise InputError(f"`slot` must be 0 or more seconds, got {self.slot}")

    def combine(
        self, requests: Sequence[SteeringRequest], flock: Flock, around: Surroundings
    ) -> SteeringOutput:
        """Return the combined steering; see `Combining`."""
        if not requests:
            return nothing(len(flock))
        turn = int(np.floor(around.time / (self.slot or around.dt) + 1e-6))
        force = len(requests) * requests[turn % len(requests)].steering.force
        _, turning, oriented = nothing(len(flock))
        turners = [request for request in requests if request.turns]
        if turners:
            _, turning, oriented = turners[turn % len(turners)].steering
            turning = len(turners) * turning
        return within_limits(SteeringOutput(force, turning, oriented), flock)
