"""Routes: the curves that a vehicle drives on, proved free for its row, ahead and backward.

From where a vehicle is, the shortest curves of Reeds and Shepp (of Dubins without a reverse gear)
lead to poses along its guide. If none is free, the vehicle first drives an arc or a line, and goes
on by such a curve. Curves are sampled so densely that the body between two samples is in what the
samples keep clear; that is the proof.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from rmp3d.behaviors.groups.driving.candidates import (
    CurvesToEnds,
    curves_to_ends,
    first_arcs,
    no_arcs,
)
from rmp3d.behaviors.groups.driving.curve_search import (
    BESIDE,
    FREE,
    LONGEST,
    CurveSearch,
    room_along,
)
from rmp3d.behaviors.groups.driving.ends import FARTHER
from rmp3d.behaviors.groups.driving.gaps import cores_at, gaps_between
from rmp3d.behaviors.groups.driving.route import Driven, Route
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.curves import drive

# Between the samples of a route [m]; the turn radii it is planned with, times the tightest, so that
# the vehicle can correct its course; and how many curves are tried. Where the coarse ones find
# none, the fine ones are tried, and then both with an arc or a line before: that is far more work.
COARSE, FINE = (0.1, 1.1, 360), (0.03, 1.03, 60)
# Where a vehicle just fits through a door, these are tried first: one that needs so much room as
# coarse ones leads away from it again.
CLOSE = (0.02, 1.03, 24)
# One that goes about tries first those that keep so much farther from things [m], where it need not
# drive slowly.
ROOM = 0.4
# A route goes on from its end if a free curve leads from there on along the guide, so many turn
# radii at least, or to where the guide ends; so many curves are tried.
ONWARD, ONWARD_CURVES = 1.2, 24
# Arcs that lead away from others nearby are so long [m].
APART = np.array([0.5, 1.0, 2.0, 3.0])


def find_route(vehicle: Driven, ends: Float, price: Float, close: bool = False) -> Route | None:
    """Return the cheapest free route found to one of several poses, or None.

    Routes that go on from their ends come before others: an end may be free, and so near to a wall
    that no curve leads on from there.

    Args:
        vehicle: And where it is.
        ends: (E, 4) poses: x, y [m], angle in plan [rad], and z [m]. What is below or above one of
            them, such as another deck, is not there.
        price: (E,) what is still to be driven from each [m].
        close: Whether there is a door that the vehicle just fits through.
    """
    onward = _Onward(vehicle, ends, price, close)
    for with_arcs in (False, True):
        found = _cheapest(vehicle, ends, price, onward, with_arcs=with_arcs, close=close)
        if found is not None:
            return found
    return onward.dead_end


def find_plain_route(
    vehicle: Driven, ends: Float, price: Float, close: bool = False
) -> Route | None:
    """Return the cheapest free curve, without an arc before it, or None; see `find_route`."""
    return _cheapest(vehicle, ends, price, None, with_arcs=False, close=close)


def find_way_back(vehicle: Driven, ends: Float, price: Float, close: bool = False) -> Route | None:
    """Return the cheapest free route found on which a vehicle follows its guide backward, or None.

    Where it cannot turn round, as on a narrow ramp, it goes back to where it can: to ends that lie
    behind it. Arguments are those of `find_route`; and as there, routes come first that go on from
    their ends, backward or turned round.
    """
    behind = np.cos(ends[:, 2] - vehicle.angle) < 0.0
    if not behind.any():
        return None
    turned = ends[behind] + np.array([0.0, 0.0, np.pi, 0.0])
    both = np.concatenate([turned, ends]), np.concatenate([price[behind], price])
    onward = _Onward(vehicle, *both, close)
    found = _cheapest(vehicle, turned, price[behind], onward, with_arcs=False, close=close)
    return onward.dead_end if found is None else found


def _cheapest(
    vehicle: Driven, ends: Float, price: Float, onward: "_Onward | None", *, with_arcs: bool,
    close: bool = False,
) -> Route | None:  # fmt: skip
    """Return the cheapest free route found, of one curve or with an arc before it, or None.

    With ``onward`` it goes on from its end. Where the first curves found change the gear, as coarse
    ones keep farther from what is near, such as the crest of a ramp, finer ones are tried that save
    more than a change.
    """
    rooms = [(*COARSE, ROOM)] if vehicle.about and not with_arcs else []
    passes = (CLOSE, COARSE, FINE) if close else (COARSE, FINE)
    best, least = None, np.inf
    for step, wider, most, room in rooms + [(*each, 0.0) for each in passes]:
        radius = wider * vehicle.turn_radius
        arcs = first_arcs(radius, vehicle.reverses) if with_arcs else no_arcs()
        search = CurveSearch(vehicle, step, radius, most, room)
        curves = curves_to_ends(vehicle, ends, price, radius, *arcs)
        found, cost = search.cheapest(curves, onward, least)
        if found is not None:
            if close or room or not found.changes_gear:
                return found
            best, least = found, cost - vehicle.change_price
    return best


def first_ahead(vehicle: Driven, ends: Float, rank: Index) -> int:
    """Return the end of the least rank to which a free curve leads ahead alone; -1: there is none.

    Args:
        vehicle: And where it is.
        ends: (E, 4) as of `find_route`.
        rank: (E,).
    """
    ahead = replace(vehicle, reverses=False)
    radius = COARSE[1] * vehicle.turn_radius
    curves = curves_to_ends(
        ahead, ends, 2.0 * LONGEST * rank.astype(np.float64), radius, *no_arcs()
    )
    for room in (ROOM, 0.0) if vehicle.about else (0.0,):
        found = CurveSearch(ahead, COARSE[0], radius, COARSE[2], room).first_free(curves)
        if found is not None:
            return found.end_among(ends)
    return -1


def can_turn_round(vehicle: Driven) -> bool:
    """Return whether a vehicle can drive ahead through half a circle, to the left or right."""
    radius = COARSE[1] * vehicle.turn_radius
    arcs = np.array([[1.0], [-1.0]]) / radius, np.full((2, 1), np.pi * radius)
    curves = CurvesToEnds(*arcs, np.zeros(2), np.full(2, np.nan), np.zeros(2, np.intp))
    return CurveSearch(vehicle, COARSE[0], radius, COARSE[2]).first_free(curves) is not None


def find_shelter(vehicle: Driven, claims: Float) -> Route | None:
    """Return the shortest free arc to a pose that is clear of cores (C, 6) claimed, or None."""
    radius = COARSE[1] * vehicle.turn_radius
    bends, pieces = first_arcs(radius, vehicle.reverses)
    clear = (_gaps_at_ends(vehicle, bends, pieces, claims) > BESIDE).all(axis=1)
    cost = np.where(clear, np.abs(pieces), np.inf)
    return _first_free_arc(vehicle, COARSE, bends, pieces, cost)


def find_apart(vehicle: Driven) -> Route | None:
    """Return the free arc that takes a vehicle the farthest away from others nearby, or None."""
    if len(vehicle.others) == 0:
        return None
    bends, pieces = first_arcs(FINE[1] * vehicle.turn_radius, vehicle.reverses, APART)
    bends, pieces = np.append(bends, 0.0), np.append(pieces, 0.0)  # the last: it stays
    gap = np.minimum(_gaps_at_ends(vehicle, bends, pieces, vehicle.others).min(axis=1), FREE)
    cost = np.where(gap > gap[-1] + BESIDE, -gap, np.inf)
    return _first_free_arc(vehicle, FINE, bends, pieces, cost)


def _gaps_at_ends(vehicle: Driven, bends: Float, pieces: Float, others: Float) -> Float:
    """Return the gaps (B, C) [m] between a vehicle at the ends of arcs and cores (C, 6)."""
    poses = drive(np.broadcast_to(vehicle.pose, (len(bends), 3)), bends, pieces)
    point = np.column_stack([poses[:, :2], np.full(len(poses), vehicle.point[2])])
    heading = np.column_stack([np.cos(poses[:, 2]), np.sin(poses[:, 2])])
    row = np.broadcast_to(vehicle.ends, (len(point), 2))
    return gaps_between(cores_at(point, heading, row, vehicle.half_width), others)


def _first_free_arc(
    vehicle: Driven, how: tuple[float, float, int], bends: Float, pieces: Float, cost: Float
) -> Route | None:
    """Return the cheapest free one of some arcs, tested as `COARSE` or `FINE` says, or None."""
    step, wider, most = how
    search = CurveSearch(vehicle, step, wider * vehicle.turn_radius, most)
    height, aim = np.full(len(cost), np.nan), np.zeros(len(cost), np.intp)
    return search.first_free(CurvesToEnds(bends[:, None], pieces[:, None], cost, height, aim))


@dataclass(eq=False)
class _Onward:
    """Says which routes go on from their ends: each end is asked once, when it is reached.

    Bodies that stand do not count: they may be gone by then.

    Attributes:
        vehicle: And where it is.
        ends: (E, 4), and
        price: (E,), and
        close: As of `find_route`.
        ends_here: (E,) ends from which no curve leads on.
        dead_end: The first route found that does not go on.
    """

    vehicle: Driven
    ends: Float
    price: Float
    close: bool = False
    ends_here: Bool = field(init=False)
    dead_end: Route | None = None
    _leads_on: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.ends_here = np.zeros(len(self.ends), np.bool_)

    def goes_on(self, route: Route, end: int) -> bool:
        """Return whether a route to an end goes on from there."""
        if end not in self._leads_on and not self.ends_here[end]:
            if self._goes_on(route, end):
                self._leads_on.add(end)
            else:
                self.ends_here[end] = True
        if self.ends_here[end] and self.dead_end is None:
            clearance = room_along(self.vehicle, route)
            self.dead_end = replace(route, clearance=clearance, goes_on=False)
        return not self.ends_here[end]

    def _goes_on(self, route: Route, end: int) -> bool:
        last = self.price <= self.price.min()
        if last[end]:
            return True
        radius = COARSE[1] * self.vehicle.turn_radius
        farther = self.price < self.price[end] - (1.0 - FARTHER) * ONWARD * radius
        aims = farther | last
        there = replace(
            self.vehicle, point=route.point[-1], angle=float(route.angle[-1]),
            others=np.zeros((0, 6)), first_gear=0,
        )  # fmt: skip
        for step, wider, _ in (COARSE, CLOSE) if self.close else (COARSE,):
            radius = wider * self.vehicle.turn_radius
            curves = curves_to_ends(there, self.ends[aims], self.price[aims], radius, *no_arcs())
            if CurveSearch(there, step, radius, ONWARD_CURVES).first_free(curves) is not None:
                return True
        return False
