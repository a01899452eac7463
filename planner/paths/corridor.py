"""How much room there is around a path: narrow passages are measured, not marked.

The body is moved away from the path, lane by lane, and along the path from one station to the
next in the same lane: to the left and to the right, and where it flies in so many directions all
round that the bodies swept in two neighboring ones touch. Every such motion is proved free, so a
formation whose slots stay within the room can be marched along the path with its slots' swept
bodies clear of the scene.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.short_repr import short_repr
from rmp3d.geometry.vectors import as_read_only
from rmp3d.planner.paths.corridor_rows import all_reached, all_within
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.spaces import GroundHeadingSpace, Space
from rmp3d.planner.spaces.directions import is_level
from rmp3d.planner.spaces.ground_heading import posed

# A lane that turns back on itself inside a bend is no lane: least advance along the heading.
LEAST_ADVANCE = 0.25
# Lanes farther out than this [m] are this share of the remaining distance apart.
EVEN_LANES, SPREAD = 3.0, 0.05
# Directions in which a flyer's room is measured, at most; a multiple of four.
MOST_DIRECTIONS = 48


@dataclass(frozen=True, eq=False)
class Corridor:
    """Free room around a path.

    Attributes:
        station: (J,) arc lengths [m], ascending, from 0 to the path's length.
        left: (J,) how far the body's reference point may be moved to the left [m].
        right: (J,) the same to the right, positive.
        radius: Of the body [m].
        above: (J,) how far it may be moved up, in the path's frame [m]; zero where the body
            stands on the ground or stays in a plane.
        below: (J,) the same down, positive.
        around: (J, D) how far in D directions across the path, evenly turned from left over up;
            by default left and right, or with room above or below these four.
    """

    station: Float
    left: Float
    right: Float
    radius: float
    above: Float = field(default_factory=lambda: np.zeros(0))
    below: Float = field(default_factory=lambda: np.zeros(0))
    around: Float = field(default_factory=lambda: np.zeros((0, 0)))

    __repr__ = short_repr

    def __post_init__(self) -> None:
        for name in ("above", "below"):
            if len(getattr(self, name)) == 0:
                object.__setattr__(self, name, np.zeros(len(self.station)))
        if len(self.around) == 0:
            sides = [self.left, self.right]
            if (self.above > 0.0).any() or (self.below > 0.0).any():
                sides = [self.left, self.above, self.right, self.below]
            object.__setattr__(self, "around", np.stack(sides, axis=1))

    @property
    def width(self) -> Float:
        """(J,) width of the free strip, wall to wall [m]."""
        return self.left + self.right + 2.0 * self.radius

    def at(self, station: Float) -> tuple[Float, Float]:
        """Return (left, right) at arc lengths (M,), the lesser of the stations around each."""
        before, after = self._rows(station)
        return (
            np.minimum(self.left[before], self.left[after]),
            np.minimum(self.right[before], self.right[after]),
        )

    def reach(self, station: Float, left: Float, up: Float) -> Float:
        """Return how far (M,) [m] the body may be moved towards offsets (left, up) (M,) [m].

        The lesser of the stations around each arc length (M,) and of the measured directions
        around each offset's own.
        """
        found = np.empty(len(station))
        at, left, up = (_rows_of(values) for values in (station, left, up))
        all_reached(*self._measured, at, left, up, found)
        return found

    def within(self, station: Float, aside: Float, ahead: Float, more: Float) -> Float:
        """Return offsets cut to the room at and ahead of arc lengths.

        Before the path's start and behind its end nothing is measured, and nothing is cut.

        Args:
            station: (M,) arc lengths [m].
            aside: (M, 2) left and up [m].
            ahead: (A,) distances from the arc lengths, in the order in which they count [m].
            more: (A,) how much farther aside than the room an offset may be there [m].
        """
        found = np.empty((len(station), 2))
        rows = (_rows_of(values) for values in (station, aside, ahead, more))
        all_within(*self._measured, *rows, found)
        return found

    @cached_property
    def _measured(self) -> tuple[Float, Float]:
        return _rows_of(self.station), _rows_of(self.around)

    def admits(self, station: Float, left: Float, up: Float | float = 0.0) -> Bool:
        """Return whether offsets (left, up) (M,) [m] lie within the room at arc lengths (M,)."""
        up = np.broadcast_to(np.asarray(up, float), left.shape)
        inside: Bool = np.hypot(left, up) <= self.reach(station, left, up) + 1e-9
        return inside & ((up == 0.0) | (self.around.shape[1] > 2))

    def _rows(self, station: Float) -> tuple[Index, Index]:
        after = np.clip(np.searchsorted(self.station, station), 0, len(self.station) - 1)
        return np.maximum(after - 1, 0), after


def _rows_of(values: Float) -> Float:
    """Return values as compiled loops take them."""
    return as_read_only(np.ascontiguousarray(values, dtype=np.float64))


def measure_corridor(
    space: Space,
    path: CertifiedPath,
    most: float,
    *,
    lane: float = 0.1,
    step: float = 0.2,
    margin: float = 0.05,
    window: float = 1.0,
) -> Corridor:
    """Measure the room around a path: on both sides, and all round a body that flies.

    Args:
        space: Moves the body aside and proves motions free; in `ground_heading` the body heads
            along the path.
        path: From which it is moved.
        most: Where to stop looking [m].
        lane: Distance between neighboring lanes [m]; the farthest ones are wider.
        step: Distance between neighboring stations [m].
        margin: Kept from obstacles [m].
        window: Over which the path's direction is smoothed [m].
    """
    count = max(2, int(np.ceil(path.length / step)) + 1)
    station = np.linspace(0.0, path.length, count)
    frames = path.frames(station, window)
    center = path.at(station)
    heading, left, up = np.moveaxis(frames, 2, 0)
    lanes = _lanes(most + margin, lane)
    body = space.world.body
    radius = body.radius
    if isinstance(space, GroundHeadingSpace):
        radius = body.half_width
        center = posed(center, np.arctan2(heading[:, 1], heading[:, 0]))
    directions = 2 if is_level(space) else _directions(most, radius)
    angle = 2.0 * np.pi * np.arange(directions) / directions
    asides = np.round(np.cos(angle), 12)[:, None, None] * left
    asides = asides + np.round(np.sin(angle), 12)[:, None, None] * up
    around = np.stack([_reached(space, center, aside, heading, lanes) for aside in asides], axis=1)
    around = np.clip(around - margin, 0.0, most)
    sides = around[:, 0], around[:, directions // 2]
    if directions == 2:
        return Corridor(station, *sides, radius, around=around)
    quarter = directions // 4
    return Corridor(station, *sides, radius, around[:, quarter], around[:, -quarter], around)


def _lanes(most: float, lane: float) -> Float:
    """Return the distances [m] of the lanes from the path: even, then ever wider, up to most."""
    found = [lane * k for k in range(1, int(np.floor(min(most, EVEN_LANES) / lane + 1e-9)) + 1)]
    while found and found[-1] + max(lane, SPREAD * (found[-1] - EVEN_LANES)) <= most:
        found.append(found[-1] + max(lane, SPREAD * (found[-1] - EVEN_LANES)))
    return np.array(found)


def _directions(most: float, radius: float) -> int:
    """Return in how many directions to measure: bodies side by side at the far end of them."""
    quarters = np.ceil(0.5 * np.pi * most / (2.0 * radius))
    return int(np.clip(4 * quarters, 8, MOST_DIRECTIONS))


def _reached(space: Space, center: Float, aside: Float, heading: Float, lanes: Float) -> Float:
    """Return the last lane [m] that bodies at ``center`` (J, W) reach along ``aside`` (J, 3)."""
    count = len(center)
    reached = np.zeros(count)
    inner = center.copy()
    open_rows: Index = np.arange(count)
    for distance in lanes:
        outer = center.copy()
        outer[open_rows], arrived = space.move(center[open_rows], distance * aside[open_rows])
        free = np.zeros(count, dtype=np.bool_)
        free[open_rows] = arrived & space.world.motions_are_free(inner[open_rows], outer[open_rows])
        # Along the lane, between stations that both have it.
        both = free[:-1] & free[1:]
        rows = np.flatnonzero(both)
        advance = (outer[rows + 1] - outer[rows])[:, :3]
        onward = np.einsum("ij,ij->i", advance, heading[rows])
        direct = np.einsum("ij,ij->i", (center[rows + 1] - center[rows])[:, :3], heading[rows])
        passes = np.ones(count - 1, dtype=np.bool_)
        passes[rows] = (onward > LEAST_ADVANCE * direct) & space.world.motions_are_free(
            outer[rows], outer[rows + 1]
        )
        free[:-1] &= passes | ~both
        free[1:] &= passes | ~both
        open_rows = np.flatnonzero(free)
        if len(open_rows) == 0:
            break
        reached[open_rows] = distance
        inner = outer
    return reached
