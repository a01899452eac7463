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
way; otherwise the traffic rules hold.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.openings.crossing import crossings
from rmp3d.behaviors.groups.openings.finding import OFF_JAMBS, NarrowOpening
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.compiled import compiled
from rmp3d.planner.spaces import GroundSpace

# Members line up from so far along the way [m], and let go when they are farther, or so far
# beyond the line.
NEAR, FAR, BEYOND = 5.0, 6.0, 0.6
# Two of one lane keep so far apart besides their radii [m]; a distance is made up in this time [s].
GAP, MAKES_UP = 0.04, 0.3
# Who is nearer than this to one before it [m], and in its way, steps back at up to so much [m/s].
CLOSE, STEP_BACK = 0.02, 0.3
# Who has a place in the order keeps it before those that are nearer by less than this [m].
KEEPS = 0.15
# So many before it in the order can be in a member's way.
BEFORE = 4
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
    """

    def __init__(
        self,
        ways: Sequence[tuple[GroundSpace, Sequence[NarrowOpening]] | None],
        gap: float = GAP,
        routed: Collection[int] = (),
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
        for k, queue in enumerate(self._queues):
            near = self._line_up(queue, flock, group_of, remaining, free & (number < 0), ahead)
            if near is not None:
                wish[near.rows, :2] = near.velocity(flock, pace, self._gap)
                number[near.rows] = k
        found = np.flatnonzero(number >= 0)
        return Queued(found, wish[found], number[found])

    def _line_up(
        self,
        queue: _Queue,
        flock: Flock,
        group_of: Index,
        remaining: Float,
        free: Bool,
        ahead: Float | None,
    ) -> "Approach | None":
        """Let members come to a queue, change places, and leave; return those that it has now."""
        opening = queue.opening
        offset = flock.position - opening.middle
        along = -(offset[:, :2] @ opening.normal)  # (N,) before the line
        close = free & (np.abs(offset[:, 2]) < 1.0) & (along < FAR) & (along > -BEYOND)
        routed = self._routed[group_of]
        rest = queue.rest[group_of]
        close &= routed | ((remaining > rest - SHORTER) & (remaining < rest + FAR + LONGER))
        had = np.full(len(flock), -1)
        had[queue.order] = np.arange(len(queue.order))
        if routed.any():
            passes = _one_way(opening, flock.position, ahead, free & routed, had >= 0)
            if passes is None:
                queue.order = np.zeros(0, np.intp)
                return None
            close &= passes | ~routed
        rows = np.flatnonzero(close)
        rows = rows[(had[rows] >= 0) | (along[rows] > 0.0)]
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


def _one_way(
    opening: NarrowOpening, position: Float, ahead: Float | None, free: Bool, had: Bool
) -> Bool | None:
    """Return which members (N,) come through an opening, or None if others near go elsewhere.

    Args:
        opening: The line that they cross.
        position: (N, 3) [m].
        ahead: (N, A, 3) next points of their routes [m]; None: nobody has one now.
        free: (N,) members that have a route and follow it.
        had: (N,) members that had a place in the order.
    """
    passes = np.zeros(len(position), np.bool_)
    if ahead is None:
        return passes
    offset = position - opening.middle
    near = free & (np.hypot(offset[:, 0], offset[:, 1]) < FAR) & (np.abs(offset[:, 2]) < 1.0)
    rows = np.flatnonzero(near)
    way = crossings(opening, position[rows], ahead[rows])
    before = offset[rows, :2] @ opening.normal < 0.0
    if (way < 0).any() or (before & (way == 0)).any():
        return None
    passes[rows] = (way > 0) | (~before & had[rows])
    return passes


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


@compiled
def behind(i, j, crossing, radius, gap):
    """Return how far [m] i keeps behind j along the way; negative if they pass side by side."""
    apart = radius[i] + radius[j] + gap
    aside = crossing[i] - crossing[j]
    if abs(aside) >= apart:
        return -1.0
    return np.sqrt(apart * apart - aside * aside)


@compiled
def make_way(position, radius, velocity):
    """Let members at positions (m, 2) step back from those before them in whose way they are.

    Their velocities (m, 2) are changed in their order: who steps back is made way for, too.
    """
    for i in range(len(radius)):
        for j in range(i):
            x, y = position[i, 0] - position[j, 0], position[i, 1] - position[j, 1]
            apart = np.sqrt(x * x + y * y)
            gap = apart - radius[i] - radius[j]
            if gap >= CLOSE or apart < 1e-9:
                continue
            x, y = x / apart, y / apart
            if x * velocity[j, 0] + y * velocity[j, 1] <= 0.0:
                continue
            missing = STEP_BACK * min(1.0, 1.0 - gap / CLOSE)
            missing -= x * velocity[i, 0] + y * velocity[i, 1]
            if missing > 0.0:
                velocity[i, 0] += missing * x
                velocity[i, 1] += missing * y


@compiled
def order_of_passing(distance, crossing, radius, had, gap):
    """Return the order (m,) in which members pass.

    Args:
        distance: (m,) to the line [m].
        crossing: (m,) where each crosses it [m].
        radius: (m,) [m].
        had: (m,) places that they had; -1 for newcomers.
        gap: Between the bodies of two in one lane [m].
    """
    count = len(distance)
    order = np.empty(count, np.intp)
    taken = np.zeros(count, np.bool_)
    for place in range(count):
        best, least = -1, 1e300
        for i in range(count):
            if taken[i]:
                continue
            own = distance[i] - (KEEPS if had[i] >= 0 else 0.0)
            first = own
            for k in range(max(0, place - BEFORE), place):
                after = behind(i, order[k], crossing, radius, gap)
                if after >= 0.0:
                    first = max(first, distance[order[k]] + after)
            # Where several could pass as early, the nearest, then who had the earlier place.
            first += 0.02 * own + 1e-3 * (had[i] if had[i] >= 0 else count)
            if first < least:
                best, least = i, first
        order[place] = best
        taken[best] = True
    return order


@compiled
def speeds_in_order(distance, crossing, radius, closing, pace, gap):
    """Return the speeds (m,) [m/s] of members in their order, no faster than ``pace`` (m,).

    Each comes to its distance behind those before it, which close in on the line at ``closing``
    (m,) [m/s], with a ``gap`` [m] between the bodies of two in one lane.
    """
    speed = np.empty(len(distance))
    for i in range(len(distance)):
        least = pace[i]
        for j in range(max(0, i - BEFORE), i):
            after = behind(i, j, crossing, radius, gap)
            if after >= 0.0:
                left = distance[i] - distance[j] - after
                least = min(least, max(0.0, closing[j]) + left / MAKES_UP)
        speed[i] = max(0.0, least)
    return speed
