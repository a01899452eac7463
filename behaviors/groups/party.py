"""A party: what is known of the members of one group before they move as part of a crowd."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.models import Character
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import Space
from rmp3d.scenes import Region


@dataclass(frozen=True, eq=False, kw_only=True)
class Party:
    """The members of a group, first those at the start, then those that come, in this order.

    Attributes:
        space: Where each can be; proves motions free.
        character: The envelope of what they are.
        start: (m, 3) where those at the start begin [m].
        heading: (m, 3) in which direction they look then.
        regions: D regions that they go to.
        ends: Of each, points (C, 3) [m] where routes to it may end.
        legs: (n, L) rows in these of where each goes, one after another; -1 after the last.
        stays: (n, L) how long each stays there [s]; of no meaning at the last.
        leaves: (n,) whether it leaves the scene at the last.
        pace: (n,) speed at which each goes [m/s].
        departure: (n,) when each sets out [s].
        time: (c,) when those come that are not at the start [s], in order.
        origin: (c,) rows of ``sources`` where these come.
        sources: Of each, places (K, 3) where newcomers may begin [m].
        spacing: Between places in the regions [m].
        span: A member this far ahead of the party's middle slows down [m].
        headway: Time gap that they keep to those whom they follow [s]; 0: none.
        routes: First route (K, 3) [m] of each at the start; None: found over the roadmap.
        path: Of all from start to goal; taken where the roadmap of the crowd has none.
        roadmap: To find routes on; None: the crowd makes one.
        nodes: Of a roadmap that the crowd makes.
        trip: (n,) row in the group's table of trips of each, for recordings; empty without one.
        rng: Source of randomness of its preparation.
    """

    space: Space
    character: Character
    start: Float
    heading: Float
    regions: Sequence[Region]
    ends: Sequence[Float]
    legs: Index
    stays: Float
    leaves: Bool
    pace: Float
    departure: Float
    spacing: float
    rng: np.random.Generator
    time: Float = field(default_factory=lambda: np.zeros(0))
    origin: Index = field(default_factory=lambda: np.zeros(0, np.intp))
    sources: Sequence[Float] = ()
    span: float = np.inf
    headway: float = 0.0
    routes: Sequence[Float] | None = None
    path: CertifiedPath | None = None
    roadmap: Roadmap | None = None
    nodes: int = 400
    trip: Index = field(default_factory=lambda: np.zeros(0, np.intp))

    @property
    def last(self) -> Index:
        """(n,) row of the region at which each trip ends."""
        count = (self.legs >= 0).sum(axis=1)
        last: Index = self.legs[np.arange(len(self.legs)), count - 1]
        return last
