"""The planner `sliding_trees`: two trees that slide along contacts, milestones, shrunk bodies.

The graph that the trees grow is an array of nodes and edges that compiled code adds to, thousands
in a second; it becomes a `Roadmap` when somebody asks for one. Its path is shortened as a roadmap's
path is (`rmp3d.planner.paths.shortening`), but by whole motions between corners, so that no point
between two corners stays.
"""

from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar, Literal

import numpy as np

from rmp3d.geometry import Float, InputError
from rmp3d.geometry.work_limit import OutOfTimeError
from rmp3d.planner.collision.rigid_judge import RigidJudge
from rmp3d.planner.errors import UnsolvedError, out_of_time
from rmp3d.planner.paths.shortening import shortened_motions
from rmp3d.planner.paths.thinning import thinned
from rmp3d.planner.planners.planner import PLANNERS, Leg, PlanningSession
from rmp3d.planner.roadmap.failures import NoPathError
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.spaces import RigidBodySpace, Space
from rmp3d.planner.spaces.endpoints import Place, endpoint
from rmp3d.planner.trees.compiling import compile_kernels
from rmp3d.planner.trees.graph import GOAL, START, Graph
from rmp3d.planner.trees.guide import Guide
from rmp3d.planner.trees.turns import MILESTONES, Search

TIME = 600.0  # [s] where nobody limits it
GUIDE_LEAD = 10000.0  # work before shrunk bodies and tight places are tried
LEAST_SHORTENING = 200  # queries
SHORTENING_TIME = 0.5  # for it, at most, of what is left of the limit
CONFIRMING = 10000  # distances of python-fcl that a path takes to confirm, for which time is kept
KEPT = 0.2  # of the time limit, at most


@PLANNERS.register("sliding_trees")
@dataclass(frozen=True)
class SlidingTrees:
    """Grow two trees from start and goal that slide along contacts, until they meet.

    For a body that turns, or that fits narrow passages tightly: in the space `rigid` only. Random
    milestones take turns with the trees, and after a long search shrunk bodies show where to look.
    Every motion is proved by the kernels, and the path is confirmed by python-fcl.

    Attributes:
        milestones: Random milestones, at most; then the trees go on alone.
        shortening: Work of shortening the path, for one of finding it.
    """

    spaces: ClassVar[tuple[str, ...]] = ("rigid",)
    milestones: int = MILESTONES
    shortening: float = 0.2

    def __post_init__(self) -> None:
        if self.milestones < 0:
            raise InputError(f"`milestones` must not be negative, got {self.milestones}")
        if not 0.0 <= self.shortening < np.inf:
            raise InputError(f"`shortening` must not be negative, got {self.shortening}")

    def prepare(self) -> bool:
        """Load or compile the kernels; return whether they were compiled."""
        return compile_kernels()

    def planned_space(self, space: Space) -> RigidBodySpace:
        """Return the space, if it is `rigid`."""
        space = rigid_space(space, "sliding_trees")
        if space.world.backend == "fcl":
            raise InputError(
                "the planner `sliding_trees` searches with the compiled kernels only (python-fcl "
                "confirms); with the backend `fcl`, take the planner `prm`"
            )
        return space

    def connect(self, session: PlanningSession, start: Place, goal: Place) -> Leg:
        """Return a path over the session's roadmap if there is one, else that of new trees."""
        space = self.planned_space(session.space)
        if session.has_roadmap:
            from rmp3d.planner.roadmap.querying import query  # slow to load

            began = perf_counter()
            try:
                path = query(session.roadmap, start, goal, session.generator())
                return Leg(thinned(space, path.configurations), path)
            except NoPathError:
                pass
            finally:
                session.spend("shorten", perf_counter() - began)
        ends = _configuration(space, start, "start"), _configuration(space, goal, "goal")
        return self.find(session, *ends)

    def find(self, session: PlanningSession, start: Float, goal: Float) -> Leg:
        """Return a certified path from start to goal, (7,) each, by new trees.

        The same seed gives the same path, as long as it is found within the time limit: work is
        divided by counted queries, and the clock only ends it.

        Raises:
            UnsolvedError: There is no path; says why.
            KeyboardInterrupt: The user stopped the search.
        """
        clock = perf_counter()
        space = self.planned_space(session.space)
        limit = session.time_limit or TIME
        deadline = session.began + limit
        rng = session.rng or np.random.default_rng(session.seed)
        search = Search(space, start, goal, rng, self.milestones)
        judge = space.world.judge
        clock = _spent(session, "setup", clock)
        reason = _refusal(space, judge, start, goal)
        kept = min(KEPT * limit, CONFIRMING * _seconds_of_distance(judge, start, goal))
        reason = reason or _run(search, rng, session, limit, kept)
        clock = _spent(session, "search", clock)
        graph, path = search.graph, np.zeros((0, 7))
        if graph.is_joined:
            longer = graph.shortest_path()
            work = max(LEAST_SHORTENING, int(self.shortening * search.spent))
            left = deadline - kept - clock
            path = shortened_motions(space, longer, rng, work, clock + SHORTENING_TIME * left)
            clock = _spent(session, "shorten", clock)
            reason, path = _confirmed(judge, path, longer, deadline)
            clock = _spent(session, "confirm", clock)
        _keep(session, space, graph)
        _spent(session, "search", clock)
        if reason == "interrupted":
            raise KeyboardInterrupt
        if reason:
            raise UnsolvedError(reason)
        return Leg(path, grown=(graph.nodes, graph.edges))


