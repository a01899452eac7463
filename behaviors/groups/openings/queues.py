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

Each is in line before the next opening on its way. Groups queue at an opening if those of the other
groups stay away from there.

Where members have routes of their own, they queue unless one who goes elsewhere is in the opening:
the traffic rules hold then. (One farther off would let a throng press in from both sides.) Where
they come both ways, each side keeps to the right half of the opening; where there is no room for
two abreast, or not much more and others are near, the sides take turns.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.openings.approach import Approach
from rmp3d.behaviors.groups.openings.crossing import Passers
from rmp3d.behaviors.groups.openings.finding import NarrowOpening
from rmp3d.behaviors.groups.openings.giving_way import give_way
from rmp3d.behaviors.groups.openings.held_up import HeldInQueue
from rmp3d.behaviors.groups.openings.near_places import NearPlaces
from rmp3d.behaviors.groups.openings.opening_queue import (
    LETS_GO,
    NEAR,
    Allowed,
    BothWays,
    OpeningQueue,
    pairs_of,
    sides_of,
)
from rmp3d.behaviors.groups.openings.two_ways import (
    ZONE,
    Side,
    comes_from,
    in_the_way,
    leaving,
    waiting,
)
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.planner.spaces import GroundSpace

# Members let go when they are so far beyond the line [m].
BEYOND = 0.6
# Where people come both ways, they let go of their places when they are farther [m].
FAR = NEAR + LETS_GO
# Two of one lane keep so far apart besides their radii [m].
GAP = 0.04
# Who is on another way: its path is shorter or longer than that through the opening by more [m].
SHORTER, LONGER = 1.0, 10.0
# Who comes the other way is expected from so far [m]: its side is left free before it is there.
EXPECTED = 20.0
# Members that stand near look whether they see an opening once in so many steps.
LOOK_EVERY = 5


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
    """The orders of passing at the openings that all groups of a run pass the same way.

    Args:
        ways: For each group the space of its members and the openings on its path, or on some of
            the routes of its members; or None.
        gap: Between the bodies of two in one lane [m].
        routed: Groups whose members have routes of their own.
        dt: Time step [s].
        paths: For each group points (K, 3) of its path [m], or None if its members go other ways.
    """

    def __init__(
        self,
        ways: Sequence[tuple[GroundSpace, Sequence[NarrowOpening]] | None],
        gap: float = GAP,
        routed: Collection[int] = (),
        dt: float = 1.0 / 30.0,
        paths: Sequence[Float | None] = (),
    ) -> None:
        self._gap = gap
        self._routed = np.isin(np.arange(len(ways)), list(routed))
        self._queues: list[OpeningQueue] = []
        self._steps = 0
        self._held_up = HeldInQueue(dt)
        for group, way in enumerate(ways):
            for opening in way[1] if way is not None else ():
                space = way[0]  # type: ignore[index]
                queue = next(
                    (q for q in self._queues if q.space is space and q.opening.is_as(opening)), None
                )
                if queue is None:
                    rest = np.full(len(ways), np.nan)
                    queue = OpeningQueue(opening, space, rest, np.zeros(0, np.intp), Side())
                    self._queues.append(queue)
                if not opening.is_end:  # of the way of one group, but not of that of another one
                    queue.opening = replace(queue.opening, is_end=False)
                if group not in routed:
                    queue.rest[group] = opening.rest
        # Where people meet others that go elsewhere, the traffic rules of all hold.
        away = [*paths, *[None] * (len(ways) - len(paths))]
        self._queues = [
            queue
            for queue in self._queues
            if all(
                np.isfinite(queue.rest[group]) or self._routed[group] or queue.is_apart(away[group])
                for group in range(len(ways))
            )
        ]
        self._pairs = pairs_of(self._queues, gap, dt)
        self._back = {pair.back for pair in self._pairs.values()}
        self._sides = sides_of(len(self._queues), self._pairs)
        self._opening_of = np.full(len(self._queues) + 1, -1)  # of each queue, and of none
        for k, sides in enumerate(self._sides):
            self._opening_of[sides] = k
        middle = np.array([queue.opening.middle for queue in self._queues]).reshape(-1, 3)
        half = np.array([queue.opening.half for queue in self._queues])
        self._places = NearPlaces(middle, half + EXPECTED)

    def __len__(self) -> int:
        return len(self._queues)

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now."""
        for queue in self._queues:
            queue.turn_over(members)
        self._held_up.turn_over(members)

    def lead(
        self,
        flock: Flock,
        group_of: Index,
        remaining: Float,
        pace: Float,
        free: Bool,
        ahead: Float | None = None,
    ) -> Queued:
        """Return the members in queues, and what they want.

        Args:
            flock: Present state.
            group_of: (N,) group of each member.
            remaining: (N,) path still to go [m].
            pace: (N,) speed at which each likes to go [m/s].
            free: (N,) members that may be led.
            ahead: (N, A, 3) next points of those that have routes of their own [m]; None: nobody
                has one.
        """
        self._steps += 1
        wish, number = np.zeros((len(flock), 3)), np.full(len(flock), -1)
        # For each queue who can have a place in it.
        free = free & ~self._held_up.alone(len(flock))
        nearby = self._places.rows(flock.position, free)
        routed = self._routed[group_of]
        allowed = self._allowed(flock.position, ahead, pace, nearby, routed)
        next_here = self._next_here(flock.position, group_of, remaining, nearby, allowed)
        for k, (queue, may) in enumerate(zip(self._queues, allowed, strict=True)):
            if len(nearby[k]) == 0:
                queue.forget()
                continue
            new = number[may.led] < 0
            wish[may.led[new], :2], number[may.led[new]] = may.velocity[new], k
            own = next_here[k][number[next_here[k]] < 0]
            near = self._line_up(queue, may.opening, flock, own)
            if near is not None:
                wish[near.rows, :2] = near.velocity(flock, pace, self._gap)
                number[near.rows] = k
        if ahead is not None:
            at = self._opening_of[number]
            for k in np.unique(at[at >= 0]).tolist():
                sides, others = self._sides[k], nearby[self._sides[k][0]]
                queues, others = [self._queues[side] for side in sides], others[number[others] < 0]
                give_way(queues, flock, at == k, others, ahead[:, 0], pace, wish)
        found = np.flatnonzero(number >= 0)
        self._held_up.look(flock.position, found, wish[found])
        return Queued(found, wish[found], number[found])

    def _allowed(
        self, position: Float, ahead: Float | None, pace: Float, nearby: Sequence[Index],
        routed: Bool,
    ) -> list[Allowed]:  # fmt: skip
        """Return for each queue who may pass now, and who makes room for the other side.

        Args:
            position: (N, 3) [m].
            ahead: (N, A, 3) next points of their routes [m]; None: nobody has one now.
            pace: (N,) speed at which each likes to go [m/s].
            nearby: For each queue rows of members that may be led.
            routed: (N,) members that have routes of their own.
        """
        found = [Allowed.nobody(queue.opening) for queue in self._queues]
        if ahead is None:
            return found
        for k, queue in enumerate(self._queues):
            candidates = nearby[k][routed[nearby[k]]]
            if k in self._back or len(candidates) == 0:
                continue
            pair = self._pairs.get(k)
            near = Passers(queue.opening, position, ahead, candidates, ZONE if pair else FAR)
            if (k + self._steps) % LOOK_EVERY == 0:
                expected = Passers(queue.opening, position, ahead, candidates, EXPECTED)
                queue.meet = expected.both_ways()
            if pair is not None:
                found[k], found[pair.back] = self._shared(k, pair, near, ahead[near.rows, 0], pace)
            elif near.one_way():
                far = queue.reach(self._gap) + LETS_GO
                all_ = Passers(queue.opening, position, ahead, candidates, far)
                near = all_ if all_.one_way() else near
                had = np.isin(near.rows, queue.order) & (near.way == 0)
                passes = (near.way > 0) | (had & (near.beyond >= 0.0))
                found[k] = found[k]._replace(passes=near.rows[passes], left=near.left[passes])
                if queue.meet and not queue.is_narrow(self._gap):
                    part = queue.opening.right_half(queue.radius + 0.5 * self._gap)
                    found[k] = found[k]._replace(opening=part)
        return found

    def _shared(
        self, k: int, pair: BothWays, near: Passers, point: Float, pace: Float
    ) -> tuple[Allowed, Allowed]:
        """Return who may pass, and who makes room, of both directions through an opening.

        Args:
            k: Queue of one direction.
            pair: That of the other one, and how they share the opening.
            near: Members (m,) in the zone.
            point: (m, 3) next of their routes [m].
            pace: (N,) speed at which each likes to go [m/s].
        """
        queues = self._queues[k], self._queues[pair.back]
        close = near.far < FAR
        if near.in_the_way.any():
            for queue in queues:
                queue.side = Side()
            return Allowed.nobody(queues[0].opening), Allowed.nobody(queues[1].opening)
        turns = pair.turns_among(near)
        both = near.both_ways() or (turns is not None and turns.is_left(near))
        may = near.way != 0 if turns is None else turns.passing(near)
        may &= close
        found = []
        for queue, other, way in zip(queues, queues[::-1], (1, -1), strict=True):
            opening, own = queue.opening, near.way == way
            had = np.isin(near.rows, queue.order)
            beyond = way * near.beyond >= 0.0
            beside = queue.radius + 0.5 * self._gap
            crosses = in_the_way(opening, near.position, beside) & (len(other.side.leaves) > 0)
            waits = own & ~(may & (had | (near.far < NEAR)) & ~crosses)
            waits &= (near.far < comes_from(int(own.sum()))) & both
            waits &= self._sees(queue, near, waits)
            comes = had & (near.way == 0) & beyond
            out = np.flatnonzero(comes | np.isin(near.rows, queue.side.leaves))
            stands = near.way == -way
            stands &= near.far < comes_from(int(stands.sum()))
            still, straight, course = leaving(
                opening, near.position[out], point[out], near.position[stands], queue.radius
            )
            queue.side = Side(near.rows[waits], near.rows[out[still]])
            rows = near.rows[out[straight]]
            stand = near.rows[waits]
            led = np.concatenate([stand, rows])
            velocity = waiting(
                opening, near.position[waits], pace[stand], queue.radius, loose=turns is not None
            )
            velocity = np.concatenate([velocity, pace[rows, None] * course[straight]])
            part = opening.right_half(beside)
            beside_them = turns is None and (both or queues[0].meet)
            used = part if beside_them and not queue.is_narrow(self._gap) else opening
            passes = (own & may & ~crosses) | comes
            found.append(Allowed(near.rows[passes], near.left[passes], used, led, velocity))
        return found[0], found[1]

    def _sees(self, queue: OpeningQueue, near: Passers, waits: Bool) -> Bool:
        """Return which of those who are to wait do so already, or see where they wait (m,)."""
        seen = np.isin(near.rows, queue.side.waits)
        new = np.flatnonzero(waits & ~seen & ((near.rows + self._steps) % LOOK_EVERY == 0))
        if len(new):
            before = queue.opening.middle.copy()
            before[:2] -= (queue.opening.depth + queue.radius) * queue.opening.normal
            seen[new] = queue.space.connects(near.position[new], np.tile(before, (len(new), 1)))
        return seen

    def _next_here(
        self, position: Float, group_of: Index, remaining: Float, nearby: Sequence[Index],
        allowed: Sequence[Allowed],
    ) -> list[Index]:  # fmt: skip
        """Return for each queue rows of the members that pass it, and no other one before it.

        Args:
            position: (N, 3) [m].
            group_of: (N,) group of each member.
            remaining: (N,) path still to go [m].
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
            if not self._routed.all():
                own = nearby[k][~self._routed[group_of[nearby[k]]]]
                way = remaining[own] - queue.rest[group_of[own]]
                same_way = (way > -SHORTER) & (way < far + LONGER)
                rows = np.concatenate([own[same_way], rows])
                left = np.concatenate([way[same_way], left])
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
            comes[looking] = queue.space.connects(
                flock.position[rows[looking]], near.entry[looking]
            )
        kept = stays | comes
        if not kept.any():
            queue.let_go()
            return None
        near = Approach(opening, flock, rows[kept], crossing[rows[kept]])
        near.sort(had[near.rows], self._gap)
        queue.keep(near, opening)
        return near
