"""Planning in one call: a roadmap that grows until it joins start and goal, and the path."""

from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from rmp3d.geometry import Float
from rmp3d.geometry.choices import Choice, choose
from rmp3d.planner.collision import QueryCounts
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.roadmap.building import Progress, RoadmapSettings, Watch, extend_roadmap
from rmp3d.planner.roadmap.components import join_components
from rmp3d.planner.roadmap.failures import Interrupted, NoPathError
from rmp3d.planner.roadmap.querying import path_over
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.search import join_ends, settled
from rmp3d.planner.spaces import Space
from rmp3d.planner.spaces.endpoints import Place, endpoint

GROWTH, SMALL = 8, 100  # times the nodes asked for, or times this if they were fewer


@dataclass(frozen=True, eq=False)
class Plan:
    """A path and what it took.

    Attributes:
        path: Proved free, confirmed by python-fcl.
        roadmap: That the path was found on; larger than asked for if that was too small.
        certified: Whether every piece is proved and confirmed (else there is no plan).
        counts: Collision work of all of it, the confirmation not included.
        build_seconds: Wall time of building the roadmap.
        query_seconds: Wall time of the queries, the confirmation included.
    """

    path: CertifiedPath
    roadmap: Roadmap
    certified: bool
    counts: QueryCounts
    build_seconds: float
    query_seconds: float


def plan(
    space: Space,
    settings: RoadmapSettings,
    start: Place,
    goal: Place,
    rng: np.random.Generator,
    *,
    clearance_wanted: float = 0.0,
    roadmap: Roadmap | None = None,
    progress: Progress = None,
    watch: Watch = None,
) -> Plan:
    """Build a roadmap and find a path; while there is none, double the roadmap.

    It ends at eight times the nodes first built (800 if those were fewer than a hundred), or when
    the rule ``seconds`` says so.

    Args:
        space: Where to plan.
        settings: Of the roadmap.
        start: A point (3,) [m], or a region of the scene.
        goal: The same.
        rng: Source of all randomness.
        clearance_wanted: See `query`.
        roadmap: Of ``space``, to begin with; it is grown until the settings' rules hold for it.
        progress: Called with done and total while roadmaps are built.
        watch: Called with the roadmap so far.

    Raises:
        Interrupted: The user stopped it before there was a path; it carries the roadmap.
        PlanningError: Its kinds are those of `build_roadmap` and `query`.
    """
    counts = space.world.counts.copy()
    ends = endpoint(space, start, "start"), endpoint(space, goal, "goal")
    roadmap = Roadmap.empty(space) if roadmap is None else roadmap
    roadmap = extend_roadmap(roadmap, settings, rng, progress, ends=ends, watch=watch)
    limit = GROWTH * max(SMALL, len(roadmap.configurations))
    querying = 0.0
    while True:
        began = perf_counter()
        try:
            found = join_ends(roadmap, *ends, clearance_wanted)
            roadmap = settled(roadmap, found, clearance_wanted)
            path = path_over(roadmap, found, rng, clearance_wanted)
            querying += perf_counter() - began
            break
        except KeyboardInterrupt:
            raise Interrupted(roadmap) from None
        except NoPathError as error:
            error.roadmap = roadmap
            querying += perf_counter() - began
            if roadmap.interrupted:
                raise Interrupted(roadmap) from None
            if 0.0 < settings.seconds <= roadmap.seconds:
                raise
            larger = _larger(roadmap, settings, limit, rng, progress, ends, watch)
            if larger is None:
                raise
            roadmap = larger
    spent = space.world.counts.since(counts)
    return Plan(path, roadmap, True, spent, roadmap.seconds, querying)


def _larger(
    roadmap: Roadmap,
    settings: RoadmapSettings,
    limit: int,
    rng: np.random.Generator,
    progress: Progress,
    ends: tuple[Float, Float],
    watch: Watch,
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
    return extend_roadmap(roadmap, more, rng, progress, ends=ends, watch=watch)


def _with_medial(sampler: Choice) -> Choice:
    """Return a mixture of a sampler and the sampler ``medial``, half and half."""
    own = {"name": sampler} if isinstance(sampler, str) else dict(sampler)
    return {"name": "mixture", "parts": [own, {"name": "medial"}]}
