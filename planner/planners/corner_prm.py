"""The planner `corner_prm`: a roadmap of the corners around which shortest ways turn."""

from dataclasses import dataclass
from typing import ClassVar

from rmp3d.geometry import InputError
from rmp3d.planner.planners.planner import PLANNERS, PlanningSession
from rmp3d.planner.planners.prm import PRM
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import GroundSpace, Space


@PLANNERS.register("corner_prm")
@dataclass(frozen=True)
class CornerPRM(PRM):
    """Plan for a walker on a roadmap of corners; for large maps, and for short paths.

    The first nodes are places beside corners of obstacles and of the ground, joined where a
    shortest way may turn: see `corner_roadmap`. The roadmap grows on as that of `prm` does, to
    ``nodes`` if it has fewer, and until it joins start and goal.
    """

    spaces: ClassVar[tuple[str, ...]] = ("ground",)

    def planned_space(self, space: Space) -> GroundSpace:
        """Return the space, if it is `ground`.

        Raises:
            InputError: It is another one.
        """
        if not isinstance(space, GroundSpace):
            raise InputError(
                "the planner `corner_prm` plans for bodies that walk, in the space `ground`; "
                "elsewhere take the planner `prm`"
            )
        return space

    def begun(self, session: PlanningSession, deadline: float) -> Roadmap:
        """Return the roadmap of corners; where time ends before that, what there is of it."""
        from rmp3d.planner.roadmap.corners import corner_roadmap  # slow to load

        space = self.planned_space(session.space)
        return corner_roadmap(space, session.progress, session.watch, deadline)
