"""The planner `prm`: a roadmap that grows until it joins start and goal, and the path."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

import numpy as np

from rmp3d.geometry import Float
from rmp3d.geometry.choices import Choice, choose, table_of
from rmp3d.planner.local_planners import LOCAL_PLANNERS, LocalPlanner
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.paths.thinning import thinned
from rmp3d.planner.planners.planner import PLANNERS, Leg, PlanningSession
from rmp3d.planner.roadmap.building import extend_roadmap
from rmp3d.planner.roadmap.components import join_components
from rmp3d.planner.roadmap.failures import Interrupted, NoPathError
from rmp3d.planner.roadmap.querying import path_over
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.search import join_ends, settled
from rmp3d.planner.roadmap.settings import RoadmapSettings
from rmp3d.planner.sampling import SAMPLERS
from rmp3d.planner.spaces import RigidBodySpace, Space
from rmp3d.planner.spaces.endpoints import Place, endpoint

GROWTH, SMALL = 8, 100  # times the nodes asked for, or times this if they were fewer


@PLANNERS.register("prm")
@dataclass(frozen=True)
class PRM(RoadmapSettings):
    """Plan on a probabilistic roadmap that grows until it joins start and goal.

    The roadmap of Kavraki et al. (1996), with certified edges; see `extend_roadmap`. While there
    is no path the roadmap is doubled. It ends at eight times the nodes first built (800 if those
    were fewer than a hundred), or when the rule ``seconds`` or a time limit says so.
    """

    def prepare(self) -> bool:
        """Return that nothing was compiled: kernels are loaded when they are first called."""
        return False

    def planned_space(self, space: Space) -> Space:
        """Return the part of the space that the local planner's roadmaps are in."""
        local_planner: LocalPlanner = choose(LOCAL_PLANNERS, self.local_planner)
        return local_planner.sampled(space)

    def connect(self, session: PlanningSession, start: Place, goal: Place) -> Leg:
        """Return a path on the session's roadmap, which grows until there is one."""
        space, before = session.space, session.roadmap.seconds
        rng = session.generator()
        settings = self.in_space(space, session.time_limit)
        ends = endpoint(space, start, "start"), endpoint(space, goal, "goal")
        try:
            path = _path(session, settings, ends, rng)
        finally:
            session.spend("search", session.roadmap.seconds - before)
        if isinstance(space, RigidBodySpace):
            return Leg(thinned(space, path.configurations), path)
        return Leg(path.configurations, path)


def _path(
    session: PlanningSession,
    settings: RoadmapSettings,
    ends: tuple[Float, Float],
    rng: np.random.Generator,
) -> CertifiedPath:
    """Return a path between free configurations (W,); grow the session's roadmap until then.

    Raises:
        Interrupted: The user stopped it before there was a path.
        PlanningError: Its kinds are those of `build_roadmap` and `query`.
    """
    grow = partial(
        extend_roadmap, rng=rng, progress=session.progress, ends=ends, watch=session.watch
    )
    session.roadmap = grow(session.roadmap, settings)
    limit = GROWTH * max(SMALL, len(session.roadmap.configurations))
    while True:
        began = perf_counter()
        try:
            found = join_ends(session.roadmap, *ends, session.clearance_wanted)
            session.roadmap = settled(session.roadmap, found, session.clearance_wanted)
            path = path_over(session.roadmap, found, rng, session.clearance_wanted)
            session.spend("shorten", perf_counter() - began)
            return path
        except KeyboardInterrupt:
            raise Interrupted(session.roadmap) from None
        except NoPathError as error:
            error.roadmap = session.roadmap
            session.spend("shorten", perf_counter() - began)
            if session.roadmap.interrupted:
                raise Interrupted(session.roadmap) from None
            if 0.0 < settings.seconds <= session.roadmap.seconds:
                raise
            larger = _larger(session.roadmap, settings, limit, grow)
            if larger is None:
                raise
            session.roadmap = larger


def _larger(
    roadmap: Roadmap, settings: RoadmapSettings, limit: int, grow: Callable[..., Roadmap]
) -> Roadmap | None:
    """Return a roadmap with more edges between components, else with twice the nodes.

    None where that would be more nodes than ``limit``.
    """
    local_planner = choose(LOCAL_PLANNERS, settings.local_planner)
    joined = join_components(roadmap, local_planner, forest=settings.forest)
    if len(joined.edges) > len(roadmap.edges):
        return joined
    nodes = 2 * len(roadmap.configurations)
    if nodes > limit:
        return None
    more = replace(settings, nodes=nodes, connected_nodes=0, sampler=_with_medial(settings.sampler))
    return grow(roadmap, more)


def _with_medial(sampler: Choice) -> Choice:
    """Return a mixture of a sampler and the sampler ``medial``, half and half."""
    return {"name": "mixture", "parts": [table_of(SAMPLERS, sampler), {"name": "medial"}]}
