"""A group that goes on after all of its members have arrived."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.afterwards.activity import Activity
from rmp3d.behaviors.groups.afterwards.area import Area, with_own_rng
from rmp3d.behaviors.groups.afterwards.rounds import Returning
from rmp3d.behaviors.groups.afterwards.travel import Travel
from rmp3d.behaviors.groups.group_behavior import GroupRun
from rmp3d.behaviors.groups.intent import Intent, intended
from rmp3d.behaviors.groups.task import GroupTask
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.registry import entry_of
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.roadmap import Roadmap


class AfterwardsRun(GroupRun):
    """A behavior until all members have arrived, then an activity.

    All that is not written here is the behavior's: figures, plan, formations, measures.

    Args:
        mission: The behavior at work.
        task: Of the group.
        activity: What the members do afterwards.

    Raises:
        InputError: An option of the activity is wrong for this scene.
    """

    def __init__(self, mission: GroupRun, task: GroupTask, activity: Activity) -> None:
        self.mission = mission
        self._name = _name_of(activity)
        self._area = Area(with_own_rng(task), mission.start)
        self._chooser = activity.chooser(self._area)
        self._travel: Travel | None = None
        self._began, self._in_goal = False, mission.start
        self._formation = -1
        self._goal, self._came = task.goal, np.zeros((0, 3))

    def __getattr__(self, name: str) -> Any:
        """Return what the behavior at work has."""
        if name == "mission":
            raise AttributeError(name)
        return getattr(self.mission, name)

    def take_up(self, activity: Activity) -> None:
        """Let the members do something else afterwards; now, if all have arrived already.

        Raises:
            InputError: An option of the activity is wrong for this scene; nothing has changed then.
        """
        chooser = activity.chooser(self._area)
        if chooser is None and self._began:  # back to the places that they had in the goal
            chooser = Returning(self._area, self._in_goal)
        self._chooser, self._name, self._travel = chooser, _name_of(activity), None

    @property
    def _present(self) -> GroupRun:
        return self.mission if self._travel is None else self._travel

    @property
    def goes_about(self) -> bool:  # type: ignore[override]
        """Whether the activity has begun."""
        return self._travel is not None

    @property
    def takes_turnover(self) -> bool:  # type: ignore[override]
        """Whether members may come and leave, as the behavior says."""
        return self.mission.takes_turnover

    @property
    def takes_orders(self) -> bool:  # type: ignore[override]
        """Whether members can be sent to a point, as the behavior says."""
        return self.mission.takes_orders

    @property
    def measured_by_member(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of measurements of the behavior that have a row for each member."""
        return self.mission.measured_by_member

    def prepare(self, count: int, places: Float) -> None:
        """Refuse members that cannot come, as the behavior does."""
        self.mission.prepare(count, places)
        self._came = places

    def turn_over(self, own: Turnover, everyone: Turnover, rows: Index) -> None:
        """Go on with the members that are there now; newcomers join in what the others do."""
        self.mission.turn_over(own, everyone, rows)
        self._area.task = self._area.task.with_count(len(own))
        came = self._came[: int(own.new.sum())]
        if self._travel is not None and isinstance(self._chooser, Returning):
            came = self._chooser.for_newcomers(came)
        self._area.home, self._in_goal = (
            _with_newcomers(own, places, came) for places in (self._area.home, self._in_goal)
        )
        if self._chooser is not None:
            self._chooser.turn_over(own, came)
        if self._travel is not None:
            self._travel.turn_over(own, everyone, rows)

    def reroute(
        self, path: CertifiedPath | None, roadmap: Roadmap, flock: Flock, time: float
    ) -> None:
        """Let the behavior go on along another path, until all have arrived."""
        if self._travel is None:
            self.mission.reroute(path, roadmap, flock, time)

    @property
    def ways(self) -> Roadmap | None:
        """Those of the behavior, until all have arrived."""
        return self.mission.ways if self._travel is None else None

    def take_ways(self, roadmap: Roadmap, flock: Flock, time: float) -> None:
        """Let the behavior find ways over another roadmap."""
        self.mission.take_ways(roadmap, flock, time)

    def look(self, world: WorldState, rows: Index) -> None:
        """Let the members perceive."""
        self._present.look(world, rows)

    def step(self, flock: Flock, time: float) -> Intent:
        """Return what the members want: by the behavior, or by the activity."""
        if self._travel is None:
            intent = intended(self.mission, flock, time)
            self._formation = intent.formation
            waits = not (self._began or self.mission.arrived.all())
            if waits or self._chooser is None:
                return intent
            if not self._began:
                self._began, self._in_goal = True, flock.position.copy()
            self._travel = Travel(self._area, self._chooser, flock, time)
            self.tell(time, "afterwards", self._name)
            self.figures["afterwards"] = {"activity": self._name, "since": round(time, 3)}
        self.mission.tell_arrivals(self._goal.contains(flock.position), time)
        intent = replace(self._travel.step(flock, time), formation=self._formation)
        self.figures["afterwards"]["distance"] = round(float(self._travel.distance.mean()), 2)
        return intent

    def steer(self, world: WorldState, rows: Index, intent: Intent) -> SteeringOutput:
        """Return the steering that leads to what the members want."""
        return self._present.steer(world, rows, intent)

    def measures(self) -> Mapping[str, ArrayLike]:
        """Return what the behavior measures; afterwards its last state."""
        return self.mission.measures()

    def change(self, behavior: Any, flock: Flock) -> None:
        """Let the behavior go on with other parameters."""
        self.mission.change(behavior, flock)

    def send(self, point: Float | None) -> None:
        """Let the members go to a point, if the behavior can."""
        self.mission.send(point)

    def learned_roadmap(self) -> Roadmap | None:
        """Return the roadmap with what the members have learned on it."""
        return self.mission.learned_roadmap()

    def pose(self, time: float) -> tuple[Float, Float] | None:
        """Return where a schedule has the members."""
        return self.mission.pose(time)

    def clearances(self, time: float, cap: float) -> tuple[float, float] | None:
        """Return the least clearances, if the behavior knows them."""
        return self.mission.clearances(time, cap)


def _name_of(activity: Activity) -> str:
    entry = entry_of(type(activity))
    return type(activity).__name__ if entry is None else entry.name


def _with_newcomers(own: Turnover, places: Float, came: Float) -> Float:
    """Return the places (n, 3) of members; of newcomers those (m, 3) where they came."""
    found = own.of(places, 0.0)
    found[own.new] = came
    return found
