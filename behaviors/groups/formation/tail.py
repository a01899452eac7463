"""The tail: members still in file while the front of a formation spreads out behind a passage."""

from dataclasses import dataclass

from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float


@dataclass(eq=False)
class Tail:
    """Members that go on in their file until they have left the passage.

    If all hurried to their new places at once, they would meet at its entrance.

    Attributes:
        slots: (n, 3) lag, left, up in the file [m].
        head: Arc length of the file's head, were it going on [m].
        exit: Arc length from which on members take their new places [m].
        out: (n,) members that have left the passage.
    """

    slots: Float
    head: float
    exit: float
    out: Bool

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now; newcomers are in no file."""
        self.slots, self.out = members.of(self.slots, 0.0), members.of(self.out, True)

    def behind(self, station: Float) -> float:
        """Return how far [m] the last of those in file is behind its place in it.

        Args:
            station: (n,) arc lengths of the members' places [m].
        """
        late = self.head - self.slots[:, 0] - station
        return float(late[~self.out].max(initial=0.0))

    def advance(
        self, station: Float, slot_station: Float, slot_aside: Float, step: float
    ) -> tuple[Float, Float]:
        """Move the file on by ``step`` [m]; return the slots (n,), (n, 2) that members follow.

        Args:
            station: (n,) arc lengths of the members' places [m].
            slot_station: (n,) of the new slots [m].
            slot_aside: (n, 2) left and up of the new slots [m].
            step: [m].
        """
        self.head += step
        self.out |= station >= self.exit
        in_file = ~self.out
        slot_station, slot_aside = slot_station.copy(), slot_aside.copy()
        slot_station[in_file] = self.head - self.slots[in_file, 0]
        slot_aside[in_file] = self.slots[in_file, 1:]
        return slot_station, slot_aside
