"""Roam and explore: go to far places over the whole area, at random or the longest unseen first."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.afterwards.activity import ACTIVITIES, Activity, PlaceChooser
from rmp3d.behaviors.groups.afterwards.area import EVERYWHERE, Area
from rmp3d.behaviors.groups.afterwards.wandering import DRIVEN_LOOKED_AT, course_weights
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length

# Of the places unseen for longest, so many seconds count as one meter of the path there.
PATIENCE = 4.0


@ACTIVITIES.register("roam")
@dataclass(frozen=True)
class RoamAbout(Activity):
    """Go to one random place of the area after another, by the roadmap.

    Attributes:
        within: ``everywhere`` that can be reached; ``goal``, the group's goal region; or the name
            of a region. Where the goal region is too small to go about in, members stay.
    """

    within: str = EVERYWHERE

    def chooser(self, area: Area) -> PlaceChooser | None:
        """Return random places."""
        places = area.places(self.within)
        return None if places is None else _RandomPlaces(area, places)


class _RandomPlaces(PlaceChooser):
    any_will_do = True

    def __init__(self, area: Area, places: Float) -> None:
        self.places, self._rng, self._area = places, area.task.rng, area

    def next_place(self, member: int, flock: Flock, going: Index) -> int:
        """Return a place that nobody goes to; for a vehicle, rather one ahead and in sight."""
        free = np.setdiff1d(np.arange(len(self.places)), going)
        if len(free) == 0:
            return -1
        if self._area.turn_radius == 0.0:
            return int(self._rng.choice(free))
        course = course_weights(flock, member, self.places[free])
        drawn = self._rng.choice(free, min(DRIVEN_LOOKED_AT, len(free)), replace=False, p=course)
        return self._area.first_drivable(flock, member, self.places, drawn)


@ACTIVITIES.register("explore")
@dataclass(frozen=True)
class ExploreAll(Activity):
    """Go to the places of the area that no member of the group has seen for longest.

    A place is seen by a member within ``sight``. Those that nobody has seen come first, the near
    ones before the far ones.

    Attributes:
        within: Where they go about, said as of ``roam``.
        sight: A place within this distance of a member is seen [m].
    """

    within: str = EVERYWHERE
    sight: float = 2.0

    def __post_init__(self) -> None:
        if not 0.0 < self.sight < np.inf:
            raise InputError(f"`sight` must be positive, got {self.sight}")

    def chooser(self, area: Area) -> PlaceChooser | None:
        """Return the places, the longest unseen first."""
        places = area.places(self.within)
        return None if places is None else _Unseen(area, places, self.sight)


class _Unseen(PlaceChooser):
    any_will_do = True

    def __init__(self, area: Area, places: Float, sight: float) -> None:
        self.places, self._sight, self._area = places, sight, area
        self._seen = np.full(len(places), -np.inf)
        self._now = 0.0

    def look(self, flock: Flock, time: float) -> None:
        """Note when each place was seen."""
        self._now = time
        apart = length(self.places[:, None] - flock.position)  # (K, n)
        self._seen[apart.min(axis=1) < self._sight] = time

    def next_place(self, member: int, flock: Flock, going: Index) -> int:
        """Return the near place that was not seen for longest, and that nobody goes to.

        For a vehicle the first of some such places that it need not turn back to.
        """
        free = np.setdiff1d(np.arange(len(self.places)), going)
        if len(free) == 0:
            return -1
        far = length(self.places[free] - flock.position[member])
        never = np.isneginf(self._seen[free])
        if never.any():
            free, cost = free[never], far[never]
        else:
            cost = far - (self._now - self._seen[free]) / PATIENCE
        first = free[np.argsort(cost, kind="stable")]
        if self._area.turn_radius == 0.0:
            return int(first[0])
        return self._area.first_drivable(flock, member, self.places, first[:DRIVEN_LOOKED_AT])
