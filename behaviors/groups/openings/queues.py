"""Queues before openings: who passes after whom, and how fast each may come on.

A member that has come near an opening, in sight of it, has a place in the order of passing. Where
it crosses the line is where it comes from, as near as the jambs allow; before it, it turns into the
lane straight through that point. Those whose lanes are a body's width or more apart pass side by
side; others keep so far behind one another *along the way* that their bodies do not touch in the
line: the nearer their lanes, the farther. So people alternate left and right where the opening is
wide enough for that, and follow in a file where it is not.

The line is as long as the crowd: from farther away, too, the more are in it. Those outside of a
short one would go round the crowd, and get before those who wait in its middle.

Each step the order is made anew: next comes who could pass first, after those before it; who has
had a place keeps it unless another one is nearer by more than `KEEPS`. Nobody is asked to go faster
than lets it come to its distance behind those before it, so that the front goes on at full speed,
whoever stands around it. Who all but touches one before it, and is in its way, steps back from it;
else the two, and the corner of a jamb, could hold each other for ever.

Where members have routes of their own, they queue while all that are near come through, the same
way. Where they come both ways, each side keeps to the right half of the opening; where there is no
room for two abreast, the sides take turns. Otherwise the traffic rules hold.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.openings.approach import Approach
from rmp3d.behaviors.groups.openings.crossing import Passers
from rmp3d.behaviors.groups.openings.finding import NarrowOpening
from rmp3d.behaviors.groups.openings.near_places import NearPlaces
from rmp3d.behaviors.groups.openings.opening_queue import NEAR, BothWays, OpeningQueue, pairs_of
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

# Members let go when they are so much farther than where they line up, or so far beyond the line
# [m].
LETS_GO, BEYOND = 1.0, 0.6
# Where people come both ways, they let go of their places when they are farther [m].
FAR = NEAR + LETS_GO
# Two of one lane keep so far apart besides their radii [m].
GAP = 0.04
# Who is on another way: its path is shorter or longer than that through the opening by more [m].
SHORTER, LONGER = 1.0, 10.0
# Who comes the other way is expected from so far [m]: its side is left free before it is there.
EXPECTED = 20.0
# Where people come both ways, the traffic rules hold while one nearer than this goes elsewhere [m].
OTHERS = 6.0
# Members that stand near look whether they see an opening once in so many steps.
LOOK_EVERY = 5


class _Allowed(NamedTuple):
    """What members of a queue with routes of their own may do now.

    Attributes:
        passes: Rows of those who may pass.
        opening: What they pass, or the part of it that is theirs.
        led: (l,) rows of those who wait, or are to go straight on.
        velocity: (l, 2) of these [m/s].
    """

    passes: Index
    opening: NarrowOpening
    led: Index
    velocity: Float


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
    """

    def __init__(
        self,
        ways: Sequence[tuple[GroundSpace, Sequence[NarrowOpening]] | None],
        gap: float = GAP,
        routed: Collection[int] = (),
        dt: float = 1.0 / 30.0,
    ) -> None:
        self._gap = gap
        self._routed = np.isin(np.arange(len(ways)), list(routed))
        self._queues: list[OpeningQueue] = []
        self._steps = 0
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
                if group not in routed:
                    queue.rest[group] = opening.rest
        # Where people meet others that go elsewhere, the traffic rules of all hold.
        self._queues = [
            queue for queue in self._queues if (np.isfinite(queue.rest) | self._routed).all()
        ]
        self._pairs = pairs_of(self._queues, gap, dt)
        self._back = {pair.back for pair in self._pairs.values()}
        middle = np.array([queue.opening.middle for queue in self._queues]).reshape(-1, 3)
        half = np.array([queue.opening.half for queue in self._queues])
        self._places = NearPlaces(middle, half + EXPECTED)

    def __len__(self) -> int:
        return len(self._queues)

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now."""
        for queue in self._queues:
            queue.turn_over(members)

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
        nearby = self._places.rows(flock.position, free)
        routed = self._routed[group_of]
        allowed = self._allowed(flock.position, ahead, pace, nearby, routed)
        all_routed = bool(routed.all())
        for k, (queue, (passing, opening, led, velocity)) in enumerate(
            zip(self._queues, allowed, strict=True)
        ):
            if len(nearby[k]) == 0:
                queue.forget()
                continue
            if all_routed and len(passing) + len(led) == 0:
                queue.let_go()
                continue
            new = number[led] < 0
            wish[led[new], :2], number[led[new]] = velocity[new], k
            own = nearby[k][number[nearby[k]] < 0]
            near = self._line_up(queue, opening, flock, group_of, remaining, own, passing)
            if near is not None:
                wish[near.rows, :2] = near.velocity(flock, pace, self._gap)
                number[near.rows] = k
        found = np.flatnonzero(number >= 0)
        return Queued(found, wish[found], number[found])

    def _allowed(
        self, position: Float, ahead: Float | None, pace: Float, nearby: Sequence[Index],
        routed: Bool,
    ) -> list[_Allowed]:  # fmt: skip
        """Return for each queue who may pass now, and who makes room for the other side.

        Args:
            position: (N, 3) [m].
            ahead: (N, A, 3) next points of their routes [m]; None: nobody has one now.
            pace: (N,) speed at which each likes to go [m/s].
            nearby: For each queue rows of members that may be led.
            routed: (N,) members that have routes of their own.
        """
        nobody = np.zeros(0, np.intp)
        found = [_Allowed(nobody, q.opening, nobody, np.zeros((0, 2))) for q in self._queues]
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
                passes = near.rows[(near.way > 0) | (had & (near.beyond >= 0.0))]
                found[k] = found[k]._replace(passes=passes)
                if queue.meet and not queue.is_narrow(self._gap):
                    part = queue.opening.right_half(queue.radius + 0.5 * self._gap)
                    found[k] = found[k]._replace(opening=part)
        return found

    def _shared(
        self, k: int, pair: BothWays, near: Passers, point: Float, pace: Float
    ) -> tuple[_Allowed, _Allowed]:
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
        if (near.stays & (near.far < OTHERS)).any():
            for queue in queues:
                queue.side = Side()
            nobody = np.zeros(0, np.intp)
            none = [_Allowed(nobody, queue.opening, nobody, np.zeros((0, 2))) for queue in queues]
            return none[0], none[1]
        both = near.both_ways()
        may = near.way != 0 if pair.turns is None else pair.turns.passing(near)
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
            still, straight, course = leaving(
                opening, near.position[out], point[out], self._standing(other, near), queue.radius
            )
            queue.side = Side(near.rows[waits], near.rows[out[still]])
            rows = near.rows[out[straight]]
            led = np.concatenate([near.rows[waits], rows])
            velocity = waiting(opening, near.position[waits], pace[near.rows[waits]], queue.radius)
            velocity = np.concatenate([velocity, pace[rows, None] * course[straight]])
            part = opening.right_half(beside)
            used = part if (both or queues[0].meet) and pair.turns is None else opening
            passes = near.rows[(own & may & ~crosses) | comes]
            found.append(_Allowed(passes, used, led, velocity))
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

    def _standing(self, queue: OpeningQueue, near: Passers) -> Float:
        """Return where those stand who wait for a queue (w, 3) [m]."""
        return near.position[np.isin(near.rows, queue.side.waits)]

    def _line_up(
        self,
        queue: OpeningQueue,
        opening: NarrowOpening,
        flock: Flock,
        group_of: Index,
        remaining: Float,
        rows: Index,
        passing: Index,
    ) -> Approach | None:
        """Let members come to a queue, change places, and leave; return those that it has now.

        Args:
            queue: Which.
            opening: Its opening, or the part of it that is theirs.
            flock: Present state.
            group_of: (N,) group of each member.
            remaining: (N,) path still to go [m].
            rows: Of the members that may be led.
            passing: Rows of those with routes of their own that come through.
        """
        offset = flock.position[rows] - opening.middle
        along = -(offset[:, :2] @ opening.normal)  # before the line
        reach = queue.reach(self._gap)
        far = reach + LETS_GO
        close = (np.abs(offset[:, 2]) < 1.0) & (along < far) & (along > -BEYOND)
        rest, left = queue.rest[group_of[rows]], remaining[rows]
        same_way = (left > rest - SHORTER) & (left < rest + far + LONGER)
        close &= np.where(self._routed[group_of[rows]], np.isin(rows, passing), same_way)
        had = np.full(len(flock), -1)
        had[queue.order] = np.arange(len(queue.order))
        rows = rows[close & ((had[rows] >= 0) | (along > 0.0))]
        if len(rows) == 0:
            queue.let_go()
            return None
        crossing = queue.crossings(opening, len(flock))
        near = Approach(opening, flock, rows, crossing[rows])
        stays = (had[rows] >= 0) & (near.distance < far)
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
