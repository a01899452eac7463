"""A roadmap that many groups begin with: they are planned for one body in one scene."""

from collections import Counter
from collections.abc import Sequence

from rmp3d.planner.planners.prm import PRM
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.scenario import ScenarioTable
from rmp3d.simulation.planning import GroupPlan, PreparedGroup, Progress

# Up to so many groups in a space have a roadmap each.
MANY = 10


class SharedRoadmaps:
    """The roadmaps that groups begin with where more than `MANY` are planned in one space.

    The first of them makes it; each joins its own start and goal to it and takes its own way.

    Args:
        prepared: All groups.
        table: The scenario; one with a roadmap in a file shares nothing else.
    """

    def __init__(self, prepared: Sequence[PreparedGroup], table: ScenarioTable) -> None:
        many = Counter(id(each.space) for each in prepared if each.group.goal is not None)
        stored = bool(table.planner.roadmap)
        self._shared = {space for space, count in many.items() if count > MANY and not stored}
        self._roadmaps: dict[int, Roadmap] = {}

    def of(self, prepared: PreparedGroup, progress: Progress = None) -> Roadmap | None:
        """Return the roadmap that a group begins with, None for an empty one.

        Args:
            prepared: The group.
            progress: Called if there is one: nothing is built then that would call it.
        """
        roadmap = self._roadmaps.get(id(prepared.space))
        if roadmap is not None and progress is not None and prepared.group.goal is not None:
            progress(len(roadmap.configurations), len(roadmap.configurations))
        return roadmap

    def keep(self, prepared: PreparedGroup, found: PreparedGroup) -> None:
        """Keep the roadmap that a group was planned with, if others are to begin with it."""
        key = id(prepared.space)
        if key not in self._shared or key in self._roadmaps or not isinstance(found, GroupPlan):
            return
        plan = found.plan
        if type(plan.planner) is PRM and plan.session.space is prepared.space and not found.rides:
            self._roadmaps[key] = plan.roadmap
