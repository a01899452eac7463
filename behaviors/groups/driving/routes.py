"""Routes: the curves that a vehicle drives on, proved free for its row, ahead and backward.

From where a vehicle is, the shortest curves of Reeds and Shepp (of Dubins without a reverse gear)
lead to poses along its guide. If none is free, the vehicle first drives an arc or a line, and goes
on by such a curve. Curves are sampled so densely that the body between two samples is in what the
samples keep clear; that is the proof.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from rmp3d.behaviors.groups.driving.candidates import (
    CurvesToEnds,
    curves_to_ends,
    first_arcs,
    no_arcs,
)
from rmp3d.behaviors.groups.driving.ends import FARTHER
from rmp3d.behaviors.groups.driving.gaps import cores_at, gaps_between
from rmp3d.behaviors.groups.driving.route import Driven, Route
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.curves import drive, sample_path
from rmp3d.planner.spaces.ground_heading import posed

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
# The clearance of a sample is half the step, half of what the row's ends swing in it, and this [m].
SPARE = 0.008
# A body that is nearer to something at the start leaves it by this share of its motion at least,
# and comes no nearer than half as near; one that is nearer than this [m], no nearer at all.
LEAVING, TOUCHING = 0.02, 0.01
# Clearance is measured up to so much [m]: beyond that it slows nothing down that drives at 4 m/s.
FREE = 2.5
# A route that must begin in a gear keeps it for this length at least [m].
FIRST = 0.6
# No route is longer than this [m].
LONGEST = 45.0
# So many curves are tried at once, at first and then.
BATCHES = (2, 6, 16, 32, 48)
# Every so many samples are tested before all are.
TESTED = 8
# A route goes on from its end if a free curve leads from there on along the guide, so many turn
# radii at least, or to where the guide ends; so many curves are tried.
ONWARD, ONWARD_CURVES = 1.2, 24
# To bodies that stand [m].
BESIDE = 0.1
# Arcs that lead away from others nearby are so long [m].
APART = np.array([0.5, 1.0, 2.0, 3.0])
# A curve whose end is so far below or above where it should be [m] is on another level.
SAME_LEVEL = 1.0


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
    behind it. Arguments are those of `find_route`.
    """
    behind = np.cos(ends[:, 2] - vehicle.angle) < 0.0
    if not behind.any():
        return None
    turned = ends[behind] + np.array([0.0, 0.0, np.pi, 0.0])
    return find_plain_route(vehicle, turned, price[behind], close)


def _cheapest(
    vehicle: Driven, ends: Float, price: Float, onward: "_Onward | None", *, with_arcs: bool,
    close: bool = False,
) -> Route | None:  # fmt: skip
    """Return the cheapest free route found, of one curve or with an arc before it, or None.

    With ``onward`` it goes on from its end.
    """
    rooms = [(*COARSE, ROOM)] if vehicle.about and not with_arcs else []
    passes = (CLOSE, COARSE, FINE) if close else (COARSE, FINE)
    for step, wider, most, room in rooms + [(*each, 0.0) for each in passes]:
        radius = wider * vehicle.turn_radius
        arcs = first_arcs(radius, vehicle.reverses) if with_arcs else no_arcs()
        search = _Search(vehicle, step, radius, most, room)
        found = search.first_free(curves_to_ends(vehicle, ends, price, radius, *arcs), onward)
        if found is not None:
            return found
    return None


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
        found = _Search(ahead, COARSE[0], radius, COARSE[2], room).first_free(curves)
        if found is not None:
            return found.end_among(ends)
    return -1


def can_turn_round(vehicle: Driven) -> bool:
    """Return whether a vehicle can drive ahead through half a circle, to the left or right."""
    radius = COARSE[1] * vehicle.turn_radius
    arcs = np.array([[1.0], [-1.0]]) / radius, np.full((2, 1), np.pi * radius)
    curves = CurvesToEnds(*arcs, np.zeros(2), np.full(2, np.nan), np.zeros(2, np.intp))
    return _Search(vehicle, COARSE[0], radius, COARSE[2]).first_free(curves) is not None


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
    search = _Search(vehicle, step, wider * vehicle.turn_radius, most)
    height, aim = np.full(len(cost), np.nan), np.zeros(len(cost), np.intp)
    return search.first_free(CurvesToEnds(bends[:, None], pieces[:, None], cost, height, aim))


