"""Priority: the first behavior that asks for anything decides alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.combining.combining import (
    COMBININGS,
    SteeringRequest,
    is_asking,
    nothing,
    within_limits,
)
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import SteeringOutput, Surroundings
from rmp3d.geometry.arrays import Bool


@COMBININGS.register("priority")
@dataclass(frozen=True)
class Priority:
    """Take the first request that is not zero, in the order in which behaviors are listed.

    Each agent takes its force from its first behavior that asks for a force, and its turning
    from the first that orients it (Reynolds 1999, "prioritized" combination).
    """

    def combine(
        self, requests: Sequence[SteeringRequest], flock: Flock, around: Surroundings
    ) -> SteeringOutput:
        """Return the combined steering; see `Combining`."""
        considered = np.ones((len(requests), len(flock)), np.bool_)
        return first_of(requests, considered, flock)


def first_of(requests: Sequence[SteeringRequest], considered: Bool, flock: Flock) -> SteeringOutput:
    """Return for each agent its first request that is considered (K, n) and not zero."""
    force, turning, oriented = nothing(len(flock))
    open_force = np.ones(len(flock), np.bool_)
    for request, mask in zip(requests, considered, strict=True):
        if not (mask & (open_force | ~oriented)).any():
            continue
        asked = request.steering
        takes = mask & open_force & is_asking(asked.force)
        force[takes] = asked.force[takes]
        open_force &= ~takes
        turns = mask & ~oriented & asked.oriented
        turning[turns] = asked.turning[turns]
        oriented |= turns
    return within_limits(SteeringOutput(force, turning, oriented), flock)
