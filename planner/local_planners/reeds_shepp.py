"""Reeds-Shepp: the shortest curve of a vehicle that drives forward and backward."""

from dataclasses import dataclass

from rmp3d.geometry import Float
from rmp3d.planner.local_planners.driving import heading_space
from rmp3d.planner.local_planners.local_planner import LOCAL_PLANNERS
from rmp3d.planner.spaces import Space


@LOCAL_PLANNERS.register("reeds_shepp")
@dataclass(frozen=True)
class ReedsSheppPlanner:
    """Drive the shortest curve of arcs and lines, with changes of gear where they make it shorter.

    Reeds and Shepp (1990, "Optimal paths for a car that goes both forwards and backwards"), on the
    turn radius of the vehicle. In the space `ground_heading` only, for a vehicle that has a reverse
    gear.
    """

    def sampled(self, space: Space) -> Space:
        """Return the space itself; refuse one where nothing drives backward."""
        return heading_space(space, "reeds_shepp")

    def connect(self, space: Space, start: Float, end: Float) -> list[Float | None]:
        """Return the curves that are proved free, None for the others."""
        return heading_space(space, "reeds_shepp").curves(start, end, "reeds_shepp")
