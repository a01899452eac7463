"""Which members come no nearer to where they are to be."""

import numpy as np

from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float

# A member that has come no nearer by this distance [m] for this time [s] is held up. One whose
# distance grows by so much [m] in a step has another task.
NEARER, PATIENCE, NEW_TASK = 0.3, 8.0, 2.0


class HeldUp:
    """Watches how far n members are from where they are to be."""

    def __init__(self, count: int) -> None:
        self._least, self._was = np.full(count, np.inf), np.full(count, np.inf)
        self._since = np.zeros(count)

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now."""
        self._least, self._was = members.of(self._least, np.inf), members.of(self._was, np.inf)
        self._since = members.of(self._since, 0.0)

    def look(self, left: Float, there: Bool, time: float) -> Bool:
        """Return which members (n,) have come no nearer for half of `PATIENCE`.

        Nobody is returned until one of them has waited for all of it; then all wait anew.

        Args:
            left: (n,) distance that each has to go [m].
            there: (n,) those that are where they are to be.
            time: Now [s].
        """
        onward = (left < self._least - NEARER) | (left > self._was + NEW_TASK) | there
        self._least[onward], self._since[onward] = left[onward], time
        self._was = left
        waited = time - self._since
        held: Bool = (waited > 0.5 * PATIENCE) & bool((waited > PATIENCE).any())
        self._since[held] = time
        return held
