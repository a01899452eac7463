"""A group that goes on after all of its members have arrived."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.afterwards.activity import Activity
from rmp3d.behaviors.groups.afterwards.area import Area, with_own_rng
from rmp3d.behaviors.groups.afterwards.travel import Travel
from rmp3d.behaviors.groups.group_behavior import GroupRun
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.task import GroupTask
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.registry import entry_of


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
        entry = entry_of(type(activity))
        self._name = type(activity).__name__ if entry is None else entry.name
        self._area = Area(with_own_rng(task), mission.start)
        self._chooser = activity.chooser(self._area)
        self._travel: Travel | None = None
        self._formation = -1
        self._goal, self._came = task.goal, np.zeros((0, 3))

    def __getattr__(self, name: str) -> Any:
        """Return what the behavior at work has."""
        if name == "mission":
            raise AttributeError(name)
        return getattr(self.mission, name)

    @property
    def _present(self) -> GroupRun:
        return self.mission if self._travel is None else self._travel

    @property
    def takes_turnover(self) -> bool:  # type: ignore[override]
        """Whether members may come and leave, as the behavior says."""
        return self.mission.takes_turnover

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
        if self._chooser is not None:
            self._chooser.turn_over(own, self._came[: int(own.new.sum())])
        if self._travel is not None:
            self._travel.turn_over(own, everyone, rows)

    def look(self, world: WorldState, rows: Index) -> None:
        """Let the members perceive."""
        self._present.look(world, rows)

    def step(self, flock: Flock, time: float) -> Intent:
        """Return what the members want: by the behavior, or by the activity."""
        if self._travel is None:
            intent = self.mission.step(flock, time)
            self._formation = intent.formation
            if not self.mission.arrived.all() or self._chooser is None:
                return intent
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

    def pose(self, time: float) -> tuple[Float, Float] | None:
        """Return where a schedule has the members."""
        return self.mission.pose(time)

    def clearances(self, time: float, cap: float) -> tuple[float, float] | None:
        """Return the least clearances, if the behavior knows them."""
        return self.mission.clearances(time, cap)
