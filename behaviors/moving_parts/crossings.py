"""Where and when a moving part is in the way of a path, and when that is free for long enough.

The clock's period is cut into pieces in which the part moves a little. For each piece, the motion
of the body along the path is proved free of all that the part sweeps, or not. The pieces that are
not are the times at which the way is closed.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rmp3d.behaviors.moving_parts.sweeping import SweptPart
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.vectors import length
from rmp3d.models import Body
from rmp3d.scenes.motion import LASTING

PIECE = 0.4
"""A part moves at most so far [m] in one piece of its period."""
MOST_PIECES = 600
"""Of a period; a part that moves farther has larger ones."""
SAMPLE = 0.25
"""Pieces of the path that are tested [m]."""
AROUND = 3.0
"""Members are held before what the part sweeps within so far [m] of the path."""
BESIDE = 0.25
"""Between the space that members do not enter and those who wait where the path enters it [m]."""
TOLERANCE = 1e-3
"""Clearance [m] of a free way."""


@dataclass(frozen=True, eq=False)
class Crossing:
    """A place where a path leads through what a part sweeps.

    Attributes:
        column: Of the part, among those that move.
        name: Of the part.
        closed: (C, 2) from when to when [s], by the part's clock, the way is closed; in order.
        period: After which that repeats [s]; infinite if it does not.
        box: (2, 3) corners of the space [m] that members do not enter while it is closed.
        long: Length [m] of the path in there.
        ends: (2, 3) the last point of the path before that space that is clear of it, and the first
            one behind it [m].
        place: (3,) where the part of the path that gets closed begins [m].
        along: Length [m] of the path before.
    """

    column: int
    name: str
    closed: Float
    period: float
    box: Float
    long: float
    ends: Float
    place: Float
    along: float

    def is_open(self, clock: float, needed: float) -> bool:
        """Return whether the way is free from a clock [s] on for so long [s]."""
        return self.opens_in(clock, needed) == 0.0

    def opens_in(self, clock: float, needed: float) -> float:
        """Return after how long [s] the way becomes free for so long [s]; infinite: never."""
        time = clock
        for _ in range(2 * len(self.closed) + 2):
            start, end = self._next_closed(time)
            if time + needed <= start:
                return time - clock
            time = end
            if not np.isfinite(time):
                break
        return np.inf

    @property
    def closes(self) -> float:
        """By the part's clock, from when on [s] the way is closed for ever; infinite: never."""
        start, end = self.closed[-1]
        return float(start) if np.isinf(end) else np.inf

    def longest(self, clock: float) -> float:
        """Return for how long [s] the way is free at most at a time, from a clock [s] on."""
        time, most = clock, 0.0
        for _ in range(2 * len(self.closed) + 2):
            start, end = self._next_closed(time)
            most = max(most, start - time)
            if not np.isfinite(end):
                break
            time = end
        return most

    def _next_closed(self, time: float) -> tuple[float, float]:
        """Return start and end of the first closed time that ends after a time."""
        turn = np.floor(time / self.period) * self.period if np.isfinite(self.period) else 0.0
        for shift in (turn, turn + self.period):
            if not np.isfinite(shift):
                break
            for start, end in self.closed:
                if end + shift > time:
                    return float(start + shift), float(end + shift)
        return np.inf, np.inf


