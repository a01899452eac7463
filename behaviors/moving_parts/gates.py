"""Members wait before what a moving part is about to sweep, and make room where one waits for them.

This only changes what members want. That nobody is touched is the affair of the safety constraint
and of the parts, which wait.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.moving_parts.crossings import Crossing
from rmp3d.behaviors.moving_parts.parts import MovingParts
from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.vectors import length

GAP = 0.15
"""Members stop so far [m] before the space that a part is about to sweep."""
REACTION = 0.3
"""Time [s] after which a member slows down as it wants to."""
GENTLE = 0.5
"""Share of the braking that members count on for that."""
LEAVING = 0.6
"""Share of its largest speed at which a member makes room."""


@dataclass(frozen=True, eq=False)
class Gate:
    """A crossing on the way of a group.

    Attributes:
        crossing: The crossing.
        group: Row of the group.
        needed: Time [s] that a member needs to pass.
    """

    crossing: Crossing
    group: int
    needed: float


class Gates:
    """All gates of a run.

    Args:
        gates: On the ways of the groups.
        parts: The moving parts of the run.

    Attributes:
        group_of: (N,) group of each member; kept up to date by the run.
    """

    def __init__(self, gates: Sequence[Gate], parts: MovingParts) -> None:
        self._gates, self._parts = gates, parts
        self.group_of: Index = np.zeros(0, np.intp)

    def resolve(self, flock: Flock, desire: Float) -> Float:
        """Return changed velocities (N, 3) [m/s]: of those who wait, and who make room."""
        desire = np.array(desire)
        for gate in self._gates:
            clock = float(self._parts.clock[gate.crossing.column])
            if not gate.crossing.is_open(clock, gate.needed):
                rows = np.flatnonzero(self.group_of == gate.group)
                desire[rows] = _held(flock.select(rows), desire[rows], gate.crossing.box)
        hindering = np.flatnonzero(self._parts.hindering)
        away = self._parts.away[hindering]
        speed = LEAVING * flock.bodies.max_speed[hindering]
        goes = length(away) > 0.0
        desire[hindering[goes]] = (speed[:, None] * away)[goes]
        return desire


def _held(flock: Flock, desire: Float, box: Float) -> Float:
    """Return velocities (n, 3) [m/s] of members that stop before a box (2, 3), unless in it."""
    axis, radius = flock.bodies.heights, flock.bodies.half_width
    low, high = flock.position[:, 2] + axis[:, 0], flock.position[:, 2] + axis[:, 1]
    level = (low - radius < box[1, 2]) & (high + radius > box[0, 2])
    nearest = np.clip(flock.position[:, :2], box[0, :2], box[1, :2])
    offset = nearest - flock.position[:, :2]
    apart = length(offset)
    outside = level & (apart > 0.0)
    toward = offset / np.maximum(apart, 1e-9)[:, None]
    speed = np.einsum("ij,ij->i", flock.velocity[:, :2], toward)
    room = np.maximum(apart - radius - GAP - REACTION * np.maximum(speed, 0.0), 0.0)
    allowed = np.sqrt(2.0 * GENTLE * flock.bodies.guaranteed_brake * room)
    closing = np.einsum("ij,ij->i", desire[:, :2], toward)
    excess = np.where(outside, np.maximum(closing - allowed, 0.0), 0.0)
    found = np.array(desire)
    found[:, :2] -= excess[:, None] * toward
    return found
