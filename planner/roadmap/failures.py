"""Errors that carry a roadmap: there is no path on it, or the user stopped the planning."""

from collections.abc import Sequence

from rmp3d.geometry import Float
from rmp3d.planner.errors import PlanningError, out_of_time
from rmp3d.planner.obstruction.blockage import Blockage
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.planner.roadmap.statistics import Statistics


class NoPathError(PlanningError):
    """Start and goal are not joined by the roadmap.

    Attributes:
        start_component: Roadmap nodes that the start reaches.
        goal_component: Roadmap nodes that the goal reaches.
        sizes: Nodes of each component, the largest first; untried pairs count as edges.
        width: Width [m] of the body, which every passage must exceed.
        statistics: Of the roadmap, with what it cost.
        roadmap: What `plan` had built; it can be saved, and gone on with. None from a query.
    """

    def __init__(
        self,
        start_component: int,
        goal_component: int,
        sizes: Sequence[int],
        width: float,
        statistics: Statistics,
    ) -> None:
        self.start_component = start_component
        self.goal_component = goal_component
        self.sizes = tuple(sizes)
        self.width = width
        self.statistics = statistics
        self.roadmap: Roadmap | None = None
        super().__init__(
            f"no path found: the start reaches {start_component} and the goal {goal_component} "
            f"of the roadmap's {statistics.nodes} nodes ({_sizes_in_words(self.sizes)}); is every "
            f"passage wider than the body ({width:.3g} m)? If so, try more `nodes`, the sampler "
            "`bridge`, `medial` or `mixture`, or the local planner `potential_field`"
        )

    def ended_by_time(self, limit: float, compiling: float) -> None:
        """Let the message say that the time limit [s] ended the search; see `out_of_time`."""
        hints = str(self).removeprefix("no path found")
        self.args = (out_of_time(limit, compiling, f"{hints}, or more time"),)

    @property
    def nodes(self) -> int:
        """Nodes of the roadmap."""
        return self.statistics.nodes

    @property
    def components(self) -> int:
        """Components of the roadmap, as `sizes` counts them."""
        return len(self.sizes)


class BlockedError(NoPathError):
    """Something was found that separates start and goal.

    Attributes:
        obstacle: What it is, where, and how large.
        reached: Places (K, 3) [m] that the body reaches from the start, and from the goal.
    """

    def __init__(
        self, error: NoPathError, obstacle: Blockage, reached: tuple[Float, Float]
    ) -> None:
        super().__init__(
            error.start_component, error.goal_component, error.sizes, error.width, error.statistics
        )
        self.roadmap = error.roadmap
        self.obstacle = obstacle
        self.reached = reached
        self.args = (f"no path: {obstacle.words}",)


def _sizes_in_words(sizes: Sequence[int]) -> str:
    if len(sizes) < 2:
        return "1 component" if sizes else "no component"
    first = ", ".join(str(size) for size in sizes[:3])
    rest = ", ..." if len(sizes) > 3 else ""
    return f"{len(sizes)} components, of {first}{rest}"


class Interrupted(KeyboardInterrupt):
    """The user stopped the planning before there was a path.

    Attributes:
        roadmap: What was built until then; it can be saved, and gone on with.
    """

    def __init__(self, roadmap: Roadmap) -> None:
        super().__init__("interrupted")
        self.roadmap = roadmap
