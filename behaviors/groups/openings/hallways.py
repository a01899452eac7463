"""Narrow ways that people come through from both ends: they keep to lanes, or go in turns.

Who meets a stream in a narrow way cannot get round it, nor back through those behind it. Where two
streams pass each other, those within keep to the right all the way. Where there is no room for two
abreast, or hardly, and many come, they enter while their direction has its turn and nobody comes
against them; the others wait before their end, as they do before a door. The turn passes on when
those whose it is have come through, and no more of them come, or when it has lasted while others
wait.

Others can push members past a point of their routes. Who has come in goes through, and does not
turn back to that point, as long as its route leads through, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot

import numpy as np

from rmp3d.behaviors.groups.openings.crossing import LEVEL, Passers, crossings
from rmp3d.behaviors.groups.openings.finding import NarrowOpening
from rmp3d.behaviors.groups.openings.opening_queue import BothWays, OpeningQueue
from rmp3d.behaviors.groups.openings.turns import CLEAR, COMES_ON, COMMITTED, COUNTS, LASTS
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.vectors import unit

# A turn lasts for so many times as long as it takes to walk through, at such a speed [m/s].
TIMES, WALKS = 1.5, 1.3
# Who stands within is waited for so much longer than it takes to walk through and back [s].
STANDS = 10.0
# Who is nearer than this to the end where it enters comes on in this turn [m].
COMING = 4.0
# Where two can just pass each other, they go in turns if more than so many come from both ends.
BUSY = 16
# Lanes of both directions are so much farther apart than two abreast [m].
BETWEEN = 0.2
# Members are in the narrow way up to so far beside the line between its jambs [m].
BESIDE = 0.3
# Who goes on to the other end goes to the point of the course after so many.
ON = 2
# In lanes, they are led until they are so many points before the line where they come out.
LETS_GO = 4
# Points of its course are so far behind its lines [m].
INSIDE = 0.25
# Its end is another opening if that is no farther off than half its line, and so much more [m].
SAME = 1.5


class Hallway:
    """A narrow way that people come through from both ends, and whose turn it is.

    Args:
        ends: Its openings, each as it is entered.
        course: (K, 3) points from the first one to the second one [m].
        dt: Time step [s].
        beside: In lanes they keep so far to the right of its middle [m].
        most: They go in turns from when more than so many come from both ends, until none do.

    Attributes:
        ends: See above.
        in_turns: Whether they go in turns now.
    """

    def __init__(
        self, ends: tuple[NarrowOpening, NarrowOpening], course: Float, dt: float, beside: float,
        most: float,
    ) -> None:  # fmt: skip
        self._beside, self._most, self.in_turns = beside, most, False
        self.ends, self._course, self._dt = ends, np.ascontiguousarray(course), dt
        tangent = np.gradient(course[:, :2], axis=0)
        tangent[0], tangent[-1] = ends[0].normal, -ends[1].normal
        self._tangent: Float = tangent / np.linalg.norm(tangent, axis=1)[:, None]
        self._half = max(end.half for end in ends) + BESIDE
        long = float(np.linalg.norm(np.diff(course, axis=0), axis=1).sum())
        self._lasts = LASTS + TIMES * long / WALKS
        self._patience = STANDS + 2.0 * long / WALKS
        self._turn, self._since, self._waited, self._ends = 0, 0.0, 0.0, False
        self._within, self._first = {1: 0, -1: 0}, {1: np.inf, -1: np.inf}
        self._came = np.zeros(0, np.intp)  # which way each member has come in, 0 for all others

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now."""
        if len(self._came):
            self._came = members.of(self._came, 0)

    def look(self, position: Float, ahead: Float, rows: Index) -> tuple[Index, Float]:
        """See who comes and who is within, and whose turn it is in this step.

        Args:
            position: (N, 3) of all members [m].
            ahead: (N, A, 3) next points of their routes [m].
            rows: Of members near that have a route and follow it.

        Returns:
            Rows (m,) of those that it leads, and where to (m, 2), unit in plan: those within who
            keep to their lanes, or whose routes lead back, and then through, as others have pushed
            them past a point of theirs.
        """
        place, points = position[rows], ahead[rows]
        within, at = _directions(
            place, points[:, 0], self._course, self._tangent, self._half, CLEAR
        )
        enters, left = zip(*(crossings(end, place, points) for end in self.ends), strict=True)
        out = [each < 0 for each in enters]  # by the first end, and by the second one
        inside = within != 0
        within = np.where(inside & out[0] & ~out[1], -1, within)
        within = np.where(inside & out[1] & ~out[0], 1, within)
        both = inside & out[0] & out[1]
        within = np.where(both, np.where(left[1] < left[0], 1, -1), within)
        if len(self._came) != len(position):
            self._came = np.zeros(len(position), np.intp)
        came = self._came[rows]
        back = both & (came == -within)
        within = np.where(back, came, within)
        self._came[rows] = within
        count: list[int] = []
        for way, comes in zip((1, -1), enters, strict=True):
            self._within[way] = int((within == way).sum())
            coming = place[(comes > 0) & ~inside]
            end = self.ends[0 if way > 0 else 1]
            self._first[way] = _distance(end, coming).min(initial=np.inf)
            count.append(self._within[way] + len(coming))
        self.in_turns = min(count) > (0 if self.in_turns else self._most)
        self._change_turns()
        led = back
        if not self.in_turns and min(count) > 0:
            onward = np.where(within > 0, len(self._course) - 1 - at, at)
            led = led | (inside & (onward > LETS_GO))
        return rows[led], self._along(place[led], at[led], within[led])

    def _along(self, place: Float, at: Index, way: Index) -> Float:
        """Return where members (m, 3) at points of the course (m,) go on, one way (m,) or other."""
        half = min(end.half for end in self.ends)
        right = way[:, None] * (self._tangent[at] @ np.array([[0.0, -1.0], [1.0, 0.0]]))
        aside = ((place - self._course[at])[:, :2] * right).sum(axis=1)
        aside = np.clip(aside, -half if self.in_turns else min(self._beside, half), half)
        to = self._course[np.clip(at + ON * way, 0, len(self._course) - 1), :2]
        return unit(to + aside[:, None] * right - place[:, :2])

    def _change_turns(self) -> None:
        """Let the turn pass on if it has to."""
        if self._turn == 0 or self._is_open(self._turn):
            self._since += self._dt
        else:
            self._waited += self._dt
        if not (self.is_wanted(1) or self.is_wanted(-1)):
            self._turn = 0
        elif self._turn == 0:
            self._give(self._first_turn())
        if self._turn != 0 and self.is_wanted(-self._turn):
            more = self._first[self._turn] <= COMING
            self._ends |= self._since > (self._lasts if more else COMES_ON)
            clear = self._within[self._turn] == 0 or self._since > self._lasts + self._patience
            if self._ends and clear and self._first[self._turn] > COMMITTED:
                self._give(-self._turn)

    def is_wanted(self, way: int) -> bool:
        """Return whether some come, or are within, who go one way."""
        return self._within[way] > 0 or self._first[way] < COUNTS

    def admits(self, way: int, distance: Float) -> Bool:
        """Return which members that go one way, so far (m,) from the line [m], may enter (m,)."""
        own = self._turn in (0, way) and self._is_open(way)
        may: Bool = own & ((distance < COMMITTED) | (not self._ends))
        return may

    def _is_open(self, way: int) -> bool:
        """Return whether nobody comes against those who go one way, or only one who stands."""
        return self._within[-way] == 0 or self._waited > self._patience

    def _first_turn(self) -> int:
        if self._within[1] != self._within[-1]:
            return max(self._within, key=self._within.__getitem__)
        return min(self._first, key=self._first.__getitem__)

    def _give(self, way: int) -> None:
        self._turn, self._since, self._waited, self._ends = way, 0.0, 0.0, False


