"""What every cost of a path does: the optimizer makes it small."""

from typing import ClassVar, Protocol, Self

import numpy as np

from rmp3d.geometry import Float, Registry
from rmp3d.models import Character
from rmp3d.planner.paths.polyline import densified
from rmp3d.planner.spaces import GroundHeadingSpace, Space

COSTS = Registry("cost")


class Cost(Protocol):
    """A quantity that adds up along a path; a frozen dataclass of its parameters.

    Attributes:
        unit: Of the quantity.
    """

    unit: ClassVar[str]

    def of_body(self, character: Character | None) -> Self:
        """Return the cost with the figures of the character that moves, if it needs any.

        Raises:
            InputError: A figure is missing.
        """

    def spacing(self, space: Space) -> float:
        """Return how far apart [m] points may be whose pieces are measured; infinite: any."""

    def pieces(self, space: Space, points: Float) -> Float:
        """Return the cost (K - 1,) of the straight pieces of a polyline (K, W); none negative."""

    def least(self, space: Space, start: Float, end: Float) -> Float:
        """Return a lower bound (M,) of the cost of any motion from start[i] to end[i].

        The bounds obey the triangle inequality.
        """

    def per_meter(self, space: Space) -> float:
        """Return the least cost of a meter that the reference point moves; positive."""


def cost_of(cost: Cost, space: Space, points: Float) -> float:
    """Return the cost of a polyline (K, W)."""
    if len(points) < 2:
        return 0.0
    return float(cost.pieces(space, densified(points, cost.spacing(space), space)).sum())


def extent(space: Space, start: Float, end: Float) -> Float:
    """Return the length (M,) [m] of pieces of motions start[i] -> end[i], (M, W) each.

    It is the distance of the space: where a body turns freely, the angle times the radius of the
    body is part of it. For a vehicle that drives it is what the reference point moves.
    """
    if isinstance(space, GroundHeadingSpace):
        moved: Float = np.linalg.norm(end[..., :3] - start[..., :3], axis=-1)
        return moved
    return space.distance(start, end)
