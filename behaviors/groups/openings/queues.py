"""Queues before openings: who passes after whom, and how fast each may come on.

A member that has come near an opening, in sight of it, has a place in the order of passing. Where
it crosses the line is where it comes from, as near as the jambs allow; before it, it turns into the
lane straight through that point. Those whose lanes are a body's width or more apart pass side by
side; others keep so far behind one another *along the way* that their bodies do not touch in the
line: the nearer their lanes, the farther. So people alternate left and right where the opening is
wide enough for that, and follow in a file where it is not.

The line is as long as the crowd: from farther away, too, the more are in it. Those outside of a
short one would go round the crowd, and get before those who wait in its middle. At the end of a
narrow way, which is an opening where the path turns, it is short: nobody can go round it.

Each step the order is made anew: next comes who could pass first, after those before it; who has
had a place keeps it unless another one is nearer by more than `KEEPS`. Nobody is asked to go faster
than lets it come to its distance behind those before it, so that the front goes on at full speed,
whoever stands around it. Who all but touches one before it, and is in its way, steps back from it;
else the two, and the corner of a jamb, could hold each other for ever.

Each is in line before the next opening on its way. They queue unless one who goes elsewhere is in
the opening: the traffic rules hold then. (One farther off would let a throng press in from both
sides.) Where they come both ways, each side keeps to the right half of the opening; where there is
no room for two abreast, or not much more and others are near, the sides take turns.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.openings.approach import Approach
from rmp3d.behaviors.groups.openings.finding import NarrowOpening
from rmp3d.behaviors.groups.openings.giving_way import give_way
from rmp3d.behaviors.groups.openings.held_up import HeldInQueue
from rmp3d.behaviors.groups.openings.opening_queue import (
    LETS_GO,
    Allowed,
    OpeningQueue,
)
from rmp3d.behaviors.groups.openings.passing import LOOK_EVERY, Passing
from rmp3d.behaviors.groups.openings.two_ways import (
    Side,
)
from rmp3d.behaviors.groups.openings.walkers import Walkers
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.planner.spaces import GroundSpace

# Members let go when they are so far beyond the line [m].
BEYOND = 0.6
# Two of one lane keep so far apart besides their radii [m].
GAP = 0.04


class Queued(NamedTuple):
    """Members in queues.

    Attributes:
        rows: (m,) in the flock.
        velocity: (m, 3) that they want [m/s].
        queue: (m,) number of the queue that each is in.
    """

    rows: Index
    velocity: Float
    queue: Index

    @classmethod
    def nobody(cls) -> "Queued":
        """Return that nobody is in a queue."""
        return cls(np.zeros(0, np.intp), np.zeros((0, 3)), np.zeros(0, np.intp))


class Queues:
    """The orders of passing at the openings on the routes of members.

    Args:
        ways: For each group the space of its members and the openings on their routes; or None if
            they have no routes, or do not walk.
        gap: Between the bodies of two in one lane [m].
        dt: Time step [s].
    """

    def __init__(
        self,
        ways: Sequence[tuple[GroundSpace, Sequence[NarrowOpening]] | None],
        gap: float = GAP,
        dt: float = 1.0 / 30.0,
    ) -> None:
        self._gap = gap
        self._walkers = Walkers([None if way is None else way[0] for way in ways])
        self._queues: list[OpeningQueue] = []
        self._steps = 0
        self._held_up = HeldInQueue(dt)
        for space, openings in (way for way in ways if way is not None):
            radius = float(space.world.body.radius)
            for opening in openings:
                queue = next((q for q in self._queues if q.opening.is_as(opening)), None)
                if queue is None:
                    queue = OpeningQueue(opening, radius, np.zeros(0, np.intp), Side())
                    self._queues.append(queue)
                queue.add(opening, radius)
        self._passing = Passing(self._queues, self._walkers, gap, dt)
        self._opening_of = np.full(len(self._queues) + 1, -1)  # of each queue, and of none
        for k, sides in enumerate(self._passing.sides):
            self._opening_of[sides] = k

    def __len__(self) -> int:
        return len(self._queues)

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now."""
        for queue in self._queues:
            queue.turn_over(members)
        self._passing.turn_over(members)
        self._held_up.turn_over(members)

    def lead(
        self,
        flock: Flock,
        group_of: Index,
        pace: Float,
        free: Bool,
        ahead: Float | None,
    ) -> Queued:
        """Return the members in queues, and what they want.

        Args:
            flock: Present state.
            group_of: (N,) group of each member.
            pace: (N,) speed at which each likes to go [m/s].
            free: (N,) members that may be led.
            ahead: (N, A, 3) next points of those that have routes [m]; None: nobody has one now.
        """
        if ahead is None:
            return Queued.nobody()
        self._steps += 1
        wish, number = np.zeros((len(flock), 3)), np.full(len(flock), -1)
        # For each queue who can have a place in it.
        free = free & ~self._held_up.alone(len(flock))
        self._walkers.group_of = group_of
        nearby, blocked = self._passing.nearby(flock.position, free), self._passing.blocked(flock)
        for k, rows, course in self._passing.led_through(flock.position, ahead, nearby):
            wish[rows, :2], number[rows] = pace[rows, None] * course, k
        if (number >= 0).any():
            nearby = [rows[number[rows] < 0] for rows in nearby]
        allowed = self._passing.allowed(flock.position, ahead, pace, nearby, blocked)
        next_here = self._next_here(flock.position, nearby, allowed)
        for k, (queue, may) in enumerate(zip(self._queues, allowed, strict=True)):
            if len(nearby[k]) == 0 or blocked[k]:
                queue.forget()
                continue
            new = number[may.led] < 0
            wish[may.led[new], :2], number[may.led[new]] = may.velocity[new], k
            own = next_here[k][number[next_here[k]] < 0]
            near = self._line_up(queue, may.opening, flock, own)
            if near is not None:
                wish[near.rows, :2] = near.velocity(flock, pace, self._gap)
                number[near.rows] = k
        at = self._opening_of[number]
        for k in np.unique(at[at >= 0]).tolist():
            sides = self._passing.sides[k]
            others = nearby[sides[0]]
            queues, others = [self._queues[side] for side in sides], others[number[others] < 0]
            give_way(queues, flock, at == k, others, ahead[:, 0], pace, wish)
        found = np.flatnonzero(number >= 0)
        # Who waits for its turn at a hallway would not be helped by going in.
        waits = self._passing.waits_at_hallways()
        goes = np.setdiff1d(found, waits) if len(waits) else found
        self._held_up.look(flock.position, goes, wish[goes])
        return Queued(found, wish[found], number[found])

    def _next_here(
        self, position: Float, nearby: Sequence[Index], allowed: Sequence[Allowed]
    ) -> list[Index]:
        """Return for each queue rows of the members that pass it, and no other one before it.

        Args:
            position: (N, 3) [m].
            nearby: For each queue rows of members that may be led.
            allowed: For each queue who may pass.
        """
        least = np.full(len(position), np.inf)
        place, had = np.full(len(position), -1), np.full(len(position), -1)
        for k, queue in enumerate(self._queues):
            had[queue.order] = k
        found = [np.zeros(0, np.intp)] * len(nearby)
        for k, queue in enumerate(self._queues):
            far = queue.reach(self._gap) + LETS_GO
            rows, left = allowed[k].passes, allowed[k].left
            if len(rows) == 0:
                continue
            offset = position[rows] - queue.opening.middle
            along = -(offset[:, :2] @ queue.opening.normal)  # before the line
            close = (np.abs(offset[:, 2]) < 1.0) & (along < far) & (along > -BEYOND)
            close &= (along > 0.0) | (had[rows] == k)
            close &= left < least[rows]
            found[k] = rows[close]
            least[found[k]], place[found[k]] = left[close], k
        return [rows[place[rows] == k] for k, rows in enumerate(found)]

    def _line_up(
        self, queue: OpeningQueue, opening: NarrowOpening, flock: Flock, rows: Index
    ) -> Approach | None:
        """Let members come to a queue, change places, and leave; return those that it has now.

        Args:
            queue: Which.
            opening: Its opening, or the part of it that is theirs.
            flock: Present state.
            rows: Of the members whose next opening it is.
        """
        if len(rows) == 0:
            queue.let_go()
            return None
        had = np.full(len(flock), -1)
        had[queue.order] = np.arange(len(queue.order))
        reach = queue.reach(self._gap)
        crossing = queue.crossings(opening, len(flock))
        near = Approach(opening, flock, rows, crossing[rows])
        stays = (had[rows] >= 0) & (near.distance < reach + LETS_GO)
        comes = (had[rows] < 0) & (near.distance < reach)
        comes &= (rows + self._steps) % LOOK_EVERY == 0
        looking = np.flatnonzero(comes)
        if len(looking):
            comes[looking] = self._walkers.connects(
                rows[looking], flock.position[rows[looking]], near.entry[looking]
            )
        kept = stays | comes
        if not kept.any():
            queue.let_go()
            return None
        near = Approach(opening, flock, rows[kept], crossing[rows[kept]])
        near.sort(had[near.rows], self._gap)
        queue.keep(near, opening)
        return near
