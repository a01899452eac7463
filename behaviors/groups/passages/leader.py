"""The virtual leader: the point on the path that the slots of a formation hang from."""

from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.groups.formation.frame import SIDESTEP, FormationFrame
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.vectors import length

# The leader slows down when a member is this far from where it should be, in spacings ...
WAIT_FROM = 0.4
# ... and stands when a member is this far.
WAIT_FULL = 1.25
# After standing for this time [s] the leader creeps on, at this share of the cruise speed.
PATIENCE, CREEP = 8.0, 0.25
# Members are coming up when all together are nearer to their slots by this many spacings.
PROGRESS = 0.2


@dataclass(eq=False)
class VirtualLeader:
    """A point that moves along the path and waits for the members.

    Attributes:
        spacing: Of the members in file [m].
        cruise_speed: [m/s].
        dt: Time step [s].
        station: Its arc length on the path [m].
        formed: Whether all members have been in their slots since the formation was taken.
    """

    spacing: float
    cruise_speed: float
    dt: float
    station: float = 0.0
    formed: bool = False
    _complete_from: float = 0.0
    _entrance: float = np.inf
    _gathers: bool = False
    _from_one_side: bool = False
    _stood: float = 0.0
    _lag: float = np.inf

    def take_formation(
        self, complete_from: float, gathers: bool, entrance: float = np.inf,
        from_one_side: bool = False,
    ) -> None:  # fmt: skip
        """Begin another formation.

        Args:
            complete_from: Arc length [m] of the leader from which on the formation fits.
            gathers: Whether the leader waits there until the formation is complete.
            entrance: Arc length [m] that the leader does not pass before all members that are not
                ahead of their slots are in them; of a column, ahead of its passage.
            from_one_side: Whether the first member comes across ahead of the others. It needs space
                there: the leader goes on as long as members can come in before the entrance.
        """
        self._entrance, self._from_one_side = entrance, from_one_side
        self.formed = False
        self._lag = np.inf
        self._complete_from = complete_from
        self._gathers = gathers and complete_from > self.station

    def ease(self, behind: float) -> float:
        """Return the share of its speed at which the head of a file goes on.

        Args:
            behind: How far the last member is behind its place [m].
        """
        worst = behind / self.spacing
        ease = float(np.clip((WAIT_FULL - worst) / (WAIT_FULL - WAIT_FROM), 0.0, 1.0))
        return max(ease, CREEP) if self._stood > PATIENCE else ease

    def advance(
        self, behind: Float, aside: Float, waits_for_aside: bool, share: float,
        last: float,
    ) -> None:  # fmt: skip
        """Move on, slower the farther a member is from its slot.

        Args:
            behind: (m,) how far the members on the path are behind their slots [m].
            aside: (m,) how far they are beside them [m].
            waits_for_aside: Whether members come sideways while the leader stands, too.
            share: Of the cruise speed that the bend allows.
            last: Arc length beyond which the leader does not go [m].
        """
        if self._from_one_side and self._entrance < np.inf:
            aside = np.maximum(0.0, aside - SIDESTEP * max(0.0, self._entrance - self.station))
        worst = float((behind + aside).max(initial=0.0))
        self.formed = self.formed or worst < WAIT_FROM * self.spacing
        if not waits_for_aside:
            worst = float(behind.max(initial=0.0))
        if self.station < self._complete_from:
            ease = 1.0  # members that leave a passage first need space in front of it
        elif self._gathers and not self.formed:
            ease = CREEP if self._stood > PATIENCE else 0.0
        elif self.station >= self._entrance and worst >= WAIT_FROM * self.spacing:
            ease = CREEP if self._stood > PATIENCE else 0.0
        else:
            ease = self.ease(worst)
        lag = float(behind.sum())
        nearer = lag < self._lag - PROGRESS * self.spacing
        if ease > CREEP or nearer:
            self._lag, self._stood = lag, 0.0
        else:
            self._stood += self.dt
        if self.station >= self._entrance and ease > CREEP:
            self._entrance = np.inf
        speed = ease * self.cruise_speed * share
        self.station = min(last, self.station + speed * self.dt)


def distances_from_slots(
    frame: FormationFrame, station: Float, aside: Float, position: Float
) -> tuple[Float, Float]:
    """Return how far (n,) [m] members are behind their slots, and beside them.

    A member that is ahead of its slot waits for it; it may be as far from its place as its slot
    still is.

    Args:
        frame: With the members' places.
        station: (n,) arc lengths of the slots [m].
        aside: (n, 2) left and up of the slots [m].
        position: (n, 3) of the members [m].
    """
    behind = np.maximum(0.0, station - frame.station)
    sideways = length(frame.within_corridor(frame.station, aside) - frame.aside)
    waiting: Bool = station < frame.station - 1e-6
    sideways = np.where(waiting, 0.0, sideways)
    ahead = np.maximum(0.0, frame.station - station)
    to_place = frame.apart(position, frame.station, frame.aside)
    return behind + np.maximum(0.0, to_place - ahead), sideways


def share_in_bend(frame: FormationFrame, station: float, slots: Float) -> float:
    """Return the share of its speed at which a leader leaves no slot (n, 3) faster than itself."""
    here = frame.position(station - slots[:, 0], slots[:, 1:])
    ahead = frame.position(station + 0.1 - slots[:, 0], slots[:, 1:])
    stretch = float(length(ahead - here).max()) / 0.1
    return min(1.0, 1.0 / max(stretch, 1e-9))
