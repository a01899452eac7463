"""What many groups share that are planned for one body in one scene: roadmaps, answers."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import replace

from rmp3d.planner.planners.prm import PRM
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import GroundHeadingSpace
from rmp3d.scenario import ScenarioTable, goal_region
from rmp3d.scenes import Scene
from rmp3d.simulation.planning import GroupPlan, PreparedGroup, Progress

# Up to so many groups in a space are planned each by itself.
MANY = 10


class SharedRoadmaps:
    """What groups begin with where more than `MANY` are planned in one space.

    The first of them makes the roadmap; each joins its own start and goal to it and takes its own
    way. Who asks what another one has asked, the same start, goal and clearance, takes its answer.
    Where a vehicle had to be planned with its heading, so are the others, over its roadmap.

    Args:
        prepared: All groups.
        table: The scenario; one with a roadmap in a file shares nothing else.
    """

    def __init__(self, prepared: Sequence[PreparedGroup], table: ScenarioTable) -> None:
        many = Counter(id(each.space) for each in prepared if each.group.goal is not None)
        stored = bool(table.planner.roadmap)
        self._shared = {space for space, count in many.items() if count > MANY and not stored}
        self._roadmaps: dict[int, Roadmap] = {}
        self._driven: dict[int, GroupPlan] = {}
        self._answers: dict[Hashable, GroupPlan] = {}

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

    def driven(self, prepared: PreparedGroup) -> GroupPlan | None:
        """Return a group of the same vehicles that had to be planned with its heading, if any."""
        return self._driven.get(id(prepared.space))

    def answered(
        self, prepared: PreparedGroup, scene: Scene, progress: Progress = None
    ) -> GroupPlan | None:
        """Return the plan of a group that asks what another one has asked; None: nobody has.

        Args:
            prepared: The group.
            scene: Where.
            progress: Called if there is one.
        """
        same = self._answers.get(_question(prepared)) if prepared.group.goal is not None else None
        if same is None:
            return None
        if progress is not None:
            progress(1, 1)
        goal = goal_region(prepared.group, scene, prepared.character.body.radius)
        assert goal is not None
        return replace(
            same, group=prepared.group, characters=prepared.characters, start=prepared.start,
            behavior=prepared.behavior, afterwards=prepared.afterwards, goal=goal,
        )  # fmt: skip

    def keep(self, prepared: PreparedGroup, found: PreparedGroup) -> None:
        """Keep what a group was planned with, if others are to begin with it."""
        key = id(prepared.space)
        if key not in self._shared or not isinstance(found, GroupPlan) or found.rides:
            return
        if found.space is prepared.space or isinstance(found.space, GroundHeadingSpace):
            self._answers.setdefault(_question(prepared), found)
        plan = found.plan
        if type(plan.planner) is PRM and plan.session.space is prepared.space:
            self._roadmaps.setdefault(key, plan.roadmap)
        if found.space is not prepared.space and plan.session.space is found.space:
            if isinstance(found.space, GroundHeadingSpace):
                self._driven.setdefault(key, found)


def _question(prepared: PreparedGroup) -> Hashable:
    group, character = prepared.group, prepared.character
    wanted = prepared.behavior.clearance_wanted(group.members, character)
    return id(prepared.space), group.start, group.goal, wanted
