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
        full_acceleration: Whether the largest force is asked for, away from the threat, whatever
            the velocity is (Millington 2019, "Artificial Intelligence for Games", 3.3).
    """

    panic_distance: float = np.inf
    full_acceleration: bool = False
    needs: ClassVar[tuple[str, ...]] = ("threat",)

    def __post_init__(self) -> None:
        if not self.panic_distance > 0.0:
            raise InputError(f"`panic_distance` must be positive, got {self.panic_distance}")

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        threat = around.other("threat")
        near = length(threat.expected - flock.position) < self.panic_distance
        force = flight(flock, threat.expected)
        if self.full_acceleration:
            force = flock.bodies.max_force[:, None] * away_from(flock, threat.expected)
        return where_known(threat.known & near, force)


def flight(flock: Flock, point: Float) -> Float:
    """Return the forces (N, 3) [N] that run straight away from points (N, 3)."""
    return force_towards(flock, flock.bodies.max_speed[:, None] * away_from(flock, point))


def away_from(flock: Flock, point: Float) -> Float:
    """Return unit directions (N, 3) away from points (N, 3); ahead where an agent is there."""
    away = -offset_to(flock, point)
    return unit(np.where(length(away)[:, None] > 0.0, away, flock.heading))
