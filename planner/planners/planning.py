"""Planning in one call: from a problem, by the planner that is named, to a certified path."""

from itertools import pairwise
from pathlib import Path
from time import perf_counter

import numpy as np

from rmp3d.geometry.choices import Choice, choose
from rmp3d.planner.collision import QueryCounts
from rmp3d.planner.errors import PlanningError
from rmp3d.planner.optimizing.settings import Better, Optimization
from rmp3d.planner.planners.improving_legs import costs_in, improved_legs
from rmp3d.planner.planners.planner import PLANNERS, Leg, Planner, PlanningSession
from rmp3d.planner.planners.result import PlanResult
from rmp3d.planner.planners.verdict import FCL, Verdict
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.roadmap.failures import Interrupted, NoPathError
from rmp3d.planner.roadmap.roadmap import Progress, Roadmap, Watch
from rmp3d.planner.spaces import GroundHeadingSpace, RigidBodySpace, Space


def plan(
    problem: Problem,
    *,
    planner: Choice = "auto",
    roadmap: Roadmap | Path | None = None,
    clearance_wanted: float = 0.0,
    seed: int = 0,
    rng: np.random.Generator | None = None,
    time_limit: float | None = None,
    progress: Progress = None,
    watch: Watch = None,
    optimization: Optimization | None = None,
    better: Better = None,
) -> PlanResult:
    """Find a certified path from start over the stops to the goal; the same one for a seed.

    Args:
        problem: The question.
        planner: A name of `PLANNERS`, a table with ``name`` and parameters, or a planner such as
            ``PRM(nodes=800)``; "auto" takes the `usual_planner`.
        roadmap: What to begin with, or the file of it.
        clearance_wanted: Clearance [m] that the path keeps where there is room for it; where there
            is less the path goes through the middle. 0: the shortest path, however close.
        seed: Of all randomness, unless ``rng`` is given.
        rng: Source of all randomness.
        time_limit: For each leg [s], not repeatable; by default the file's, else the planner's.
        progress: Called with done and total; a KeyboardInterrupt that it raises ends the planning.
        watch: Called with the roadmap so far.
        optimization: How the path is made cheaper afterwards; who stops that keeps the best path.
        better: Called with every better path.

    Returns:
        The path, or why there is none; `PlanResult.or_raise` turns the latter into an error.

    Raises:
        InputError: No such planner or cost, a wrong parameter, space, or file of a roadmap.
    """
    began = perf_counter()
    optimization = optimization or Optimization()
    costs = costs_in(problem, optimization, clearance_wanted)
    asked: Planner = choose(PLANNERS, usual_planner(problem) if planner == "auto" else planner)
    compiled = asked.prepare()
    ready = perf_counter()
    space = asked.planned_space(problem.space)
    limit = problem.time_limit if time_limit is None else time_limit
    session = PlanningSession(space, seed, rng, limit, clearance_wanted, progress, watch)
    session.seconds["compile"] = ready - began
    # Loading the kernels is part of the time; compiling them happens once on a machine.
    session.begin(ready if compiled else began)
    before = _counts(space)
    _begin_with(session, roadmap)
    session.spend("setup", perf_counter() - ready)
    legs, error, interrupted = _legs(asked, session, problem)
    legs, improved = improved_legs(session, problem, legs, optimization, costs, began, better)
    counts, judged = (now.since(then) for now, then in zip(_counts(space), before, strict=True))
    session.seconds["total"] = perf_counter() - began
    return PlanResult(
        problem, asked, legs, error, interrupted, counts, judged, session.seconds, session,
        improved, (Verdict(FCL),) if legs else (),
    )  # fmt: skip


def usual_planner(problem: Problem) -> str:
    """Return the name of the planner that is taken where none is asked for.

    A problem file is answered by sliding trees; a body that turns in a scene by a roadmap, and by
    the trees where the roadmap does not join start and goal; a vehicle by a roadmap along the path
    of its widest part; everything else by a roadmap.
    """
    if problem.rigid is not None:
        return "sliding_trees"
    if isinstance(problem.space, GroundHeadingSpace):
        return "guided_prm"
    return "prm_with_trees" if isinstance(problem.space, RigidBodySpace) else "prm"


def _begin_with(session: PlanningSession, roadmap: Roadmap | Path | None) -> None:
    """Let a session begin with a roadmap, or with that of a file, if there is one."""
    if isinstance(roadmap, Path):
        from rmp3d.planner.roadmap.storage import load_roadmap  # slow to load

        session.roadmap = load_roadmap(roadmap, session.space)
    elif roadmap is not None:
        session.roadmap = roadmap


def _legs(
    planner: Planner, session: PlanningSession, problem: Problem
) -> tuple[tuple[Leg, ...], PlanningError | None, bool]:
    """Return the legs of a whole path, or why there is none, and whether the user stopped it."""
    legs = []
    for start, goal in pairwise(problem.places):
        session.legs += 1
        try:
            legs.append(planner.connect(session, start, goal))
        except KeyboardInterrupt as stop:
            if isinstance(stop, Interrupted):
                session.roadmap = stop.roadmap
            return (), None, True
        except PlanningError as error:
            if isinstance(error, NoPathError) and error.roadmap is not None:
                session.roadmap = error.roadmap
            return (), error, False
        session.begin(perf_counter())
    return tuple(legs), None, False


def _counts(space: Space) -> tuple[QueryCounts, QueryCounts]:
    """Return the queries made so far in a space, and those of the judge that confirms."""
    judged = QueryCounts()
    if isinstance(space, RigidBodySpace) and space.world.backend != "fcl":
        judged = space.world.judge_counts.copy()
    return space.world.counts.copy(), judged
