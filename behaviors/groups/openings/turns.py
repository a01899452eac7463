"""Openings that people come through both ways, with no room for two abreast: the sides take turns.

One side passes, as a platoon; the other waits clear of the opening, to the right of those who come
out. The sides change when nobody who passes is near any more, or when the turn has lasted, and
the opening is clear.
"""

import numpy as np

from rmp3d.behaviors.groups.openings.crossing import Passers
from rmp3d.behaviors.groups.openings.finding import NarrowOpening
from rmp3d.geometry.arrays import Bool, Float

# Who is farther from the line does not count [m].
COUNTS = 6.0
# The turn passes on when nobody is nearer to the line than this [m], and they had so long to come
# there, or after so long [s].
NEXT, COMES_ON, LASTS = 1.5, 3.0, 8.0
# Who is nearer than this to the line when the turn ends still passes [m].
COMMITTED = 0.8
# An opening is clear when nobody is beside its line, so far beyond it [m].
CLEAR, BESIDE = 1.0, 0.4


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
        distance = self._distance(near)
        first = {way: distance[near.way == way].min(initial=np.inf) for way in (1, -1)}
        if max(first.values()) > COUNTS and not self.is_left(near):
            self._turn = 0
            return near.way != 0
        if self._turn == 0:
            self._give(min(first, key=first.__getitem__))
        self._ends |= self._since > (COMES_ON if first[self._turn] > NEXT else LASTS)
        if self._ends:
            last = (near.way == self._turn) & (distance < COMMITTED)
            if not (last | self._leaves(near)).any():
                self._give(-self._turn)
        may: Bool = near.way == self._turn
        return may & (distance < COMMITTED) if self._ends else may

    def is_left(self, near: Passers) -> bool:
        """Return whether some of those whose turn it was have come through, and are at the line."""
        return self._turn != 0 and bool(self._leaves(near).any())

    @property
    def hold(self) -> bool:
        """Whether there are turns now."""
        return True

    def leads_out(self, way: int) -> bool:
        """Return that nobody comes out of a narrow way: both sides wait in the open."""
        return False

    def _give(self, way: int) -> None:
        self._turn, self._since, self._ends = way, 0.0, False

    def _aside(self, near: Passers) -> Float:
        """Return how far members are from the middle of the opening, across the way (m,) [m]."""
        aside: Float = np.abs((near.position - self.opening.middle)[:, :2] @ self.opening.left)
        return aside

    def _distance(self, near: Passers) -> Float:
        """Return how far members are from the line between the jambs (m,) [m]."""
        beside = np.maximum(0.0, self._aside(near) - self.opening.half)
        distance: Float = np.hypot(near.beyond, beside)
        return distance

    def _leaves(self, near: Passers) -> Bool:
        """Return which members have come through in this turn, and are still near the line."""
        beyond, aside = self._turn * near.beyond, self._aside(near)
        found: Bool = (near.way == 0) & (beyond > 0.0) & (beyond < CLEAR)
        return found & (aside < self.opening.half + BESIDE)
