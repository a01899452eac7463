"""The search for a free curve from one place: many are tested, the cheapest first.

Curves are sampled so densely that the body between two samples is in what the samples keep clear;
that is the proof.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from rmp3d.behaviors.groups.driving.candidates import CurvesToEnds
from rmp3d.behaviors.groups.driving.gaps import cores_at, gaps_between
from rmp3d.behaviors.groups.driving.route import Driven, Route
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.curves import sample_path
from rmp3d.planner.spaces.ground_heading import posed

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
# To bodies that stand [m].
BESIDE = 0.1
# A curve whose end is so far below or above where it should be [m] is on another level.
SAME_LEVEL = 1.0


def room_along(vehicle: Driven, route: Route) -> Float:
    """Return how far (K,) [m] a vehicle on a route is from what stands beside it, up to `FREE`."""
    return vehicle.space.world.clearance(posed(route.point, route.angle), FREE)


class Continuation(Protocol):
    """Says which routes go on from their ends.

    Attributes:
        ends_here: (E,) ends from which no curve leads on.
    """

    ends_here: Bool

    def goes_on(self, route: Route, end: int) -> bool:
        """Return whether a route to an end goes on from there."""


@dataclass(eq=False)
class CurveSearch:
    """Tests curves from one place, the cheapest first.

    Attributes:
        vehicle: And where it is.
        step: Between the samples of a curve [m].
        radius: Of the tightest curves [m].
        most: So many curves are tested.
        room: They keep so much farther from the scene [m].
    """

    vehicle: Driven
    step: float
    radius: float
    most: int
    room: float = 0.0

    def first_free(self, curves: CurvesToEnds) -> Route | None:
        """Return the cheapest free one of the curves, or None."""
        return self.cheapest(curves)[0]

    def cheapest(
        self, curves: CurvesToEnds, onward: Continuation | None = None, below: float = np.inf
    ) -> tuple[Route | None, float]:
        """Return the cheapest free one of the curves and its cost [m], or None and infinity.

        Args:
            curves: To be tested.
            onward: Says which go on from their ends, as the one returned does; None: any may end.
            below: It costs less than this [m].
        """
        bends, pieces, cost, height, aim = curves
        order = np.argsort(cost, kind="stable")
        usable = (cost[order] < below) & (np.abs(pieces[order]).sum(axis=1) < LONGEST)
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
            point, free = self._free(poses, along, total, height[rows])
            for row in np.flatnonzero(free).tolist():
                found = _route(point[row], poses[row, :, 2], along, pieces[rows[row]], total[row])
                if onward is None or onward.goes_on(found, int(aim[rows[row]])):
                    found = replace(found, clearance=room_along(self.vehicle, found))
                    return found, float(cost[rows[row]])
        return None, np.inf

    def _free(self, poses: Float, along: Float, total: Float, height: Float) -> tuple[Float, Bool]:
        """Return the points (M, K, 3) of curves on the surface, and which (M,) are free.

        Args:
            poses: (M, K, 3) in plan.
            along: (K,) [m].
            total: (M,) their lengths [m].
            height: (M,) z of their ends [m]; nan: any.
        """
        surface = self.vehicle.space.surface
        _, face = surface.locate(self.vehicle.point, 0.1, 0.1)
        point, on = surface.walk_along(self.vehicle.point, int(face[0]), poses[..., :2])
        samples = along[None] <= total[:, None] + self.step
        end = np.minimum(np.searchsorted(along, total), len(along) - 1)
        ends_at = point[np.arange(len(poses)), end, 2]
        free = (on | ~samples).all(axis=1) & ~(np.abs(ends_at - height) > SAME_LEVEL)
        # A few samples of all curves are tested before all samples of those that are left.
        few = np.zeros(len(along), np.bool_)
        few[TESTED::TESTED] = True
        for some in (few, ~few):
            row, column = np.nonzero(free[:, None] & samples & some)
            clear = self._clear(poses[row, column], point[row, column], along[column])
            free[row[~clear]] = False
        return point, free

    def _clear(self, poses: Float, point: Float, along: Float) -> Bool:
        """Return which poses (N, 3) at points (N, 3) are clear of the scene and of who stands.

        They are ``along`` (N,) [m] after the start.
        """
        vehicle, angle = self.vehicle, poses[:, 2]
        clear = np.ones(len(poses), np.bool_)
        if len(vehicle.others):
            gaps = gaps_between(self._cores(point, angle), vehicle.others)
            least = np.minimum(BESIDE, self._first_gaps + LEAVING * along[:, None])
            clear = (gaps >= least).all(axis=1)
        wanted, least = self._wanted, self._least + LEAVING * along[clear]
        places = posed(point[clear], angle[clear])
        clear[clear] = vehicle.space.world.keeps(places, np.minimum(wanted, least))
        return clear

    def _cores(self, point: Float, angle: Float) -> Float:
        heading = np.column_stack([np.cos(angle), np.sin(angle)])
        ends = np.broadcast_to(self.vehicle.ends, (len(angle), 2))
        return cores_at(point, heading, ends, self.vehicle.half_width)

    @cached_property
    def _first_gaps(self) -> Float:
        """The gaps (1, C) [m] between the vehicle where it is and those that stand."""
        here = self._cores(self.vehicle.point[None], np.array([self.vehicle.angle]))
        return gaps_between(here, self.vehicle.others)

    @cached_property
    def _wanted(self) -> float:
        """The clearance that a sample has, if the vehicle has it where it is [m]."""
        forward = np.abs(self.vehicle.space.world.forward)
        return 0.5 * self.step * (1.0 + float(forward.max()) / self.radius) + SPARE + self.room

    @cached_property
    def _least(self) -> float:
        """The clearance that a sample has at least [m]; a vehicle near a wall leaves it slowly."""
        here = posed(self.vehicle.point[None], np.array([self.vehicle.angle]))
        first = float(self.vehicle.space.world.clearance(here, 2.0 * self._wanted)[0])
        return max(0.5 * max(first, 0.0), min(max(first, 0.0), TOUCHING))


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
