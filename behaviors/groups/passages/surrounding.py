"""Surrounding an agent of another group: places around it that walls leave free."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.guided.companions import CompanionRun
from rmp3d.behaviors.groups.guided.leader_choice import MemberRule
from rmp3d.behaviors.groups.passages.circle_slots import radius_of
from rmp3d.behaviors.groups.task import Task, default_spacing
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.assignment import least_cost_assignment
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length, unit
from rmp3d.planner.spaces.directions import is_level

# Radii tried between the preferred one and the smallest.
RADII = 5
# Least gap between bodies [m], and the time in which the circle turns with the ward [s].
LEAST_GAP, TURNS_IN = 0.3, 4.0
# The ward's trail has a point every so many meters, and at most so many.
TRAIL_STEP, TRAIL = 0.2, 400
# A member is at its place when it is this near, as a share of the radius.
AT_PLACE = 0.5


class SurroundOptions(Protocol):
    """What is asked of `CircleFollowing`; see there."""

    @property
    def ward(self) -> MemberRule: ...  # noqa: D102
    @property
    def group(self) -> str: ...  # noqa: D102
    @property
    def radius(self) -> float: ...  # noqa: D102
    @property
    def spacing(self) -> float: ...  # noqa: D102
    @property
    def shape(self) -> str: ...  # noqa: D102
    def directions(self, count: int) -> Float: ...  # noqa: D102


class SurroundRun(CompanionRun):
    """Members that surround an agent of another group; see `CircleFollowing`.

    Each has an angle of its own to the ward's course. Its place is the farthest of several points
    in that direction that the member could be moved to from the ward's; without one it is on the
    ward's trail.
    """

    def __init__(self, task: Task, own: SurroundOptions) -> None:
        super().__init__(task, own.group, own.ward, "ward")
        if own.shape == "sphere" and is_level(task.space):
            raise InputError("`shape`: only members that fly can surround others as a `sphere`")
        self._options = own
        self._directions = own.directions(task.count)  # lag, left, up
        self._spacing = own.spacing or default_spacing(task.character)
        self._stated = own.radius
        self._course = np.zeros(3)
        self._angles: np.ndarray | None = None
        self._trail: list[Float] = []
        self._there = 0.0

    def turn_over(self, own: Turnover, everyone: Turnover, rows: Index) -> None:
        """Go on with the members that are there now, each at an angle that is near."""
        super().turn_over(own, everyone, rows)
        self._directions, self._angles = self._options.directions(len(own)), None

    def measures(self) -> Mapping[str, ArrayLike]:
        """Return the share of the members that are at their places."""
        return {"there": self._there}

    def places(self, flock: Flock, agent: Flock, time: float) -> tuple[Float, Float]:
        """Return the places around the ward."""
        here = agent.position[0]
        self._turn(agent)
        bodies = float(agent.bodies.radius[0]) + self._task.radius
        least = max(bodies, radius_of(self._directions, 2.0 * self._task.radius)) + LEAST_GAP
        largest = max(least, self._stated or radius_of(self._directions, self._spacing))
        left = unit(np.cross([0.0, 0.0, 1.0], self._course))
        axes = np.stack([-self._course, left, np.cross(self._course, left)])
        outward = self._directions @ axes  # (n, 3)
        if self._angles is None:
            cost = length(flock.position[:, None] - (here + largest * outward)[None]) ** 2
            self._angles = least_cost_assignment(cost)[1]
        place = self._free(here, outward[self._angles], np.linspace(largest, least, RADII))
        self._there = float((length(place - flock.position) < AT_PLACE * largest).mean())
        return place, np.tile(agent.velocity[0], (len(flock), 1))

    def _turn(self, agent: Flock) -> None:
        """Turn the course (3,) of the circle towards the ward's motion, and note its trail."""
        heading = agent.heading[0] * [1.0, 1.0, 0.0]
        if not self._course.any():
            self._course = unit(heading)
        share = self._task.dt / TURNS_IN * float(length(agent.velocity)[0] > 0.1)
        turned = unit(self._course + share * (unit(heading) - self._course))
        self._course = turned if turned.any() else self._course
        here = agent.position[0]
        if not self._trail or length(here - self._trail[-1]) > TRAIL_STEP:
            self._trail = [*self._trail[1 - TRAIL :], here.copy()]

    def _free(self, here: Float, outward: Float, radii: Float) -> Float:
        """Return the place (n, 3) of each member: as far out as is free, or on the trail."""
        space, count = self._task.space, len(outward)
        offset = (radii[:, None, None] * outward).reshape(-1, 3)
        base = np.tile(here, (len(offset), 1))
        points, arrived = space.move(base, offset)
        free = arrived & space.is_free(points) & space.world.motions_are_free(base, points)
        free = free.reshape(len(radii), count)
        points = points.reshape(len(radii), count, 3)
        best = np.argmax(free, axis=0)
        place: Float = points[best, np.arange(count)]
        without = np.flatnonzero(~free.any(axis=0))
        step = max(1, round(self._spacing / TRAIL_STEP))
        for rank, member in enumerate(without.tolist(), 1):
            place[member] = self._trail[max(0, len(self._trail) - 1 - rank * step)]
        return place
