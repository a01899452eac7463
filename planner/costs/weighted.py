"""The cost `weighted`: length, and more where there is less room than wanted."""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from rmp3d.geometry import Float, InputError
from rmp3d.models import Character
from rmp3d.planner.costs.cost import COSTS, extent
from rmp3d.planner.spaces import Space

SPACING = 0.5  # between points whose clearance is measured, times the radius


@COSTS.register("weighted")
@dataclass(frozen=True)
class WeightedCost:
    r"""The length, made dearer where the clearance falls short.

    .. math:: \int 1 + w \, \mathrm{clip}(1 - c(s) / W, 0, 1) ds

    with the clearance c. With ``weight`` = 0 it is the length, and a great weight keeps away from
    everything that can be avoided.

    Attributes:
        weight: w, what a meter in contact costs beyond its length.
        wanted: W, the clearance [m] beyond which obstacles do not matter; 0: the body's radius.
    """

    weight: float = 1.0
    wanted: float = 0.0

    unit: ClassVar[str] = "m"

    def __post_init__(self) -> None:
        for name in ("weight", "wanted"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must not be negative, got {getattr(self, name)}")

    def of_body(self, character: Character | None) -> Self:
        """Return the cost itself."""
        return self

    def spacing(self, space: Space) -> float:
        """Return half the radius of the body [m]."""
        return SPACING * space.world.body.radius

    def pieces(self, space: Space, points: Float) -> Float:
        """Return the costs (K - 1,) with the mean of the shortages at both ends."""
        wanted = self.wanted or space.world.body.radius
        room = space.world.clearance(points, wanted)
        shortage = np.clip(1.0 - room / wanted, 0.0, 1.0)
        rate = 1.0 + 0.5 * self.weight * (shortage[:-1] + shortage[1:])
        return rate * extent(space, points[:-1], points[1:])

    def least(self, space: Space, start: Float, end: Float) -> Float:
        """Return the straight distances (M,) [m]."""
        return extent(space, start, end)

    def per_meter(self, space: Space) -> float:
        """Return one."""
        return 1.0