def crossing_of(
    part: SweptPart, column: int, points: Float, body: Body, max_slope: float
) -> Crossing | None:
    """Return where a path leads through what a part sweeps; None if it does not.

    Args:
        part: The part.
        column: Among those that move.
        points: (K, 3) the path [m].
        body: What goes along it.
        max_slope: Steepest slope that can be walked [rad].
    """
    if part.motion.role == "decor":
        return None
    points = _refined(points)
    clocks = _pieces(part)
    swept = [part.swept(start, end, body.radius) for start, end in pairwise(clocks.tolist())]
    deck = part.deck(max_slope)
    at_stop = np.zeros((len(part.stops), len(points) - 1), np.bool_)
    if deck is not None:
        up, down = np.array([0.0, 0.0, 0.5]), np.array([0.0, 0.0, -1.0])
        for stop, displacement in enumerate(part.stops):
            on = MeshQuery(deck).cast_ray(points - displacement + up, down, 1.0)[1] >= 0
            at_stop[stop] = on[:-1] | on[1:]
    over: Bool = np.logical_or.reduce(at_stop, axis=0)
    blocked = np.zeros((len(swept), len(points) - 1), np.bool_)
    for row, (start, end) in enumerate(pairwise(clocks.tolist())):
        if part.carries and (stop := part.stop_at(start, end)) >= 0:
            blocked[row] = np.delete(at_stop, stop, axis=0).any(axis=0)
            continue
        blocked[row] = over | ~_free(swept[row], points, body)
    if not blocked.any():
        return None
    rows, on_path = np.flatnonzero(blocked.any(axis=1)), np.flatnonzero(blocked.any(axis=0))
    way = points[on_path[0] : on_path[-1] + 2]
    lower, upper = swept[rows[0]].min(axis=(0, 1)), swept[rows[0]].max(axis=(0, 1))
    near = way.min(axis=0) - AROUND, way.max(axis=0) + AROUND
    for triangles in swept:
        least, most = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
        if (least <= near[1]).all() and (most >= near[0]).all():
            lower, upper = np.minimum(lower, least), np.maximum(upper, most)
    if over.any() and deck is not None:
        lower = np.minimum(lower, deck.bounds[0])
        upper = np.maximum(upper, deck.bounds[1] + [0.0, 0.0, 1.0])
    box = np.stack([np.maximum(lower, near[0]), np.minimum(upper, near[1])])
    closed = _merged(np.column_stack([clocks[rows], clocks[rows + 1]]))
    if part.motion.repeat in LASTING and closed[-1, 1] >= clocks[-1]:
        closed[-1, 1] = np.inf
    long = float(length(np.diff(way, axis=0)).sum())
    along = float(length(np.diff(points[: on_path[0] + 1], axis=0)).sum())
    period = part.motion.period
    far = body.radius + BESIDE
    before, behind = points[: on_path[0] + 1], points[on_path[-1] + 1 :][::-1]
    ends = np.stack([_last_clear(before, box, far), _last_clear(behind, box, far)])
    return Crossing(column, part.part.name, closed, period, box, long, ends, way[0], along)


def _last_clear(points: Float, box: Float, distance: float) -> Float:
    """Return the last of points (K, 3) so far [m] from a box in plan; the first if none is."""
    apart = length((points - np.clip(points, box[0], box[1]))[:, :2])
    found: Float = points[np.flatnonzero(np.append(True, apart[1:] >= distance))[-1]]
    return found


def _pieces(part: SweptPart) -> Float:
    """Return the clocks (S + 1,) [s] between which the part moves a little; a period, or all."""
    motion = part.motion
    end = motion.period if np.isfinite(motion.period) else motion.end
    at = motion.instants(0.0, end)
    ways = np.array([motion.travel(a, b, part.reach) for a, b in pairwise(at.tolist())])
    size = max(PIECE, float(ways.sum()) / MOST_PIECES)
    found = [np.zeros(1)]
    for start, last, way in zip(at[:-1], at[1:], ways, strict=True):
        count = max(1, int(np.ceil(way / size)))
        found.append(start + (last - start) * np.arange(1, count + 1) / count)
    return np.concatenate(found)


def _refined(points: Float) -> Float:
    """Return a path (K', 3) of shorter pieces."""
    steps = length(np.diff(points, axis=0))
    along = np.concatenate([[0.0], np.cumsum(steps)])
    count = max(2, int(np.ceil(along[-1] / SAMPLE)) + 1)
    at = np.unique(np.concatenate([np.linspace(0.0, along[-1], count), along]))
    return np.column_stack([np.interp(at, along, points[:, axis]) for axis in range(3)])


def _free(triangles: Float, points: Float, body: Body) -> Bool:
    """Return which pieces (K - 1,) of a path are proved free of triangles."""
    free = np.ones(len(points) - 1, np.bool_)
    reach = body.radius + max(abs(body.capsule_axis[0]), abs(body.capsule_axis[1])) + TOLERANCE
    lower, upper = triangles.min(axis=(0, 1)) - reach, triangles.max(axis=(0, 1)) + reach
    start, end = points[:-1], points[1:]
    near = (np.maximum(start, end) >= lower) & (np.minimum(start, end) <= upper)
    rows = np.flatnonzero(near.all(axis=1))
    if len(rows):
        corners = triangles.reshape(-1, 3)
        mesh = TriangleMesh(corners, np.arange(len(corners)).reshape(-1, 3))
        free[rows] = MeshQuery(mesh).sweep_capsule(
            start[rows], end[rows], body.capsule_axis, body.radius, TOLERANCE
        )[0]
    return free


def _merged(spans: Float) -> Float:
    """Return spans of time (C, 2) [s], in order, joined where they meet."""
    new = np.append(True, spans[1:, 0] > spans[:-1, 1] + 1e-9)
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(spans)) - 1
    return np.column_stack([spans[first, 0], spans[last, 1]])
