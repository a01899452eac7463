"""Gaussian: more samples near obstacles, where passages are."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry import Float, InputError
from rmp3d.planner.sampling.displaced import displaced
from rmp3d.planner.sampling.sampler import SAMPLERS
from rmp3d.planner.spaces import Space
from rmp3d.planner.spaces.bounds import in_bounds


@SAMPLERS.register("gaussian")
@dataclass(frozen=True)
class Gaussian:
    """Sample free configurations close to obstacles.

    Draw a uniformly and b around it; keep the free one if exactly one of the two is in
    collision (Boor, Overmars, van der Stappen 1999, "The Gaussian sampling strategy for
    probabilistic roadmap planners"). The paper draws the distance ``|b - a|`` from a normal law; we
    draw b from an isotropic normal, so that in three dimensions it averages 1.6 ``std``. On the
    ground b is where a walk from a in that direction leads; a walk that comes to the border of
    the walkable surface counts as a collision, so drops attract samples like walls do. Bounds do
    not. A body that turns is also turned, by a rotation vector of that normal law times its
    radius.

    Attributes:
        std: Standard deviation of b around a, the two configurations that are compared, per axis
            [m]; about half a passage's width.
    """

    std: float = 0.5

    def __post_init__(self) -> None:
        if not 0.0 < self.std < np.inf:
            raise InputError(f"`std` must be positive and finite, got {self.std} m")

    def attempt(self, space: Space, count: int, first: int, rng: np.random.Generator) -> Float:
        """Return the free ends of those of ``count`` pairs with one free end, (M, W)."""
        a = space.from_unit_cube(rng.random((count, space.dimension)))
        shift = rng.normal(0.0, self.std * space.meter, (count, len(space.freedom)))
        b, b_is_free, b_is_blocked = displaced(space, a, shift)
        a_is_free = space.is_free(a)
        a_is_blocked = ~a_is_free & in_bounds(a, space.bounds)
        one = (a_is_free & b_is_blocked) | (a_is_blocked & b_is_free)
        return np.where(a_is_free[:, None], a, b)[one]
