"""The cost `length`: how far the body moves."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from rmp3d.geometry import Float
from rmp3d.models import Character
from rmp3d.planner.costs.cost import COSTS, extent
from rmp3d.planner.spaces import Space


@COSTS.register("length")
@dataclass(frozen=True)
class LengthCost:
    """The length of the path; a body that turns freely adds its radius times the angle."""

    unit: ClassVar[str] = "m"

    def of_body(self, character: Character | None) -> Self:
        """Return the cost itself."""
        return self

    def spacing(self, space: Space) -> float:
        """Return that pieces of any length are measured."""
        return np.inf

    def pieces(self, space: Space, points: Float) -> Float:
        """Return the lengths (K - 1,) [m]."""
        return extent(space, points[:-1], points[1:])

    def least(self, space: Space, start: Float, end: Float) -> Float:
        """Return the straight distances (M,) [m]."""
        return extent(space, start, end)

    def per_meter(self, space: Space) -> float:
        """Return one."""
        return 1.0
