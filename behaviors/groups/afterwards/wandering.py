"""Wander: go on to one place nearby after another, without sharp turns."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.afterwards.activity import ACTIVITIES, Activity, PlaceChooser
from rmp3d.behaviors.groups.afterwards.area import GOAL, Area, first_in_sight
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.dubins import dubins_paths
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length, unit

# So many of the places nearby are looked at for one in sight; by vehicles, for one to drive to.
LOOKED_AT, DRIVEN_LOOKED_AT = 8, 24
# Places straight ahead are so many times as likely as those behind (von Mises: exp(2 k)), k here.
KEEPS_COURSE = 1.5
# Vehicles lose their time where they turn back: a place is e times less likely for each so many
# turn radii of detour.
DETOUR = 0.7


@ACTIVITIES.register("wander")
@dataclass(frozen=True)
class WanderAbout(Activity):
    """Go on to one random place nearby after another; places ahead are the likeliest.

    Every random place is a subgoal (thesis, 3.3.3 and figure 6.17). Members keep to an area.

    Attributes:
        within: ``goal``, the group's goal region; ``everywhere`` that can be reached; or the name
            of a region. Where the goal region is too small to go about in, members stay.
        leg: Distance of a place to the next, at most [m].
    """

    within: str = GOAL
    leg: float = 8.0

    def __post_init__(self) -> None:
        if not 0.0 < self.leg < np.inf:
            raise InputError(f"`leg` must be positive, got {self.leg}")

    def chooser(self, area: Area) -> PlaceChooser | None:
        """Return random places nearby."""
        places = area.places(self.within)
        return None if places is None else _Stroll(area, places, self.leg)


class _Stroll(PlaceChooser):
    any_will_do = True

    def __init__(self, area: Area, places: Float, leg: float) -> None:
        self.places = places
        self._area, self._rng = area, area.task.rng
        self._leg, self._turn = leg, area.turn_radius

    def next_place(self, member: int, flock: Flock, going: Index) -> int:
        """Return a place nearby in sight, rather one ahead; one not in sight if there is none."""
        offset = self.places - flock.position[member]
        far = length(offset)
        near = (far < self._leg) & (far > max(2.0 * self._turn, 0.25 * self._leg))
        near[going[going >= 0]] = False
        rows = np.flatnonzero(near)
        if len(rows) == 0:
            rows = np.setdiff1d(np.arange(len(self.places)), going)
            if len(rows) == 0:
                return -1
            rows = rows[np.argsort(far[rows], kind="stable")][: 4 * LOOKED_AT]
        count = min(DRIVEN_LOOKED_AT if self._turn > 0.0 else LOOKED_AT, len(rows))
        weights = course_weights(flock, member, self.places[rows])
        drawn = self._rng.choice(rows, count, replace=False, p=weights)
        if self._turn > 0.0:
            return self._area.first_drivable(flock, member, self.places, drawn)
        return first_in_sight(self._area.space, flock.position[member], self.places, drawn)


def course_weights(flock: Flock, member: int, places: Float) -> Float:
    """Return the probabilities (K,) by which a member keeps its course to one of places (K, 3).

    For a vehicle by the detour that it drives to turn to the place: the length of the shortest
    curve of Dubins that comes there on the bearing of the place, less the distance.
    """
    offset = places - flock.position[member]
    radius = float(flock.bodies.turn_radius[member])
    if radius > 0.0:
        bearing = np.arctan2(offset[:, 1], offset[:, 0])
        heading = flock.heading[member]
        here = np.array([0.0, 0.0, np.arctan2(heading[1], heading[0])])
        ends = np.column_stack([offset[:, :2], bearing])
        _, size = dubins_paths(np.tile(here, (len(ends), 1)), ends, radius)
        detour = size.sum(axis=2).min(axis=1) - length(offset[:, :2])
        weights: Float = np.exp((detour.min() - detour) / (DETOUR * radius))
    else:
        weights = np.exp(KEEPS_COURSE * (unit(offset) @ unit(flock.heading[member])))
    return weights / weights.sum()
