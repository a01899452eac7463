"""Dubins: the shortest curve of a vehicle that drives forward only."""

from dataclasses import dataclass

from rmp3d.geometry import Float
from rmp3d.planner.local_planners.driving import heading_space
from rmp3d.planner.local_planners.local_planner import LOCAL_PLANNERS
from rmp3d.planner.spaces import Space


@LOCAL_PLANNERS.register("dubins")
@dataclass(frozen=True)
class DubinsPlanner:
    """Drive the shortest curve of arcs and lines, forward only.

    Dubins (1957, "On curves of minimal length with a constraint on average curvature"), on the turn
    radius of the vehicle, in the space `ground_heading`. Where a path takes an edge of the roadmap
    the other way, a vehicle drives the curve backward; one without a reverse gear takes another
    curve there, proved when the path is searched.
    """

    def sampled(self, space: Space) -> Space:
        """Return the space itself."""
        return heading_space(space, "dubins")

    def connect(self, space: Space, start: Float, end: Float) -> list[Float | None]:
        """Return the curves that are proved free, None for the others."""
        return heading_space(space, "dubins").curves(start, end, "dubins")
