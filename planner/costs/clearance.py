"""The cost `clearance`: a way far from everything, even if it is longer."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from rmp3d.geometry import Float, InputError
from rmp3d.models import Character
from rmp3d.planner.costs.cost import COSTS, extent
from rmp3d.planner.spaces import Space

LEAST = 0.01  # times the radius: what is nearer costs no more


@COSTS.register("clearance")
@dataclass(frozen=True)
class ClearanceCost:
    r"""The length, each piece divided by its clearance.

    .. math:: \int \frac{R}{\min(\max(c(s), R / 100), C R)} ds

    with the clearance c and the radius R of the body. So a meter at a clearance of one radius costs
    one, and one at half of that costs two. More room than C radii is all the same.

    Attributes:
        most: C, in radii of the body.
    """

    most: float = 10.0

    unit: ClassVar[str] = "m"

    def __post_init__(self) -> None:
        if not 1.0 <= self.most <= 1000.0:
            raise InputError(f"`most` must be 1 to 1000 radii of the body, got {self.most}")

    def of_body(self, character: Character | None) -> Self:
        """Return the cost itself."""
        return self

    def spacing(self, space: Space) -> float:
        """Return the radius of the body [m]."""
        return space.world.body.radius

    def pieces(self, space: Space, points: Float) -> Float:
        """Return the costs (K - 1,) with the mean of the rates at both ends."""
        radius = space.world.body.radius
        room = space.world.clearance(points, self.most * radius)
        rate = radius / np.maximum(room, LEAST * radius)
        return 0.5 * (rate[:-1] + rate[1:]) * extent(space, points[:-1], points[1:])

    def least(self, space: Space, start: Float, end: Float) -> Float:
        """Return the straight distances (M,) at the greatest clearance that counts."""
        return extent(space, start, end) / self.most

    def per_meter(self, space: Space) -> float:
        """Return what a meter costs at the greatest clearance that counts."""
        return 1.0 / self.most
