"""What a vehicle drives, and what it is: a route, and whom it is looked for."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rmp3d.behaviors.bodies import Bodies
from rmp3d.behaviors.groups.driving.ends import beside
from rmp3d.behaviors.groups.driving.gaps import cores_at
from rmp3d.geometry.arrays import Float, Index
from rmp3d.planner.spaces import GroundHeadingSpace

# A vehicle that is faster than this rolls [m/s].
ROLLS = 0.5
# A route that ends nearer than this to where it begins [m], turned by less [rad], leads nowhere.
NOWHERE, NO_TURN = 0.1, 0.1
# A meter backward counts as so many; a change of gear as so many meters.
BACK_PRICE, CHANGE_PRICE = 2.0, 2.5
# One that goes about, with no place that it must come to, would rather drive so many meters more
# than change the gear.
ROUND = 10.0
# A bend that is shorter than this [m] is driven wider, a few centimeters off.
BEND = 1.0
LEAST_HALF = 0.05  # of a length over which a bend is measured [m]
# A route is looked for anew after so long [s].
RENEWED = 0.8


@dataclass(frozen=True, eq=False)
class Route:
    """Poses along a curve over the surface, close together.

    Attributes:
        point: (K, 3) [m].
        angle: (K,) of the heading in plan [rad], without jumps.
        gear: (K,) in which a pose is reached: 1 ahead, -1 backward; the first has that of the
            second.
        station: (K,) arc length [m].
        clearance: (K,) to what stands beside it [m], at most
            `rmp3d.behaviors.groups.driving.curve_search.FREE`.
        goes_on: Whether a free curve is known to lead on from its end, or it ends where it should.
    """

    point: Float
    angle: Float
    gear: Index
    station: Float
    clearance: Float
    goes_on: bool = True

    @cached_property
    def curvature(self) -> Float:
        """(K,) turn of the heading per meter driven on from each pose [1/m]."""
        if len(self.angle) < 2:
            return np.zeros(len(self.angle))
        each = np.diff(self.angle) / np.maximum(np.diff(self.station), 1e-9)
        return np.append(each, each[-1])

    @cached_property
    def bend(self) -> Float:
        """(K,) turn of the heading per meter over the next `BEND` meters from each pose [1/m]."""
        there = np.interp(self.station + BEND, self.station, self.angle)
        return (there - self.angle) / BEND

    def bend_around(self, station: float, length: float) -> float:
        """Return the turn of the heading per meter over a length [m] around a station [1/m]."""
        half = max(0.5 * length, LEAST_HALF)
        first, last = np.interp([station - half, station + half], self.station, self.angle)
        return float(last - first) / (2.0 * half)

    @cached_property
    def piece_end(self) -> Index:
        """(K,) last pose that is reached in the gear of each."""
        changes = np.append(np.flatnonzero(np.diff(self.gear)), len(self.gear) - 1)
        return changes[np.searchsorted(changes, np.arange(len(self.gear)))]

    @cached_property
    def changes_gear(self) -> bool:
        """Whether it is driven partly ahead and partly backward."""
        return bool((self.gear != self.gear[0]).any())

    @cached_property
    def leads_on(self) -> bool:
        """Whether it ends elsewhere than it begins: a vehicle that is all but there stays."""
        far = float(np.hypot(*(self.point[-1] - self.point[0])[:2]))
        return far > NOWHERE or abs(float(self.angle[-1] - self.angle[0])) > NO_TURN

    def end_among(self, ends: Float) -> int:
        """Return the row of that of poses (E, 4) at which it ends."""
        turned = np.abs(np.angle(np.exp(1j * (ends[:, 2] - self.angle[-1]))))
        return int(np.argmin(np.hypot(*(ends[:, :2] - self.point[-1, :2]).T) + turned))

    def cores(self, ends: Float, half_width: float) -> Float:
        """Return the cores (K, 6) of a body at the poses; ``ends`` (2,) of its row."""
        heading = np.column_stack([np.cos(self.angle), np.sin(self.angle)])
        return cores_at(self.point, heading, np.broadcast_to(ends, heading.shape), half_width)

    def back(self, at: int, to: int) -> "Route":
        """Return the same poses driven the other way, from pose ``at`` to an earlier one."""
        rows = np.arange(at, to - 1, -1)
        gear = -self.gear[rows]
        gear[1:] = gear[:-1]
        return Route(
            self.point[rows], self.angle[rows], gear, self.station[at] - self.station[rows],
            self.clearance[rows],
        )  # fmt: skip

    def until(self, count: int) -> "Route":
        """Return the first poses only."""
        return Route(
            self.point[:count], self.angle[:count], self.gear[:count], self.station[:count],
            self.clearance[:count],
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Driven:
    """What a route is looked for, for one vehicle.

    Attributes:
        space: Where its row may be.
        point: (3,) where it is [m].
        angle: Of its heading in plan [rad].
        turn_radius: Its tightest [m].
        reverses: Whether it drives backward.
        ends: (2,) of its row, and
        half_width: [m].
        others: (P, 6) cores of bodies that stand; see `gaps`.
        first_gear: In which the route must begin: 1 ahead, -1 backward; 0: any.
        back_price: As how many meters ahead one backward counts.
        change_price: As how many meters a change of gear counts.
        rolls: In which gear it rolls, 1 or -1; 0: it stands, or that does not count.
        about: Whether it goes about: then it rather drives round than back, and keeps off walls.
    """

    space: GroundHeadingSpace
    point: Float
    angle: float
    turn_radius: float
    reverses: bool
    ends: Float
    half_width: float
    others: Float
    first_gear: int = 0
    back_price: float = BACK_PRICE
    change_price: float = CHANGE_PRICE
    rolls: int = 0
    about: bool = False

    def by_time(self, bodies: Bodies, member: int, speed: float, about: bool = False) -> "Driven":
        """Return it with prices by the time that is lost.

        A change of gear costs the time in which it comes to rest and to its pace again, half of it
        where it has not come to its pace before.

        Args:
            bodies: Of the group.
            member: Row.
            speed: Along its heading, backward negative [m/s].
            about: Whether it goes about: then it rather drives round than back.
        """
        cruise = float(bodies.cruise_speed[member])
        change = 0.5 * cruise**2 / float(bodies.max_brake[member]) + ROUND * about
        back = max(float(bodies.max_reverse_speed[member]), 1e-9)
        rolls = int(np.sign(speed)) if abs(speed) > ROLLS else 0
        return replace(
            self, back_price=cruise / back, change_price=CHANGE_PRICE + change, rolls=rolls,
            about=about,
        )  # fmt: skip

    @property
    def pose(self) -> Float:
        """(3,) in plan: x, y, angle."""
        return np.array([self.point[0], self.point[1], self.angle])


@dataclass(eq=False)
class RouteAtWork:
    """A route at work: the cores (K, 6) on it, the pose reached, when it was found, who makes room.

    With ``stops``, the vehicle comes to rest at its end, and stays there for a ``pause`` [s].
    """

    route: Route
    cores: Float
    since: float
    stops: bool
    at: int = 0
    order: tuple[float, int] | None = None
    goes_back: bool = False
    pause: float = 0.0

    def age(self, time: float, guide: Callable[[], Float], turn_radius: float) -> float:
        """Return how long ago [s] the route was found, if another one may do better.

        A maneuver is driven to its end, unless the guide (G, 3), asked for only then, leads
        elsewhere by now.
        """
        age = time - self.since
        if self.order is not None or age <= RENEWED:
            return 0.0
        plain = (self.route.gear[self.at :] > 0).all()
        elsewhere = plain or beside(guide(), self.route.point[-1]) > turn_radius
        return age if elsewhere else 0.0
