"""Flee: get away from a threat while it is near."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import (
    STEERING_BEHAVIORS,
    Surroundings,
    force_towards,
    offset_to,
    where_known,
)
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length, unit


@STEERING_BEHAVIORS.register("flee")
@dataclass(frozen=True)
class Flee:
    r"""Run straight away from the threat while it is within the panic distance.

    With threat t, position x, velocity v, largest speed s and response time T, the force is

    .. math:: f = m (s (x - t) / \|x - t\| - v) / T \quad \text{if } \|x - t\| < P

    and zero else. Reynolds 1999, "Steering behaviors for autonomous characters"; the panic
    distance is of the thesis's figure 6.9 and of Buckland (2005). An agent exactly where its
    threat is runs ahead.

    Attributes:
        panic_distance: P, between the reference points [m]; ``inf`` always flees.
    """

    panic_distance: float = np.inf
    needs: ClassVar[tuple[str, ...]] = ("threat",)

    def __post_init__(self) -> None:
        if not self.panic_distance > 0.0:
            raise InputError(f"`panic_distance` must be positive, got {self.panic_distance}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        threat = around.other("threat")
        near = length(threat.expected - flock.position) < self.panic_distance
        return where_known(threat.known & near, flight(flock, threat.expected))


def flight(flock: Flock, point: Float) -> Float:
    """Return the forces (N, 3) [N] that run straight away from points (N, 3)."""
    away = -offset_to(flock, point)
    away = np.where(length(away)[:, None] > 0.0, away, flock.heading)
    return force_towards(flock, flock.bodies.max_speed[:, None] * unit(away))
