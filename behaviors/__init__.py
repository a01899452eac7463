"""Flock state, steering, vehicles, safety, formations and group behaviors."""

import rmp3d.behaviors.steering  # noqa: F401  (registers the steering behaviors)
from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.formations import FORMATIONS
from rmp3d.behaviors.groups import ACTIVITIES, GROUP_BEHAVIORS, GroupTask
from rmp3d.behaviors.safety import SafetyConstraint
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS
from rmp3d.behaviors.traffic import Traffic

__all__ = [
    "ACTIVITIES",
    "FORMATIONS",
    "GROUP_BEHAVIORS",
    "STEERING_BEHAVIORS",
    "Bodies",
    "Flock",
    "GroupTask",
    "SafetyConstraint",
    "Traffic",
]
