"""The walkable surface as a graph of cells, and how soon an agent gets to each of them."""

import heapq
from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.terrain.ahead import first_touch
from rmp3d.geometry.arrays import Bool, Float, Index, frozen
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.overhead import cleared, overhead_query, probes
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.surface import WalkableSurface
from rmp3d.geometry.vectors import length, unit
from rmp3d.geometry.weak_cache import weak_cache

MOST_CELLS = 50_000
# Levels this far apart are told apart [m]; heights that agree to this are of one level [m].
HEADROOM, SAME_LEVEL = 0.5, 0.05
# To the eight neighbors, and by a knight's move: routes are at most 2.8 % longer than straight.
STEPS = [(i, j) for i in range(-2, 3) for j in range(-2, 3) if abs(i) + abs(j) in (1, 3)]
STEPS += [(1, 1), (1, -1), (-1, 1), (-1, -1)]
# Clearance of the body on its way from cell to cell [m].
MARGIN = 0.05
# Clearance of a proof that other ground is not in the way [m].
PROVED = 1e-3


@dataclass(frozen=True, eq=False)
class Ground:
    """Points of the surface, one in each cell and level, and the straight links between them.

    Attributes:
        point: (V, 3) [m].
        start: (V + 1,) the links from v are ``start[v] : start[v + 1]``.
        link: (E,) where each link leads.
        span: (E,) its length in plan [m].
    """

    point: Float
    start: Index
    link: Index
    span: Float

    @property
    def origin(self) -> Index:
        """(E,) where each link begins."""
        return np.repeat(np.arange(len(self.point)), np.diff(self.start))


@weak_cache
def ground_of(surface: WalkableSurface, cell: float) -> Ground:
    """Return the cells of a surface; every link between two is walked straight on without a stop.

    Raises:
        InputError: There would be more than `MOST_CELLS`.
    """
    corners = surface.mesh.vertices
    lower, upper = corners.min(axis=0), corners.max(axis=0)
    count = np.maximum(np.ceil((upper - lower)[:2] / cell), 1).astype(int)
    if count.prod() > MOST_CELLS:
        raise InputError(
            f"`cell` {cell} m cuts the ground into {count.prod()} cells, more than {MOST_CELLS}; "
            "make it larger"
        )
    place = lower[:2] + (np.indices(count).reshape(2, -1).T + 0.5) * (upper - lower)[:2] / count
    points, faces, rows = [], [], []
    height = np.full(len(place), upper[2] + 1.0)
    columns, known = np.arange(len(place)), 0
    while len(columns):
        found, face = surface.locate(
            np.column_stack([place[columns], height[columns]]), 0.0, np.inf
        )
        columns, found, face = columns[face >= 0], found[face >= 0], face[face >= 0]
        row = np.full(len(place), -1)
        row[columns] = known + np.arange(len(columns))
        known += len(columns)
        points.append(found)
        faces.append(face)
        rows.append(row.reshape(count))
        height[columns] = found[:, 2] - HEADROOM
    return _linked(surface, np.concatenate(points), np.concatenate(faces), rows, place, count)


def _linked(
    surface: WalkableSurface,
    point: Float,
    face: Index,
    rows: list[Index],
    place: Float,
    count: Index,
) -> Ground:
    """Return the cells, linked along `STEPS`; ``rows`` are numbers in each level, by cell."""
    column = np.empty((len(point), 2), np.intp)
    for row in rows:
        column[row[row >= 0]] = np.argwhere(row >= 0)
    links = []
    for step in STEPS:
        to = column + step
        inside = np.flatnonzero(((to >= 0) & (to < count)).all(axis=1))
        to = to[inside]
        offset = place[to[:, 0] * count[1] + to[:, 1]] - point[inside, :2]
        end, _, arrived = surface.walk(point[inside], face[inside], offset)
        for row in rows:
            other = row[to[:, 0], to[:, 1]]
            good = arrived & (other >= 0)
            good &= np.abs(point[other, 2] - end[:, 2]) < SAME_LEVEL
            links.append(np.column_stack([inside, other])[good])
    pairs = np.concatenate(links)
    origin, link = pairs[np.lexsort(pairs.T[::-1])].T
    return Ground(
        point=frozen(point),
        start=np.searchsorted(origin, np.arange(len(point) + 1)).astype(np.intp),
        link=np.ascontiguousarray(link, np.intp),
        span=length((point[link] - point[origin])[:, :2]),
    )


