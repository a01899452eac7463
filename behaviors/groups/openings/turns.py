"""Openings that people come through both ways, with no room for two abreast: the sides take turns.

One side passes, as a platoon; the other waits clear of the opening, to the right of those who come
out. The sides change when nobody who passes is near any more, or when the turn has lasted, and
the opening is clear.
"""

import numpy as np

from rmp3d.behaviors.groups.openings.crossing import Passers
from rmp3d.behaviors.groups.openings.finding import NarrowOpening
from rmp3d.geometry.arrays import Bool, Float

# The turn passes on when nobody is nearer to the line than this [m], or after so long [s].
NEXT, LASTS = 1.5, 8.0
# Who is nearer than this to the line when the turn ends still passes [m].
COMMITTED = 0.8
# An opening is clear when nobody is beside its line, so far beyond it [m].
CLEAR, BESIDE = 1.0, 0.4
# Members that wait stand at least so far from its middle, and come from so far [m].
HOLD, COMES = 1.8, 5.0
# They stand between these angles to the right of the way out [rad].
LEAST, MOST = np.radians(25.0), np.radians(75.0)
# They slow down so near to where they stand, and are there so near [m].
SLOWER, THERE = 1.0, 0.1


class Turns:
    """Whose turn it is at an opening.

    Args:
        opening: Crossed one way, along its normal, and the other way.
        dt: Time step [s].
    """

    def __init__(self, opening: NarrowOpening, dt: float) -> None:
        self.opening, self._dt = opening, dt
        self._turn, self._since, self._ends = 0, 0.0, False

    def passing(self, near: Passers) -> Bool:
        """Return which of the members near may pass in this step (m,), of those that come."""
        self._since += self._dt
        distance = np.abs(near.beyond)
        first = {way: distance[near.way == way].min(initial=np.inf) for way in (1, -1)}
        if not np.isfinite(list(first.values())).all():
            self._turn = 0
            return near.way != 0
        if self._turn == 0:
            self._give(min(first, key=first.__getitem__))
        self._ends |= first[self._turn] > NEXT or self._since > LASTS
        if self._ends:
            last = (near.way == self._turn) & (distance < COMMITTED)
            if not (last | self._leaves(near)).any():
                self._give(-self._turn)
        may: Bool = near.way == self._turn
        return may & (distance < COMMITTED) if self._ends else may

    def _give(self, way: int) -> None:
        self._turn, self._since, self._ends = way, 0.0, False

    def _leaves(self, near: Passers) -> Bool:
        """Return which members have come through in this turn, and are still near the line."""
        beyond = self._turn * near.beyond
        aside = np.abs((near.position - self.opening.middle)[:, :2] @ self.opening.left)
        found: Bool = (near.way == 0) & (beyond > 0.0) & (beyond < CLEAR)
        return found & (aside < self.opening.half + BESIDE)


def waiting(opening: NarrowOpening, position: Float, pace: Float) -> tuple[Bool, Float]:
    """Return who waits already (m,), and the velocities (m, 2) [m/s] of all who have to, in plan.

    Args:
        opening: Which they are to pass later.
        position: (m, 3) [m].
        pace: (m,) [m/s].
    """
    offset = (position - opening.middle)[:, :2]
    along, right = -(offset @ opening.normal), -(offset @ opening.left)
    far = np.hypot(along, right)
    angle = np.clip(np.arctan2(right, along), LEAST, MOST)
    reach = np.maximum(HOLD, far - SLOWER)
    place = reach[:, None] * (
        -np.cos(angle)[:, None] * opening.normal - np.sin(angle)[:, None] * opening.left
    )
    move = place - offset
    size = np.hypot(move[:, 0], move[:, 1])
    speed = pace * np.minimum(1.0, size / SLOWER) * (size > THERE)
    velocity: Float = move * (speed / np.maximum(size, THERE))[:, None]
    return far < COMES, velocity
