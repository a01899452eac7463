"""Medial: samples as far from obstacles as the room between them allows."""

from dataclasses import dataclass
from math import cos, radians

import numpy as np

from rmp3d.geometry import Bool, Float, InputError
from rmp3d.geometry.vectors import length, unit
from rmp3d.planner.sampling.sampler import SAMPLERS
from rmp3d.planner.spaces import Space
from rmp3d.planner.spaces.directions import clearance_and_gradient, within_space

# Where the direction to the nearest obstacle point jumps by more than this, there are two.
TURN = cos(radians(45.0))
SHARE = 0.7  # of the clearance that a step goes; on a slope of 45 degrees it is all of it


@SAMPLERS.register("medial")
@dataclass(frozen=True)
class Medial:
    """Sample free configurations that are equally far from two obstacle points.

    Draw a free configuration uniformly and move it straight away from the nearest obstacle
    point, always within its clearance, until another obstacle point is as near (MAPRM: Wilmarth,
    Amato, Stiller 1999, "MAPRM: a probabilistic roadmap planner with sampling on the medial axis
    of the free space"). We see that by the gradient of the clearance, which jumps there; halving
    the step brackets the jump. Jumps of less than 45 degrees, in wide corners, are passed by.
    The paper also pushes colliding configurations out; we do not. Bounds are no obstacles: who
    leaves them, or finds no second obstacle within ``reach``, gives no sample. A body that can
    turn keeps the orientation it was drawn with.

    Attributes:
        reach: Farthest that a sample is moved [m].
        precision: Half the difference that the two distances may have [m].
    """

    reach: float = 20.0
    precision: float = 0.02

    def __post_init__(self) -> None:
        if not 0.0 < self.precision <= self.reach < np.inf:
            raise InputError(
                "`precision` must be positive and `reach` not smaller, got "
                f"{self.precision} m and {self.reach} m"
            )

    def attempt(self, space: Space, count: int, first: int, rng: np.random.Generator) -> Float:
        """Return the equidistant configurations that ``count`` uniform ones lead to, (M, W)."""
        points = space.from_unit_cube(rng.random((count, space.dimension)))
        points = points[space.is_free(points)]
        start, step = self._ascend(space, points)
        low, jumps = self._halve(space, start, step)
        return low[jumps & space.is_free(low)]

    def _ascend(self, space: Space, points: Float) -> tuple[Float, Float]:
        """Return where the last step before a jump begins (M, W), and the step (M, 3).

        Only of those points (M', W) that come to a jump, in the order of the points.
        """
        precision, reach = self.precision * space.meter, self.reach * space.meter
        start, step = np.zeros_like(points), np.zeros((len(points), 3))
        found = np.zeros(len(points), dtype=np.bool_)
        rows = np.arange(len(points))
        moved = np.zeros(len(points))
        clearance, gradient = clearance_and_gradient(space, points)
        while len(rows):
            size = np.maximum(SHARE * clearance, precision)
            start[rows] = points
            step[rows] = size[:, None] * unit(within_space(space, gradient))
            points, arrived = space.move(points, step[rows])
            moved += size
            goes_on = arrived & (moved <= reach) & (step[rows] != 0.0).any(axis=1)
            rows, points, moved = rows[goes_on], points[goes_on], moved[goes_on]
            before = gradient[goes_on]
            clearance, gradient = clearance_and_gradient(space, points)
            jumped = _turned(before, gradient)
            found[rows[jumped]] = True
            rows, points, moved = rows[~jumped], points[~jumped], moved[~jumped]
            clearance, gradient = clearance[~jumped], gradient[~jumped]
        return start[found], step[found]

    def _halve(self, space: Space, start: Float, step: Float) -> tuple[Float, Bool]:
        """Return configurations (M, W) just before the jump, and whether there is one."""
        _, before = clearance_and_gradient(space, start)
        after = before
        low, high = np.zeros(len(start)), np.ones(len(start))
        while ((high - low) * length(step) > self.precision * space.meter).any():
            middle = 0.5 * (low + high)
            _, gradient = clearance_and_gradient(
                space, space.move(start, middle[:, None] * step)[0]
            )
            turned = _turned(before, gradient)
            low, high = np.where(turned, low, middle), np.where(turned, middle, high)
        low_points = space.move(start, low[:, None] * step)[0]
        _, before = clearance_and_gradient(space, low_points)
        _, after = clearance_and_gradient(space, space.move(start, high[:, None] * step)[0])
        return low_points, _turned(before, after)


def _turned(before: Float, after: Float) -> Bool:
    turned: Bool = np.einsum("ij,ij->i", before, after) < TURN
    return turned
