"""Navigation: members are led over a roadmap to destinations of their own, also moving ones."""

from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.groups.guided.roadmap_routes import RoadmapRoutes
from rmp3d.behaviors.groups.guided.waypoints import WaypointFollower
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length, unit

# How far a member sees the waypoints of its route [m].
SENSOR_RANGE = 6.0
# A route is found anew when its end is off the destination by this [m], or by this share of what
# is left; and at most every so many seconds, also where there is none.
MOVED, MOVED_SHARE, AGAIN = 0.3, 0.1, 0.5
# The point that is steered for is half a second ahead, and moves on with a quarter of the pace,
# such that `Arrive` (gain 1.5) asks for just the pace.
LEAD_TIME, LEAD_SHARE = 0.5, 0.25


class Guidance(NamedTuple):
    """Where n members are led to in one step; rows of members that are not led mean nothing.

    Attributes:
        waypoint: (n, 3) next point of the route [m]; the destination at the end.
        subgoal: (n, 3) point to steer for [m]: half a second ahead on the way to the waypoint, the
            destination at the end.
        motion: (n, 3) velocity of the subgoal [m/s].
        last: (n,) whether the way to the destination is straight now.
        left: (n,) length of the way still to go [m]; infinite where there is no way.
    """

    waypoint: Float
    subgoal: Float
    motion: Float
    last: Bool
    left: Float


class Navigator:
    """The routes of n members over a roadmap, and how far on them each has come.

    A member that can go straight to its destination does; any other follows the shortest route
    over the roadmap, on to the next node when that is in straight sight. Where there is no way, it
    stays where it is and tries again twice a second.

    Args:
        routes: Over the roadmap.
        count: n.
        dt: Time step [s].
    """

    def __init__(self, routes: RoadmapRoutes, count: int, dt: float) -> None:
        self._routes = routes
        nowhere = np.zeros((1, 3))
        self._waypoints = WaypointFollower(routes.space, nowhere, count, SENSOR_RANGE, dt)
        self._end = np.full((count, 3), np.nan)
        self._next = np.full(count, -np.inf)
        self._lost = np.zeros(count, np.bool_)
        self._no_way = np.zeros(count, np.bool_)

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now; newcomers have no route yet."""
        self._waypoints.turn_over(members)
        self._end = members.of(self._end, np.nan)
        self._next = members.of(self._next, -np.inf)
        self._lost = members.of(self._lost, False)
        self._no_way = members.of(self._no_way, False)

    def take(self, routes: RoadmapRoutes) -> None:
        """Find all routes anew, over another roadmap."""
        self._routes = routes
        self._end[:], self._next[:] = np.nan, -np.inf

    def ahead(self, member: int) -> Float:
        """Return the points (G, 3) [m] of the route that a member has still to go to."""
        return self._waypoints.ahead(member)

    def lead(
        self,
        position: Float,
        destination: Float,
        motion: Float,
        led: Bool,
        pace: Float,
        time: float,
    ) -> Guidance:
        """Return where members are led to.

        Args:
            position: (n, 3) of the members [m].
            destination: (n, 3) [m].
            motion: (n, 3) velocity of the destinations [m/s].
            led: (n,) which members are led.
            pace: (n,) speed on the way [m/s].
            time: Now [s].
        """
        self._end[~led], self._next[~led] = np.nan, -np.inf
        self._find_routes(position, destination, led, time)
        lost = self._waypoints.look(position, ~led | self._no_way)
        self._lost[lost] = True
        self._lost[lost[self._waypoints.rejoin(lost, position)]] = False
        last = self._waypoints.at_end & led & ~self._no_way
        waypoint = np.where(last[:, None], destination, self._waypoints.subgoal)
        left = length(waypoint - position)
        on_way = led & ~last
        left[on_way] = self._waypoints.remaining(position)[on_way]
        waypoint[self._no_way], left[self._no_way] = position[self._no_way], np.inf
        ahead = pace[:, None] * unit(waypoint - position)
        straight = last | self._no_way
        subgoal = np.where(straight[:, None], waypoint, position + LEAD_TIME * ahead)
        drift = np.where(last[:, None], motion, LEAD_SHARE * ahead)
        return Guidance(waypoint, subgoal, drift, last, left)

    def _find_routes(self, position: Float, destination: Float, led: Bool, time: float) -> None:
        """Give routes to members that have none, and to those whose route leads elsewhere."""
        off = length(destination - self._end)
        near_enough = np.maximum(MOVED, MOVED_SHARE * length(destination - position))
        stale = ~(off <= near_enough) | self._lost | self._no_way
        rows = np.flatnonzero(led & stale & (time >= self._next - 1e-9))
        if len(rows) == 0:
            return
        straight = self._routes.space.connects(position[rows], destination[rows])
        for member, is_straight in zip(rows.tolist(), straight.tolist(), strict=True):
            route = destination[member, None] if is_straight else None
            if route is None:
                route = self._routes.route(position[member], destination[member])
            self._no_way[member] = route is None
            if route is not None:
                self._waypoints.give(member, route)
        self._end[rows], self._next[rows], self._lost[rows] = destination[rows], time + AGAIN, False
