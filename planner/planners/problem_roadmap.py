"""A problem's roadmap: kept, grown, and asked again about other starts and goals."""

from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path as FilePath
from time import perf_counter
from typing import Literal

import networkx as nx
import numpy as np

from rmp3d.geometry import Float, Index, frozen
from rmp3d.geometry.choices import choose
from rmp3d.planner.collision import QueryCounts
from rmp3d.planner.errors import ConfirmationError, PlanningError
from rmp3d.planner.local_planners import LOCAL_PLANNERS
from rmp3d.planner.local_planners.linear import LinearPlanner
from rmp3d.planner.paths.edges import CLEARANCE_CAP
from rmp3d.planner.planners.prm import plan
from rmp3d.planner.roadmap.building import Progress, RoadmapSettings
from rmp3d.planner.roadmap.components import join_components
from rmp3d.planner.roadmap.failures import Interrupted, NoPathError
from rmp3d.planner.roadmap.querying import query
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.storage import load_roadmap
from rmp3d.planner.spaces import RigidBodySpace
from rmp3d.scenes.problems.rigid_problem import RigidProblem

ON_THE_WAY = 1e-9  # from a motion of a point that lies on it, times the body's radius


@dataclass(frozen=True, eq=False)
class Answer:
    """What came out for one or more legs of a way; names are those of `Solution`.

    Attributes:
        solved: Whether there is a path over all legs, proved and confirmed by python-fcl.
        reason: Why not, in words; empty if solved.
        path: (K, 7) configurations; empty if not solved.
        certified: The same as ``solved``.
        roadmap: What was built, or loaded and grown.
        counts: Queries of building, searching and shortening.
        judge_counts: Queries of python-fcl, which confirms.
        seconds: Wall time of "setup", "search" and "shorten" (which includes confirming).
    """

    solved: bool
    reason: str
    path: Float
    certified: bool
    roadmap: Roadmap
    counts: QueryCounts
    judge_counts: QueryCounts
    seconds: dict[str, float]

    @property
    def nodes(self) -> int:
        """Nodes of the roadmap."""
        return len(self.roadmap.configurations)

    @property
    def edges(self) -> int:
        """Certified edges of the roadmap."""
        return len(self.roadmap.edges)

    @property
    def components(self) -> int:
        """Connected components of the roadmap."""
        return len(self.roadmap.component_size)

    @property
    def largest_component(self) -> int:
        """Nodes of the largest one."""
        return int(self.roadmap.component_size.max(initial=0))


class ProblemRoadmap:
    """Answers questions about one body among obstacles; its roadmap grows with them.

    Args:
        problem: Body, obstacles and bounds; its own start and goal are only a question.
        settings: How a probabilistic roadmap is built and grown; None: a question that the
            roadmap does not answer is solved by `rmp3d.planner.planners.sliding_trees`, whose
            graph is then added.
        seed: Of all chance.
        time_limit: [s] for each leg.
        backend: See `RigidBodySpace.of_problem`.
        file: A roadmap of this problem to begin with.

    Attributes:
        roadmap: As it is now.

    Raises:
        InputError: The file, a name or a parameter is wrong.
    """

    def __init__(
        self,
        problem: RigidProblem,
        settings: RoadmapSettings | None,
        *,
        seed: int,
        time_limit: float,
        backend: Literal["auto", "fcl"] = "auto",
        file: FilePath | None = None,
    ) -> None:
        began = perf_counter()
        self.problem = problem
        self.settings = settings
        self.time_limit = time_limit
        self._seed = seed
        self._legs = 0
        space = RigidBodySpace.of_problem(problem, backend)
        if settings is not None:
            local_planner = choose(LOCAL_PLANNERS, settings.local_planner)
            self.settings = replace(
                settings,
                seconds=settings.seconds or time_limit,
                radius=settings.radius * space.meter,
            )
            sampled = local_planner.sampled(space)
            assert isinstance(sampled, RigidBodySpace)
            space = sampled
        self.space = space
        self.roadmap = Roadmap.empty(space) if file is None else load_roadmap(file, space)
        self._other_counts = QueryCounts(), QueryCounts()
        self._seconds = {"setup": perf_counter() - began, "search": 0.0, "shorten": 0.0}

    def answer(self, stops: Float, progress: Progress = None) -> Answer:
        """Find a way (Q - 1 legs) over stops (Q, 7), in their order."""
        path, reason = np.zeros((0, 7)), ""
        for start, goal in pairwise(stops):
            try:
                leg = self._leg(start, goal, progress)
            except KeyboardInterrupt as stop:
                self.roadmap = stop.roadmap if isinstance(stop, Interrupted) else self.roadmap
                reason = "interrupted"
            except NoPathError as error:
                built = error.roadmap or self.roadmap
                self._seconds["search"] += built.seconds - self.roadmap.seconds
                self.roadmap, reason = built, str(error)
            except PlanningError as error:
                reason = str(error)
            if reason:
                path = np.zeros((0, 7))
                break
            path = np.concatenate([path[:-1], leg]) if len(path) else leg
        own, judged = self.space.world.counts, self.space.world.judge.counts
        if self.space.world.backend == "fcl":
            judged = QueryCounts()
        return Answer(
            solved=not reason,
            reason=reason,
            path=path,
            certified=not reason,
            roadmap=self.roadmap,
            counts=_sum(own, self._other_counts[0]),
            judge_counts=_sum(judged, self._other_counts[1]),
            seconds=dict(self._seconds),
        )

    def _leg(self, start: Float, goal: Float, progress: Progress) -> Float:
        """Return the path (K, 7) of one leg; errors are those of `plan`."""
        self._legs += 1
        chance = [self._seed, self.roadmap.attempts, self._legs]
        if self.settings is not None:
            before = self.roadmap if len(self.roadmap.configurations) else None
            rng = np.random.default_rng(chance)
            found = plan(
                self.space, self.settings, start, goal, rng, roadmap=before, progress=progress
            )
            self.roadmap = found.roadmap
            self._seconds["search"] += found.build_seconds - (before.seconds if before else 0.0)
            self._seconds["shorten"] += found.query_seconds
            return thinned(self.space, found.path.configurations)
        if len(self.roadmap.configurations):
            began = perf_counter()
            try:
                path = query(self.roadmap, start, goal, np.random.default_rng(chance))
                return thinned(self.space, path.configurations)
            except NoPathError:
                pass
            finally:
                self._seconds["shorten"] += perf_counter() - began
        return self._solved_leg(start, goal, progress)

    def _solved_leg(self, start: Float, goal: Float, progress: Progress) -> Float:
        from rmp3d.planner.planners.sliding_trees import solve

        asked = replace(self.problem, start=start, goal=goal)
        solution = solve(asked, seed=self._seed, time_limit=self.time_limit, progress=progress)
        for key in ("setup", "search", "shorten"):
            self._seconds[key] += solution.seconds.get(key, 0.0)
        self._seconds["shorten"] += solution.seconds.get("confirm", 0.0)
        self._other_counts = (
            _sum(self._other_counts[0], solution.counts),
            _sum(self._other_counts[1], solution.judge_counts),
        )
        began = perf_counter()
        self.roadmap = merged(self.roadmap, roadmap_of(self.space, solution.graph))
        self._seconds["search"] += perf_counter() - began
        if solution.reason == "interrupted":
            raise KeyboardInterrupt
        if not solution.solved:
            raise UnsolvedError(solution.reason)
        return solution.path