@weak_cache
def free_links(
    surface: WalkableSurface, cell: float, obstacles: MeshQuery | None, radius: float, low: float,
    high: float,
) -> Bool:  # fmt: skip
    """Return which links (E,) of the ground a body can go without touching anything.

    Args:
        surface: What the ground is of.
        cell: Its cell [m].
        obstacles: What must not be touched, or None.
        radius: Of the upright capsule [m].
        low: Height of the lower end of its segment over the ground [m].
        high: Of the upper end [m].
    """
    ground = ground_of(surface, cell)
    free = _below_ground(surface, ground, radius, low, high)
    if obstacles is None:
        return free
    origin, width = ground.origin, radius + MARGIN
    offset = ground.point[ground.link] - ground.point[origin]
    reach = length(offset)
    gap, _ = obstacles.capsule_clearance(ground.point, (low, high), width, 3.0 * cell)
    free &= (gap[origin] >= 0.0) & (gap[ground.link] >= 0.0)
    doubtful = np.flatnonzero(free & (gap[origin] < reach))
    touch, _ = first_touch(
        obstacles, np.zeros((0, 4)), ground.point[origin[doubtful]], unit(offset[doubtful]),
        reach[doubtful], np.tile([low, high], (len(doubtful), 1)), np.full(len(doubtful), width),
    )  # fmt: skip
    free[doubtful] = np.isinf(touch)
    return free


def _below_ground(
    surface: WalkableSurface, ground: Ground, radius: float, low: float, high: float
) -> Bool:
    """Return on which links (E,) no other ground is in the body's way; see `geometry.overhead`.

    A link is straight and the surface below it is not: the probes begin higher by as much.
    """
    free = np.ones(len(ground.link), np.bool_)
    query = overhead_query(surface, radius, high + radius)
    if query is None:
        return free
    sag = 0.5 * surface.slope * ground.span.max(initial=0.0) + surface.extent[3]
    for width, bottom, top in probes(radius, low, high, surface.slope, cleared(surface)).tolist():
        capsule_axis = min(bottom + sag, top), top
        ends = ground.point[ground.origin[free]], ground.point[ground.link[free]]
        free[free] = query.sweep_capsule(*ends, capsule_axis, width, PROVED)[0]
    return free


@weak_cache
def cells_within(surface: WalkableSurface, cell: float, reach: float) -> tuple[Index, Index]:
    """Return the cells within ``reach`` [m] of each: those of v are ``near[start[v] : ...]``."""
    from scipy.spatial import cKDTree  # slow to load

    point = ground_of(surface, cell).point
    found = cKDTree(point).query_ball_point(point, reach, return_sorted=True)
    start = np.concatenate([[0], np.cumsum([len(row) for row in found])]).astype(np.intp)
    return start, np.concatenate(found).astype(np.intp)


def arrival(
    ground: Ground, free: Bool, speed: float, time: Float, before: Float | None = None
) -> tuple[Float, Index]:
    """Return how soon (V,) [s] an agent gets to each cell, and from which cell (V,), -1 for none.

    Dijkstra's algorithm; cells that cannot be reached have the time ``inf``.

    Args:
        ground: Cells and links.
        free: (E,) links that can be walked.
        speed: In plan [m/s].
        time: (V,) when an agent can be at the cells to begin with [s]; ``inf`` elsewhere.
        before: (V,) cells are entered before this time or not at all [s].
    """
    time = np.array(time)
    if before is None:
        before = np.full(len(time), np.inf)
    time[time >= before] = np.inf
    previous = np.full(len(time), -1, np.intp)
    _spread(ground.start, ground.link, ground.span, free, speed, before, time, previous)
    return time, previous


@compiled
def _spread(start, link, span, free, speed, before, time, previous):
    heap = [(0.0, -1)]
    heap.pop()
    for v in range(time.shape[0]):
        if time[v] < np.inf:
            heap.append((time[v], v))
    heapq.heapify(heap)
    while len(heap) > 0:
        now, v = heapq.heappop(heap)
        if now > time[v]:
            continue
        for e in range(start[v], start[v + 1]):
            then = now + span[e] / speed
            w = link[e]
            if free[e] and then < time[w] and then < before[w]:
                time[w] = then
                previous[w] = v
                heapq.heappush(heap, (then, w))


def soonest_near(point: Float, start: Index, near: Index, reach: float, time: Float) -> Float:
    """Return the least time (V,) of the cells within ``reach`` [m] of each; see `cells_within`."""
    soonest = np.empty(len(time))
    _soonest_rows(point, start, near, reach, time, soonest)
    return soonest


@compiled
def _soonest_rows(point, start, near, reach, time, soonest):
    for v in range(time.shape[0]):
        soonest[v] = time[v]
        for k in range(start[v], start[v + 1]):
            w = near[k]
            x, y = point[w, 0] - point[v, 0], point[w, 1] - point[v, 1]
            z = point[w, 2] - point[v, 2]
            if time[w] < soonest[v] and x * x + y * y + z * z <= reach * reach:
                soonest[v] = time[w]