def rigid_space(space: Space, planner: str) -> RigidBodySpace:
    """Return the space.

    Raises:
        InputError: It is another one than `rigid`, which the planner needs.
    """
    if not isinstance(space, RigidBodySpace):
        kind = "ground" if space.grounded else "translation"
        raise InputError(
            f"the planner `{planner}` plans in the space `rigid` only, where bodies turn among "
            f"triangles; in the space `{kind}` take the planner `prm`"
        )
    return space


def _configuration(space: RigidBodySpace, place: Place, role: Literal["start", "goal"]) -> Float:
    """Return a configuration (7,) as it was given; else that of a point or region."""
    if isinstance(place, np.ndarray) and place.shape == (7,):
        return place
    return endpoint(space, place, role)


def _spent(session: PlanningSession, stage: str, since: float) -> float:
    """Add the time since ``since`` to a stage; return the time now."""
    now = perf_counter()
    session.spend(stage, now - since)
    return now


def _keep(session: PlanningSession, space: RigidBodySpace, graph: Graph) -> None:
    """Leave what the trees have built in the session."""

    def built() -> Roadmap:
        from rmp3d.planner.roadmap.merging import roadmap_of  # slow to load, and few ask

        return roadmap_of(space, graph.nodes, graph.edges)

    if session.has_roadmap:
        from rmp3d.planner.roadmap.merging import merged

        session.roadmap = merged(session.roadmap, built())
        return
    size = np.bincount(graph.label)
    sizes = len(graph.nodes), len(graph.edges), int(np.count_nonzero(size)), int(size.max())
    session.make_later(built, sizes)


def _refusal(space: RigidBodySpace, judge: RigidJudge, start: Float, goal: Float) -> str:
    """Return what is wrong with start or goal, or nothing."""
    world, problem = space.world, space.world.problem
    # Copies: kernels are compiled once more for arrays that are read-only.
    for name, configuration in (("start", start.copy()), ("goal", goal.copy())):
        if not problem.is_within(configuration):
            return f"the {name} is out of bounds"
        if world.pair.collide(configuration)[0] or judge.collides(configuration):
            return f"the {name} is in collision"
        if world.inside(configuration[None])[0]:
            return f"the {name} is inside a solid"
    locked = np.abs(goal[:3] - start[:3]) * (space.freedom[:3] == 0.0)
    if locked.max() > 1e-6 * space.reach:
        return "start and goal differ in a coordinate that cannot change"
    return ""


def _seconds_of_distance(judge: RigidJudge, start: Float, goal: Float) -> float:
    """Return how long python-fcl takes for a distance, the shorter of those at the ends [s]."""
    began = perf_counter()
    judge.distance(start)
    middle = perf_counter()
    judge.distance(goal)
    return min(middle - began, perf_counter() - middle)


def _run(
    search: Search,
    rng: np.random.Generator,
    session: PlanningSession,
    time_limit: float,
    kept: float,
) -> str:
    """Build the roadmap until start and goal are joined; return why it ended before that.

    It ends ``kept`` [s] before the limit: a path that nobody confirms is no answer.
    """
    graph = search.graph
    ends = graph.nodes[[START, GOAL]]
    if graph.space.world.touch_nothing(ends[:1], ends[1:])[0]:
        graph.add(np.zeros((0, 7)), np.array([[START, GOAL]]))
    guide = Guide(graph.space, ends[0], ends[1], rng)
    try:
        while not graph.is_joined:
            passed = perf_counter() - session.began
            if passed > time_limit - kept:
                return out_of_time(time_limit, session.compiling)
            if session.progress is not None:
                session.progress(int(passed), int(np.ceil(time_limit)))
            if guide.is_done or guide.share * (search.spent - GUIDE_LEAD) < guide.spent:
                search.advance()
            else:
                guide.advance()
                graph.guide = guide.path
                graph.add_path(guide.answer)
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
