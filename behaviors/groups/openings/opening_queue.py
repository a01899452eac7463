"""Queues of openings, and openings that are passed both ways."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

import numpy as np

from rmp3d.behaviors.groups.openings.approach import Approach
from rmp3d.behaviors.groups.openings.crossing import Passers
from rmp3d.behaviors.groups.openings.finding import OFF_JAMBS, NarrowOpening
from rmp3d.behaviors.groups.openings.turns import Turns
from rmp3d.behaviors.groups.openings.two_ways import Side
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index

# Members line up from so far along the way [m], and from a body farther for each that is in line
# already, up to so far.
NEAR, FARTHEST = 5.0, 20.0
# They let go when they are so much farther than where they line up [m].
LETS_GO = 1.0
# Others are near if they are no farther from the middle of the line than this [m].
OTHERS = 6.0
# Those who go elsewhere do not matter if there is so much more room than for two abreast [m].
TO_SPARE = 0.5


@dataclass(eq=False)
class OpeningQueue:
    """An opening that members of some groups pass.

    Attributes:
        opening: Where; as the largest bodies cross it.
        radius: Of these [m].
        order: Rows of the members in the order of passing.
        crossing: Where each of these crosses the line, from its middle to the left [m].
        side: Its members that make room for those who come the other way.
        meet: Whether some come, or will come soon, the other way, too.
    """

    opening: NarrowOpening
    radius: float
    order: Index
    side: Side
    meet: bool = False
    crossing: Float = field(default_factory=lambda: np.zeros(0))

    def add(self, opening: NarrowOpening, radius: float) -> None:
        """Let bodies of a radius [m] pass the same opening, too, as they cross it."""
        narrower = opening if opening.half < self.opening.half else self.opening
        # Of the way of one group, but not of that of another one: it is no end.
        is_end = self.opening.is_end and opening.is_end
        course = self.opening.course if len(self.opening.course) else opening.course
        self.opening = replace(narrower, is_end=is_end, course=course)
        self.radius = max(self.radius, radius)

    def is_narrow(self, gap: float) -> bool:
        """Return whether there is no room for two abreast, so far apart [m]."""
        return 2.0 * (self.opening.half - OFF_JAMBS) < 2.0 * self.radius + gap

    def reach(self, gap: float) -> float:
        """Return from how far along the way members line up, so far apart [m]."""
        if self.opening.is_end:
            return NEAR
        return min(FARTHEST, NEAR + len(self.order) * (2.0 * self.radius + gap))

    def forget(self) -> None:
        """Let everybody go."""
        self.let_go()
        self.side, self.meet = Side(), False

    def let_go(self) -> None:
        """Let those in the order of passing go."""
        self.order, self.crossing = np.zeros(0, np.intp), np.zeros(0)

    def keep(self, near: Approach, opening: NarrowOpening) -> None:
        """Note who passes after whom, and where, through a part of the opening."""
        self.order, self.crossing = near.rows, near.crossing + self._aside(opening)

    def crossings(self, opening: NarrowOpening, count: int) -> Float:
        """Return where members (N,) were to cross the line of a part of it, nan if nowhere [m]."""
        found = np.full(count, np.nan)
        found[self.order] = self.crossing - self._aside(opening)
        return found

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now."""
        now = members.rows(self.order)
        self.order, self.crossing = now[now >= 0], self.crossing[now >= 0]
        self.side = Side(*(still(members, rows) for rows in self.side))

    def _aside(self, opening: NarrowOpening) -> float:
        """Return how far to the left the middle of a part of the opening is [m]."""
        return float((opening.middle - self.opening.middle)[:2] @ self.opening.left)


class Allowed(NamedTuple):
    """What members of a queue with routes of their own may do now.

    Attributes:
        passes: (p,) rows of those who may pass.
        left: (p,) their routes up to the line [m].
        opening: What they pass, or the part of it that is theirs.
        led: (l,) rows of those who wait, or are to go straight on.
        velocity: (l, 2) of these [m/s].
    """

    passes: Index
    left: Float
    opening: NarrowOpening
    led: Index
    velocity: Float

    @classmethod
    def nobody(cls, opening: NarrowOpening) -> "Allowed":
        """Return that nobody may pass an opening."""
        nobody = np.zeros(0, np.intp)
        return cls(nobody, np.zeros(0), opening, nobody, np.zeros((0, 2)))


class TurnsAtLine(Protocol):
    """Whose turn it is at a line."""

    def passing(self, near: Passers) -> Bool:
        """Return which of the members near may pass in this step (m,), of those that come."""
        ...

    def is_left(self, near: Passers) -> bool:
        """Return whether some are to come out here before others enter."""
        ...

    @property
    def hold(self) -> bool:
        """Whether there are turns now."""
        ...

    def leads_out(self, way: int) -> bool:
        """Return whether those who cross the line one way come out of a narrow way."""
        ...


class BothWays(NamedTuple):
    """An opening that is passed both ways.

    Attributes:
        back: Queue of the other direction.
        turns: That the sides take; None where they always pass side by side.
        is_narrow: Whether there is no room for two abreast.
    """

    back: int
    turns: TurnsAtLine | None
    is_narrow: bool = False

    def turns_among(self, near: Passers) -> TurnsAtLine | None:
        """Return the turns that the sides take now, among members near; None: side by side.

        Where two can just pass each other, they do if nobody else is near who goes elsewhere: one
        who has to give way to such a one blocks both sides.
        """
        others = bool((near.stays & (near.far < OTHERS)).any())
        needed = self.is_narrow or others
        return self.turns if needed and self.turns is not None and self.turns.hold else None


def still(members: Turnover, rows: Index) -> Index:
    """Return the rows now of those that are there still."""
    now = members.rows(rows)
    return now[now >= 0]


def pairs_of(queues: Sequence[OpeningQueue], gap: float, dt: float) -> dict[int, BothWays]:
    """Return the openings that are passed both ways: by the queue of one direction."""
    found: dict[int, BothWays] = {}
    for k, queue in enumerate(queues):
        for m, other in enumerate(queues[:k]):
            back = replace(queue.opening, normal=-queue.opening.normal)
            if back.is_as(other.opening):
                both = queue, other
                tight = any(each.is_narrow(gap + TO_SPARE) for each in both)
                narrow = any(each.is_narrow(gap) for each in both)
                found[m] = BothWays(k, Turns(other.opening, dt) if tight else None, narrow)
    return found


def sides_of(count: int, pairs: Mapping[int, BothWays]) -> list[list[int]]:
    """Return the queues of each opening: one, or those of both directions."""
    backs = {pair.back for pair in pairs.values()}
    return [[k, pairs[k].back] if k in pairs else [k] for k in range(count) if k not in backs]