@dataclass(frozen=True)
class HallwayEnd:
    """One end of a hallway, as `Turns` of those who come through there.

    Attributes:
        hallway: Whose.
        way: 1 for those that enter at its first end, -1 at the second.
        enters: 1 if they cross the line of the queue there along its normal, or -1.
    """

    hallway: Hallway
    way: int
    enters: int

    def passing(self, near: Passers) -> Bool:
        """Return which of the members near may pass in this step (m,), of those that come."""
        end = self.hallway.ends[0 if self.way > 0 else 1]
        admitted = self.hallway.admits(self.way, _distance(end, near.position))
        return (near.way == -self.enters) | ((near.way == self.enters) & admitted)

    def is_left(self, near: Passers) -> bool:
        """Return whether some want to come out here, from within or from the other end."""
        return self.hallway.is_wanted(-self.way)

    @property
    def hold(self) -> bool:
        """Whether they go in turns now."""
        return self.hallway.in_turns

    def leads_out(self, way: int) -> bool:
        """Return whether those who cross the line one way come out of the hallway."""
        return way != self.enters


def with_hallways(
    queues: Sequence[OpeningQueue], pairs: Mapping[int, BothWays], gap: float, dt: float
) -> tuple[dict[int, BothWays], dict[int, Hallway]]:
    """Return openings that are passed both ways, and by the queues of both ends their hallways.

    Args:
        queues: All.
        pairs: The openings that are passed both ways: by the queue of one direction.
        gap: Between the bodies of two abreast [m].
        dt: Time step [s].
    """
    found, hallways = dict(pairs), dict[int, Hallway]()
    front = {pair.back: k for k, pair in pairs.items()} | {k: k for k in pairs}
    entries = [k for k in front if len(queues[k].opening.course)]
    for row, k in enumerate(entries):
        for m in entries[row + 1 :]:
            first, second = queues[k].opening, queues[m].opening
            if front[k] == front[m] or not (_leads_to(first, second) or _leads_to(second, first)):
                continue
            course = first.course if _leads_to(first, second) else second.course[::-1]
            course = _between(first, second, course)
            own_pairs = [pairs[front[own]] for own in (k, m)]
            is_narrow = any(pair.is_narrow for pair in own_pairs)
            is_tight = any(pair.turns is not None for pair in own_pairs)
            beside = max(queues[k].radius, queues[m].radius) + 0.5 * (gap + BETWEEN)
            most = 0 if is_narrow else BUSY if is_tight else np.inf
            hallway = Hallway((first, second), course, dt, beside, most)
            for way, own in ((1, k), (-1, m)):
                key = front[own]
                end = HallwayEnd(hallway, way, 1 if key == own else -1)
                found[key] = pairs[key]._replace(turns=end, is_narrow=True)
                hallways[key] = hallway
    return found, hallways


