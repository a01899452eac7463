"""The planner `prm`: a roadmap that grows until it joins start and goal, and the path."""

from dataclasses import dataclass
from time import perf_counter

import numpy as np

from rmp3d.geometry.choices import choose
from rmp3d.planner.paths.thinning import thinned
from rmp3d.planner.planners.planner import PLANNERS, Leg, PlanningSession
from rmp3d.planner.roadmap.failures import NoPathError
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import RigidBodySpace, Space
from rmp3d.planner.spaces.endpoints import Place, endpoint


@PLANNERS.register("prm")
@dataclass(frozen=True)
class PRM(RoadmapSettings):
    """Plan on a probabilistic roadmap that grows until it joins start and goal.

    The roadmap of Kavraki et al. (1996), with certified edges; see `extend_roadmap`. While there
    is no path the roadmap is doubled, as `GrowingRoadmap` says, or until the time limit.
    """

    def prepare(self) -> bool:
        """Return that nothing was compiled: kernels are loaded when they are first called."""
        return False

    def planned_space(self, space: Space) -> Space:
        """Return the part of the space that the local planner's roadmaps are in."""
        from rmp3d.planner.local_planners import LOCAL_PLANNERS, LocalPlanner

        local_planner: LocalPlanner = choose(LOCAL_PLANNERS, self.local_planner)
        return local_planner.sampled(space)

    def begun(self, session: PlanningSession, deadline: float) -> Roadmap:
        """Return what the roadmap of a session begins with: no nodes.

        Args:
            session: The session, which has no roadmap yet.
            deadline: A time of `perf_counter` [s] at which it is to be there.
        """
        return session.roadmap

    def connect(self, session: PlanningSession, start: Place, goal: Place) -> Leg:
        """Return a path on the session's roadmap, which grows until there is one."""
        from rmp3d.planner.roadmap.growing import GrowingRoadmap  # slow to load; trees need it not

        space, before = session.space, session.roadmap.seconds
        rng = session.generator()
        # What a roadmap took before, for another leg or in a file, is not part of the limit.
        limit = None if session.time_limit is None else before + session.time_limit
        ends = endpoint(space, start, "start"), endpoint(space, goal, "goal")
        if not session.has_roadmap:
            seconds = self.in_space(space, limit).seconds
            session.roadmap = self.begun(session, perf_counter() + (seconds or np.inf))
        growing = GrowingRoadmap(
            session.roadmap,
            self.in_space(space, limit),
            ends,
            rng,
            clearance_wanted=session.clearance_wanted,
            progress=session.progress,
            watch=session.watch,
        )
        try:
            path = growing.find_path()
        except NoPathError as error:
            if growing.is_out_of_time:
                error.ended_by_time(self.seconds or session.time_limit or 0.0, session.compiling)
            raise
        finally:
            session.roadmap = growing.roadmap
            session.spend("search", growing.roadmap.seconds - before)
            session.spend("shorten", growing.query_seconds)
        if isinstance(space, RigidBodySpace):
            return Leg(thinned(space, path.configurations), path)
        return Leg(path.configurations, path)
