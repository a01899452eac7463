"""Prioritized allocation: a budget of acceleration, spent in order of priority."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.combining.combining import COMBININGS, SteeringRequest, nothing
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import SteeringOutput, Surroundings
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import clip_length, length


@COMBININGS.register("prioritized_allocation")
@dataclass(frozen=True)
class PrioritizedAllocation:
    r"""Grant each request from what those before it have left of the largest force.

    Lengths are what is spent: with the budget left B, request f is granted
    :math:`\min(1, B / \|f\|) f`, and B becomes :math:`B - \min(B, \|f\|)`. So what is urgent is
    fully met before anything else gets a share (Reynolds 1987, "Flocks, herds, and schools").
    Turning has a budget of its own, the largest angular acceleration.
    """

    def combine(
        self, requests: Sequence[SteeringRequest], flock: Flock, around: Surroundings
    ) -> SteeringOutput:
        """Return the combined steering; see `Combining`."""
        force, turning, oriented = nothing(len(flock))
        force_left, turning_left = (
            flock.bodies.max_force.copy(),
            flock.bodies.max_turn_acceleration.copy(),
        )
        for request in requests:
            if not ((force_left > 0.0) | (turning_left > 0.0)).any():
                break
            asked = request.steering
            force_left = _grant(force, asked.force, force_left)
            turning_left = _grant(turning, asked.turning, turning_left)
            oriented |= asked.oriented
        return SteeringOutput(force, turning, oriented)


def _grant(total: Float, asked: Float, left: Float) -> Float:
    """Add to ``total`` (n, 3) what the budget ``left`` (n,) allows; return what then is left."""
    granted = clip_length(asked, left)
    total += granted
    return np.maximum(left - length(granted), 0.0)
