"""Who cannot go where its queue leads it, as somebody stands there, goes by itself for a while.

A lane can lead through one who stays there, or has come out against the stream; those who wait can
be hemmed in. Traffic rules find a way round, or try other headings.
"""

import numpy as np

from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length

# A member that is led faster than this [m/s], and stays nearer than that to where it was [m], is
# held up; it goes by itself after so long, for so long [s].
LED, STAYS = 0.5, 0.3
HELD, ALONE = 1.5, 3.0


class HeldInQueue:
    """How long members have been held up in queues.

    Args:
        dt: Time step [s].
    """

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self._held, self._alone = np.zeros((2, 0))  # for so long, and alone for so much longer [s]
        self._from = np.zeros((0, 2))  # where each was when it came there [m]

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now."""
        if len(self._held):
            self._held, self._alone = members.of(self._held, 0.0), members.of(self._alone, 0.0)
            self._from = members.of(self._from, np.inf)

    def alone(self, count: int) -> Bool:
        """Return which members (N,) go by themselves now."""
        if len(self._held) != count:
            self._held, self._alone = np.zeros((2, count))
            self._from = np.full((count, 2), np.inf)
        found: Bool = self._alone > 0.0
        return found

    def look(self, position: Float, rows: Index, led: Float) -> None:
        """Note who is held up in a step.

        Args:
            position: (N, 3) of all members [m].
            rows: (m,) of those in queues.
            led: (m, 3) how they are led [m/s].
        """
        self._alone -= self._dt
        rows = rows[length(led) > LED]
        stays = length(position[rows, :2] - self._from[rows]) < STAYS
        self._from[rows[~stays]] = position[rows[~stays], :2]
        held = np.zeros(len(position))
        held[rows[stays]] = self._held[rows[stays]] + self._dt
        self._alone[held > HELD] = ALONE
        held[held > HELD] = 0.0
        self._held = held
