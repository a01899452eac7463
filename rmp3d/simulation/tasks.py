"""What a group's behavior begins with."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rmp3d.behaviors.groups import GroupRun, GroupTask, Journey, Task
from rmp3d.behaviors.groups.goal_area.places import NOBODY, NoRoomError, Standing
from rmp3d.geometry.errors import InputError
from rmp3d.simulation.planning import GroupPlan, PreparedGroup, group_behavior


def task_of(
    plans: Sequence[PreparedGroup],
    row: int,
    dt: float,
    rng: np.random.Generator,
    others: Standing = NOBODY,
) -> Task:
    """Return the task of the group of a row: a `GroupTask` if it has a goal.

    Args:
        plans: One for each group.
        row: Of the group.
        dt: Time step [s].
        rng: Source of randomness of the group's preparation.
        others: Members of the groups that have begun already.
    """
    plan = plans[row]
    common: dict[str, Any] = {
        "space": plan.space,
        "start": plan.start,
        "count": plan.group.members,
        "character": plan.character,
        "characters": plan.characters,
        "dt": dt,
        "rng": rng,
        "groups": tuple(other.group.name for other in plans),
        "own": row,
        "others": others,
        "journeys": {
            other.group.name: Journey(
                other.plan.path, other.plan.roadmap, other.goal, other.group.members
            )
            for other in plans
            if isinstance(other, GroupPlan)
        },
    }
    if isinstance(plan, GroupPlan):
        return GroupTask(path=plan.plan.path, roadmap=plan.plan.roadmap, goal=plan.goal, **common)
    return Task(**common)


def begun(plan: PreparedGroup, task: Task, row: int) -> GroupRun:
    """Return the behavior of the group of a row at its task.

    Raises:
        InputError: It cannot begin; names the group's key, that of the region without room.
    """
    key = f"groups[{row}]"
    try:
        return group_behavior(plan.group).begin(task)
    except InputError as error:
        if isinstance(error, NoRoomError):
            key += ".start" if error.region is plan.start else ".goal"
        error.args = (f"`{key}`: {error}", *error.args[1:])
        raise
