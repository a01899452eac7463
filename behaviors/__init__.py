"""Flock state, steering, vehicles, safety, formations and group behaviors."""

import behaviors.steering  # noqa: F401  (registers the steering behaviors)
from behaviors.behavior import STEERING
from behaviors.flock import Flock, flock_at_rest
from behaviors.formations import FORMATIONS
from behaviors.groups import BEHAVIORS, GroupTask
from behaviors.safety import SafetyConstraint
from behaviors.traffic import Traffic

__all__ = [
    "BEHAVIORS",
    "FORMATIONS",
    "STEERING",
    "Flock",
    "GroupTask",
    "SafetyConstraint",
    "Traffic",
    "flock_at_rest",
]
