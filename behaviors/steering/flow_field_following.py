"""Flow field following: move as a field of velocities says, a grid or strokes of a brush."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering_behavior import (
    STEERING_BEHAVIORS,
    Surroundings,
    force_towards,
    level,
    where_known,
)
from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import clip_length, length

STROKE_HEIGHT = 1.0  # [m] above and below a stroke in which it is whole; it is gone at twice that


@dataclass(frozen=True, eq=False)
class FlowStroke:
    """A stroke of a brush: the flow goes along a polyline, and fades to both sides.

    With the level distance d from a piece of the line and the width B, the piece has the share
    (1 - (2 d / B)^2)^2, zero from d = B/2 on. The stroke's share is the largest of its pieces'. Its
    direction is the mean of theirs, weighted with share and length. So the flow is continuous, and
    it turns gradually where the line has a corner.

    Attributes:
        points: [x, y, z] of the line, on the ground for those that walk [m].
        width: B, of the brush [m].
        speed: Of the flow on the line [m/s].
    """

    points: Sequence[tuple[float, float, float]]
    width: float = 2.0
    speed: float = 1.0

    def check(self, key: str) -> None:
        """Raise `InputError` if the stroke at a key of a scenario is none."""
        if not 0.0 < self.width < np.inf:
            raise InputError(f"`{key}.width`: must be positive, given {self.width}")
        if not 0.0 <= self.speed < np.inf:
            raise InputError(f"`{key}.speed`: must be 0 or more, given {self.speed}")
        try:
            self._pieces  # noqa: B018  (checks the points)
        except InputError as error:
            raise InputError(f"`{key}.points`: {error}") from None

    @cached_property
    def _pieces(self) -> tuple[Float, Float]:
        """Starts (S, 3) and offsets to the ends (S, 3) [m] of the pieces that have a length."""
        try:
            points = frozen(self.points)
        except ValueError:
            points = np.empty(0)
        offset = np.diff(points, axis=0) if points.ndim == 2 else np.empty((0, 3))
        has_length = length(offset) > 0.0
        if points.shape[1:] != (3,) or not np.isfinite(points).all() or not has_length.any():
            raise InputError("must be [x, y, z] of two different places or more, finite")
        return points[:-1][has_length], offset[has_length]

    def flow_at(self, point: Float) -> tuple[Float, Float]:
        """Return the flow's velocity (M, 3) [m/s] and the stroke's share (M,) at points (M, 3)."""
        start, offset = self._pieces
        level_square = np.einsum("si,si->s", offset[:, :2], offset[:, :2])
        level_square[level_square == 0.0] = np.inf  # of an upright piece: its start
        from_start = point[:, None] - start  # (M, S, 3)
        along = np.einsum("msi,si->ms", from_start[:, :, :2], offset[:, :2]) / level_square
        away = from_start - np.clip(along, 0.0, 1.0)[:, :, None] * offset
        square = np.einsum("msi,msi->ms", away[:, :, :2], away[:, :, :2])
        share = np.maximum(1.0 - square / (0.5 * self.width) ** 2, 0.0) ** 2
        share *= np.clip(2.0 - np.abs(away[:, :, 2]) / STROKE_HEIGHT, 0.0, 1.0)
        total = share @ length(offset)
        total[total == 0.0] = np.inf
        return self.speed * (share @ offset) / total[:, None], share.max(axis=1)


@STEERING_BEHAVIORS.register("flow_field_following")
@dataclass(frozen=True, eq=False)
class FlowFieldFollowing:
    """Take over the field's velocity at the place where one will be.

    With the position x, velocity v, prediction P and field u, f = m (u(x + v P) - v) / T (Reynolds
    1999, "Steering behaviors for autonomous characters"). The field is given at the points of a
    regular grid, interpolated linearly in between, and goes on outside as at the border; an axis
    with one point is one that it does not depend on. Strokes cover the grid, and later ones those
    before, as paint does: where a stroke with the velocity s has the share w, u becomes
    (1 - w) u + w s. Where there is no grid and no stroke it asks for nothing, and where strokes
    fade, for less: the uncovered share of the own velocity is kept.

    Attributes:
        vectors: ``vectors[i][j][k]`` is [u, v, w] [m/s] at ``origin + [i, j, k] * spacing``.
        origin: Where the grid begins [m].
        spacing: Between grid points [m].
        prediction: How far ahead in time the place is that is looked at: P [s].
        strokes: Strokes of a brush over the grid.
    """

    vectors: Sequence[Sequence[Sequence[tuple[float, float, float]]]] = ()
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)
    spacing: float = 1.0
    prediction: float = 0.25
    strokes: Sequence[FlowStroke] = ()

    def __post_init__(self) -> None:
        if not 0.0 < self.spacing < np.inf:
            raise InputError(f"`spacing` must be positive, got {self.spacing}")
        if not 0.0 <= self.prediction < np.inf:
            raise InputError(f"`prediction` must be 0 or more, got {self.prediction}")
        if len(self.vectors):
            self._grid  # noqa: B018  (checks it)
        for row, stroke in enumerate(self.strokes):
            stroke.check(f"strokes[{row}]")

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
        flow, covered = self._flow_at(flock.position + self.prediction * flock.velocity)
        wanted = flow + (1.0 - covered)[:, None] * flock.velocity
        wanted = clip_length(level(flock, wanted), flock.bodies.max_speed)
        return where_known(covered > 0.0, level(flock, force_towards(flock, wanted)))

    def velocity_at(self, point: Float) -> Float:
        """Return the field (M, 3) [m/s] at points (M, 3); zero where nothing covers them."""
        return self._flow_at(point)[0]

    def _flow_at(self, point: Float) -> tuple[Float, Float]:
        """Return the field (M, 3) [m/s] at points (M, 3), and how far it covers them (M,)."""
        has_grid = len(self.vectors) > 0
        flow = self._grid_at(point) if has_grid else np.zeros_like(point)
        covered = np.full(len(point), float(has_grid))
        for stroke in self.strokes:
            velocity, share = stroke.flow_at(point)
            flow += share[:, None] * (velocity - flow)
            covered += share * (1.0 - covered)
        return flow, covered

    def _grid_at(self, point: Float) -> Float:
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
