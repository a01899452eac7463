"""Places to stand in a region: where members start, and where they stay at the goal."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.spaces import GroundSpace, Space
from rmp3d.scenes import Region

# How far above and below a region's middle its ground is looked for [m].
REACH = 5.0
# Least gap between two bodies at their places [m].
APART = 0.1
# Between a place on the ground and the ground [m].
SEAM = 1e-3
# Points of the space drawn at a time, how often at most, and how many in the region are enough.
DRAWN, MOST_ROUNDS, ENOUGH = 4000, 50, 6000
# Points of a grid. A region that would have more is looked at around its center only.
MOST_POINTS = 1_000_000


@dataclass(frozen=True, eq=False)
class Standing:
    """Bodies that stand somewhere already, such as those of other groups at the start.

    Attributes:
        position: (M, 3) reference points [m].
        radius: (M,) [m].
        capsule_axis: (M, 2) heights of the ends of their upright segments over these [m].
    """

    position: Float = field(default_factory=lambda: np.zeros((0, 3)))
    radius: Float = field(default_factory=lambda: np.zeros(0))
    capsule_axis: Float = field(default_factory=lambda: np.zeros((0, 2)))

    def joined_by(self, position: Float, radius: ArrayLike, capsule_axis: ArrayLike) -> "Standing":
        """Return these and those of a group at (n, 3) [m]; radii and axes may be one for all."""
        count = len(position)
        return Standing(
            np.concatenate([self.position, position]),
            np.concatenate([self.radius, np.broadcast_to(radius, count)]),
            np.concatenate([self.capsule_axis, np.broadcast_to(capsule_axis, (count, 2))]),
        )

    def admit(self, points: Float, radius: float, capsule_axis: tuple[float, float]) -> Bool:
        """Return at which points (K, 3) [m] a body has at least `APART` to all of these."""
        from scipy.spatial import cKDTree  # slow to load

        free = np.ones(len(points), np.bool_)
        if len(points) == 0 or len(self.position) == 0:
            return free
        contact = radius + self.radius + APART
        near = cKDTree(points[:, :2]).query_ball_point(self.position[:, :2], contact)
        other = np.repeat(np.arange(len(near)), [len(rows) for rows in near])
        point = np.concatenate(near).astype(np.intp)
        offset = self.position[other] - points[point]
        below = offset[:, 2] + self.capsule_axis[other, 0] - capsule_axis[1]
        above = offset[:, 2] + self.capsule_axis[other, 1] - capsule_axis[0]
        offset[:, 2] = np.where(below > 0.0, below, np.where(above < 0.0, above, 0.0))
        free[point[length(offset) < contact[other]]] = False
        return free


class NoRoomError(InputError):
    """A region is too small for so many members.

    Attributes:
        region: The region.
    """

    def __init__(self, region: Region, most: int, count: int, size: float | str) -> None:
        """Say so of members of a radius [m], or of a size in words."""
        size = size if isinstance(size, str) else f"of radius {size:g} m"
        super().__init__(
            f"region `{region.name}` has room for {most} member{'' if most == 1 else 's'} {size}, "
            f"not for {count}; make it larger, or take fewer members"
        )
        self.region = region


NOBODY = Standing()


def places_in(
    space: Space, region: Region, count: int, spacing: float, center: Float,
    others: Standing = NOBODY,
) -> Float:  # fmt: skip
    """Return at least ``count`` free places (K, 3) in a region, on a grid, nearest ones first.

    Places are body centers, far enough inside that a small move keeps within the region, and in
    sight of ``center`` (3,) [m]; where those are too few, of one another's too, round obstacles.
    The grid is made tighter until there are enough. No place is near others that stand there.

    Raises:
        NoRoomError: The region is too small for so many.
    """
    radius = space.world.body.radius
    tightest = 2.0 * radius + APART
    most = 0
    for attempt in np.geomspace(max(spacing, tightest), tightest, 8):
        grid = _grid(space, region, float(attempt), center)
        seen = space.world.motions_are_free(np.broadcast_to(center, grid.shape), grid)
        if seen.sum() < count:
            seen = _spread(space, grid, seen, 1.5 * float(attempt))
        seen &= others.admit(grid, radius, space.world.body.capsule_axis)
        most = max(most, int(seen.sum()))
        if seen.sum() >= count:
            return grid[seen]
    raise NoRoomError(region, most, count, radius)


def _grid(space: Space, region: Region, spacing: float, center: Float) -> Float:
    inset = min(0.25 * spacing, 0.1 * region.radius)
    lower = np.maximum(region.bounds[0] + inset, space.bounds[0] - spacing)
    upper = np.minimum(region.bounds[1] - inset, space.bounds[1] + spacing)
    flat = 2 if space.grounded else 3
    half = 0.5 * spacing * (MOST_POINTS ** (1.0 / flat) - 2.0)
    sides = np.clip((upper - lower)[:flat] / spacing, 1.0, None)
    if np.prod(sides + 1.0) > MOST_POINTS:
        lower, upper = np.maximum(lower, center - half), np.minimum(upper, center + half)
    axes = [_line(lower[axis], upper[axis], spacing, center[axis]) for axis in range(3)]
    if space.grounded:
        axes[2] = np.array([center[2]])
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    if space.grounded:
        points, good = space.move(np.tile(center, (len(points), 1)), points - center)
        points = points[good]
    points = points[region.contains(points)]
    points = points[space.is_free(points)]
    order = np.argsort(np.linalg.norm(points - center, axis=1), kind="stable")
    return points[order]


def in_sight(space: Space, places: Float, center: Float, reach: float) -> Bool:
    """Return which places (K, 3) are in sight of ``center`` (3,), or of others that are.

    Args:
        space: Proves motions free.
        places: (K, 3) [m].
        center: (3,) [m].
        reach: From one place to the next [m].
    """
    seen = space.connects(np.broadcast_to(center, places.shape), places)
    return _spread(space, places, seen, reach)


def _spread(space: Space, places: Float, seen: Bool, reach: float) -> Bool:
    """Return which places (K, 3) are seen, or can be reached in steps of ``reach`` from those."""
    from scipy.spatial import cKDTree  # slow to load

    seen = seen.copy()
    while seen.any() and not seen.all():
        near, nearest = cKDTree(places[seen]).query(places, distance_upper_bound=reach)
        tried = np.flatnonzero(~seen & np.isfinite(near))
        joined = space.connects(places[seen][nearest[tried]], places[tried])
        if not joined.any():
            break
        seen[tried[joined]] = True
    return seen


def _line(lower: float, upper: float, spacing: float, through: float) -> Float:
    """Return the multiples of ``spacing`` from ``through`` that lie in [lower, upper]."""
    if lower > upper:
        return np.array([0.5 * (lower + upper)])
    first = np.ceil((lower - through) / spacing - 1e-9)
    last = np.floor((upper - through) / spacing + 1e-9)
    return through + spacing * np.arange(first, last + 1)


def scattered(
    space: Space, region: Region, count: int, spacing: float, center: Float,
    rng: np.random.Generator, others: Standing = NOBODY,
) -> Float:  # fmt: skip
    """Return ``count`` places (count, 3) in a region, some at random where there are more.

    None is where others stand.

    Raises:
        NoRoomError: The region is too small for so many.
    """
    places = places_in(space, region, count, spacing, center, others)
    if not space.grounded or len(places) <= count:
        places = places[: max(count, min(len(places), 2 * count))]
    chosen = np.sort(rng.choice(len(places), count, replace=False))
    return places[chosen]


def anywhere(
    space: Space, region: Region, count: int, spacing: float, rng: np.random.Generator,
    others: Standing = NOBODY,
) -> Float:  # fmt: skip
    """Return ``count`` free places (count, 3) at random in a region, none near another or others.

    Unlike `scattered`, places need not be in sight of one another: there may be obstacles in the
    region. Where there are too few ``spacing`` [m] apart, they come closer. The only place in a
    ball, and the first of several, is its center if that is free. On the ground all are on one
    connected piece of it, the largest one.

    Raises:
        NoRoomError: The region is too small for so many.
    """
    drawn = _on_one_piece(space, _drawn(space, region, rng))
    body = space.world.body
    drawn = drawn[others.admit(drawn, body.radius, body.capsule_axis)]
    tightest = 2.0 * body.radius + APART
    most = 0
    for attempt in np.geomspace(max(spacing, tightest), tightest, 6):
        places = _apart(drawn, count, float(attempt))
        most = max(most, len(places))
        if len(places) == count:
            return places
    raise NoRoomError(region, most, count, body.radius)


def _drawn(space: Space, region: Region, rng: np.random.Generator) -> Float:
    """Return free places (K, 3) of a region at random, the center of a ball first."""
    found = []
    if region.kind == "sphere":
        try:
            found.append(space.place(region.center)[None])
        except PlacementError:
            pass
    kept = 0
    for _ in range(MOST_ROUNDS):
        points = space.from_unit_cube(rng.random((DRAWN, space.dimension)))
        points = points[region.contains(points)]
        points = points[space.is_free(points)]
        found.append(points)
        kept += len(points)
        if kept >= ENOUGH:
            break
    return np.concatenate(found)


def _on_one_piece(space: Space, points: Float) -> Float:
    """Return those of the points (K, 3) on the piece of ground that has most of them."""
    if not isinstance(space, GroundSpace) or len(points) == 0:
        return points
    _, face = space.surface.locate(points, SEAM, SEAM)
    piece = space.surface.component[face]
    return points[piece == np.bincount(piece).argmax()]


def _apart(points: Float, count: int, spacing: float) -> Float:
    """Return up to ``count`` of the points, in order, each ``spacing`` [m] from those before."""
    chosen = np.empty((count, 3))
    size = 0
    for point in points:
        if size == count:
            break
        if (np.linalg.norm(chosen[:size] - point, axis=1) >= spacing).all():
            chosen[size] = point
            size += 1
    return chosen[:size]
