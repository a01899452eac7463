"""Weighted sum: every behavior has its say, all the time."""

from collections.abc import Sequence
from dataclasses import dataclass

from rmp3d.behaviors.combining.combining import COMBININGS, SteeringRequest, nothing, within_limits
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import SteeringOutput, Surroundings


@COMBININGS.register("weighted_sum")
@dataclass(frozen=True)
class WeightedSum:
    r"""Add up the weighted forces, and cut the sum to the largest force.

    .. math:: f = \min(1, f_{max} / \|s\|) \, s, \quad s = \sum_k w_k f_k

    Turnings are added up in the same way. The simplest blend, but forces may cancel each other:
    an agent between a wall and its goal can be asked for nothing (Reynolds 1999).
    """

    def combine(
        self, requests: Sequence[SteeringRequest], flock: Flock, around: Surroundings
    ) -> SteeringOutput:
        """Return the combined steering; see `Combining`."""
        force, turning, oriented = nothing(len(flock))
        for request in requests:
            force += request.steering.force
            turning += request.steering.turning
            oriented |= request.steering.oriented
        return within_limits(SteeringOutput(force, turning, oriented), flock)
