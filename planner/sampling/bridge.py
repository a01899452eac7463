"""Bridge: samples in the middle of narrow passages."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry import Float, InputError
from rmp3d.planner.sampling.displaced import displaced
from rmp3d.planner.sampling.sampler import SAMPLERS
from rmp3d.planner.spaces import Space


@SAMPLERS.register("bridge")
@dataclass(frozen=True)
class Bridge:
    """Sample free configurations in the middle between two that collide.

    A bridge a - b has normally distributed length; its middle is kept if it is free and both
    ends collide (Hsu, Jiang, Reif, Sun 2003, "The bridge test for sampling narrow passages with
    probabilistic roadmap planners"). The paper draws a uniformly and b around it; we draw the
    middle uniformly and the ends around it, which is the same law. On the ground the ends are
    where walks from the middle lead; one that comes to the border of the walkable surface counts
    as a collision, so a footbridge between two drops is a passage too. Bounds do not.
    A body that turns is also turned, in one direction at one end and back at the other.

    Attributes:
        std: Standard deviation of b around a, the two colliding configurations, per axis [m];
            about a passage's width.
    """

    std: float = 1.0

    def __post_init__(self) -> None:
        if not 0.0 < self.std < np.inf:
            raise InputError(f"`std` must be positive and finite, got {self.std} m")

    def attempt(self, space: Space, count: int, first: int, rng: np.random.Generator) -> Float:
        """Return the free middles of those of ``count`` bridges whose ends collide, (M, W)."""
        middle = space.from_unit_cube(rng.random((count, space.dimension)))
        half = 0.5 * rng.normal(0.0, self.std * space.meter, (count, len(space.freedom)))
        for sign in (1.0, -1.0):
            _, _, blocked = displaced(space, middle, sign * half)
            middle, half = middle[blocked], half[blocked]
        return middle[space.is_free(middle)]