@dataclass(eq=False)
class _Search:
    """Tests curves from one place, the cheapest first."""

    vehicle: Driven
    step: float
    radius: float
    most: int
    room: float = 0.0

    def first_free(self, curves: CurvesToEnds, onward: "_Onward | None" = None) -> Route | None:
        """Return the cheapest free one of the curves, or None; with ``onward`` one that goes on."""
        bends, pieces, cost, height, aim = curves
        order = np.argsort(cost, kind="stable")
        usable = np.isfinite(cost[order]) & (np.abs(pieces[order]).sum(axis=1) < LONGEST)
        usable &= _begins(pieces[order], self.vehicle.first_gear)
        order = order[usable][: self.most]
        for batch in _batches(order):
            rows = batch if onward is None else batch[~onward.ends_here[aim[batch]]]
            if len(rows) == 0:
                continue
            poses, along = sample_path(
                np.broadcast_to(self.vehicle.pose, (len(rows), 3)), bends[rows], pieces[rows],
                self.step,
            )  # fmt: skip
            total = np.abs(pieces[rows]).sum(axis=1)
            rows, poses, total, point = self._may_be(rows, poses, along, total, height[rows])
            if len(rows) == 0:
                continue
            free = self._good(poses, point, along)
            free |= along[None] > total[:, None] + self.step
            for row in np.flatnonzero(free.all(axis=1)).tolist():
                found = _route(point[row], poses[row, :, 2], along, pieces[rows[row]], total[row])
                if onward is None or onward.goes_on(found, int(aim[rows[row]])):
                    clearance = self.vehicle.space.world.clearance(
                        posed(found.point, found.angle), FREE
                    )
                    return replace(found, clearance=clearance)
        return None

    def _may_be(
        self, rows: Index, poses: Float, along: Float, total: Float, height: Float
    ) -> tuple[Index, Float, Float, Float]:
        """Return the curves on the surface to their ends, and free at some samples; their points.

        Args:
            rows: (M,) of the curves.
            poses: (M, K, 3) in plan.
            along: (K,) [m].
            total: (M,) their lengths [m].
            height: (M,) z of their ends [m]; nan: any.
        """
        point, on = self._walked(poses)
        on |= along[None] > total[:, None] + self.step
        end = np.minimum(np.searchsorted(along, total), len(along) - 1)
        on[:, 0] &= ~(np.abs(point[np.arange(len(rows)), end, 2] - height) > SAME_LEVEL)
        some = np.arange(TESTED, len(along), TESTED)
        if len(some):
            free = self._good(poses[:, some], point[:, some], along[some])
            free |= along[None, some] > total[:, None] + self.step
            keep = on.all(axis=1) & free.all(axis=1)
        else:
            keep = on.all(axis=1)
        return rows[keep], poses[keep], total[keep], point[keep]

    def _walked(self, poses: Float) -> tuple[Float, Bool]:
        """Return the points (M, K, 3) of curves on the surface, and whether they are there."""
        surface = self.vehicle.space.surface
        count, samples = poses.shape[:2]
        point = np.empty((count, samples, 3))
        on = np.ones((count, samples), np.bool_)
        here = np.broadcast_to(self.vehicle.point, (count, 3)).copy()
        _, face = surface.locate(here, 0.1, 0.1)
        on[:, 0] = face >= 0
        face = np.maximum(face, 0)
        point[:, 0] = here
        for k in range(1, samples):
            here, face, arrived = surface.walk(here, face, poses[:, k, :2] - here[:, :2])
            point[:, k], on[:, k] = here, on[:, k - 1] & arrived
        return point, on

    def _good(self, poses: Float, point: Float, along: Float) -> Bool:
        """Return which poses (M, K) are clear of the scene and of bodies that stand."""
        vehicle, world = self.vehicle, self.vehicle.space.world
        shape = poses.shape[:2]
        swing = 0.5 * self.step / self.radius * float(np.abs(world.forward).max())
        wanted = 0.5 * self.step + swing + SPARE + self.room
        places = posed(
            np.concatenate([vehicle.point[None], point.reshape(-1, 3)]),
            np.append(vehicle.angle, poses[..., 2]),
        )
        here, clearance = np.split(world.clearance(places, 2.0 * wanted), [1])
        clearance, first = clearance.reshape(shape), max(float(here[0]), 0.0)
        least = max(0.5 * first, min(first, TOUCHING))
        good: Bool = clearance >= np.minimum(wanted, least + LEAVING * along)
        if len(vehicle.others):
            angle = poses[..., 2].reshape(-1)
            heading = np.column_stack([np.cos(angle), np.sin(angle)])
            ends = np.broadcast_to(vehicle.ends, (len(angle), 2))
            cores = cores_at(point.reshape(-1, 3), heading, ends, vehicle.half_width)
            own = cores_at(
                vehicle.point[None], np.array([[np.cos(vehicle.angle), np.sin(vehicle.angle)]]),
                vehicle.ends[None], vehicle.half_width,
            )  # fmt: skip
            least = np.minimum(
                BESIDE,
                gaps_between(own, vehicle.others) + np.tile(LEAVING * along, shape[0])[:, None],
            )
            good &= (gaps_between(cores, vehicle.others) >= least).all(axis=1).reshape(shape)
        return good


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
            clearance = self.vehicle.space.world.clearance(posed(route.point, route.angle), FREE)
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
            if _Search(there, step, radius, ONWARD_CURVES).first_free(curves) is not None:
                return True
        return False


def _batches(order: Index) -> Iterator[Index]:
    """Yield the rows in order, few at first."""
    at, row = 0, 0
    while at < len(order):
        size = BATCHES[min(row, len(BATCHES) - 1)]
        yield order[at : at + size]
        at, row = at + size, row + 1


def _route(point: Float, angle: Float, along: Float, pieces: Float, total: float) -> Route:
    """Return the route of samples along pieces of signed lengths (P,), up to ``total`` [m]."""
    keep = along <= total + 1e-9
    if along[keep][-1] < total - 1e-6:
        keep[np.flatnonzero(keep)[-1] + 1] = True
    station = np.minimum(along[keep], total)
    done = np.cumsum(np.abs(pieces))
    piece = np.minimum(np.searchsorted(done, station - 1e-9), len(pieces) - 1)
    gear = np.where(pieces[piece] < 0.0, -1, 1)
    if len(gear) > 1:
        gear[0] = gear[1]
    return Route(point[keep], angle[keep], gear, station, np.zeros(len(station)))


def _begins(pieces: Float, gear: int) -> Bool:
    """Return which curves with pieces of signed lengths (M, P) begin in a gear; 0: in any."""
    if gear == 0:
        return np.ones(len(pieces), np.bool_)
    first = np.argmax(np.abs(pieces) > 1e-9, axis=1)
    begins: Bool = pieces[np.arange(len(pieces)), first] * gear > FIRST
    return begins
