"""Openings: narrow places on the ways of groups, and the order in which people pass them."""

from rmp3d.behaviors.groups.openings.crossing import crossings
from rmp3d.behaviors.groups.openings.finding import NarrowOpening, openings_of, seen_from_behind
from rmp3d.behaviors.groups.openings.queues import Queued, Queues

__all__ = [
    "NarrowOpening",
    "Queued",
    "Queues",
    "crossings",
    "openings_of",
    "seen_from_behind",
]
