"""What a group's behavior begins with."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from behaviors.groups import GroupTask, Journey, Task
from rmp3d.simulation.planning import GroupPlan, PreparedGroup


def task_of(plans: Sequence[PreparedGroup], row: int, dt: float, rng: np.random.Generator) -> Task:
    """Return the task of the group of a row: a `GroupTask` if it has a goal.

    Args:
        plans: One for each group.
        row: Of the group.
        dt: Time step [s].
        rng: Source of randomness of the group's preparation.
    """
    plan = plans[row]
    common: dict[str, Any] = {
        "space": plan.space,
        "start": plan.start,
        "count": plan.group.members,
        "character": plan.character,
        "dt": dt,
        "rng": rng,
        "groups": tuple(other.group.name for other in plans),
        "own": row,
        "journeys": {
            other.group.name: Journey(other.plan.path, other.plan.roadmap, other.goal)
            for other in plans
            if isinstance(other, GroupPlan)
        },
    }
    if isinstance(plan, GroupPlan):
        return GroupTask(path=plan.plan.path, roadmap=plan.plan.roadmap, goal=plan.goal, **common)
    return Task(**common)
