"""What the simulation knows of one group of a crowd."""

from typing import Any, ClassVar, Protocol

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.group_behavior import GroupRun
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.party import Party
from rmp3d.geometry.arrays import Float
from rmp3d.planner.roadmap.roadmap import Roadmap


class PartiesAtWork(Protocol):
    """A crowd, as its parties see it; see `rmp3d.behaviors.groups.crowd.crowd_run.CrowdRun`."""

    @property
    def ways(self) -> Roadmap:
        """The roadmap over which the members find their ways."""

    def take_ways(self, roadmap: Roadmap, flock: Flock, time: float) -> None:
        """Let all members find their ways anew."""

    def is_complete(self, party: int) -> bool:
        """Return whether all members of a party have arrived."""

    def check(self, party: int, count: int, places: Float) -> None:
        """Refuse newcomers without room or a way."""

    def ease(self, party: int, span: float) -> None:
        """Let members slow down that are far ahead."""

    def step(self, flock: Flock, time: float) -> Intent:
        """Return what the members want."""


class PartyRun(GroupRun):
    """What the simulation knows of one group of a crowd; the crowd does the work.

    Args:
        crowd: That it is part of.
        row: Of its party in the crowd.
        party: Its members.
    """

    def __init__(self, crowd: PartiesAtWork, row: int, party: Party) -> None:
        self.crowd, self.row = crowd, row
        self.start, self.heading = party.start, party.heading
        self.steering = []
        self.arrived = np.zeros(len(party.start), np.bool_)
        self.number, self._come = np.arange(len(party.start)), len(party.start)
        self.events, self.figures = [], {}
        self.plan = {"trip": party.trip.astype(np.int32)} if len(party.trip) else {}
        self.formations, self.changes, self.formation_error = (), [], None

    @property
    def unit(self) -> PartiesAtWork:
        """The crowd."""
        return self.crowd

    @property
    def is_complete(self) -> bool | None:
        """Whether all members have arrived that there are and will be."""
        return self.crowd.is_complete(self.row)

    takes_turnover: ClassVar[bool] = True

    @property
    def ways(self) -> Roadmap | None:
        """Those of the crowd."""
        return self.crowd.ways

    def take_ways(self, roadmap: Roadmap, flock: Flock, time: float) -> None:
        """Find ways over another roadmap, where the crowd is this party only."""
        self.crowd.take_ways(roadmap, flock, time)

    def prepare(self, count: int, places: Float) -> None:
        """Refuse newcomers without a place at their goals, or without a way to them."""
        self.crowd.check(self.row, count, places)

    def change(self, behavior: Any, flock: Flock) -> None:
        """Wait for others sooner or later from now on."""
        if not hasattr(behavior, "neighborhood"):
            super().change(behavior, flock)
        self.crowd.ease(self.row, behavior.neighborhood)

    def step(self, flock: Flock, time: float) -> Intent:
        """Return what the members want where the crowd is this party only."""
        return self.crowd.step(flock, time)
