"""Path following: stay within a radius of a line, and go along it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.steering.arrive import Arrive
from rmp3d.behaviors.steering_behavior import STEERING_BEHAVIORS, Surroundings, force_towards
from rmp3d.geometry.arrays import Float, frozen
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length, unit

# Straight pieces of a spline between two points.
PIECES = 16


@STEERING_BEHAVIORS.register("path_following")
@dataclass(frozen=True, eq=False)
class PathFollowing:
    """Steer back where the predicted position leaves the path's tube, else go on along it.

    The position in ``prediction`` seconds is projected on the path; if it is within ``radius``
    of the path and the agent moves along it, cruising on is asked for; else the agent seeks the
    point ``ahead`` further on (Reynolds 1999). Each agent remembers how far along it has come,
    and looks for the nearest point only near there, so that a path passing close to itself, or
    crossing itself, is not cut short. Before the path's end it slows down as `Arrive` does, and
    comes to rest there.

    Attributes:
        points: Corners of the path, (K, 3) [m].
        radius: Of the tube [m].
        prediction: How far ahead in time the own place is foreseen [s].
        ahead: How far on along the path the sought point is [m].
        direction: 1 along the points, -1 back.
        curve: ``polyline``: straight from point to point. ``spline``: the natural cubic spline
            through the points, by their distances (Reynolds 1999 names both as the spine).
    """

    points: Sequence[tuple[float, float, float]]
    radius: float = 0.5
    prediction: float = 0.5
    ahead: float = 1.0
    direction: Literal[1, -1] = 1
    curve: Literal["polyline", "spline"] = "polyline"

    def __post_init__(self) -> None:
        points = np.array(list(self.points), float)
        if points.ndim != 2 or points.shape[1] != 3 or len(points) < 2:
            raise InputError("`points` must be a list of at least two [x, y, z]")
        if not np.isfinite(points).all():
            raise InputError("`points` must be finite")
        if self.curve == "spline" and (length(np.diff(points, axis=0)) == 0.0).any():
            raise InputError("`points`: two in a row are the same; a `spline` needs them apart")
        if self.direction not in (1, -1):
            raise InputError(f"`direction` must be 1 or -1, got {self.direction}")
        for name in ("radius", "prediction", "ahead"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")

    @cached_property
    def _line(self) -> Float:
        """(K, 3) points in the direction of travel [m]."""
        points = frozen(list(self.points)[:: self.direction])
        return points if self.curve == "polyline" else frozen(spline(points))

    def remembered(self, flock: Flock, around: Surroundings) -> Float:
        """Return how far along the path (N,) each agent has come [m]."""
        if around.memory is None:
            return project_on_polyline(self._line, flock.position)[0]
        reach = 2.0 * (flock.bodies.max_speed * around.dt + self.radius)
        return project_on_polyline(self._line, flock.position, around.memory, reach)[0]

    def steering_force(self, flock: Flock, around: Surroundings) -> Float:
        """Return the (N, 3) force [N]."""
        here = self.remembered(flock, around) if around.memory is None else around.memory
        future = flock.position + self.prediction * flock.velocity
        reach = 2.0 * (self.prediction * flock.bodies.max_speed + self.radius)
        station, gap = project_on_polyline(self._line, future, here, reach)
        target = point_at(self._line, np.maximum(station, here) + self.ahead)
        along = point_at(self._line, here + 1e-3) - point_at(self._line, here)
        inside = (gap < self.radius) & (np.einsum("ij,ij->i", flock.velocity, along) > 0.0)
        end = stations(self._line)[-1]
        inside &= here + self.ahead < end
        course = np.where(inside[:, None], unit(flock.velocity), unit(target - flock.position))
        rest = end - here + length(point_at(self._line, here) - flock.position)
        pace = np.minimum(
            flock.bodies.cruise_speed, Arrive().approach(rest, flock.bodies.max_brake)
        )
        return force_towards(flock, pace[:, None] * course)


def spline(points: Float) -> Float:
    """Return the natural cubic spline through points (K, 3) as a polyline (L, 3), the points in it.

    The parameter is the distance along the polyline of the points. Each span is cut in `PIECES`.
    """
    from scipy.interpolate import CubicSpline  # slow to load, and few ask

    along = stations(points)
    pieces = (np.linspace(a, b, PIECES, endpoint=False) for a, b in pairwise(along))
    curve = CubicSpline(along, points, bc_type="natural")
    line: Float = curve(np.append(np.concatenate(list(pieces)), along[-1]))
    return line


def stations(points: Float) -> Float:
    """Return the arc length (K,) [m] at each point (K, 3) of a polyline."""
    return np.concatenate([[0.0], np.cumsum(length(np.diff(points, axis=0)))])


def point_at(points: Float, station: Float) -> Float:
    """Return the points (M, 3) at arc lengths (M,), held at the ends."""
    along = stations(points)
    return np.stack([np.interp(station, along, points[:, axis]) for axis in range(3)], axis=1)


def project_on_polyline(
    points: Float, position: Float, around: Float | None = None, reach: Float | float = np.inf
) -> tuple[Float, Float]:
    """Return arc length (M,) and distance (M,) of the path's points nearest to positions (M, 3).

    Args:
        points: (K, 3) polyline [m].
        position: (M, 3) [m].
        around: (M,) arc lengths near which to look, or None for everywhere.
        reach: How far from them [m].
    """
    start, step = points[:-1], np.diff(points, axis=0)
    size = np.maximum(np.einsum("ij,ij->i", step, step), 1e-300)
    along = stations(points)
    share = np.einsum("mkj,kj->mk", position[:, None] - start[None], step) / size
    share = np.clip(share, 0.0, 1.0)
    gap = length(position[:, None] - start[None] - share[..., None] * step[None])
    station = along[:-1] + share * np.diff(along)
    if around is not None:
        limit = np.broadcast_to(np.asarray(reach, float), around.shape)
        far = np.abs(station - around[:, None]) > limit[:, None]
        gap = np.where(far & ~far.all(axis=1, keepdims=True), np.inf, gap)
    best = np.argmin(gap, axis=1)
    rows = np.arange(len(position))
    return station[rows, best], gap[rows, best]
