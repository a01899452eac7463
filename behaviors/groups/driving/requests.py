"""Vehicles that walkers hold up ask them to make room.

Walkers have no claims, and a vehicle stops for them. Where they come to meet it, as at the end of a
bridge, nobody could go on. So a vehicle that they have held up for a while looks for a route as if
they were not there, and the traffic rules let them leave its lane; see `rmp3d.behaviors.traffic`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.driving.gaps import cores_of
from rmp3d.behaviors.groups.driving.right_of_way import EACH, poses_ahead
from rmp3d.behaviors.groups.driving.route import Driven, Route, RouteAtWork
from rmp3d.behaviors.groups.driving.routes import find_route, find_way_back
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import unit

# A vehicle that was held up for this time [s] asks, until it has driven for as long as it was held
# up after that, but no longer than this [s].
AFTER, LONGEST = 3.0, 6.0
# It asks for so much of its route [m]; held up for this time [s], it has asked in vain.
LANE, IN_VAIN = 5.0, 6.0


@dataclass(eq=False)
class Requests:
    """Which of n vehicles ask.

    Attributes:
        count: n.
        dt: Time step [s].
        asking: (n,) those that ask now.
    """

    count: int
    dt: float
    asking: Bool = field(init=False)
    _held: Float = field(init=False)

    def __post_init__(self) -> None:
        self._held, self.asking = np.zeros(self.count), np.zeros(self.count, np.bool_)

    def turn_over(self, members: Turnover) -> None:
        """Go on with the vehicles that are there now."""
        self._held, self.asking = members.of(self._held, 0.0), members.of(self.asking, False)
        self.count = len(self._held)

    def note(self, held: Bool, stands: Bool, backs: Bool) -> None:
        """Let time go on.

        Args:
            held: (n,) those that stand and wait for somebody that is no vehicle.
            stands: (n,) those that stand; for those that drive, time runs back.
            backs: (n,) those that drive back, and so make room themselves: they ask no more.
        """
        change = np.where(held, self.dt, np.where(stands, 0.0, -self.dt))
        self._held = np.clip(self._held + change, 0.0, AFTER + LONGEST)
        self._held[backs & ~stands] = 0.0
        self.asking = self._held > AFTER

    def asks(self, member: int, crowd: Flock, other: int) -> bool:
        """Return whether a member asks a character, by its row in the crowd, to make room."""
        return bool(self.asking[member]) and bool(can_make_room(crowd, np.array([other]))[0])

    def find_way(
        self, member: int, vehicle: Driven, ends: tuple[Float, Float, bool], standing: "Bystanders"
    ) -> Route | None:
        """Return the route that `find_route` finds, else `find_way_back`, or None.

        If there is none, a member that asks looks for one as if those were not there that can be
        asked. So does one that must begin in another gear, as the scene holds it up: for it those
        with routes are not there. On its route it then waits for them, and who waits for it in turn
        is seen to do so in a circle, and makes room.

        Args:
            member: Of the group.
            vehicle: And where it is.
            ends: As `find_route` takes them.
            standing: The bodies that stand, as `vehicle.others`.
        """
        leave = standing.makes_room & self.asking[member]
        leave |= standing.has_route & (vehicle.first_gear != 0)
        for others in (vehicle.others, vehicle.others[~leave])[: 1 + int(leave.any())]:
            seen = replace(vehicle, others=others)
            route = find_route(seen, *ends)
            if route is None and vehicle.reverses:
                route = find_way_back(seen, *ends)
            if route is not None:
                return route
        return None

    def lanes(self, drives: Mapping[int, RouteAtWork]) -> Float | None:
        """Return the lanes (L, 9) that members ask for, by their routes at work, or None."""
        lanes = [
            lane(each, in_vain=bool(self._held[member] > IN_VAIN))
            for member, each in sorted(drives.items())
            if self.asking[member]
        ]
        return np.concatenate(lanes) if lanes else None


class Bystanders(NamedTuple):
    """P bodies that stand.

    Attributes:
        cores: (P, 6).
        makes_room: (P,) those that can be asked to make room.
        has_route: (P,) vehicles that have a route, and stand only for now.
    """

    cores: Float
    makes_room: Bool
    has_route: Bool

    @classmethod
    def of(cls, crowd: Flock, rows: Index, has_route: Bool) -> "Bystanders":
        """Return rows (P,) of all characters."""
        return cls(cores_of(crowd.select(rows)), can_make_room(crowd, rows), has_route)


def can_make_room(crowd: Flock, rows: Index) -> Bool:
    """Return which of some characters (P,) leave a lane when they are asked to: those that walk."""
    bodies = crowd.bodies
    walk: Bool = bodies.grounded[rows] & (bodies.turn_radius[rows] == 0.0)
    return walk


def lane(drive: RouteAtWork, in_vain: bool = False) -> Float:
    """Return the lane (L, 9) that a vehicle asks for, as of `rmp3d.behaviors.traffic.lanes`.

    Args:
        drive: Its route at work.
        in_vain: Whether it has asked for long.

    Returns:
        Cores of the end of its body that goes first, and the unit direction in plan in which the
        vehicle drives there. Who is beside the vehicle passes it. Where a route is shorter that
        goes on, the lane goes on straight ahead: who stands behind those asked keeps them there.
    """
    route, cores = drive.route, drive.cores
    ahead = poses_ahead(route.station, drive.at, LANE, EACH)
    after = np.minimum(ahead + 1, len(route.point) - 1)
    direction = unit(route.point[after, :2] - route.point[after - 1, :2])
    first = np.where(route.gear[ahead, None] > 0, cores[ahead, 2:4], cores[ahead, :2])
    vain = np.full(len(ahead), float(in_vain))
    asked = np.column_stack([first, first, cores[ahead, 4:], direction, vain])
    covered = float(route.station[ahead[-1]] - route.station[drive.at])
    if drive.stops or covered >= LANE:
        return asked
    beyond = np.arange(covered + EACH, LANE + EACH, EACH) - covered
    straight = np.tile(asked[-1], (len(beyond), 1))
    straight[:, :4] += beyond[:, None] * np.tile(asked[-1, 6:8], 2)
    return np.concatenate([asked, straight])
