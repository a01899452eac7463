"""Linear: the straight motion of the space."""

from dataclasses import dataclass

from rmp3d.geometry import Float
from rmp3d.planner.local_planners.local_planner import LOCAL_PLANNERS
from rmp3d.planner.spaces import Space


@LOCAL_PLANNERS.register("linear")
@dataclass(frozen=True)
class LinearPlanner:
    """Go straight; on the ground in plan, and turning at constant speed.

    The local planner of Kavraki et al. (1996), with a proof in place of steps along the edge.
    """

    def sampled(self, space: Space) -> Space:
        """Return the space itself."""
        return space

    def connect(self, space: Space, start: Float, end: Float) -> list[Float | None]:
        """Return the straight motions that are proved free, None for the others."""
        return space.connect(start, end)
