"""Herding: what is registered."""

from dataclasses import dataclass
from typing import ClassVar

from rmp3d.behaviors.groups.group_behavior import GROUP_BEHAVIORS, GroupBehavior, GroupRun
from rmp3d.behaviors.groups.herding.parameters import HerdingParameters, check_steps_aside
from rmp3d.behaviors.groups.herding.run import HerdingRun
from rmp3d.behaviors.groups.task import Task


@GROUP_BEHAVIORS.register("herding")
@dataclass(frozen=True, kw_only=True)
class Herding(HerdingParameters, GroupBehavior):
    """Move a flock that fears the members: collect it, and drive, lead or guard it.

    Animals outside the flock's circle are strays. Shepherds fetch them first, each from behind.
    Then the shepherds take places behind the flock, in a line or an arc, and push it to the next
    subgoal. Before every new subgoal they check the circle. They go round the flock, outside its
    fear distance, so that they do not split it. Lien, Bayazit, Sowell, Rodriguez,
    Amato 2004, "Shepherding behaviors"; Lien, Rodriguez, Malric, Amato 2005, "Shepherding
    behaviors with multiple shepherds".
    """

    needs_goal: ClassVar[bool] = False

    def begin(self, task: Task) -> GroupRun:
        """Place the shepherds.

        Raises:
            InputError: There is no such flock or region, the flock has no goal, or the shepherds
                are vehicles that cannot step aside.
        """
        check_steps_aside(
            task.character, "herding", "shepherds step aside behind the flock that they drive"
        )
        return HerdingRun(task, self)
