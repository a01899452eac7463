"""Where shepherds can go: a lattice of places over the ground or through the air, and routes."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rmp3d.behaviors.terrain.ahead import first_touch
from rmp3d.behaviors.terrain.ground import MARGIN, Ground, arrival, free_links, ground_of
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import length, unit
from rmp3d.models import Body

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

# A lattice has about so many places at most; then they are farther apart.
MOST_PLACES = 12_000
# Places within so many cells of a point are tried to be joined with it.
JOINED = 1.6
NEAREST = 12
# Cost of a meter near the flock, in meters: routes avoid it unless there is no other.
SHY = 40.0
# Cosine of half the opening of the cone behind a flock.
BEHIND = 0.8


@dataclass(frozen=True, eq=False)
class WalkableGrid:
    """Where a kind of body can go, as a graph of places.

    Attributes:
        ground: The places and the straight links between them.
        free: (E,) links on which the body touches nothing.
        cell: Distance of neighboring places [m].
        obstacles: What must not be touched, or None.
        surface: What is walked on, or None for flyers.
        capsule_axis: (2,) heights of the ends of the body's segment [m].
        radius: Of the body [m].
    """

    ground: Ground
    free: Bool
    cell: float
    obstacles: MeshQuery | None
    surface: WalkableSurface | None
    capsule_axis: Float
    radius: float

    @classmethod
    def of(
        cls, world: WorldState, row: int, cell: float, body: Body | None = None
    ) -> "WalkableGrid":
        """Return the grid of the member ``row`` of a world's flock, or of a given body like it.

        Raises:
            InputError: The ground is too large for the cell.
        """
        flock = world.flock
        rows = np.array([row])
        obstacles = world.obstacles(rows)
        radius, capsule_axis = (
            float(flock.bodies.radius[row]),
            np.array(flock.bodies.capsule_axis[row]),
        )
        if body is not None:
            radius, capsule_axis = body.radius, np.array(body.capsule_axis)
        surface = world.surface_of(rows)
        if surface is not None:
            ground = ground_of(surface, cell)
            free = free_links(
                surface,
                cell,
                obstacles,
                radius,
                float(capsule_axis[0]),
                float(capsule_axis[1]),
            )
            free = free & _inside(ground, world.bounds, radius)
            return cls(ground, free, cell, obstacles, surface, capsule_axis, radius)
        assert world.bounds is not None
        size = np.maximum(np.ptp(world.bounds, axis=0), 1e-9)
        cell = max(cell, float((size.prod() / MOST_PLACES) ** (1 / 3)))
        ground = _lattice(world.bounds, cell)
        grid = cls(
            ground, np.ones(len(ground.link), np.bool_), cell, obstacles, None, capsule_axis, radius
        )
        free = _inside(ground, world.bounds, radius)
        clear = grid.clear(ground.point[ground.origin[free]], ground.point[ground.link[free]])
        free[free] = clear
        return replace(grid, free=free)

    @cached_property
    def usable(self) -> Index:
        """(U,) places that a free link leads to."""
        return np.unique(self.ground.link[self.free])

    @cached_property
    def _tree(self) -> "cKDTree":
        from scipy.spatial import cKDTree  # slow to load

        return cKDTree(self.ground.point[self.usable])

    def clear(self, start: Float, end: Float) -> Bool:
        """Return which straight motions (M, 3) to (M, 3) [m] touch nothing."""
        start, end = np.broadcast_arrays(np.atleast_2d(start), np.atleast_2d(end))
        offset = end - start
        if self.surface is not None:
            # A motion over the ground follows its height.
            offset = offset * [1.0, 1.0, 0.0]
        touch, _ = first_touch(
            self.obstacles, np.zeros((0, 4)), start, unit(offset), length(offset),
            np.tile(self.capsule_axis, (len(start), 1)), np.full(len(start),
            self.radius + 0.5 * MARGIN),
        )  # fmt: skip
        return np.isinf(touch)

    def is_place(self, point: Float) -> bool:
        """Return whether the body can be at a point (3,): a usable place is close by in sight."""
        return bool(self._tree.query(point)[0] <= self.cell)

    def nearest(self, point: Float) -> int:
        """Return the usable place nearest to a point (3,)."""
        return int(self.usable[self._tree.query(point)[1]])

    def near(self, point: Float, reach: float) -> Index:
        """Return the usable places within ``reach`` [m] of a point (3,)."""
        return self.usable[self._tree.query_ball_point(point, reach, return_sorted=True)]

    def joined(self, point: Float) -> tuple[Index, Float]:
        """Return places (J,) that a point (3,) sees close by, and how far they are (J,) [m].

        Without any, the nearest place.
        """
        _, rows = self._tree.query(
            point, min(NEAREST, len(self.usable)), distance_upper_bound=JOINED * self.cell + 1e-9
        )
        rows = np.atleast_1d(rows)
        places = self.usable[rows[rows < len(self.usable)]]
        if len(places):
            places = places[self.clear(point, self.ground.point[places])]
        if len(places) == 0:
            places = np.array([self.nearest(point)])
        return places, length(self.ground.point[places] - point)

    def field(self, point: Float, price: Float | None = None) -> "DistanceField":
        """Return how far every place is from a point (3,), over the free links.

        Args:
            point: [m].
            price: (V,) what a meter costs at each place; 1 if None.
        """
        places, apart = self.joined(point)
        time = np.full(len(self.ground.point), np.inf)
        time[places] = apart if price is None else apart * price[places]
        ground = self.ground
        if price is not None:
            link = 0.5 * (price[ground.link] + price[ground.origin])
            ground = replace(ground, span=ground.span * link)
        far, previous = arrival(ground, self.free, 1.0, time)
        return DistanceField(self, np.array(point), far, previous)

    def prices(self, shunned: Float, reach: float, middle: Float, course: Float) -> Float:
        """Return what a meter costs (V,): `SHY` within ``reach`` [m] of points, else 1.

        Behind animals that are driven it costs 2 only.

        Args:
            shunned: (n, 3) the points, n >= 1 [m].
            reach: [m].
            middle: (3,) of the animals that are driven [m].
            course: (3,) unit, in which they are driven; zero if none is.
        """
        from scipy.spatial import cKDTree  # slow to load

        price = np.ones(len(self.ground.point))
        gap, _ = cKDTree(shunned).query(self.ground.point, distance_upper_bound=reach)
        near = np.flatnonzero(gap < reach)
        price[near] = np.where(is_behind(self.ground.point[near], middle, course), 2.0, SHY)
        return price


@dataclass(frozen=True, eq=False)
class DistanceField:
    """How far it is to a point from everywhere.

    Attributes:
        grid: Of the places.
        point: (3,) [m].
        far: (V,) cost of the route from each place [m]; ``inf`` where there is none.
        previous: (V,) next place on the route from each, -1 at places that see the point.
    """

    grid: WalkableGrid
    point: Float
    far: Float
    previous: Index

    def at(self, points: Float) -> Float:
        """Return how far (M,) [m] points (M, 3) are: through the nearest place that has a route."""
        usable = self.grid.usable
        count = min(4, len(usable))
        gap, rows = self.grid._tree.query(np.atleast_2d(points), count)
        rows = rows.reshape(len(gap), -1)
        gap = gap.reshape(rows.shape)
        through = self.far[usable[rows]] + gap
        straight = length(np.atleast_2d(points) - self.point)
        best = through.min(axis=1)
        near = straight <= self.grid.cell
        return np.where(near, np.minimum(best, straight), best)

    def route(self, start: Float) -> Float:
        """Return the route (K, 3) from a point (3,) to the field's point; the first is left out."""
        places, apart = self.grid.joined(start)
        place = int(places[np.argmin(self.far[places] + apart)])
        if not np.isfinite(self.far[place]):
            return self.point[None]
        rows = [place]
        while self.previous[rows[-1]] >= 0:
            rows.append(int(self.previous[rows[-1]]))
        return np.concatenate([self.grid.ground.point[rows], self.point[None]])


