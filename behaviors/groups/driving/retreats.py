"""A vehicle that finds no way on goes back by its trail, or away from others, and looks again."""

from dataclasses import dataclass, field, replace

import numpy as np

from rmp3d.behaviors.groups.driving.curve_search import room_along
from rmp3d.behaviors.groups.driving.gaps import gaps_between
from rmp3d.behaviors.groups.driving.right_of_way import hits
from rmp3d.behaviors.groups.driving.route import Driven, Route
from rmp3d.behaviors.groups.driving.routes import find_apart
from rmp3d.behaviors.groups.driving.trail import Trail
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.vectors import length

# After so many searches without result it goes back; so many turn radii at first, twice as many the
# next time, up to this power of two. A way shorter than this [m] is no help. Who has come away so
# many turn radii from where it looked in vain is elsewhere.
SEARCHES, FIRST, POWER, SHORTEST, ELSEWHERE = 4, 1.0, 5, 0.5, 0.5


@dataclass(eq=False)
class Retreats:
    """Which of n vehicles have looked for a way in vain, and how far they go back next.

    Where a vehicle came by, it fits through: this way is there also where no curve is free that
    leads on, as nose first in a corner that is too small to turn in.
    """

    count: int
    _vain: Index = field(init=False)
    _times: Index = field(init=False)
    _place: Float = field(init=False)

    def __post_init__(self) -> None:
        self._vain, self._times = np.zeros(self.count, np.intp), np.zeros(self.count, np.intp)
        self._place = np.full((self.count, 3), np.inf)

    def turn_over(self, members: Turnover) -> None:
        """Go on with the vehicles that are there now."""
        self._vain, self._times = members.of(self._vain, 0), members.of(self._times, 0)
        self._place = members.of(self._place, np.inf)
        self.count = len(self._vain)

    def note_way(self, member: int) -> None:
        """A way was found that goes on from its end: the next retreat is a short one again."""
        self._times[member] = 0

    def way(self, member: int, vehicle: Driven, trail: Trail) -> tuple[Route | None, bool]:
        """Note a search without result; return the way back, if it is time, and that it is one.

        It ends before bodies that stand in it. Where there is none, as right at the start, the way
        is one away from the others: somebody has to make room for those that are boxed in. The
        count begins anew only elsewhere: ways found in between may lead to and fro on one spot.
        """
        if length(vehicle.point - self._place[member]) > ELSEWHERE * vehicle.turn_radius:
            self._vain[member], self._place[member] = 0, vehicle.point
        self._vain[member] += 1
        if self._vain[member] < SEARCHES:
            return None, False
        self._vain[member] = 0
        back = self._back(member, vehicle, trail) if vehicle.reverses else None
        return (find_apart(vehicle), False) if back is None else (back, True)

    def _back(self, member: int, vehicle: Driven, trail: Trail) -> Route | None:
        heading = np.array([np.cos(vehicle.angle), np.sin(vehicle.angle), 0.0])
        route = trail.back(vehicle.point, heading, loops=False)
        far = FIRST * 2.0 ** self._times[member] * vehicle.turn_radius
        route = route.until(int(np.searchsorted(route.station, far)) + 1)
        if len(vehicle.others):
            cores = route.cores(vehicle.ends, vehicle.half_width)
            held = np.flatnonzero(hits(gaps_between(cores, vehicle.others)).any(axis=1))
            route = route.until(int(held[0])) if len(held) else route
        if route.station[-1] < SHORTEST:
            return None
        self._times[member] = min(self._times[member] + 1, POWER)
        return replace(route, clearance=room_along(vehicle, route))
