"""Planning for a rigid body in a scene: a roadmap, and where it does not join, the solver."""

from dataclasses import replace
from time import perf_counter

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.planners.prm import Plan
from rmp3d.planner.planners.problem_roadmap import merged, thinned
from rmp3d.planner.roadmap.building import Progress, RoadmapSettings, Watch, extend_roadmap
from rmp3d.planner.roadmap.failures import Interrupted, NoPathError
from rmp3d.planner.roadmap.querying import path_over
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.search import is_joined, join_ends, settled
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.planner.spaces.endpoints import Place, endpoint

SOLVING = 600.0  # [s] for the solver, where the settings have no limit


def plan_rigid(
    space: RigidBodySpace,
    settings: RoadmapSettings,
    start: Place,
    goal: Place,
    rng: np.random.Generator,
    *,
    roadmap: Roadmap | None = None,
    progress: Progress = None,
    watch: Watch = None,
) -> Plan:
    """Build a roadmap and find a path; where it does not join start and goal, `solve` does.

    Few samples of six dimensions fall into a passage that a body must be turned for, but the
    solver slides into it. What it answers becomes part of the roadmap, as nodes and edges.

    Arguments and errors are those of `planner.planners.prm.plan`; `solve` ends after the settings'
    ``seconds``, or 600.
    """
    from rmp3d.planner.planners.sliding_trees import solve

    counts = space.world.counts.copy()
    ends = endpoint(space, start, "start"), endpoint(space, goal, "goal")
    roadmap = Roadmap.empty(space) if roadmap is None else roadmap
    roadmap = extend_roadmap(roadmap, settings, rng, progress, ends=ends, watch=watch)
    if roadmap.interrupted:
        raise Interrupted(roadmap)
    began = perf_counter()
    joined = join_ends(roadmap, *ends)
    roadmap = settled(roadmap, joined)
    if not is_joined(roadmap, joined):
        asked = replace(space.world.problem, start=ends[0], goal=ends[1])
        answer = solve(asked, seed=int(rng.integers(2**31)), time_limit=settings.seconds or SOLVING)
        if answer.reason == "interrupted":
            raise Interrupted(roadmap)
        if answer.solved:
            roadmap = with_way(roadmap, answer.path)
        joined = join_ends(roadmap, *ends)
        roadmap = settled(roadmap, joined)
    solved = perf_counter()
    try:
        path = path_over(roadmap, joined, rng, 0.0)
    except NoPathError as error:
        error.roadmap = roadmap
        raise
    roadmap = with_way(roadmap, thinned(space, path.configurations))
    roadmap = replace(roadmap, seconds=roadmap.seconds + solved - began)
    spent = space.world.counts.since(counts)
    return Plan(path, roadmap, True, spent, roadmap.seconds, perf_counter() - solved)


def with_way(roadmap: Roadmap, way: Float) -> Roadmap:
    """Return a roadmap with a certified way (K, 7) in it, joined to its other components."""
    space = roadmap.space
    rows = np.arange(len(way))
    own = replace(
        Roadmap.empty(space),
        configurations=way,
        clearance=space.world.clearance(way, space.world.body.radius),
        local_planner=roadmap.local_planner,
    )
    pairs = np.stack([rows[:-1], rows[1:]], axis=1)
    own = own.with_edges(pairs, list(way[pairs]))
    if len(roadmap.configurations) == 0:
        return own
    return merged(roadmap, own)