def _leads_to(first: NarrowOpening, second: NarrowOpening) -> bool:
    """Return whether the narrow way behind one opening ends at another one, that leads into it."""
    end, onward = first.course[-1], first.course[-1] - first.course[-2]
    apart = second.middle - end
    near = hypot(apart[0], apart[1]) < second.half + SAME and abs(apart[2]) < LEVEL
    return near and float(onward[:2] @ second.normal) < -0.5 * hypot(onward[0], onward[1])


def _between(first: NarrowOpening, second: NarrowOpening, course: Float) -> Float:
    """Return the course (K, 3) from the middle of one line to that of the other one [m]."""
    inner = np.ones(len(course), np.bool_)
    for end in (first, second):
        inner &= (course - end.middle)[:, :2] @ end.normal > INSIDE
    return np.concatenate([first.middle[None], course[inner], second.middle[None]])


def _distance(end: NarrowOpening, position: Float) -> Float:
    """Return how far members (m, 3) are from the line between the jambs (m,) [m]."""
    offset = (position - end.middle)[:, :2]
    beside = np.maximum(0.0, np.abs(offset @ end.left) - end.half)
    distance: Float = np.hypot(offset @ end.normal, beside)
    return distance


@compiled
def _directions(position, point, course, tangent, half, clear):
    """Return (m,) 1 for members (m, 3) in a narrow way who go along its course (K, 3), -1 against.

    And (m,) at which of its points each is. They go to points (m, 3); the course has tangents
    (K, 2). Who has come out is in it up to ``clear`` behind its ends [m].
    """
    last = len(course) - 1
    found, near = np.zeros(len(position), np.intp), np.zeros(len(position), np.intp)
    for i in range(len(position)):
        best, at = 1e300, 0
        for k in range(last + 1):
            x, y = position[i, 0] - course[k, 0], position[i, 1] - course[k, 1]
            if abs(position[i, 2] - course[k, 2]) < LEVEL and x * x + y * y < best:
                best, at = x * x + y * y, k
        if best == 1e300:
            continue
        x, y = tangent[at, 0], tangent[at, 1]
        off = position[i, 0] - course[at, 0], position[i, 1] - course[at, 1]
        along, aside = off[0] * x + off[1] * y, abs(off[1] * x - off[0] * y)
        onward = (point[i, 0] - position[i, 0]) * x + (point[i, 1] - position[i, 1]) * y
        way = 1 if onward > 0.0 else -1
        before, behind = at == 0 and along < 0.0, at == last and along > 0.0
        if aside > half:
            continue
        if (before and (way > 0 or along < -clear)) or (behind and (way < 0 or along > clear)):
            continue
        found[i], near[i] = way, at
    return found, near
