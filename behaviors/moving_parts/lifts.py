"""Members step onto parts that carry them, such as lifts, ride, and step off.

A member waits before the place where the part stops, until the part stands there and a place on it
is given to the member. On the part it goes to that place and stands. Who wants off is let off
first, and the part waits for that. While the part moves, whoever stands wholly on it moves as it
does.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.moving_parts.deck import Deck
from rmp3d.behaviors.moving_parts.gates import held_before
from rmp3d.behaviors.moving_parts.parts import MovingParts
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import clip_length, length
from rmp3d.scenes.stops import leaves_in

WAITING = 0.5
"""Members wait so far [m] before the place where the part stops."""
NEAR = 4.0
"""A member this near [m] to the part may be given a place on it."""
UNHURRIED, SETTLING = 0.6, 0.5
"""Share of its largest speed with which a member goes to its place, and time [s] to stand there."""
APPROACH = 1.5
"""Speed for each meter to the place [1/s]."""


@dataclass(frozen=True, eq=False)
class Ride:
    """A ride of a group from one stop of a part to another.

    Attributes:
        group: Row of the group.
        column: Of the part, among those that move.
        start: Row of the stop at which members step on.
        end: Row of the stop at which they step off.
        places: (S, 3) where members stand, as the scene has the part [m]; those far from where
            they step on come first.
    """

    group: int
    column: int
    start: int
    end: int
    places: Float


@dataclass
class _Passenger:
    """How far a member has come: its next ride, and its place on that (-1: none)."""

    ride: int = 0
    place: int = -1
    leaving: bool = False


class Lifts:
    """The rides of all groups of a run.

    Args:
        rides: In the order in which each group takes them.
        parts: The moving parts of the run.
    """

    def __init__(self, rides: Sequence[Ride], parts: MovingParts) -> None:
        self._parts = parts
        self._rides: dict[int, list[Ride]] = {ride.group: [] for ride in rides}
        for ride in rides:
            self._rides[ride.group].append(ride)
        self._passengers: dict[tuple[int, int], _Passenger] = {}
        self._who: list[tuple[int, Ride, _Passenger]] = []  # rows of the flock
        self._on: dict[int, Bool] = {}  # who stands on which part

    def look(self, flock: Flock, group_of: Index, number: Index) -> None:
        """See who is where, let members off, and give places to those who wait.

        Args:
            flock: All members now.
            group_of: (N,) group of each.
            number: (N,) number of each in its group.
        """
        parts = self._parts
        parts.held[:] = False
        on = {column: deck.on(flock.position, parts.displacement(column))
              for column, deck in parts.decks.items()}  # fmt: skip
        self._who, self._on = [], on
        for group, rides in self._rides.items():
            for row in np.flatnonzero(group_of == group).tolist():
                key = group, int(number[row])
                member = self._passengers.setdefault(key, _Passenger())
                if member.leaving and not on[rides[member.ride].column][row]:
                    member.ride, member.place, member.leaving = member.ride + 1, -1, False
                if member.ride < len(rides):
                    self._who.append((row, rides[member.ride], member))
        for row, ride, member in self._who:
            stop = parts.stop(ride.column)
            aboard = bool(on[ride.column][row])
            member.leaving = aboard and stop == ride.end and not parts.hurries[ride.column]
            parts.held[ride.column] |= member.leaving
            if not aboard and stop != ride.start:
                member.place = -1
        for column, deck in parts.decks.items():
            if not parts.held[column]:
                self._give_places(column, deck, flock, on[column])

    def resolve(self, flock: Flock, desire: Float) -> Float:
        """Return changed velocities (N, 3) [m/s]: of those who wait, board, and ride."""
        desire = np.array(desire)
        parts = self._parts
        desire[parts.riding >= 0] = 0.0
        waiting: dict[int, tuple[Ride, list[int]]] = {}
        for row, ride, member in self._who:
            if parts.riding[row] >= 0 or member.leaving:
                continue
            if self._on[ride.column][row]:
                aim = ride.places[max(member.place, 0)] + parts.displacement(ride.column)
                fastest = UNHURRIED * flock.bodies.max_speed[row]
                away = (aim - flock.position[row]) * [1.0, 1.0, 0.0]
                desire[row] = clip_length(APPROACH * away[None], np.array([fastest]))[0]
            elif member.place < 0:
                waiting.setdefault(id(ride), (ride, []))[1].append(row)
        for ride, rows in waiting.values():
            stop = parts.parts[ride.column].stops[ride.start]
            around = np.array([[-WAITING, -WAITING, 0], [WAITING, WAITING, 1]])
            box, own = parts.decks[ride.column].box + stop + around, np.array(rows)
            desire[own] = held_before(flock.select(own), desire[own], box)
        return desire

    def _give_places(self, column: int, deck: Deck, flock: Flock, on: Bool) -> None:
        """Give free places on a part that stands to those who are on it, and who wait for it."""
        parts = self._parts
        stop = parts.stop(column)
        mine = [each for each in self._who if each[1].column == column]
        taken = {member.place for _, _, member in mine if member.place >= 0}
        for row, ride, member in mine:
            if on[row] and member.place < 0:
                self._take(ride, member, taken)
        if stop < 0:
            return
        at = parts.displacement(column)
        left = leaves_in(parts.parts[column].motion, float(parts.clock[column]))
        waiting = []
        for row, ride, member in mine:
            apart = deck.apart(flock.position[row], at)
            if ride.start == stop and not on[row] and member.place < 0 and apart < NEAR:
                waiting.append((apart, row, ride, member))
        for apart, row, ride, member in sorted(waiting, key=lambda each: each[:2]):
            way = apart + float(length(np.diff(deck.box[:, :2], axis=0))[0])
            needed = way / (UNHURRIED * float(flock.bodies.max_speed[row])) + SETTLING
            if needed <= left:
                self._take(ride, member, taken)

    @staticmethod
    def _take(ride: Ride, member: _Passenger, taken: set[int]) -> None:
        free = [place for place in range(len(ride.places)) if place not in taken]
        if free:
            member.place = free[0]
            taken.add(free[0])
