"""Shortest ways through the town by a visibility graph: a judge of path lengths.

It shares no code with the planner: no mesh, no collision, no roadmap. Every patch of the town is
flat, so the shortest way on it is straight but for corners of obstacles, and it leaves the patch
over the ends of ramps. An obstacle keeps the body's center off by its radius; here each of its
corners is cut off by a straight line between the two ends of the arc. So lengths come out a hair
too short, at most ``0.16 radius`` for each right angle. Ends of ramps are crossed at points
`CROSSING` apart, so lengths come out too long, at most by `CROSSING` for each end that is crossed.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from benchmarks.town_map import Patch, Ramp, Rectangle, Town, height_at
from rmp3d.geometry import Bool, Float, Index

CROSSING = 0.1
GRID = 10.0
DEPTH = 1e-6
"""Of what counts as inside an obstacle [m]."""


@dataclass(frozen=True)
class Level:
    """A patch seen by the judge.

    Attributes:
        planes: (H, 3) half-planes ``n.x <= d`` as (n, d), of one obstacle after another.
        first: (P + 1,) where those of each obstacle begin.
        corners: (V, 2) where a way may turn.
        beside: (V, 4) offsets to the corners before and after on the same obstacle; zero: none.
        cells: Obstacles by cell of a grid, one after another; begun: where those of a cell begin.
    """

    patch: Patch
    planes: Float
    first: Index
    corners: Float
    beside: Float
    cells: Index
    begun: Index
    shape: tuple[int, int]

    @property
    def origin(self) -> Float:
        """(2,) corner of the grid."""
        return np.array([self.patch.outline[0], self.patch.outline[2]])

    def seen(self, start: Float, end: Float) -> Bool:
        """Return which segments (M, 2) to (M, 2) meet no obstacle."""
        return _seen(
            start, end, self.planes, self.first, self.cells, self.begun, *self.shape, self.origin
        )


class Geodesics:
    """The visibility graph of a town for bodies of a radius [m].

    Attributes:
        levels: By number of patch; ramps, which have no obstacles, are not among them.
    """

    def __init__(self, town: Town, radius: float) -> None:
        self.town, self.radius = town, radius
        ramps = {ramp.patch for ramp in town.ramps}
        self.levels = {
            number: _level(patch, radius)
            for number, patch in enumerate(town.patches)
            if number not in ramps
        }
        self._place: list[Float] = []
        self._of: list[Index] = []
        pairs: list[Float] = []
        crossings: dict[int, list[tuple[int, int]]] = {number: [] for number in self.levels}
        count = 0
        for ramp in town.ramps:
            ends = []
            for high, number in ((False, ramp.low), (True, ramp.high)):
                points = _end_of(town.patches[ramp.patch], high, radius)
                crossings[number].append((count, count + len(points)))
                ends.append(np.arange(count, count + len(points)))
                self._place.append(points)
                count += len(points)
            pairs.append(self._over(ramp, *ends))
        self._rows: dict[int, Index] = {}
        for number, level in self.levels.items():
            rows = [np.arange(a, b) for a, b in crossings[number]]
            rows.append(np.arange(count, count + len(level.corners)))
            self._place.append(level.corners)
            count += len(level.corners)
            self._rows[number] = np.concatenate(rows)
        self.points = np.concatenate(self._place)
        for number, level in self.levels.items():
            pairs.append(self._within(level, self._rows[number]))
        self._edges = np.concatenate(pairs)

    def sample(self, number: int, count: int, rng: np.random.Generator) -> Float:
        """Return places (count, 2) on a level, clear of its obstacles and borders."""
        level = self.levels[number]
        x0, x1, y0, y1 = level.patch.outline
        found = np.zeros((0, 2))
        while len(found) < count:
            points = rng.uniform([x0 + 1, y0 + 1], [x1 - 1, y1 - 1], (4 * count, 2))
            clear = np.ones(len(points), np.bool_)
            for step in ([1.0, 1.0], [-1.0, 1.0]):
                clear &= level.seen(points - step, points + step)
            found = np.concatenate([found, points[clear]])
        return found[:count]

    def length(self, start: tuple[int, Float], goal: tuple[int, Float]) -> tuple[float, int]:
        """Return the length [m] of the shortest way, and how many ends of ramps it crosses.

        Args:
            start: Number of the level, and place (2,) on it.
            goal: The same.
        """
        count = len(self.points)
        edges = [self._edges]
        for name, (number, place) in ((count, start), (count + 1, goal)):
            rows = self._rows[number]
            there = self.points[rows]
            seen = self.levels[number].seen(np.broadcast_to(place, there.shape).copy(), there)
            gap = np.linalg.norm(there - place, axis=1)
            edges.append(np.stack([np.full(len(rows), name), rows, gap], axis=1)[seen])
        if start[0] == goal[0] and self.levels[start[0]].seen(start[1][None], goal[1][None])[0]:
            edges.append(np.array([[count, count + 1, np.linalg.norm(goal[1] - start[1])]]))
        a, b, gap = np.concatenate(edges).T
        graph = coo_array((gap, (a.astype(int), b.astype(int))), (count + 2, count + 2)).tocsr()
        lengths, before = dijkstra(graph, False, count, return_predecessors=True)
        node, crossed = int(before[count + 1]), 0
        on_ramps = sum(map(len, self._place[: 2 * len(self.town.ramps)]))
        while node not in (count, -9999):
            crossed += node < on_ramps
            node = int(before[node])
        return float(lengths[count + 1]), crossed

    def _over(self, ramp: Ramp, low: Index, high: Index) -> Float:
        """Return the edges (E, 3) over a ramp: both ends, and the length [m]."""
        patch = self.town.patches[ramp.patch]
        below, above = self._place[-2], self._place[-1]
        i, j = (grid.reshape(-1) for grid in np.meshgrid(range(len(low)), range(len(high))))
        rise = patch.z[1] - patch.z[0]
        gap = np.sqrt(((above[j] - below[i]) ** 2).sum(axis=1) + rise**2)
        return np.stack([low[i], high[j], gap], axis=1)

    def _within(self, level: Level, rows: Index) -> Float:
        """Return the edges (E, 3) on a level between points that see each other."""
        beside = np.zeros((len(rows), 4))
        beside[len(rows) - len(level.corners) :] = level.beside
        points = self.points[rows]
        found = []
        for k in range(len(rows) - 1):
            other = np.arange(k + 1, len(rows))
            way = points[other] - points[k]
            touching = _is_tangent(way, np.broadcast_to(beside[k], (len(way), 4)))
            other = other[touching & _is_tangent(way, beside[other])]
            here = np.broadcast_to(points[k], (len(other), 2)).copy()
            other = other[level.seen(here, points[other])]
            gap = np.linalg.norm(points[other] - points[k], axis=1)
            found.append(np.stack([np.full(len(other), rows[k]), rows[other], gap], axis=1))
        return np.concatenate(found) if found else np.zeros((0, 3))


def lifted(town: Town, number: int, place: Float) -> Float:
    """Return the place (2,) on a patch as a point (3,)."""
    return np.append(place, height_at(town.patches[number], place[None]))


def _level(patch: Patch, radius: float) -> Level:
    walls = [_cut_off(corners, radius) for corners in patch.walls]
    shapes = walls + [_corners(area) for area in patch.holes]
    planes, first, corners, beside = [], [0], [], []
    for shape in shapes:
        way = np.roll(shape, -1, axis=0) - shape
        normal = np.stack([way[:, 1], -way[:, 0]], axis=1)
        normal /= np.linalg.norm(normal, axis=1)[:, None]
        planes.append(np.column_stack([normal, (normal * shape).sum(axis=1)]))
        first.append(first[-1] + len(shape))
        corners.append(shape)
        beside.append(
            np.hstack([np.roll(shape, 1, axis=0) - shape, np.roll(shape, -1, axis=0) - shape])
        )
    x0, x1, y0, y1 = patch.outline
    columns, rows = int(np.ceil((x1 - x0) / GRID)), int(np.ceil((y1 - y0) / GRID))
    listed: list[list[int]] = [[] for _ in range(columns * rows)]
    for number, shape in enumerate(shapes):
        low = np.floor((shape.min(axis=0) - [x0, y0] - DEPTH) / GRID).astype(int)
        high = np.floor((shape.max(axis=0) - [x0, y0] + DEPTH) / GRID).astype(int)
        for i in range(max(low[0], 0), min(high[0], columns - 1) + 1):
            for j in range(max(low[1], 0), min(high[1], rows - 1) + 1):
                listed[i * rows + j].append(number)
    cells = np.array([number for cell in listed for number in cell], np.int64)
    begun = np.cumsum([0] + [len(cell) for cell in listed])
    flat = np.concatenate(planes) if planes else np.zeros((0, 3))
    turns = np.concatenate(corners) if corners else np.zeros((0, 2))
    near = np.concatenate(beside) if beside else np.zeros((0, 4))
    made = Level(patch, flat, np.array(first), turns, near, cells, begun, (columns, rows))
    inside = (turns >= [x0, y0]).all(axis=1) & (turns <= [x1, y1]).all(axis=1)
    inside &= made.seen(turns, turns)
    return Level(
        patch, flat, made.first, turns[inside], near[inside], cells, begun, (columns, rows)
    )


def _cut_off(corners: Float, radius: float) -> Float:
    """Return a convex shape, counterclockwise, grown by a radius with its corners cut off."""
    way = np.roll(corners, -1, axis=0) - corners
    normal = np.stack([way[:, 1], -way[:, 0]], axis=1)
    normal *= radius / np.linalg.norm(normal, axis=1)[:, None]
    grown = np.stack([corners + np.roll(normal, 1, axis=0), corners + normal], axis=1)
    return grown.reshape(-1, 2)


def _corners(area: Rectangle) -> Float:
    x0, x1, y0, y1 = area
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def _end_of(patch: Patch, high: bool, radius: float) -> Float:
    """Return points (N, 2) over one end of a ramp, its sides kept off by a radius."""
    sides = np.array(patch.outline).reshape(2, 2)
    across = 1 - patch.axis
    width = sides[across, 1] - sides[across, 0] - 2.0 * radius
    count = int(np.ceil(width / CROSSING)) + 1
    points = np.empty((count, 2))
    points[:, across] = sides[across, 0] + radius + np.linspace(0.0, width, count)
    points[:, patch.axis] = sides[patch.axis, int(high == patch.up)]
    return points


def _is_tangent(way: Float, beside: Float) -> Bool:
    """Return which ways (M, 2) leave both neighbors (M, 4) of a corner on one side."""
    one = way[:, 0] * beside[:, 1] - way[:, 1] * beside[:, 0]
    other = way[:, 0] * beside[:, 3] - way[:, 1] * beside[:, 2]
    scale = DEPTH * np.linalg.norm(way, axis=1)
    found: Bool = ((one >= -scale) & (other >= -scale)) | ((one <= scale) & (other <= scale))
    return found


@njit(cache=True)
def _seen(start, end, planes, first, cells, begun, columns, rows, origin):  # type: ignore[no-untyped-def]
    """Return which segments meet no obstacle; each looks at the obstacles of the cells it meets."""
    clear = np.ones(len(start), np.bool_)
    for m in range(len(start)):
        x, y = start[m, 0] - origin[0], start[m, 1] - origin[1]
        dx, dy = end[m, 0] - start[m, 0], end[m, 1] - start[m, 1]
        low = max(int(np.floor((min(x, x + dx) - DEPTH) / GRID)), 0)
        high = min(int(np.floor((max(x, x + dx) + DEPTH) / GRID)), columns - 1)
        for i in range(low, high + 1):
            a, b = 0.0, 1.0
            if abs(dx) > 1e-12:
                one, two = (i * GRID - DEPTH - x) / dx, ((i + 1) * GRID + DEPTH - x) / dx
                a, b = max(0.0, min(one, two)), min(1.0, max(one, two))
            here, there = y + a * dy, y + b * dy
            bottom = max(int(np.floor((min(here, there) - DEPTH) / GRID)), 0)
            top = min(int(np.floor((max(here, there) + DEPTH) / GRID)), rows - 1)
            for j in range(bottom, top + 1):
                for k in range(begun[i * rows + j], begun[i * rows + j + 1]):
                    if _meets(start[m], dx, dy, planes[first[cells[k]] : first[cells[k] + 1]]):
                        clear[m] = False
                        break
                if not clear[m]:
                    break
            if not clear[m]:
                break
    return clear


@njit(cache=True)
def _meets(start, dx, dy, planes):  # type: ignore[no-untyped-def]
    """Return whether a segment comes deeper than `DEPTH` into a convex obstacle."""
    a, b = 0.0, 1.0
    for k in range(len(planes)):
        over = planes[k, 0] * start[0] + planes[k, 1] * start[1] - planes[k, 2] + DEPTH
        rate = planes[k, 0] * dx + planes[k, 1] * dy
        if abs(rate) < 1e-15:
            if over >= 0.0:
                return False
        elif rate > 0.0:
            b = min(b, -over / rate)
        else:
            a = max(a, -over / rate)
        if a >= b and not (a == b == 0.0 and dx == 0.0 and dy == 0.0):
            return False
    return True
