"""The result of planning: a certified path, or why there is none, and what was built."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rmp3d.geometry import Float
from rmp3d.planner.collision import QueryCounts
from rmp3d.planner.errors import PlanningError
from rmp3d.planner.optimizing.settings import Alternative, Improved, Improvement
from rmp3d.planner.paths.edges import CLEARANCE_CAP
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.planners.planner import Leg, Planner, PlanningSession, Sizes
from rmp3d.planner.planners.verdict import Verdict
from rmp3d.planner.problems.problem import Problem
from rmp3d.planner.roadmap.failures import Interrupted
from rmp3d.planner.roadmap.roadmap import Roadmap


@dataclass(frozen=True, eq=False)
class PlanResult:
    """What came out of `rmp3d.planner.plan`.

    Attributes:
        problem: The question.
        planner: The planner that was asked, with its parameters.
        legs: A certified path for each leg; none if there is no path.
        error: Why there is no path; None if there is one, or if the user stopped the planning.
        interrupted: Whether the user stopped the planning before there was a path.
        counts: Queries of building, searching and shortening.
        judge_counts: Queries of python-fcl, which confirms.
        seconds: Wall time of "compile", "setup", "search", "shorten", "confirm", "total", and of
            "optimize" where that was asked for; "judge": of the second judge, after the answer.
        session: What the legs shared.
        improved: What came out of optimizing the path.
        verdicts: Of the judges of all its paths; none if there is no path.
    """

    problem: Problem
    planner: Planner
    legs: tuple[Leg, ...]
    error: PlanningError | None
    interrupted: bool
    counts: QueryCounts
    judge_counts: QueryCounts
    seconds: Mapping[str, float]
    session: PlanningSession
    improved: Improved = field(default_factory=Improved)
    verdicts: tuple[Verdict, ...] = ()

    def __repr__(self) -> str:
        if not self.solved:
            return f"<PlanResult: not solved, {self.reason}>"
        nodes = f"roadmap of {self.nodes} nodes"
        return f"<PlanResult: solved, {len(self.configurations)} configurations, {nodes}>"

    @property
    def solved(self) -> bool:
        """Whether there is a path from start to goal: proved, and confirmed by python-fcl."""
        return len(self.legs) > 0

    @property
    def certified(self) -> bool:
        """The same as ``solved``: a path without proof and confirmation is no path."""
        return self.solved

    @property
    def confirmed_by(self) -> tuple[str, ...]:
        """The judges that confirm every motion, such as ``python-fcl``; none without a path."""
        return tuple(each.judge for each in self.verdicts if each.confirmed)

    @property
    def reason(self) -> str:
        """Why there is no path, in words; empty if there is one."""
        return "interrupted" if self.interrupted else "" if self.error is None else str(self.error)

    @cached_property
    def configurations(self) -> Float:
        """The path (K, W) with as few configurations as its motions need; empty if there is none.

        Between two of them a body goes straight, and turns at constant speed about a fixed axis.
        """
        if not self.legs:
            return np.zeros((0, self.session.space.width))
        rows = [self.legs[0].configurations]
        rows += [leg.configurations[1:] for leg in self.legs[1:]]
        return np.concatenate(rows)

    @cached_property
    def path(self) -> CertifiedPath:
        """The path with arc length, clearance and frames.

        Raises:
            PlanningError: There is no path.
        """
        self.or_raise()
        if len(self.legs) == 1 and self.legs[0].path is not None:
            return self.legs[0].path
        space, points = self.session.space, self.configurations
        clearance = space.world.clearance(points, CLEARANCE_CAP * space.world.body.radius)
        turned = points[:, 3:] if space.width > 3 else None
        return CertifiedPath(points[:, :3], clearance, space.grounded, turned)

    @property
    def improvements(self) -> tuple[Improvement, ...]:
        """The first path, and every better one; none if the path was not to be optimized."""
        return self.improved.improvements

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """Certified paths of different classes, the cheapest first, if several were asked for."""
        return self.improved.alternatives

    @property
    def ways(self) -> tuple[Float, ...]:
        """The path (K, W), and the other alternatives; none if there is no path."""
        if not self.solved:
            return ()
        return self.configurations, *(each.configurations for each in self.alternatives[1:])

    @property
    def roadmap(self) -> Roadmap:
        """What was built, whether there is a path or not."""
        return self.session.roadmap

    @property
    def nodes(self) -> int:
        """Nodes of the roadmap."""
        return self._sizes[0]

    @property
    def edges(self) -> int:
        """Certified edges of the roadmap."""
        return self._sizes[1]

    @property
    def components(self) -> int:
        """Connected components of the roadmap."""
        return self._sizes[2]

    @property
    def largest_component(self) -> int:
        """Nodes of the largest component of the roadmap."""
        return self._sizes[3]

    @property
    def build_seconds(self) -> float:
        """Wall time of building the roadmap [s]."""
        return self.seconds.get("search", 0.0)

    @property
    def query_seconds(self) -> float:
        """Wall time of finding, shortening and confirming the path [s]."""
        return self.seconds.get("shorten", 0.0) + self.seconds.get("confirm", 0.0)

    def or_raise(self) -> "PlanResult":
        """Return the result if there is a path.

        Raises:
            PlanningError: There is none; says why.
            Interrupted: The user stopped the planning; carries the roadmap.
        """
        if self.interrupted:
            raise Interrupted(self.roadmap)
        if self.error is not None:
            raise self.error
        return self

    @property
    def _sizes(self) -> Sizes:
        if self.session.sizes is not None:
            return self.session.sizes
        made = self.roadmap.statistics
        return made.nodes, made.edges, made.components, made.largest_component
