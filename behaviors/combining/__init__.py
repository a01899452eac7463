"""Combining: from what several behaviors ask for to one steering."""

from rmp3d.behaviors.combining.combining import COMBININGS, Combining, SteeringRequest
from rmp3d.behaviors.combining.one_per_step import OnePerStep
from rmp3d.behaviors.combining.prioritized_allocation import PrioritizedAllocation
from rmp3d.behaviors.combining.prioritized_dithering import PrioritizedDithering
from rmp3d.behaviors.combining.priority import Priority
from rmp3d.behaviors.combining.weighted_sum import WeightedSum
from rmp3d.geometry.registry import load_folder

__all__ = [
    "COMBININGS",
    "Combining",
    "OnePerStep",
    "PrioritizedAllocation",
    "PrioritizedDithering",
    "Priority",
    "SteeringRequest",
    "WeightedSum",
]

load_folder(__name__, __path__)