class UnsolvedError(PlanningError):
    """The solver of rigid problems found no path; the message says why."""


def thinned(space: RigidBodySpace, path: Float) -> Float:
    """Return a confirmed path (K, 7) less the points that lie on the motion past them.

    The path as it was if that is not proved and confirmed.
    """
    rows = [0]
    near = ON_THE_WAY * space.world.body.radius
    for row in range(2, len(path)):
        between = path[rows[-1] + 1 : row]
        whole = space.distance(path[rows[-1], None], path[row, None])
        share = space.distance(path[rows[-1], None], between) / max(float(whole[0]), near)
        count = len(between)
        start, end = np.tile(path[rows[-1]], (count, 1)), np.tile(path[row], (count, 1))
        if (space.distance(space.interpolated(start, end, share), between) > near).any():
            rows.append(row - 1)
    thin = path[[*rows, len(path) - 1]] if len(path) > 1 else path
    if any(way is None for way in space.connect(thin[:-1], thin[1:])):
        return path
    try:
        space.world.confirm(thin)
    except ConfirmationError:
        return path
    return thin


def roadmap_of(space: RigidBodySpace, graph: nx.Graph) -> Roadmap:
    """Return the roadmap of the certified graph that `solve` built.

    Args:
        space: Of its problem.
        graph: Nodes 0, 1, ... with ``configuration`` (7,); every edge is a proved motion.
    """
    nodes = np.array([graph.nodes[row]["configuration"] for row in range(len(graph))])
    cap = CLEARANCE_CAP * space.world.body.radius
    roadmap = replace(
        Roadmap.empty(space),
        configurations=frozen(nodes.reshape(-1, 7)),
        clearance=frozen(space.world.clearance(nodes, cap)),
    )
    pairs = np.array(sorted(tuple(sorted(edge)) for edge in graph.edges if edge[0] != edge[1]))
    pairs = pairs.reshape(-1, 2).astype(np.intp)
    return roadmap.with_edges(pairs, list(nodes[pairs]))


def merged(roadmap: Roadmap, other: Roadmap) -> Roadmap:
    """Return the nodes and edges of two roadmaps of one space, joined where motions are proved."""
    offset = len(roadmap.configurations)
    if offset == 0:
        return replace(other, attempts=roadmap.attempts)

    def both(name: str) -> Float:
        return frozen(np.concatenate([getattr(roadmap, name), getattr(other, name)]))

    def all_pairs(name: str) -> Index:
        pairs = np.concatenate([getattr(roadmap, name), getattr(other, name) + offset])
        return frozen(pairs, np.intp)

    total = replace(
        roadmap,
        configurations=both("configurations"),
        clearance=both("clearance"),
        edges=all_pairs("edges"),
        edge_length=both("edge_length"),
        edge_clearance=both("edge_clearance"),
        polylines=(*roadmap.polylines, *other.polylines),
        untried=all_pairs("untried"),
    )
    return join_components(total, LinearPlanner())


def _sum(one: QueryCounts, other: QueryCounts) -> QueryCounts:
    return QueryCounts(one.collision + other.collision, one.distance + other.distance)
