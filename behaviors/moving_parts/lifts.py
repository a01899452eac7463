"""Members step onto parts that carry them, such as lifts, ride, and step off.

A member waits before the place where the part stops, until the part stands there and a place on it
is given to the member. On the part it goes to that place and stands. Who wants off is let off
first, and the part waits for that. Those who wait leave the way of those free, on both sides, and
nobody is given a place until all who have stepped off have left the place before the part. While
the part moves, whoever stands wholly on it moves as it does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.moving_parts.deck import Deck
from rmp3d.behaviors.moving_parts.gates import held_before, those_ahead
from rmp3d.behaviors.moving_parts.parts import MovingParts
from rmp3d.behaviors.moving_parts.ways_off import WayOff, beginning
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import clip_length, length, unit
from rmp3d.scenes.stops import leaves_in

WAITING, AWAY = 0.5, 1.5
"""Members wait so far [m] before the place where the part stops; and so far where others are to
step off there, or where more wait than there are places."""
NEAR = 4.0
"""A member this near [m] to the part may be given a place on it."""
UNHURRIED, SETTLING = 0.6, 0.5
"""Share of its largest speed with which a member goes to its place, and time [s] to stand there."""
STANDS = 0.5
"""Who wants off and goes slower than that share of it is led off."""
APPROACH = 1.5
"""Speed for each meter to the place [1/s]."""
BORDER = 0.5
"""Who is less far [m] from the part has not stepped off for good."""
LANDING, LEFT = 1.0, 4.0
"""Who has stepped off is in nobody's way so far [m] from the part, and is gone so far from it."""
CLEARING, GOING = 5.0, 15.0
"""Others wait so long [s] at most for one who has stepped off, and make room for it so long at
most: its goal may be right there."""


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
        way_off: Where they go on.
    """

    group: int
    column: int
    start: int
    end: int
    places: Float
    way_off: WayOff | None = None


@dataclass
class _Passenger:
    """How far a member has come: its next ride, and its place on that (-1: none).

    Whether it has come onto the part, and for how long [s] it has been off the last one.
    """

    ride: int = 0
    place: int = -1
    leaving: bool = False
    aboard: bool = False
    off: float = np.inf


_Booking: TypeAlias = tuple[int, Ride, _Passenger]
"""A row of the flock, its next ride, and how far it has come."""


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
        self._who: list[_Booking] = []
        self._on: dict[int, Bool] = {}  # who stands on which part
        self._ways: dict[tuple[int, int], dict[int, WayOff]] = {}  # off which part, at which stop
        self._just_off: list[tuple[int, Ride]] = []  # rows of those that are still at its border
        self._going: list[int] = []  # rows of those who have stepped off, and are near
        self._in_the_way: set[int] = set()  # parts before which some of them are

    def lead_elsewhere(self, group: int, walks: Sequence[Float]) -> None:
        """Let the riders of a group step off where its walks (K, 3) each, after each ride, lead."""
        for row, (ride, walk) in enumerate(zip(self._rides[group], walks, strict=True)):
            way = beginning(walk)
            if ride.way_off is not None and len(way) > 1:
                other = replace(ride.way_off, points=way)
                self._rides[group][row] = replace(ride, way_off=other)

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
        self._who, self._on, self._ways = [], on, {}
        self._just_off, self._going, self._in_the_way = [], [], set()
        for group, rides in self._rides.items():
            for row in np.flatnonzero(group_of == group).tolist():
                key = group, int(number[row])
                member = self._passengers.setdefault(key, _Passenger())
                if member.leaving and not on[rides[member.ride].column][row]:
                    member.ride, member.place, member.leaving = member.ride + 1, -1, False
                    member.aboard, member.off = False, 0.0
                if member.off < GOING:
                    self._note_going(row, member, rides[member.ride - 1], flock.position[row])
                self._note_ways(rides[member.ride :])
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
            self._step_on(column, flock, on[column])
            if not parts.held[column] and column not in self._in_the_way:
                self._give_places(column, deck, flock, on[column])

    def resolve(self, flock: Flock, desire: Float) -> Float:
        """Return changed velocities (N, 3) [m/s]: of those who wait, board, and ride."""
        desire = np.array(desire)
        parts = self._parts
        desire[parts.riding >= 0] = 0.0
        for row, ride in self._just_off:
            self._lead_off(row, ride, flock, desire)
        waiting: dict[int, tuple[Ride, list[int]]] = {}
        for row, ride, member in self._who:
            if member.leaving:
                self._lead_off(row, ride, flock, desire)
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
            own = np.array(rows)
            desire[own] = self._waits(ride, flock.select(own), desire[own])
        in_way = those_ahead(flock, *self._courses(desire))[0]
        for ride, rows in waiting.values():
            own = np.intersect1d(rows, in_way)
            for way in self._ways.get((ride.column, ride.start), {}).values():
                aside, _, beside = way.aside(flock.position[own])
                speed = UNHURRIED * flock.bodies.max_speed[own[beside]]
                desire[own[beside], :2] = speed[:, None] * aside[beside]
        return desire

    def _lead_off(self, row: int, ride: Ride, flock: Flock, desire: Float) -> None:
        """Let a member step off that would stand, as its formation waits for who is not there yet.

        Else the part would take it back, and there would be no place for the others.
        """
        if ride.way_off is None or self._parts.riding[row] >= 0:
            return
        onward = ride.way_off.onward(flock.position[row])
        speed = UNHURRIED * float(flock.bodies.max_speed[row])
        if desire[row] @ onward < STANDS * speed:
            desire[row] = speed * onward

    def _courses(self, desire: Float) -> tuple[Index, Float]:
        """Return who has stepped off and is near (n,), and their directions (n, 3) in plan."""
        going = np.array(self._going, np.intp)
        going = going[length(desire[going, :2]) > 0.0]
        return going, unit(desire[going] * [1.0, 1.0, 0.0])

    def _waits(self, ride: Ride, members: Flock, desire: Float) -> Float:
        """Return velocities (n, 3) [m/s] of members that wait for a part without a place on it."""
        ways = self._ways.get((ride.column, ride.start), {})
        box = self._parts.decks[ride.column].box + self._parts.parts[ride.column].stops[ride.start]
        distance = WAITING
        if ways or len(members) > len(ride.places):
            distance = AWAY
            desire = _back(members, desire, box, AWAY)
        for way in ways.values():
            desire = way.left_free(members, desire)
        around = np.array([[-distance, -distance, 0.0], [distance, distance, 1.0]])
        return held_before(members, desire, box + around)

    def _note_ways(self, rides: Sequence[Ride]) -> None:
        """Note the ways of members that are to step off, or have just stepped off."""
        for ride in rides:
            if ride.way_off is not None:
                self._ways.setdefault((ride.column, ride.end), {})[id(ride)] = ride.way_off

    def _note_going(self, row: int, member: _Passenger, ride: Ride, position: Float) -> None:
        """Note a member that has stepped off and is still near the part."""
        parts = self._parts
        at = parts.parts[ride.column].stops[ride.end]
        apart = parts.decks[ride.column].apart(position, at)
        if apart >= LEFT:
            member.off = np.inf
            return
        self._going.append(row)
        self._note_ways([ride])
        if apart < BORDER:
            self._just_off.append((row, ride))
        if apart < LANDING and member.off < CLEARING:
            self._in_the_way.add(ride.column)
        member.off += parts.dt

    def _step_on(self, column: int, flock: Flock, on: Bool) -> None:
        """Give those who have just come onto a part the place that is farthest from the entry.

        Who had got that place, but is not there yet, gets the one that was meant for them: so
        nobody stands in the way of who comes later.
        """
        mine = [each for each in self._who if each[1].column == column]
        for row, ride, member in mine:
            if not on[row] or member.aboard:
                member.aboard &= bool(on[row])
                continue
            standing = [each for each in mine if each[2].aboard]
            free = self._free(row, ride, standing, flock)
            member.aboard = True
            if len(free) == 0 or free[0] == member.place:
                continue
            before, member.place = member.place, int(free[0])
            for other, its, each in mine:
                if each.aboard or each.place < 0:
                    continue
                if each.place not in self._free(other, its, [(row, ride, member)], flock):
                    apart = length(its.places - ride.places[before])
                    each.place = int(apart.argmin()) if before >= 0 else -1

    def _give_places(self, column: int, deck: Deck, flock: Flock, on: Bool) -> None:
        """Give free places on a part that stands to those who wait for it."""
        parts = self._parts
        stop = parts.stop(column)
        mine = [each for each in self._who if each[1].column == column]
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
                free = self._free(row, ride, mine, flock)
                member.place = int(free[0]) if len(free) else -1

    @staticmethod
    def _free(row: int, ride: Ride, others: Sequence[_Booking], flock: Flock) -> Index:
        """Return the places of a ride, by their rows, where a member touches none of others."""
        width = flock.bodies.half_width
        taken = [(its.places[each.place], other) for other, its, each in others if each.place >= 0]
        free = np.ones(len(ride.places), np.bool_)
        for place, other in taken:
            free &= length(ride.places - place) >= width[row] + width[other]
        return np.flatnonzero(free)


def _back(flock: Flock, desire: Float, box: Float, distance: float) -> Float:
    """Return velocities (n, 3) [m/s] of members of which those nearer to a box (2, 3) go away."""
    offset = flock.position - np.clip(flock.position, *box)
    near = (length(offset[:, :2]) > 0.0) & (np.abs(offset[:, :2]) < distance).all(axis=1)
    near &= np.abs(offset[:, 2]) < distance
    away = unit((flock.position - box.mean(axis=0)) * [1.0, 1.0, 0.0])
    speed = UNHURRIED * flock.bodies.max_speed
    return np.where(near[:, None], speed[:, None] * away, desire)
