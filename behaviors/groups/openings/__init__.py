"""Openings: narrow places on the ways of groups, and the order in which people pass them."""

from rmp3d.behaviors.groups.openings.crossing import passed_by_several
from rmp3d.behaviors.groups.openings.finding import NarrowOpening, openings_of
from rmp3d.behaviors.groups.openings.queues import Queued, Queues

__all__ = ["NarrowOpening", "Queued", "Queues", "openings_of", "passed_by_several"]
