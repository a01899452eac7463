"""Herded: members steer by themselves; others bring them to their goal."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.goal_area.goal_ground import GoalGround
from rmp3d.behaviors.groups.group_behavior import GROUP_BEHAVIORS
from rmp3d.behaviors.groups.herding.parameters import check_steps_aside
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.steered.steering import Steering, SteeringRun
from rmp3d.behaviors.groups.task import GroupTask, Task, default_spacing
from rmp3d.models import Character

# How densely animals stand in a herd: ground that one takes, in squares of their spacing.
PACKING = 0.75


@GROUP_BEHAVIORS.register("herded")
@dataclass(frozen=True, kw_only=True)
class Herded(Steering):
    """Steer by a combination of steering behaviors; be brought to the goal by `herding`.

    The members know nothing of the goal. The path to it is planned for one of them, with a
    clearance for the herd where the scene allows it, and is for the shepherds. A member has arrived
    when it is in the goal region, on the ground that the path leads to: not on a floor below it.
    """

    needs_goal: ClassVar[bool] = True

    def clearance_wanted(self, count: int, character: Character) -> float:
        """Return the radius of the circle that the herd fills."""
        spacing = min(default_spacing(character), 3.0 * character.body.radius)
        return float(spacing * np.sqrt(PACKING * count / np.pi))

    def begin(self, task: Task) -> "HerdedRun":
        """Place the members.

        Raises:
            InputError: They are vehicles that cannot step aside.
        """
        assert isinstance(task, GroupTask)
        because = "animals turn away from a shepherd on either side"
        check_steps_aside(task.character, "herded", because)
        return HerdedRun(task, self)


class HerdedRun(SteeringRun):
    """A herd with a goal; see `HerdedGroup`."""

    def __init__(self, task: GroupTask, parameters: Herded) -> None:
        super().__init__(task, parameters)
        self._goal = GoalGround(task.space, task.goal, task.path.points[-1])

    def step(self, flock: Flock, time: float) -> Intent:
        """Note which members have come to the goal."""
        inside = self._goal.contains(flock.position)
        self.figures.update(in_goal=int(inside.sum()), left=int((~inside).sum()))
        self.tell_arrivals(inside, time)
        return super().step(flock, time)
