"""One question answered: a certified path of a rigid body, or why there is none yet."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.planner.collision.rigid_judge import OutOfTimeError, RigidJudge
from rmp3d.planner.collision.rigid_queries import RigidWorld
from rmp3d.planner.planners.trees.compiling import compile_kernels
from rmp3d.planner.planners.trees.graph import GOAL, START, Graph
from rmp3d.planner.planners.trees.guide import Guide
from rmp3d.planner.planners.trees.shortening import shortened
from rmp3d.planner.planners.trees.turns import Search
from rmp3d.scenes.problems.rigid_problem import RigidProblem

if TYPE_CHECKING:
    import networkx as nx

Progress = Callable[[int, int], None]

GUIDE_LEAD = 50000.0  # work before shrunk bodies are tried
GUIDE_SHARE = 0.5  # work for them, for one of the search itself
SHORTENING = 0.2  # work of shortening, for one of the search
LEAST_SHORTENING = 200  # queries
SHORTENING_TIME = 0.5  # for it, at most, of what is left of the limit
CONFIRMING = 10000  # distances of python-fcl that a path takes to confirm, for which time is kept
KEPT = 0.2  # of the time limit, at most


@dataclass(frozen=True, eq=False)
class Solution:
    """What came out.

    Attributes:
        solved: Whether there is a path, proved by the kernels and confirmed by python-fcl.
        reason: Why not, in words; empty if solved.
        path: (K, 7) configurations; between two of them the reference point goes straight and
            the body turns by slerp on the short arc. Empty if not solved.
        certified: Whether both proofs hold for every motion of the path.
        roadmap: Nodes, 0 start and 1 goal, and certified edges.
        nodes: Of the roadmap.
        edges: Of the roadmap.
        components: Of the roadmap.
        largest_component: Nodes of its largest component.
        counts: Queries of search and shortening.
        judge_counts: Queries of python-fcl, which confirms.
        seconds: Wall time of "compile", "setup", "search", "shorten", "confirm" and "total".
    """

    solved: bool
    reason: str
    path: Float
    certified: bool
    roadmap: Graph
    nodes: int
    edges: int
    components: int
    largest_component: int
    counts: QueryCounts
    judge_counts: QueryCounts
    seconds: dict[str, float]

    @property
    def graph(self) -> "nx.Graph":
        """The roadmap as networkx has it: ``configuration`` at nodes and ``length`` at edges."""
        return self.roadmap.to_networkx()


def solve(
    problem: RigidProblem, *, seed: int, time_limit: float, progress: Progress | None = None
) -> Solution:
    """Find a certified path from start to goal.

    The same seed gives the same answer, as long as it is found within the time limit: work is
    divided by counted queries, and the clock only ends it.

    Args:
        problem: The question.
        seed: Of all chance.
        time_limit: [s] of wall time for all but compiling, which the first use on a machine does.
        progress: Called with seconds passed and the limit. A KeyboardInterrupt that it raises,
            or that the user does, ends the search; what was built is returned.
    """
    clock = {"start": perf_counter()}
    compiled = compile_kernels()
    clock["compile"] = perf_counter()
    # Loading the kernels is part of the time; compiling them happens once on a machine.
    began = clock["compile" if compiled else "start"]
    deadline = began + time_limit
    world = RigidWorld(problem)
    rng = np.random.default_rng(seed)
    search = Search(world, rng)
    judge = RigidJudge(problem.robot, world.surroundings, world.solids, world.markers)
    clock["setup"] = perf_counter()
    path = np.zeros((0, 7))
    reason = _refusal(world, judge)
    kept = min(KEPT * time_limit, CONFIRMING * _seconds_of_distance(judge, problem))
    reason = reason or _run(search, rng, began, time_limit, kept, progress)
    clock["search"] = perf_counter()
    graph = search.graph
    if graph.is_joined:
        way = graph.shortest_path()
        work = max(LEAST_SHORTENING, int(SHORTENING * search.spent))
        left = deadline - kept - clock["search"]
        path = shortened(world, way, rng, work, clock["search"] + SHORTENING_TIME * left)
        clock["shorten"] = perf_counter()
        reason, path = _confirmed(judge, path, way, deadline)
    clock["confirm"] = perf_counter()
    size = np.bincount(graph.label)
    names = list(clock)
    seconds = {name: clock[name] - clock[names[i]] for i, name in enumerate(names[1:])}
    return Solution(
        solved=not reason,
        reason=reason,
        path=path,
        certified=not reason,
        roadmap=graph,
        nodes=len(graph.nodes),
        edges=len(graph.edges),
        components=int(np.count_nonzero(size)),
        largest_component=int(size.max()),
        counts=world.counts.copy(),
        judge_counts=judge.counts.copy(),
        seconds=seconds | {"total": clock["confirm"] - clock["start"]},
    )


def _refusal(world: RigidWorld, judge: RigidJudge) -> str:
    """Return what is wrong with start or goal, or nothing."""
    problem, space = world.problem, world.space
    # Copies: kernels are compiled once more for arrays that are read-only.
    for name, configuration in (("start", problem.start.copy()), ("goal", problem.goal.copy())):
        if not problem.is_within(configuration):
            return f"the {name} is out of bounds"
        if world.pair.collide(configuration)[0] or judge.collides(configuration):
            return f"the {name} is in collision"
        if world.inside(configuration[None])[0]:
            return f"the {name} is inside a solid"
    locked = np.abs(problem.goal[:3] - problem.start[:3]) * (space.freedom[:3] == 0.0)
    if locked.max() > 1e-6 * space.reach:
        return "start and goal differ in a coordinate that cannot change"
    return ""


def _seconds_of_distance(judge: RigidJudge, problem: RigidProblem) -> float:
    """Return how long python-fcl takes for a distance, the shorter of those at the ends [s]."""
    began = perf_counter()
    judge.distance(problem.start)
    middle = perf_counter()
    judge.distance(problem.goal)
    return min(middle - began, perf_counter() - middle)


def _run(
    search: Search,
    rng: np.random.Generator,
    started: float,
    time_limit: float,
    kept: float,
    progress: Progress | None,
) -> str:
    """Build the roadmap until start and goal are joined; return why it ended before that.

    It ends ``kept`` [s] before the limit: a path that nobody confirms is no answer.
    """
    graph = search.graph
    ends = graph.nodes[[START, GOAL]]
    if graph.world.motions_are_free(ends[:1], ends[1:])[0]:
        graph.add(np.zeros((0, 7)), np.array([[START, GOAL]]))
    guide = Guide(graph.world, rng)
    try:
        while not graph.is_joined:
            passed = perf_counter() - started
            if passed > time_limit - kept:
                return f"no path found within {time_limit:.1f} s"
            if progress is not None:
                progress(int(passed), int(np.ceil(time_limit)))
            if guide.is_done or GUIDE_SHARE * (search.spent - GUIDE_LEAD) < guide.spent:
                search.advance()
            else:
                guide.advance()
                graph.guide = guide.way
                graph.add_way(guide.answer)
    except KeyboardInterrupt:
        return "interrupted"
    return ""


def _confirmed(judge: RigidJudge, path: Float, longer: Float, deadline: float) -> tuple[str, Float]:
    """Return a path that python-fcl confirms: the short one, else the one it came from.

    Or why there is none, and an empty path.
    """
    try:
        for candidate in (path, longer):
            refused = judge.first_refused(candidate, deadline)
            if refused < 0:
                return "", candidate
    except OutOfTimeError:
        return "a path was found, but no time was left for python-fcl to confirm it", path[:0]
    return f"python-fcl does not confirm motion {refused} of the path", path[:0]
