"""The driver of a group's vehicles: they drive on routes, whatever the behavior.

A behavior says where its members are to go: points ahead of each, its guide, and a pace. The driver
looks for a free route along the guide, keeps to it, waits for others, and makes room for them. It
leaves members of behaviors without guides alone, until they want to go on and stand.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.driving.doors import with_doors
from rmp3d.behaviors.groups.driving.ends import ends_along
from rmp3d.behaviors.groups.driving.gaps import cores_of
from rmp3d.behaviors.groups.driving.guide import ground_guide, guide_of, on_ground
from rmp3d.behaviors.groups.driving.requests import Bystanders, Requests
from rmp3d.behaviors.groups.driving.retreats import Retreats
from rmp3d.behaviors.groups.driving.right_of_way import (
    CLAIM,
    EACH,
    GAP,
    NOBODY,
    Halt,
    Onward,
    RightOfWay,
    poses_ahead,
)
from rmp3d.behaviors.groups.driving.route import RENEWED, Driven, Route, RouteAtWork
from rmp3d.behaviors.groups.driving.routes import find_apart, find_route
from rmp3d.behaviors.groups.driving.tracking import (
    LOOK_EACH,
    Tracked,
    driven_brake,
    pace_on_route,
    tracked,
    wanted_velocity,
)
from rmp3d.behaviors.groups.driving.trail import Trail
from rmp3d.behaviors.groups.intent import Guides, Intent
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME, SteeringOutput
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length
from rmp3d.planner.spaces import GroundHeadingSpace

SEARCHES = 2  # for routes in a step
# A vehicle that is so far beside its route [m], or turned away from it [rad], has lost it.
LOST, LOST_TURN = 0.4, 0.6
# A vehicle that is slower than this [m/s] stands; that stands and wants to go on for this time [s]
# is held up. Each further one of a circle makes room after as long again. After a search without
# result, or when it has made room, a vehicle waits [s].
STANDS, HELD_UP, NEXT, AGAIN = 0.05, 1.0, 2.0, 1.5
# One that waits for a circle that finds no way out gets away from it after this time [s], and stays
# there.
STUCK, STAYS = 12.0, 6.0
# Share of the brake used to stop for others, and how near those are that count [m].
GENTLE, NEAR = 0.35, 25.0
# How far ahead a vehicle looks out for others besides its braking distance [m].
LOOK = 2.5


@dataclass(eq=False)
class Driver:
    """Drives the vehicles of a group.

    Attributes:
        space_of: Returns where vehicles with a turn radius and a half width [m] drive.
        rows: (n,) of the members among all characters.
        dt: Time step [s].
        road: The right of way, shared by the drivers of all groups.
    """

    space_of: Callable[[float, float], GroundHeadingSpace]
    rows: Index
    dt: float
    road: RightOfWay = field(default_factory=RightOfWay)
    _velocity: Float = field(init=False)
    _still: Float = field(init=False)
    _pause: Float = field(init=False)
    _led: Bool = field(init=False)
    _requests: Requests = field(init=False)
    _retreats: Retreats = field(init=False)
    _drives: dict[int, RouteAtWork] = field(default_factory=dict)
    _trails: list[Trail] = field(init=False)
    _left: dict[int, RouteAtWork] = field(default_factory=dict)
    _wedged: dict[int, int] = field(default_factory=dict)
    _time: float = 0.0
    _active: bool = False

    def __post_init__(self) -> None:
        count = len(self.rows)
        self._velocity, self._trails = np.zeros((count, 3)), [Trail() for _ in range(count)]
        self._still, self._pause = np.zeros(count), np.zeros(count)
        self._led, self._requests = np.zeros(count, np.bool_), Requests(count, self.dt)
        self._retreats = Retreats(count)

    def turn_over(self, members: Turnover, rows: Index) -> None:
        """Go on with the vehicles that are there now, in these rows; all look for new routes."""
        for member in list(self._drives):
            self._end(member)
        now = members.rows(np.arange(len(self.rows)))
        trails = {int(row): self._trails[k] for k, row in enumerate(now) if row >= 0}
        self._trails = [trails.get(member, Trail()) for member in range(len(rows))]
        self._velocity = members.of(self._velocity, 0.0)
        self._still, self._pause = members.of(self._still, 0.0), members.of(self._pause, 0.0)
        self._led = members.of(self._led, False)
        self._requests.turn_over(members)
        self._retreats.turn_over(members)
        self.rows, self._wedged, self._left = rows, {}, {}

    def completed(self, intent: Intent, flock: Flock, crowd: Flock) -> Intent:
        """Return the intent with the gears of those that drive on routes.

        Args:
            intent: What the members want.
            flock: The members.
            crowd: All characters, the members among them.
        """
        self._active = intent.gear is None
        if not self._active:
            return intent
        self._time += self.dt
        guides = intent.guides or intent.to_waypoints(flock)
        led = guides.led & ~flock.bodies.pivots
        wants = (~intent.parked | self._parks(guides)) & (guides.pace > STANDS)
        where, stands = self._follow(flock), length(flock.velocity) < STANDS
        self.road.stuck.difference_update(self.rows[~stands].tolist())
        self._still = np.where(stands & wants, self._still + self.dt, 0.0)
        self._pause = np.maximum(self._pause - self.dt, 0.0)
        for member in np.flatnonzero((led & ~wants) | (self._led & ~led)).tolist():
            self._end(member)
        self._led = led
        self._look_for_routes(guides, led, wants, flock, crowd, where)
        self._order(intent.remaining)
        gear = np.where(led, 1, 0)
        self._velocity = np.zeros((len(flock), 3))
        stops = self._stops(flock, crowd)
        for member in sorted(self._drives):
            drive = self._drives[member]
            gear[member] = drive.route.gear[drive.at]
            self._velocity[member] = self._asked(
                member, flock, guides, where[member], stops[member]
            )
        waits = self.road.wait_for_others(self.rows)
        self._requests.note(led & wants & stands & waits, stands, gear < 0)
        self._dissolve(guides, led, flock, crowd)
        return replace(intent, gear=gear, lanes=self._requests.lanes(self._drives))

    def _parks(self, guides: Guides) -> Bool:
        """Return which vehicles (n,) are on their last route into a stall: they drive all of it."""
        last = [m in self._drives and self._drives[m].stops for m in range(len(self.rows))]
        stalls = guides.course is not None and np.isfinite(guides.course)
        return np.array(last, np.bool_) & stalls

    def steered(self, steering: SteeringOutput, flock: Flock, intent: Intent) -> SteeringOutput:
        """Return the steering; vehicles on routes follow these alone."""
        if not self._active or intent.gear is None:
            return steering
        force = (self._velocity - flock.velocity) * flock.bodies.mass[:, None] / RESPONSE_TIME
        return steering._replace(force=np.where(intent.gear[:, None] != 0, force, steering.force))

    def _follow(self, flock: Flock) -> dict[int, Tracked]:
        """Note trails; return where the vehicles are on their routes; those lost or done end."""
        where = {}
        for member, trail in enumerate(self._trails):
            here = flock.position[member], flock.heading[member]
            drive = self._drives.get(member)
            if drive is None or not drive.goes_back:
                trail.add(*here, flock.velocity[member])
            else:
                trail.cut(here[0])
            if drive is None:
                continue
            found = tracked(drive.route, drive.at, *here)
            drive.at = found.at
            lost = abs(found.aside) > LOST or abs(found.turned) > LOST_TURN
            if lost or found.at == len(drive.route.gear) - 1:
                pause = AGAIN if drive.goes_back else drive.pause
                self._pause[member] = max(self._pause[member], pause)
                self._end(member)
            else:
                where[member] = found
        return where

    def _end(self, member: int) -> None:
        self._drives.pop(member, None)
        self.road.withdraw(int(self.rows[member]))

    def _begin(
        self, member: int, route: Route, stops: bool, where: dict[int, Tracked], flock: Flock
    ) -> RouteAtWork:
        if member not in self._drives:
            self._still[member] = 0.0
        self._left.pop(member, None)
        bodies = flock.bodies
        cores = route.cores(bodies.ends[member], float(bodies.half_width[member]))
        drive = self._drives[member] = RouteAtWork(route, cores, self._time, stops)
        where[member] = tracked(route, 0, flock.position[member], flock.heading[member])
        drive.at = where[member].at
        return drive

    def _look_for_routes(
        self, guides: Guides, led: Bool, wants: Bool, flock: Flock, crowd: Flock,
        where: dict[int, Tracked],
    ) -> None:  # fmt: skip
        """Look for routes of those without, and for those with old ones; a few in a step."""
        due = wants & (self._pause == 0.0) & (flock.bodies.turn_radius > 0.0)
        due &= led | ((self._still > HELD_UP) & ~flock.bodies.pivots)
        age = np.full(len(flock), np.inf)
        for member, drive in self._drives.items():
            guide = partial(ground_guide, member, guides, flock, self._space(member, flock))
            radius = float(flock.bodies.turn_radius[member])
            age[member] = drive.age(self._time, guide, radius) if led[member] else 0.0
        waiting = np.flatnonzero(due & (age > RENEWED))
        for member in waiting[np.argsort(-age[waiting], kind="stable")][:SEARCHES].tolist():
            every = guides.by_time or not bool(led[member])
            standing = self._standing(member, flock, crowd, every)
            vehicle = self._driven(member, guides, flock, standing.cores)
            ends = self._ends(member, guides, flock)
            route = self._requests.find_way(member, vehicle, ends, standing)
            keeps = member in self._drives and self._drives[member].route.goes_on
            if route is not None and route.goes_on:
                self._retreats.note_way(member)
            if route is not None and route.leads_on and (route.goes_on or not keeps):
                last = length(guides.points(member)[-1] - route.point[-1]) < EACH
                self._begin(member, route, bool(last & guides.stops[member]), where, flock)
            elif member not in self._drives:
                self._take_up(member, vehicle, where, flock)
            else:
                self._drives[member].since = self._time

    def _take_up(
        self, member: int, vehicle: Driven, where: dict[int, Tracked], flock: Flock
    ) -> None:
        """Go back if nothing led on for long, else go on upon the route left to look round it."""
        drive = self._left.pop(member, None)
        way, goes_back = self._retreats.way(member, vehicle, self._trails[member])
        if way is None and drive is not None:
            drive.since, self._still[member] = self._time, 0.0
            here = flock.position[member], flock.heading[member]
            where[member] = tracked(drive.route, drive.at, *here)
            drive.at, self._drives[member] = where[member].at, drive
            self.road.stuck.add(int(self.rows[member]))
            return
        self._pause[member] = AGAIN
        if way is not None:
            self._begin(member, way, True, where, flock).goes_back = goes_back

    def _ends(self, member: int, guides: Guides, flock: Flock) -> tuple[Float, Float, bool]:
        """Return poses (E, 4) along a guide, what is left from each [m], and if there are doors."""
        space, speed = self._space(member, flock), float(length(flock.velocity[member]))
        points, stops = guide_of(member, guides, flock), bool(guides.stops[member])
        course = np.nan if guides.course is None else float(guides.course[member])
        angle = float(np.arctan2(*flock.heading[member, 1::-1])) if guides.by_time else np.nan
        at = on_ground(space, points), speed, space.turn_radius
        return with_doors(space, points, *ends_along(*at, stops, course, angle))

    def _driven(self, member: int, guides: Guides, flock: Flock, others: Float) -> Driven:
        heading, bodies, space = flock.heading[member], flock.bodies, self._space(member, flock)
        vehicle = Driven(
            space, flock.position[member], float(np.arctan2(heading[1], heading[0])),
            float(bodies.turn_radius[member]), bool(bodies.max_reverse_speed[member] > 0.0),
            bodies.ends[member], float(bodies.half_width[member]), others,
            self._wedged.pop(member, 0),
        )  # fmt: skip
        speed = float(flock.velocity[member] @ heading)
        return vehicle.by_time(bodies, member, speed, guides.about) if guides.by_time else vehicle

    def _space(self, member: int, flock: Flock) -> GroundHeadingSpace:
        bodies = flock.bodies
        return self.space_of(float(bodies.turn_radius[member]), float(bodies.half_width[member]))

    def _near(self, member: int, flock: Flock, crowd: Flock) -> Index:
        """Return the rows (P,) of the characters near a member."""
        near = length(crowd.position - flock.position[member]) < NEAR
        near[self.rows[member]] = False
        return np.flatnonzero(near)

    def _standing(self, member: int, flock: Flock, crowd: Flock, everyone: bool) -> Bystanders:
        """Return those that stand: all, or those without a route that they can drive on."""
        rows = self._near(member, flock, crowd)
        rows = rows[length(crowd.velocity[rows]) < 4.0 * STANDS]
        rows = rows if everyone else np.setdiff1d(rows, self.road.driving())
        return Bystanders.of(crowd, rows, np.isin(rows, list(self.road.claims)))

    def _order(self, remaining: Float) -> None:
        """Claim the stretches ahead, and say who goes first."""
        for member, drive in self._drives.items():
            row = int(self.rows[member])
            self.road.order[row] = drive.order or (float(remaining[member]), row)

    def _stops(self, flock: Flock, crowd: Flock) -> dict[int, Halt]:
        """Return how far the vehicles may go; renew their claims up to there."""
        stops = {}
        brake = 2.0 * np.maximum(crowd.bodies.max_brake, 1e-9)[:, None]
        cores = cores_of(crowd, crowd.velocity * length(crowd.velocity)[:, None] / brake)
        for member in sorted(self._drives):
            drive, row, bodies = self._drives[member], int(self.rows[member]), flock.bodies
            route, body, speed = drive.route, drive.cores, float(length(flock.velocity[member]))
            far = LOOK + speed**2 / (2.0 * GENTLE * driven_brake(bodies, member))
            ahead = poses_ahead(route.station, drive.at, far, LOOK_EACH)
            near = self._near(member, flock, crowd)
            onward = Onward.of(route, body, drive.at, flock, member)
            stop = self.road.stop(row, body[ahead], route.station[ahead], cores[near], near, onward)
            stops[member], self.road.paces[row] = stop, float(bodies.cruise_speed[member])
            claim = poses_ahead(route.station, drive.at, CLAIM, EACH)
            wanted = self.road.wanted[row] = body[claim]
            reached = route.station[claim] - route.station[drive.at] <= stop.rest
            self.road.claims[row] = wanted[reached]
            self.road.waits[row] = stop.blocker if stop.rest < LOOK_EACH + GAP else NOBODY
        return stops

    def _asked(
        self, member: int, flock: Flock, guides: Guides, where: Tracked, stop: Halt
    ) -> Float:
        """Return the velocity (3,) [m/s] that keeps a member to its route."""
        drive, bodies = self._drives[member], flock.bodies
        speed, pace = float(length(flock.velocity[member])), float(guides.pace[member])
        pace = min(pace, pace_on_route(drive.route, where, bodies, member, speed, drive.stops))
        brake = GENTLE * driven_brake(bodies, member)
        held = 0.0 if stop.rest < 0.02 else np.sqrt(2.0 * brake * stop.rest)
        return wanted_velocity(
            drive.route, where, flock.heading[member], speed, min(pace, held),
            float(bodies.turn_radius[member]), self.dt,
        )  # fmt: skip

    def _dissolve(self, guides: Guides, led: Bool, flock: Flock, crowd: Flock) -> None:
        """Let one that is held up make room, or drive round what stands in its way."""
        held = [m for m in sorted(self._drives) if self._still[m] > HELD_UP]
        for member in held:
            row, drive = int(self.rows[member]), self._drives[member]
            circle = self.road.circle(row)
            if circle:
                # The one with the longest way goes first; if it cannot, the others follow.
                rank = sum(self.road.goes_before(row, other) is False for other in circle) - 1
                before = len(circle) - 1 - rank
                if self._still[member] > HELD_UP + NEXT * before and self._makes_room(
                    member, circle, guides, flock, crowd
                ):
                    return
                continue
            blocker, end = self.road.waits.get(row, NOBODY), self.road.last_waited_for(row)
            if end == row:
                if self._gives_room(member, guides, flock, crowd):
                    return
                continue
            if blocker == NOBODY or end not in self.road.order or end in self.road.stuck:
                if self._requests.asks(member, crowd, end):
                    continue
                # Something that does not give way: what stands there is driven round.
                # One that the scene keeps from going on begins in the other gear.
                self._still[member] = 0.0
                if blocker == NOBODY and flock.bodies.max_reverse_speed[member] > 0.0:
                    self._wedged[member] = -int(drive.route.gear[drive.at])
                self._left[member] = drive
                self._end(member)
                return

    def _gives_room(self, member: int, guides: Guides, flock: Flock, crowd: Flock) -> bool:
        """Let one that waits for a circle, as that finds no way out, get away from the others."""
        if self._still[member] < STUCK:
            return False
        self._still[member] = 0.0
        others = self._standing(member, flock, crowd, everyone=True).cores
        route = find_apart(self._driven(member, guides, flock, others))
        if route is not None:
            self._begin(member, route, True, {}, flock).pause = STAYS
        return route is not None

    def _makes_room(
        self, member: int, circle: list[int], guides: Guides, flock: Flock, crowd: Flock
    ) -> bool:
        """Let a member of a circle drive round the others, back, or aside; say whether it can."""
        row = int(self.rows[member])
        self._still[member] = 0.0
        others = self._standing(member, flock, crowd, everyone=True).cores
        vehicle = self._driven(member, guides, flock, others)
        first = min(self.road.order[other] for other in circle)
        where: dict[int, Tracked] = {}
        waited = self._drives[member].order is None
        around = find_route(vehicle, *self._ends(member, guides, flock)) if waited else None
        if around is not None:
            self._begin(member, around, True, where, flock).order = (first[0] - 1e-3, row)
            return True
        if flock.bodies.max_reverse_speed[member] == 0.0:
            return False
        claimed = np.concatenate([self.road.wanted[other] for other in circle if other != row])
        waiting = cores_of(crowd.select(np.setdiff1d(circle, row)))
        route, goes_back = self._trails[member].way_aside(vehicle, claimed, waiting)
        if route is None:
            if not waited:  # it makes room, and is held up by another that does
                self._end(member)
                self._pause[member] = AGAIN
            return False
        drive = self._begin(member, route, True, where, flock)
        drive.order, drive.goes_back = (first[0] - 1e-3, row), goes_back
        return True