def is_behind(points: Float, middle: Float, course: Float) -> Bool:
    """Return which points (M, 3) are behind a middle (3,) that goes on a course (3,)."""
    offset = points - middle
    along = offset @ course
    behind: Bool = along < -BEHIND * length(offset)
    return behind


def _inside(ground: Ground, bounds: Float | None, radius: float) -> Bool:
    """Return which links (E,) end within the bounds, shrunk by a radius [m] in plan."""
    if bounds is None:
        return np.ones(len(ground.link), np.bool_)
    inset = np.array([radius, radius, 0.0])
    good = (ground.point >= bounds[0] + inset) & (ground.point <= bounds[1] - inset)
    whole = good.all(axis=1)
    result: Bool = whole[ground.link] & whole[ground.origin]
    return result


def _lattice(bounds: Float, cell: float) -> Ground:
    """Return a grid through the air, every place joined with its 26 neighbors."""
    count = np.maximum(np.round(np.ptp(bounds, axis=0) / cell), 1).astype(int)
    index = np.indices(count).reshape(3, -1).T
    point = bounds[0] + (index + 0.5) * np.ptp(bounds, axis=0) / count
    number = np.arange(len(point)).reshape(count)
    links = []
    for step in np.indices((3, 3, 3)).reshape(3, -1).T - 1:
        to = index + step
        inside = ((to >= 0) & (to < count)).all(axis=1) & bool(np.any(step))
        links.append(np.stack([np.flatnonzero(inside), number[tuple(to[inside].T)]], axis=1))
    pairs = np.concatenate(links)
    origin, link = pairs[np.lexsort(pairs.T[::-1])].T
    return Ground(
        point=point,
        start=np.searchsorted(origin, np.arange(len(point) + 1)).astype(np.intp),
        link=np.ascontiguousarray(link, np.intp),
        span=length(point[link] - point[origin]),
    )
