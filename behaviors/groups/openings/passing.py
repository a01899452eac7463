"""Who may pass which opening now: turns, lanes of hallways, and who makes room for whom."""

from collections.abc import Sequence

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.openings.crossing import IN_THE_WAY, Passers
from rmp3d.behaviors.groups.openings.hallways import with_hallways
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
from rmp3d.behaviors.groups.openings.walkers import Walkers
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index

# Where people come both ways, they let go of their places when they are farther [m].
FAR = NEAR + LETS_GO
# Who comes the other way is expected from so far [m]: its side is left free before it is there.
EXPECTED = 20.0
# Members that stand near look whether they see an opening once in so many steps.
LOOK_EVERY = 5


class Passing:
    """Who may pass the openings of a run.

    Args:
        queues: At all openings.
        walkers: The members, and their groups.
        gap: Between the bodies of two in one lane [m].
        dt: Time step [s].

    Attributes:
        sides: The queues of each opening: one, or those of both directions.
    """

    def __init__(
        self, queues: Sequence[OpeningQueue], walkers: Walkers, gap: float, dt: float
    ) -> None:
        self._queues, self._walkers, self._gap = queues, walkers, gap
        pairs = pairs_of(queues, gap, dt)
        self._pairs, hallways = with_hallways(queues, pairs, gap, dt)
        self._back = {pair.back for pair in self._pairs.values()}
        self.sides = sides_of(len(queues), self._pairs)
        self._ends = {  # queues at the ends of each hallway
            hallway: [k for k, other in hallways.items() if other is hallway]
            for hallway in hallways.values()
        }
        middle = np.array([queue.opening.middle for queue in queues]).reshape(-1, 3)
        half = np.array([queue.opening.half for queue in queues])
        self._places = NearPlaces(middle, half + EXPECTED)
        self._steps = 0

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now."""
        for hallway in self._ends:
            hallway.turn_over(members)

    def nearby(self, position: Float, free: Bool) -> list[Index]:
        """Return for each queue the rows of free members (N,) that are expected there."""
        return self._places.rows(position, free)

    def waits_at_hallways(self) -> Index:
        """Return the rows of members that wait for their turn to go into a hallway."""
        fronts = [k for ends in self._ends.values() for k in ends]
        both = [self._queues[k] for front in fronts for k in (front, self._pairs[front].back)]
        return np.concatenate([np.zeros(0, np.intp), *(queue.side.waits for queue in both)])

    def led_through(
        self, position: Float, ahead: Float, nearby: Sequence[Index]
    ) -> list[tuple[int, Index, Float]]:
        """Let each hallway see who is near to it; return whom they lead, and where to.

        Args:
            position: (N, 3) [m].
            ahead: (N, A, 3) next points of their routes [m].
            nearby: For each queue rows of members that may be led.

        Returns:
            For each hallway one of its queues, rows (m,), and (m, 2) unit in plan.
        """
        found = []
        for hallway, ends in self._ends.items():
            rows = np.unique(np.concatenate([nearby[k] for k in ends]))
            found.append((ends[0], *hallway.look(position, ahead, self._walkers.routed(rows))))
        return found

    def blocked(self, flock: Flock) -> Bool:
        """Return at which lines (Q,) those are that have no routes, as all others have."""
        found = np.zeros(len(self._queues), np.bool_)
        others = self._walkers.others()
        if others.any():
            course = (flock.position + flock.velocity)[:, None]
            for k, rows in enumerate(self._places.rows(flock.position, others)):
                opening = self._queues[k].opening
                near = Passers(opening, flock.position, course, rows, opening.half + IN_THE_WAY)
                found[k] = bool((near.in_the_way | (near.way != 0)).any())
        return found

    def allowed(
        self, position: Float, ahead: Float, pace: Float, nearby: Sequence[Index], blocked: Bool
    ) -> list[Allowed]:
        """Return for each queue who may pass now, and who makes room for the other side.

        Args:
            position: (N, 3) [m].
            ahead: (N, A, 3) next points of their routes [m].
            pace: (N,) speed at which each likes to go [m/s].
            nearby: For each queue rows of members that may be led.
            blocked: (Q,) queues at whose lines others are.
        """
        self._steps += 1
        found = [Allowed.nobody(queue.opening) for queue in self._queues]
        for k, queue in enumerate(self._queues):
            candidates = self._walkers.routed(nearby[k])
            if k in self._back or blocked[k] or len(candidates) == 0:
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
            waits &= pair.turns is None or not pair.turns.leads_out(way)
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
            goal = np.tile(before, (len(new), 1))
            seen[new] = self._walkers.connects(near.rows[new], near.position[new], goal)
        return seen
