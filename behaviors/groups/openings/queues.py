"""Queues before openings: who passes after whom, and how fast each may come on.

A member that has come near an opening, in sight of it, has a place in the order of passing. Where
it crosses the line is where it comes from, as near as the jambs allow; before it, it turns into the
lane straight through that point. Those whose lanes are a body's width or more apart pass side by
side; others keep so far behind one another *along the way* that their bodies do not touch in the
line: the nearer their lanes, the farther. So people alternate left and right where the opening is
wide enough for that, and follow in a file where it is not.

Each step the order is made anew: next comes who could pass first, after those before it; who has
had a place keeps it unless another one is nearer by more than `KEEPS`. Nobody is asked to go faster
than lets it come to its distance behind those before it, so that the front goes on at full speed,
whoever stands around it. Who all but touches one before it, and is in its way, steps back from it;
else the two, and the corner of a jamb, could hold each other for ever.

Where members have routes of their own, they queue while all that are near come through, the same
way; where they come both ways and there is no room for two abreast, the sides take turns. Otherwise
the traffic rules hold.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.openings.crossing import Passers
from rmp3d.behaviors.groups.openings.finding import OFF_JAMBS, NarrowOpening
from rmp3d.behaviors.groups.openings.order import (
    make_way,
    order_of_passing,
    rows_near,
    speeds_in_order,
)
from rmp3d.behaviors.groups.openings.turns import Turns, waiting
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.planner.spaces import GroundSpace

# Members line up from so far along the way [m], and let go when they are farther, or so far
# beyond the line.
NEAR, FAR, BEYOND = 5.0, 6.0, 0.6
# Two of one lane keep so far apart besides their radii [m].
GAP = 0.04
# Nearer than this to its lane [m], a member steers to a point so far ahead in it [m].
IN_LANE, AHEAD = 0.05, 0.5
# Who is on another way: its path is shorter or longer than that through the opening by more [m].
SHORTER, LONGER = 1.0, 10.0
# Members that stand near look whether they see an opening once in so many steps.
LOOK_EVERY = 5


@dataclass(eq=False)
class _Queue:
    """An opening that members of some groups pass.

    Attributes:
        opening: Where.
        space: Of these members.
        rest: (G,) path left behind it for each group [m]; nan for those whose members have routes
            of their own.
        order: Rows of the members in the order of passing.
    """

    opening: NarrowOpening
    space: GroundSpace
    rest: Float
    order: Index


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
        self._queues: list[_Queue] = []
        self._steps = 0
        for group, way in enumerate(ways):
            for opening in way[1] if way is not None else ():
                space = way[0]  # type: ignore[index]
                queue = next(
                    (q for q in self._queues if q.space is space and q.opening.is_as(opening)), None
                )
                if queue is None:
                    rest = np.full(len(ways), np.nan)
                    queue = _Queue(opening, space, rest, np.zeros(0, np.intp))
                    self._queues.append(queue)
                if group not in routed:
                    queue.rest[group] = opening.rest
        # Where people meet others that go elsewhere, the traffic rules of all hold.
        self._queues = [
            queue for queue in self._queues if (np.isfinite(queue.rest) | self._routed).all()
        ]
        self._turns = _turns_at(self._queues, gap, dt)
        self._shared = {other for _, other in self._turns.values()}

    def __len__(self) -> int:
        return len(self._queues)

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now."""
        for queue in self._queues:
            order = members.rows(queue.order)
            queue.order = order[order >= 0]

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
        nearby = self._nearby(flock.position, free)
        allowed = self._allowed(flock.position, ahead, nearby, self._routed[group_of])
        for k, (queue, (passing, wait)) in enumerate(zip(self._queues, allowed, strict=True)):
            if len(nearby[k]) == 0:
                queue.order = np.zeros(0, np.intp)
                continue
            wait = wait[number[wait] < 0]
            there, velocity = waiting(queue.opening, flock.position[wait], pace[wait])
            wish[wait[there], :2], number[wait[there]] = velocity[there], k
            own = nearby[k][number[nearby[k]] < 0]
            near = self._line_up(queue, flock, group_of, remaining, own, passing)
            if near is not None:
                wish[near.rows, :2] = near.velocity(flock, pace, self._gap)
                number[near.rows] = k
        found = np.flatnonzero(number >= 0)
        return Queued(found, wish[found], number[found])

    def _nearby(self, position: Float, free: Bool) -> list[Index]:
        """Return for each queue the rows of the free members (N,) that can have a place in it."""
        middle = np.array([queue.opening.middle for queue in self._queues])
        half = np.array([queue.opening.half for queue in self._queues])
        rows, end = rows_near(position, free, middle, half + (FAR + 2.0 * BEYOND))
        return np.split(rows, end[:-1])

    def _allowed(
        self, position: Float, ahead: Float | None, nearby: Sequence[Index], routed: Bool
    ) -> list[tuple[Index, Index]]:
        """Return for each queue the rows of those who may pass now, and of those who have to wait.

        Args:
            position: (N, 3) [m].
            ahead: (N, A, 3) next points of their routes [m]; None: nobody has one now.
            nearby: For each queue rows of members that may be led.
            routed: (N,) members that have routes of their own.
        """
        nobody = np.zeros(0, np.intp)
        found = [(nobody, nobody)] * len(self._queues)
        if ahead is None:
            return found
        for k, queue in enumerate(self._queues):
            candidates = nearby[k][routed[nearby[k]]]
            if k in self._shared or len(candidates) == 0:
                continue
            near = Passers(queue.opening, position, ahead, candidates, FAR)
            turns, other = self._turns.get(k, (None, -1))
            if turns is None:
                if near.one_way():
                    had = np.isin(near.rows, queue.order) & (near.way == 0)
                    passes = (near.way > 0) | (had & (near.beyond >= 0.0))
                    found[k] = near.rows[passes], nobody
            elif not near.stays.any():
                may = turns.passing(near)
                for row, way in ((k, 1), (other, -1)):
                    had = np.isin(near.rows, self._queues[row].order) & (near.way == 0)
                    own = near.way == way
                    passes = (own & may) | (had & (way * near.beyond >= 0.0))
                    found[row] = near.rows[passes], near.rows[own & ~may]
        return found

    def _line_up(
        self,
        queue: _Queue,
        flock: Flock,
        group_of: Index,
        remaining: Float,
        rows: Index,
        passing: Index,
    ) -> "Approach | None":
        """Let members come to a queue, change places, and leave; return those that it has now.

        Args:
            queue: Which.
            flock: Present state.
            group_of: (N,) group of each member.
            remaining: (N,) path still to go [m].
            rows: Of the members that may be led.
            passing: Rows of those with routes of their own that come through.
        """
        opening = queue.opening
        offset = flock.position[rows] - opening.middle
        along = -(offset[:, :2] @ opening.normal)  # before the line
        close = (np.abs(offset[:, 2]) < 1.0) & (along < FAR) & (along > -BEYOND)
        rest, left = queue.rest[group_of[rows]], remaining[rows]
        same_way = (left > rest - SHORTER) & (left < rest + FAR + LONGER)
        close &= np.where(self._routed[group_of[rows]], np.isin(rows, passing), same_way)
        had = np.full(len(flock), -1)
        had[queue.order] = np.arange(len(queue.order))
        rows = rows[close & ((had[rows] >= 0) | (along > 0.0))]
        near = Approach(opening, flock, rows)
        stays = (had[rows] >= 0) & (near.distance < FAR)
        comes = (had[rows] < 0) & (near.distance < NEAR)
        comes &= (rows + self._steps) % LOOK_EVERY == 0
        looking = np.flatnonzero(comes)
        if len(looking):
            comes[looking] = queue.space.connects(
                flock.position[rows[looking]], near.entry[looking]
            )
        kept = stays | comes
        if not kept.any():
            queue.order = np.zeros(0, np.intp)
            return None
        near = Approach(opening, flock, rows[kept])
        near.sort(had[near.rows], self._gap)
        queue.order = near.rows
        return near


