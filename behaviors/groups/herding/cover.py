"""The mode `cover`: the flock is led over an area until it has been everywhere."""

import numpy as np

from rmp3d.behaviors.groups.herding.grid import DistanceField, WalkableGrid
from rmp3d.behaviors.groups.herding.mission import HerdView, Log, Post
from rmp3d.behaviors.groups.herding.parameters import HerdingParameters
from rmp3d.behaviors.groups.herding.pushing import Pushing
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length
from rmp3d.scenes import Region

# A place is given up as out of the flock's reach after this time [s].
GIVEN_UP = 60.0
# How far ahead on its path the flock's subgoal is, in swaths.
AHEAD = 1.5
# Ground nearer to an obstacle than this, in radii of a body, is not aimed at.
BERTH_RADII = 2.5


class Cover:
    """A flock that visits all the ground of an area, the nearest part that is left first.

    Args:
        parameters: Of the behavior.
        area: That is covered; None: all.
        log: Told what happens.
    """

    def __init__(self, parameters: HerdingParameters, area: Region | None, log: Log) -> None:
        self._own = parameters
        self._area = area
        self._log = log
        self._pushing = Pushing(parameters, log)
        self._places: Index | None = None
        self._left = np.zeros(0, np.bool_)
        self._price = np.zeros(0)
        self._target: DistanceField | None = None
        self._row = -1
        self._since = 0.0
        log.measures.update(radius=0.0, strays=0.0, driven=0.0, covered=0.0)

    def change(self, parameters: HerdingParameters) -> None:
        """Lead the flock by other parameters from now on."""
        self._own = parameters
        self._pushing.change(parameters)

    def turn_over(self, flock: Turnover, shepherds: Turnover) -> None:
        """Go on with the animals that are there now."""
        self._pushing.turn_over(flock)

    def posts(self, view: HerdView) -> list[Post]:
        """Return the posts that lead the flock to the nearest ground where it has not been."""
        if self._places is None:
            self._begin(view)
        assert self._places is not None
        points = view.grid.ground.point[self._places]
        gap = length(points[:, None] - view.position).min(axis=1)
        before = bool(self._left.any())
        self._left &= gap > self._own.swath
        share = 1.0 - float(self._left.mean()) if len(self._left) else 1.0
        self._log.measures["covered"] = share
        self._log.figures["covered"] = round(share, 4)
        if not self._left.any():
            if before:
                self._log.tell(view.time, "covered", "the flock has been everywhere")
            return []
        rows = np.arange(len(view.position))
        herd, allowed = self._pushing.herd(view, rows, np.inf)
        target = self._chosen(view, herd.field, points)
        route = target.route(herd.field.point)
        steps = length(np.diff(route, axis=0, prepend=herd.field.point[None]))
        ahead = AHEAD * self._own.swath
        subgoal = route[min(int(np.searchsorted(np.cumsum(steps), ahead)), len(route) - 1)]
        return self._pushing.posts(view, herd, allowed, subgoal, target)

    def _begin(self, view: HerdView) -> None:
        self._places = _aimed_at(view.grid, self._area, BERTH_RADII * view.body_radius)
        self._left = np.ones(len(self._places), np.bool_)
        clearance = _clearance(view.grid, view.grid.ground.point, 4.0)
        self._price = 1.0 + 2.0 * np.clip(
            1.0 - clearance / (BERTH_RADII * view.body_radius), 0.0, 1.0
        )

    def _chosen(self, view: HerdView, near: DistanceField, points: Float) -> DistanceField:
        """Return the distances to the place that the flock is led to until it gets there."""
        assert self._places is not None
        given_up = view.time > self._since + GIVEN_UP
        if self._row >= 0 and self._left[self._row] and given_up:
            self._left[self._row] = False
            spot = np.round(points[self._row], 1).tolist()
            self._log.tell(view.time, "given_up", f"the flock does not get to {spot}")
        if self._target is None or self._row < 0 or not self._left[self._row]:
            far = np.where(self._left, near.far[self._places], np.inf)
            self._row = int(np.argmin(far))
            if not np.isfinite(far[self._row]):
                self._left[:] = False
                return near
            self._since = view.time
            self._target = view.grid.field(points[self._row], self._price)
        return self._target


def _aimed_at(grid: WalkableGrid, area: Region | None, clearance: float) -> Index:
    """Return the places of an area that keep a clearance [m], on one connected piece."""
    places = grid.usable
    points = grid.ground.point[places]
    good = _clearance(grid, points, clearance + 1.0) >= clearance
    if area is not None:
        good &= area.contains(points)
    places = places[good]
    if len(places) == 0:
        return places
    middle = grid.ground.point[places].mean(axis=0)
    heart = places[np.argmin(length(grid.ground.point[places] - middle))]
    reached: Bool = np.isfinite(grid.field(grid.ground.point[heart]).far[places])
    return places[reached]


def _clearance(grid: WalkableGrid, points: Float, cap: float) -> Float:
    """Return how far (M,) points (M, 3) are from obstacles, at most ``cap`` [m]."""
    if grid.obstacles is None:
        return np.full(len(points), cap)
    capsule_axis = (float(grid.capsule_axis[0]), float(grid.capsule_axis[1]))
    return grid.obstacles.capsule_clearance(points, capsule_axis, 0.0, cap)[0]
