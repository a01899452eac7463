"""Obstacle: samples on the surface of obstacles."""

from dataclasses import dataclass

import numpy as np

from rmp3d.geometry import Bool, Float, InputError
from rmp3d.planner.sampling.sampler import SAMPLERS
from rmp3d.planner.spaces import Space
from rmp3d.planner.spaces.bounds import in_bounds
from rmp3d.planner.spaces.directions import random_directions

FIRST_STEP = 0.5  # outward, times the body's radius
GROWTH = 1.5  # of each step to the next


@SAMPLERS.register("obstacle")
@dataclass(frozen=True)
class Obstacle:
    """Sample free configurations at the boundary of obstacles.

    Draw a configuration uniformly; if it collides, push it out along a random direction, in
    growing steps, until it is free; then halve the last step down to ``precision`` (OBPRM: Amato,
    Bayazit, Dale, Jones, Vallejo 1998, "OBPRM: an obstacle-based PRM for 3D workspaces", section
    3.1). A push that leaves the space, or does not come out within ``reach``, gives nothing. A body
    that turns is pushed and turned at once; its distance counts the turn as the space does.

    Attributes:
        reach: Farthest that a sample is pushed [m]; on the ground, in plan.
        precision: Largest distance [m] of a sample to a collision, in plan on the ground.
    """

    reach: float = 5.0
    precision: float = 0.05

    def __post_init__(self) -> None:
        if not 0.0 < self.precision <= self.reach < np.inf:
            raise InputError(
                "`precision` must be positive and `reach` not smaller, got "
                f"{self.precision} m and {self.reach} m"
            )

    def attempt(self, space: Space, count: int, first: int, rng: np.random.Generator) -> Float:
        """Return where those of ``count`` configurations that collide come out, (M, W)."""
        origin = space.from_unit_cube(rng.random((count, space.dimension)))
        direction = random_directions(space, count, rng)
        collides = in_bounds(origin, space.bounds) & ~space.is_free(origin)
        origin, direction = origin[collides], direction[collides]
        low, high = self._bracket(space, origin, direction)
        out = np.isfinite(high)
        origin, direction, low, high = origin[out], direction[out], low[out], high[out]
        while (high - low > self.precision * space.meter).any():
            middle = 0.5 * (low + high)
            free = _is_free_at(space, origin, direction, middle)
            low, high = np.where(free, low, middle), np.where(free, middle, high)
        return space.move(origin, high[:, None] * direction)[0]

    def _bracket(self, space: Space, origin: Float, direction: Float) -> tuple[Float, Float]:
        """Return distances (M,) [m] that collide and, next after them, free ones (inf: none)."""
        low, high = np.zeros(len(origin)), np.full(len(origin), np.inf)
        reach = self.reach * space.meter
        distance = FIRST_STEP * space.world.body.radius
        pushed = np.arange(len(origin))
        while len(pushed):
            distance = min(distance, reach)
            end, arrived = space.move(origin[pushed], distance * direction[pushed])
            pushed, end = pushed[arrived], end[arrived]
            free = space.is_free(end)
            high[pushed[free]] = distance
            pushed = pushed[~free]
            low[pushed] = distance
            if distance == reach:
                break
            distance *= GROWTH
        return low, high


def _is_free_at(space: Space, origin: Float, direction: Float, distance: Float) -> Bool:
    return space.is_free(space.move(origin, distance[:, None] * direction)[0])