def _turns_at(queues: Sequence[_Queue], gap: float, dt: float) -> dict[int, tuple[Turns, int]]:
    """Return where sides take turns: by the queue of one side, with that of the other side."""
    found: dict[int, tuple[Turns, int]] = {}
    for k, queue in enumerate(queues):
        body = 2.0 * queue.space.world.body.radius + gap
        for m, other in enumerate(queues[:k]):
            abreast = 2.0 * (min(queue.opening.half, other.opening.half) - OFF_JAMBS) >= body
            back = replace(queue.opening, normal=-queue.opening.normal)
            if other.space is queue.space and back.is_as(other.opening) and not abreast:
                found[m] = Turns(other.opening, dt), k
    return found


class Approach:
    """Members (m,) before an opening, in the order of passing once they are sorted.

    Attributes:
        rows: (m,) in the flock.
        distance: (m,) to the line, along the way [m].
        crossing: (m,) where each crosses the line, from its middle to the left [m].
        entry: (m, 3) where each comes into its lane [m].
        course: (m, 2) unit, which way each has to go.
        radius: (m,) [m].
    """

    def __init__(self, opening: NarrowOpening, flock: Flock, rows: Index) -> None:
        normal, left = opening.normal, opening.left
        offset = flock.position[rows] - opening.middle
        along, aside = -(offset[:, :2] @ normal), offset[:, :2] @ left
        half = max(0.0, opening.half - OFF_JAMBS)
        crossing = np.clip(aside, -half, half)
        off = aside - crossing
        # Into the lane at 45 degrees, before the opening.
        entry = np.where(
            along > opening.depth, np.minimum(along, opening.depth + np.abs(off)), along
        )
        leg = np.hypot(along - entry, off)
        inside = (leg < IN_LANE) | (along <= opening.depth)
        onward = np.where(inside, AHEAD, along - entry)
        course = onward[:, None] * normal - off[:, None] * left
        self.rows, self.crossing = rows, crossing
        self.distance = np.where(along > opening.depth, leg + entry, np.abs(off) + along)
        self.course = course / np.maximum(np.hypot(course[:, 0], course[:, 1]), 1e-12)[:, None]
        self.entry = flock.position[rows].copy()
        self.entry[:, :2] += (along - entry)[:, None] * normal - off[:, None] * left
        self.radius = flock.bodies.half_width[rows]

    def sort(self, had: Index, gap: float) -> None:
        """Put the members in the order of passing; ``had`` (m,) are their places before, or -1."""
        order = order_of_passing(self.distance, self.crossing, self.radius, had, gap)
        for name in ("rows", "distance", "crossing", "entry", "course", "radius"):
            setattr(self, name, getattr(self, name)[order])

    def velocity(self, flock: Flock, pace: Float, gap: float) -> Float:
        """Return which velocities (m, 2) [m/s] the members want, in plan, at their pace (N,)."""
        closing = (flock.velocity[self.rows, :2] * self.course).sum(axis=1)
        speed = speeds_in_order(
            self.distance, self.crossing, self.radius, closing, pace[self.rows], gap
        )
        velocity: Float = speed[:, None] * self.course
        make_way(flock.position[self.rows, :2], self.radius, velocity)
        return velocity
