"""How much room there is beside a path: narrow passages are measured, not marked.

The body is moved sideways from the path, lane by lane, and along the path from one station to
the next in the same lane. Every such motion is proved free, so a formation whose slots stay
within the room can be marched along the path with its slots' swept bodies clear of the scene.
"""

from dataclasses import dataclass

import numpy as np

from geometry.arrays import Bool, Float, Index
from planner.path import Path
from planner.spaces import Space

# A lane that turns back on itself inside a bend is no lane: least advance along the heading.
LEAST_ADVANCE = 0.25


@dataclass(frozen=True, eq=False)
class Room:
    """Free room on both sides of a path.

    Attributes:
        station: (J,) arc lengths [m], ascending, from 0 to the path's length.
        left: (J,) how far the body's reference point may be moved to the left [m].
        right: (J,) the same to the right, positive.
        radius: Of the body [m].
    """

    station: Float
    left: Float
    right: Float
    radius: float

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
    """Measure the room on both sides of a path.

    Args:
        space: Moves the body sideways and proves motions free.
        path: In the middle between both.
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
    rooms = []
    for side in (1.0, -1.0):
        sideways = side * frames[:, :, 1]
        rooms.append(_one_side(space, center, sideways, frames[:, :, 0], most, lane, margin))
    return Room(station, rooms[0], rooms[1], space.world.body.radius)


def _one_side(
    space: Space, center: Float, sideways: Float, heading: Float, most: float, lane: float,
    margin: float,
) -> Float:  # fmt: skip
    count = len(center)
    reached = np.zeros(count)
    inner = center.copy()
    open_rows: Index = np.arange(count)
    for k in range(1, int(np.floor((most + margin) / lane + 1e-9)) + 1):
        outer = center.copy()
        outer[open_rows], arrived = space.move(center[open_rows], k * lane * sideways[open_rows])
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
