"""What a space asks about the surroundings of its body."""

from typing import Protocol

from rmp3d.geometry import Bool, Float
from rmp3d.models import Body
from rmp3d.planner.collision.counts import QueryCounts
from rmp3d.scenes import Scene


class CollisionQueries(Protocol):
    """A body among obstacles, as roadmaps see it; configurations are those of the space.

    Attributes:
        tolerance: What comes as near as this [m] may count as in collision.
        flying: Whether walkable ground is an obstacle too.
        counts: The work done so far.
    """

    tolerance: float
    flying: bool
    counts: QueryCounts

    @property
    def scene(self) -> Scene:
        """The obstacles."""

    @property
    def body(self) -> Body:
        """What moves; no point of it is farther from its reference point than its capsule."""

    def clearance(self, configurations: Float, cap: float = ...) -> Float:
        """Return the clearance (M,) [m], not positive in collision, at most ``cap``."""

    def motions_are_free(self, start: Float, end: Float) -> Bool:
        """Return which straight motions start[i] -> end[i], (M, W) each, are proved free."""

    def confirm(self, points: Float) -> None:
        """Let python-fcl judge the configurations and motions of an answer, points (K, W).

        Raises:
            ConfirmationError: It finds a contact.
        """
