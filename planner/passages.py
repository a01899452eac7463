"""How much room there is around a path: narrow passages are measured, not marked.

The body is moved sideways from the path, lane by lane, and along the path from one station to
the next in the same lane; where it flies, up and down as well. Every such motion is proved free,
so a formation whose slots stay within the room can be marched along the path with its slots'
swept bodies clear of the scene.
"""

from dataclasses import dataclass, field

import numpy as np

from geometry.arrays import Bool, Float, Index
from planner.directions import is_level
from planner.path import Path
from planner.spaces import Space

# A lane that turns back on itself inside a bend is no lane: least advance along the heading.
LEAST_ADVANCE = 0.25


@dataclass(frozen=True, eq=False)
class Room:
    """Free room around a path.

    Each direction is measured on its own: what is to the left of a place above the path is not
    known.

    Attributes:
        station: (J,) arc lengths [m], ascending, from 0 to the path's length.
        left: (J,) how far the body's reference point may be moved to the left [m].
        right: (J,) the same to the right, positive.
        radius: Of the body [m].
        above: (J,) how far it may be moved up, in the path's frame [m]; zero where the body
            stands on the ground or stays in a plane.
        below: (J,) the same down, positive.
    """

    station: Float
    left: Float
    right: Float
    radius: float
    above: Float = field(default_factory=lambda: np.zeros(0))
    below: Float = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        for name in ("above", "below"):
            if len(getattr(self, name)) == 0:
                object.__setattr__(self, name, np.zeros(len(self.station)))

    @property
    def width(self) -> Float:
        """(J,) width of the free strip, wall to wall [m]."""
        return self.left + self.right + 2.0 * self.radius

    def at(self, station: Float) -> tuple[Float, Float]:
        """Return (left, right) at arc lengths (M,), the lesser of the stations around each."""
        after = np.clip(np.searchsorted(self.station, station), 0, len(self.station) - 1)
        before = np.maximum(after - 1, 0)
        return (
            np.minimum(self.left[before], self.left[after]),
            np.minimum(self.right[before], self.right[after]),
        )

    def admits(self, station: Float, left: Float) -> Bool:
        """Return whether offsets ``left`` (M,) [m] lie within the room at arc lengths (M,)."""
        room_left, room_right = self.at(station)
        return (left <= room_left + 1e-9) & (-left <= room_right + 1e-9)


def measure_room(
    space: Space,
    path: Path,
    most: float,
    *,
    lane: float = 0.1,
    step: float = 0.2,
    margin: float = 0.05,
    window: float = 1.0,
) -> Room:
    """Measure the room around a path: on both sides, and above and below a body that flies.

    Args:
        space: Moves the body aside and proves motions free.
        path: From which it is moved.
        most: Where to stop looking [m].
        lane: Distance between neighboring lanes [m].
        step: Distance between neighboring stations [m].
        margin: Kept from what is in the way [m].
        window: Over which the path's direction is smoothed [m].
    """
    count = max(2, int(np.ceil(path.length / step)) + 1)
    station = np.linspace(0.0, path.length, count)
    frames = path.frames(station, window)
    center = path.at(station)
    heading, left, up = np.moveaxis(frames, 2, 0)
    ways = [left, -left] if is_level(space) else [left, -left, up, -up]
    rooms = [_one_way(space, center, way, heading, most, lane, margin) for way in ways]
    return Room(station, rooms[0], rooms[1], space.world.body.radius, *rooms[2:])


def _one_way(
    space: Space, center: Float, aside: Float, heading: Float, most: float, lane: float,
    margin: float,
) -> Float:  # fmt: skip
    """Return how far (J,) [m] bodies at ``center`` (J, 3) may be moved along ``aside`` (J, 3)."""
    count = len(center)
    reached = np.zeros(count)
    inner = center.copy()
    open_rows: Index = np.arange(count)
    for k in range(1, int(np.floor((most + margin) / lane + 1e-9)) + 1):
        outer = center.copy()
        outer[open_rows], arrived = space.move(center[open_rows], k * lane * aside[open_rows])
        free = np.zeros(count, dtype=np.bool_)
        free[open_rows] = arrived & space.world.motions_are_free(inner[open_rows], outer[open_rows])
        # Along the lane, between stations that both have it.
        both = free[:-1] & free[1:]
        rows = np.flatnonzero(both)
        advance = outer[rows + 1] - outer[rows]
        onward = np.einsum("ij,ij->i", advance, heading[rows])
        direct = np.einsum("ij,ij->i", center[rows + 1] - center[rows], heading[rows])
        passes = np.ones(count - 1, dtype=np.bool_)
        passes[rows] = (onward > LEAST_ADVANCE * direct) & space.world.motions_are_free(
            outer[rows], outer[rows + 1]
        )
        free[:-1] &= passes | ~both
        free[1:] &= passes | ~both
        open_rows = np.flatnonzero(free)
        if len(open_rows) == 0:
            break
        reached[open_rows] = k * lane
        inner = outer
    return np.clip(reached - margin, 0.0, most)
