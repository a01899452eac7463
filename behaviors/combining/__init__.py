"""Combining: from what several behaviors ask for to one steering."""

from behaviors.combining.combining import COMBININGS, Combining, Request
from behaviors.combining.one_per_step import OnePerStep
from behaviors.combining.prioritized_allocation import PrioritizedAllocation
from behaviors.combining.prioritized_dithering import PrioritizedDithering
from behaviors.combining.priority import Priority
from behaviors.combining.weighted_sum import WeightedSum

__all__ = [
    "COMBININGS",
    "Combining",
    "OnePerStep",
    "PrioritizedAllocation",
    "PrioritizedDithering",
    "Priority",
    "Request",
    "WeightedSum",
]
