"""What every local planner does."""

from typing import Protocol

from rmp3d.geometry import Float, Registry
from rmp3d.planner.spaces import Space

LOCAL_PLANNERS = Registry("local planner")


class LocalPlanner(Protocol):
    """A quick path from one configuration to another; a frozen dataclass of its parameters."""

    def sampled(self, space: Space) -> Space:
        """Return where the nodes of a roadmap that it joins are sampled: the space, or a part."""

    def connect(self, space: Space, start: Float, end: Float) -> list[Float | None]:
        """Return certified polylines between configurations start[i] and end[i], (M, W) each.

        Returns:
            For each pair a polyline (K, W) proved free, ends included; None where it found none.
        """
