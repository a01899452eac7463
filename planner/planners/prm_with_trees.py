"""The planner `prm_with_trees`: a roadmap, and sliding trees where it does not join the ends."""

from dataclasses import dataclass, replace
from time import perf_counter
from typing import ClassVar

import numpy as np

from rmp3d.planner.paths.thinning import thinned
from rmp3d.planner.planners.planner import PLANNERS, Leg, PlanningSession
from rmp3d.planner.planners.sliding_trees import SlidingTrees, rigid_space
from rmp3d.planner.roadmap.failures import Interrupted, NoPathError
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.spaces import RigidBodySpace, Space
from rmp3d.planner.spaces.endpoints import Place, endpoint

TIME = 600.0  # [s] for the trees, where the settings have no limit
FIRST = 0.5  # share of a time limit that the roadmap is given, before the trees


@PLANNERS.register("prm_with_trees")
@dataclass(frozen=True)
class PRMWithTrees(RoadmapSettings):
    """Plan on a probabilistic roadmap; where it does not join start and goal, sliding trees do.

    Few samples of six dimensions fall into a passage that a body must be turned for, but the trees
    slide into the passage. Their path becomes part of the roadmap, as nodes and edges. Both end
    after ``seconds``, of which the roadmap takes half at most; without, the trees after 600.
    """

    spaces: ClassVar[tuple[str, ...]] = ("rigid",)

    def prepare(self) -> bool:
        """Return that nothing was compiled: kernels are loaded when they are first called."""
        return False

    def planned_space(self, space: Space) -> RigidBodySpace:
        """Return the space, if it is `rigid`."""
        return rigid_space(space, "prm_with_trees")

    def connect(self, session: PlanningSession, start: Place, goal: Place) -> Leg:
        """Return a path on the session's roadmap, which the trees extend where they must."""
        # Slow to load, and the planner `sliding_trees` does without.
        from rmp3d.planner.roadmap.building import extend_roadmap
        from rmp3d.planner.roadmap.merging import with_path
        from rmp3d.planner.roadmap.querying import path_over
        from rmp3d.planner.roadmap.search import is_joined, join_ends, settled

        space, rng = self.planned_space(session.space), session.generator()
        asked, first = perf_counter(), session.roadmap.seconds
        limit = self.in_space(space, session.time_limit).seconds
        settings = self.in_space(space, None)
        if limit:
            settings = replace(settings, seconds=first + FIRST * limit)
        ends = endpoint(space, start, "start"), endpoint(space, goal, "goal")
        session.roadmap = extend_roadmap(
            session.roadmap, settings, rng, session.progress, ends=ends, watch=session.watch
        )
        if session.roadmap.interrupted:
            raise Interrupted(session.roadmap)
        began = perf_counter()
        joined = join_ends(session.roadmap, *ends)
        roadmap = settled(session.roadmap, joined)
        if not is_joined(roadmap, joined):
            trees = PlanningSession(space, rng=np.random.default_rng(int(rng.integers(2**31))))
            trees.time_limit = limit or TIME
            trees.began = asked if limit else began
            roadmap = with_path(roadmap, SlidingTrees().find(trees, *ends).configurations)
            joined = join_ends(roadmap, *ends)
            roadmap = settled(roadmap, joined)
        searched = perf_counter()
        session.spend("search", roadmap.seconds - first + searched - began)
        try:
            found = path_over(roadmap, joined, rng, 0.0)
        except NoPathError as error:
            error.roadmap = roadmap
            raise
        thin = thinned(space, found.configurations)
        roadmap = with_path(roadmap, thin)
        session.roadmap = replace(roadmap, seconds=roadmap.seconds + searched - began)
        session.spend("shorten", perf_counter() - searched)
        return Leg(thin, found)
