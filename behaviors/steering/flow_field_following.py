"""Flow field following: move as a field of velocities says."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, force_towards, level
from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import clip_length


@STEERING_BEHAVIORS.register("flow_field_following")
@dataclass(frozen=True, eq=False)
class FlowFieldFollowing:
    """Take over the field's velocity at the place where one will be.

    With the position x, velocity v, prediction P and field u, f = m (u(x + v P) - v) / T (Reynolds
    1999, "Steering behaviors for autonomous characters"). The field is given at the points of a
    regular grid, interpolated linearly in between, and goes on outside as at the border; an axis
    with one point is one that it does not depend on. Without vectors it asks for nothing.

    Attributes:
        vectors: ``vectors[i][j][k]`` is [u, v, w] [m/s] at ``origin + [i, j, k] * spacing``.
        origin: [m].
        spacing: Between grid points [m].
        prediction: P [s].
    """

    vectors: Sequence[Sequence[Sequence[tuple[float, float, float]]]] = ()
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    spacing: float = 1.0
    prediction: float = 0.25

    def __post_init__(self) -> None:
        if not 0.0 < self.spacing < np.inf:
            raise InputError(f"`spacing` must be positive, got {self.spacing}")
        if not 0.0 <= self.prediction < np.inf:
            raise InputError(f"`prediction` must be 0 or more, got {self.prediction}")
        if len(self.vectors):
            self._grid  # noqa: B018  (checks it)

    @cached_property
    def _grid(self) -> Float:
        try:
            grid = frozen(self.vectors)
        except ValueError:
            raise InputError("`vectors` must be a full grid: all its rows equally long") from None
        if grid.ndim != 4 or grid.shape[3] != 3 or 0 in grid.shape or not np.isfinite(grid).all():
            raise InputError(
                f"`vectors` must be [x][y][z] of [u, v, w], finite, got shape {list(grid.shape)}"
            )
        return grid

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        if not len(self.vectors):
            return np.zeros_like(flock.position)
        wanted = self.velocity_at(flock.position + self.prediction * flock.velocity)
        wanted = clip_length(level(flock, wanted), flock.bodies.max_speed)
        return level(flock, force_towards(flock, wanted))

    def velocity_at(self, point: Float) -> Float:
        """Return the field (M, 3) [m/s] at points (M, 3)."""
        grid = self._grid
        last = np.array(grid.shape[:3]) - 1
        place = np.clip((point - np.array(self.origin)) / self.spacing, 0.0, last)
        low = np.minimum(place.astype(np.intp), np.maximum(last - 1, 0))
        share = place - low
        total = np.zeros_like(point)
        for corner in np.ndindex(2, 2, 2):
            row = np.minimum(low + corner, last)
            weight = np.prod(np.where(np.array(corner) == 1, share, 1.0 - share), axis=1)
            total += weight[:, None] * grid[row[:, 0], row[:, 1], row[:, 2]]
        return total
