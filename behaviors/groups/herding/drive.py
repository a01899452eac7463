"""The mode `drive`: the flock to its goal, along the path that was planned for it."""

import numpy as np

from rmp3d.behaviors.groups.goal_area.goal_ground import GoalGround
from rmp3d.behaviors.groups.herding.grid import DistanceField
from rmp3d.behaviors.groups.herding.herd import Herd
from rmp3d.behaviors.groups.herding.mission import HerdView, Log, Post
from rmp3d.behaviors.groups.herding.parameters import HerdingParameters
from rmp3d.behaviors.groups.herding.pushing import Pushing
from rmp3d.behaviors.groups.task import Journey
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.vectors import length
from rmp3d.planner.errors import PlanningError
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.querying import query

# A flock this far from its path, in radii of its circle and at least in meters, gets a new one.
DISPLACED, LEAST_DISPLACED = 1.2, 5.0
# Share of the fear distance that the flock's path keeps from obstacles where it can.
BERTH = 0.5
# Time between two new paths [s].
REPLAN_AFTER = 3.0


class Drive:
    """A flock that is driven to its goal.

    Args:
        parameters: Of the behavior.
        journey: Of the flock.
        rng: For the planner's short cuts.
        log: Told what happens.
    """

    def __init__(
        self, parameters: HerdingParameters, journey: Journey, rng: np.random.Generator, log: Log
    ) -> None:
        self._own = parameters
        self._journey = journey
        end = journey.path.points[-1]
        self._goal = GoalGround(journey.roadmap.space, journey.goal, end)
        self._rng = rng
        self._log = log
        self._pushing = Pushing(parameters, log)
        self._follow(journey.path)
        self._planned = 0.0
        self._to_go: DistanceField | None = None
        self._all_in = False
        self._at_home = False
        self.replanned = 0
        log.measures.update(radius=0.0, strays=0.0, driven=0.0, left=0.0)

    def change(self, parameters: HerdingParameters) -> None:
        """Lead the flock by other parameters from now on."""
        self._own = parameters
        self._pushing.change(parameters)

    def turn_over(self, flock: Turnover, shepherds: Turnover) -> None:
        """Go on with the animals that are there now."""
        self._pushing.turn_over(flock)

    def posts(self, view: HerdView) -> list[Post]:
        """Return the posts for those of the flock that are not in the goal."""
        left = np.flatnonzero(~self._goal.contains(view.position))
        self._log.measures["left"] = float(len(left))
        if (len(left) == 0) != self._all_in:
            self._all_in = len(left) == 0
            if self._all_in:
                text = f"all {len(view.position)} in `{self._journey.goal.name}`"
                self._log.tell(view.time, "flock_in_goal", text)
        if len(left) == 0:
            return []
        if self._to_go is None:
            self._to_go = view.grid.field(self._journey.path.points[-1])
        self._at_home = self._few_left(len(left), len(view.position), len(view.shepherds))
        if self._at_home:
            everyone = np.arange(len(view.position))
            herd = Herd(everyone, ~np.isin(everyone, left), self._to_go, at_home=True)
            end = self._journey.path.points[-1]
            return self._pushing.posts(view, herd, np.inf, end, self._to_go)
        middle = view.position[left].mean(axis=0)
        herd, allowed = self._pushing.herd(view, left, self._half_width(middle))
        center = herd.field.point
        self._check_path(view, center, herd.core)
        return self._pushing.posts(view, herd, allowed, self._subgoal(center), self._to_go)

    def _few_left(self, left: int, count: int, shepherds: int) -> bool:
        """Return whether most are in the goal, and those left few enough to be fetched one by one.

        Those that have come out again and one behind a fence are never in one circle. So that it
        does not change all the time, it lasts until twice as many are left.
        """
        most = 2 * shepherds if self._at_home else shepherds
        return left <= most and left < count - left

    def _follow(self, path: CertifiedPath) -> None:
        space = self._journey.roadmap.space
        self._path = path
        self._subgoals = path.subgoals(self._own.subgoal_spacing, space)
        nearest = length(self._subgoals[:, None] - path.points).argmin(axis=1)
        self._stations = path.station[nearest]

    def _row(self, center: Float) -> int:
        """Return the row of the path's point nearest to a center (3,)."""
        return int(length(self._path.points - center).argmin())

    def _half_width(self, center: Float) -> float:
        """Return half the width [m] of the corridor around the flock."""
        path, row = self._path, self._row(center)
        near = np.abs(path.station - path.station[row]) < self._own.subgoal_spacing
        radius = self._journey.roadmap.space.world.body.radius
        return float(path.clearance[near].min()) + radius

    def _subgoal(self, center: Float) -> Float:
        """Return the next subgoal (3,): the first that is half a spacing ahead."""
        here = self._path.station[self._row(center)]
        ahead = max(0.5 * self._own.subgoal_spacing, 0.4 * self._pushing.radius)
        row = int(np.searchsorted(self._stations, here + ahead))
        return self._subgoals[min(row, len(self._subgoals) - 1)]

    def _check_path(self, view: HerdView, center: Float, core: np.ndarray) -> None:
        """Ask the roadmap for a new path where the flock has left its own."""
        off = float(length(self._path.points - center).min())
        limit = max(LEAST_DISPLACED, DISPLACED * self._pushing.radius)
        lost = not view.grid.clear(center, self._subgoal(center))[0]
        if view.time < self._planned + REPLAN_AFTER or not (off > limit or lost):
            return
        self._planned = view.time
        near = core[np.argsort(length(view.position[core] - center), kind="stable")]
        for member in near[:3]:
            try:
                path = query(
                    self._journey.roadmap, view.position[member], self._journey.path.points[-1],
                    self._rng, clearance_wanted=self._wanted(view, len(core)),
                )  # fmt: skip
            except PlanningError:
                continue
            self._follow(path)
            self.replanned += 1
            self._log.figures["paths"] = 1 + self.replanned
            self._log.tell(view.time, "new_path", "the flock has left its path")
            return

    def _wanted(self, view: HerdView, count: int) -> float:
        """Return the clearance [m] that a path for ``count`` animals keeps where it can.

        Few animals want it too: sent close past a corner, they are pushed round its wrong side.
        """
        herd = float(np.sqrt(0.8 * count / np.pi) * (2.0 * view.body_radius + 0.5))
        return max(herd, BERTH * self._own.fear_distance)
