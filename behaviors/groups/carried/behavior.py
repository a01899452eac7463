"""Carried: rigid bodies that go on certified paths of six degrees of freedom, by a schedule."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.carried.motion import Limits, timed
from rmp3d.behaviors.groups.carried.place_roadmap import reached, with_places
from rmp3d.behaviors.groups.carried.resting_places import (
    NoPlaceError,
    places_anywhere,
    places_at_rest,
    relative,
)
from rmp3d.behaviors.groups.carried.schedule import DepartureSchedule, NoOrderError
from rmp3d.behaviors.groups.group_behavior import GROUP_BEHAVIORS, GroupBehavior, GroupRun
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.task import GroupTask
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.meshpair import MeshPair
from rmp3d.geometry.rotations import matrix_from_quaternion
from rmp3d.geometry.vectors import length
from rmp3d.models import Character
from rmp3d.planner.paths.thinning import thinned
from rmp3d.planner.roadmap.querying import query
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.scenes import Region

# Gap to the scene [m] that proofs of motions leave: more than a recording's rounding.
ROUNDING = 3e-4
# How often places are drawn anew if the members cannot get past one another.
DRAWS = 3
# Places looked for besides twice the members.
MORE = 8


@GROUP_BEHAVIORS.register("carried")
@dataclass(frozen=True)
class Carried(GroupBehavior):
    """Carry every member on a path of its own, turned as it must be, to a place at rest.

    Start and goal of a member are places in the regions where its body stands level on something.
    Its path is a query of the group's rigid roadmap; corners become bends as wide as can be
    proved free. Then it is settled when each sets out (prioritized planning, Erdmann and
    Lozano-Perez 1987, "On multiple moving objects", over start times): a body that waits or has
    arrived is an obstacle, and every pair of motions is proved to keep its gap between frames too.

    Nothing gives way during the run, so such a group has the scene to itself. Any character can be
    carried: it is planned with its collision mesh, in six degrees of freedom.

    Attributes:
        rest: Where members start and end: "standing" level on something; "anywhere" in the region,
            level, in the air too; "auto": standing where enough of them can, else anywhere.
        gap: Distance that members keep from one another [m].
        speed: Speed along the path [m/s]; 0: the character's cruise speed.
        turns: Directions in which members may stand [degrees]; one is drawn for each place.
    """

    rest: Literal["auto", "standing", "anywhere"] = "auto"
    gap: float = 0.15
    speed: float = 0.0
    turns: tuple[float, ...] = (0.0, 90.0, 180.0, 270.0)

    def __post_init__(self) -> None:
        if not 0.0 < self.gap < np.inf:
            raise InputError(f"`gap` must be positive, got {self.gap}")
        if not 0.0 <= self.speed < np.inf:
            raise InputError(f"`speed` must not be negative, got {self.speed}")
        if not self.turns or not np.isfinite(np.asarray(self.turns, float)).all():
            raise InputError(f"`turns` must be one angle [degrees] or more, got {self.turns}")

    def clearance_wanted(self, count: int, character: Character) -> float:
        """Return nothing: a body is carried close past things."""
        return 0.0

    def begin(self, task: GroupTask) -> "CarriedRun":
        """Find places, paths, and when each member sets out."""
        return CarriedRun(task, self)


class CarriedRun(GroupRun):
    """Members on their motions; see `Carried`.

    Attributes:
        motions: (T_i, 7) poses of each member, one a time step, from when it sets out.
        departure: (n,) step at which it does.
    """

    def __init__(self, task: GroupTask, parameters: Carried) -> None:
        if not isinstance(task.space, RigidBodySpace):
            raise InputError("the behavior `carried` plans in the space `rigid`; choose `auto`")
        self._space = task.space
        self._dt = task.dt
        body = task.character.body.mesh
        self._exact = MeshPair(body, task.space.world.surroundings)
        self._exact.tolerance = ROUNDING
        self._own = MeshPair(body, body)
        self.motions, self.departure = _arranged(task, parameters, self._exact, self._own)
        self._goal = np.array([poses[-1, :3] for poses in self.motions])
        position, rotation = self.pose(0.0)
        super().__init__(task, start=position, heading=rotation[:, :, 0], steering=())
        self._departed = np.zeros(task.count, np.bool_)
        took = np.array([len(poses) - 1 for poses in self.motions])
        self.plan = {"departure": self.departure * task.dt, "duration": took * task.dt}
        self.figures = {
            "waited_mean": round(float(self.departure.mean() * task.dt), 3),
            "carried_mean": round(float(took.mean() * task.dt), 3),
            "carried_until": round(float((self.departure + took).max() * task.dt), 3),
        }

    def configurations(self, time: float) -> Float:
        """Return where the members are at a time [s], (n, 7)."""
        step = round(time / self._dt)
        rows = [
            poses[min(max(step - int(first), 0), len(poses) - 1)]
            for poses, first in zip(self.motions, self.departure, strict=True)
        ]
        return np.stack(rows)

    def pose(self, time: float) -> tuple[Float, Float]:
        """Return positions (n, 3) [m] and rotations (n, 3, 3) at a time [s]."""
        rows = self.configurations(time)
        return rows[:, :3], matrix_from_quaternion(rows[:, 3:])

    def clearances(self, time: float, cap: float) -> tuple[float, float]:
        """Return the least clearance [m] to the scene, and between members, at a time [s].

        Both are at most ``cap``; the second is infinite where no members are that near.
        """
        rows = self.configurations(time)
        scene = float(self._exact.distance(rows, cap).min())
        i, j = np.triu_indices(len(rows), 1)
        near = length(rows[i, :3] - rows[j, :3]) < 2.0 * self._exact.reach + cap
        if not near.any():
            return scene, np.inf
        return scene, float(self._own.distance(relative(rows[i[near]], rows[j[near]]), cap).min())

    def step(self, flock: Flock, time: float) -> Intent:
        """Tell which members set out and which arrive."""
        step = round(time / self._dt)
        took = np.array([len(poses) - 1 for poses in self.motions])
        for member in np.flatnonzero(~self._departed & (step >= self.departure)).tolist():
            self._departed[member] = True
            self.tell(time, "departed", "is taken up and carried", member)
        there = step >= self.departure + took
        for member in np.flatnonzero(~self.arrived & there).tolist():
            self.arrived[member] = True
            self.tell(time, "arrived", "set down at its place", member)
        left = (self.departure + took - step).clip(0) * self._dt
        return Intent(
            self._goal, np.zeros_like(self._goal), left.astype(np.float64), there, guided=False
        )


def _arranged(
    task: GroupTask, parameters: Carried, exact: MeshPair, own: MeshPair
) -> tuple[list[Float], Index]:
    """Return the motions (T_i, 7) of all members, and when (n,) each sets out [steps].

    Raises:
        NoPlaceError: A region has too few places that the roadmap reaches.
        NoOrderError: The members block one another in every order.
    """
    space = task.space
    assert isinstance(space, RigidBodySpace)
    limits = _limits(task, parameters, exact.reach)
    for draw in range(DRAWS):
        roadmap, starts, goals = _places(task, parameters)
        paths = [
            thinned(space, query(roadmap, *ends, task.rng).configurations)
            for ends in zip(starts, goals, strict=True)
        ]
        motions = [timed(exact, path, limits, task.dt) for path in paths]
        traffic = DepartureSchedule(own, motions, parameters.gap, task.dt)
        try:
            return motions, traffic.departures(task.rng)
        except NoOrderError:
            if draw == DRAWS - 1:
                raise
    raise AssertionError


def _limits(task: GroupTask, parameters: Carried, reach: float) -> Limits:
    vehicle = task.character.parameters
    speed = parameters.speed or vehicle.cruise_speed
    if speed > vehicle.max_speed:
        raise InputError(f"`speed` {speed} is above the character's `max_speed`")
    force = min(vehicle.max_force, vehicle.max_braking, vehicle.max_side_force or np.inf)
    return Limits(speed, force / vehicle.mass, vehicle.max_turn_rate, reach)


def _places(task: GroupTask, parameters: Carried) -> tuple[Roadmap, Float, Float]:
    """Return the roadmap with places in it, and starts and goals (n, 7) that it joins.

    Raises:
        NoPlaceError: A region has too few places that the roadmap reaches.
    """
    space, turns = task.space, np.radians(parameters.turns)
    assert isinstance(space, RigidBodySpace)
    most = 2 * task.count + MORE

    def places_in(region: Region) -> Float:
        found = np.zeros((0, 7))
        if parameters.rest != "anywhere":
            found = places_at_rest(space, region, parameters.gap, task.rng, turns, most)
        if parameters.rest == "standing" or len(found) >= task.count:
            return found
        return places_anywhere(space, region, parameters.gap, task.rng, turns, most)

    found = [places_in(region) for region in (task.start, task.goal)]
    roadmap = with_places(task.roadmap, np.concatenate(found))
    anchor = task.path.configurations[0]
    chosen = []
    for region, places in zip((task.start, task.goal), found, strict=True):
        places = places[reached(roadmap, places, anchor)] if len(places) else places
        if len(places) < task.count:
            raise NoPlaceError(region, len(places), task.count)
        chosen.append(places[: task.count])
    return roadmap, chosen[0], chosen[1]
