"""The moving parts of a scene in a run: their clocks, and where they are for members.

No part moves onto a member: before each time step, a part looks whether the space that it would
sweep is clear of every member, and of the way on which that member would stop. If not, its clock
stands still for this step, as a door with a light barrier waits. Then the space that the part does
sweep is an obstacle of the step. So the safety constraint keeps its invariant: whoever brakes is
clear of the scene and of all parts. A part that is to appear waits in the same way; it is an
obstacle from the step on at whose end it is there, and until the step at whose end it is not.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.moving_parts.deck import KEEPS, Deck
from rmp3d.behaviors.moving_parts.in_the_way import CLEAR, clear_of, comes_nearer, out_of, query_of
from rmp3d.behaviors.moving_parts.sweeping import SweptPart
from rmp3d.behaviors.safety.covered import Covered
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.changing_query import ChangingQuery
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.tree import tree_over
from rmp3d.geometry.vectors import length, unit
from rmp3d.scenes import Scene
from rmp3d.scenes.presence import PartPresence

OPPOSITE = 0.1
"""Who stands between two parts that come from opposite sides leaves the last one: the sum of the
directions that lead away from them is shorter than this."""
SEEN = 10.0
"""Parts farther than this [m] from every member are no obstacle for now."""
PATIENCE = 4.0
"""So long [s] a part waits for those who step off, after it was to go."""
STANDS = 0.5
"""Who is slower than this share of what it can brake in a time step stands, and can ride."""
ON_DECK = (0.5, 0.6)
"""A walker is on a part that carries it if the part is so far [m] under or over its feet."""


class MovingParts:
    """The moving parts of a scene in a run.

    Args:
        scene: With at least one moving part.
        around: What the scene is for characters.
        dt: Time step [s].

    Attributes:
        dt: Of a step [s].
        around: The same, with the moving parts where they are now.
        parts: The K parts.
        clock: (K,) their clocks now [s].
        next_clock: (K,) after the present step [s].
        waited: (K,) for how long each has waited for members so far [s].
        hindering: (N,) which members a part waits for now.
        away: (N, 3) unit vectors in plan that lead those away from it; zero for all others.
        decks: Of the parts that carry members, by row.
        held: (K,) which of those wait for members who step off.
        hurries: (K,) which of those have waited for them for too long: they ride on.
        riding: (N,) the part that each member rides on in the present step; -1: none.
        may_go_on: (N,) which of them leave the place by themselves if they go anywhere.
    """

    def __init__(self, scene: Scene, around: Environment, dt: float) -> None:
        self.parts = [SweptPart(row, scene.parts[row]) for row in scene.moving.tolist()]
        self.dt, self._slope = dt, scene.max_slope
        self.clock = np.array([each.motion.phase for each in self.parts])
        self.next_clock, self.waited = self.clock.copy(), np.zeros(len(self.parts))
        self.hindering: Bool = np.zeros(0, np.bool_)
        self.away: Float = np.zeros((0, 3))
        self.may_go_on: Bool = np.zeros(0, np.bool_)
        self._walls = [each.walls(self._slope) for each in self.parts]
        decks = [None if each.lifts else each.deck(self._slope) for each in self.parts]
        self._decks = [None if deck is None else MeshQuery(deck) for deck in decks]
        self.decks = {k: Deck(each, self._slope) for k, each in enumerate(self.parts) if each.lifts}
        self.held, self.hurries = np.zeros((2, len(self.parts)), np.bool_)
        self._patience = np.zeros(len(self.parts))
        self.riding: Index = np.zeros(0, np.intp)
        self._fixed = around.flying
        self._boxes, self._thickness = (np.zeros((0, 3)), np.zeros((0, 3))), 1.0
        self._time = 0.0
        self._rests = np.zeros(len(self.parts), np.bool_)
        self._queries: list[ChangingQuery] = []
        self._flying: list[ChangingQuery] = []
        self.around = self._changing(around)
        # Since when parts stand still, and their triangles.
        self._standing: dict[int, tuple[float, Float]] = {}

    def _changing(self, around: Environment) -> Environment:
        """Return an environment whose obstacles are those of another one and the moving parts."""
        walking, flying = ChangingQuery(around.walking), ChangingQuery(around.flying)
        self._queries.append(walking)
        self._flying.append(flying)
        made = {id(around): replace(around, walking=walking, flying=flying, others={})}
        for each in around.others.values():
            if id(each) not in made:
                own = ChangingQuery(each.walking)
                self._queries.append(own)
                made[id(each)] = replace(each, walking=own, flying=flying)
        others = {step: made[id(each)] for step, each in around.others.items()}
        return replace(made[id(around)], others=others)

    @property
    def shown(self) -> Bool:
        """(K,) which parts are there; those that move always are."""
        rows = zip(self.parts, self.clock, strict=True)
        return np.array([bool(part.motion.is_there(clock)) for part, clock in rows], np.bool_)

    def look(self, flock: Flock, covered: Covered, time: float = 0.0) -> None:
        """Decide which parts move on in the step from now, and be there for members.

        Args:
            flock: All members now.
            covered: What they may cover until they have stopped.
            time: Now [s].
        """
        self._boxes, self._time = covered.boxes, time
        self._thickness = float(flock.bodies.half_width.min()) if len(flock) else 1.0
        self.hindering, self.away = np.zeros(len(flock), np.bool_), np.zeros((len(flock), 3))
        self.may_go_on = np.zeros(len(flock), np.bool_)
        self.riding = np.full(len(flock), -1)
        spaces: dict[int, Float] = {}
        wanted = [self._wanted(k, time + self.dt) for k in range(len(self.parts))]
        waits = [self._waits(k, end, flock, covered, spaces) for k, end in enumerate(wanted)]
        names = [part.motion.together for part in self.parts]
        waiting = {name for name, each in zip(names, waits, strict=True) if each and name}
        for k, name in enumerate(names):
            stays = waits[k] or name in waiting
            self.next_clock[k] = self.clock[k] if stays else wanted[k]
            if stays and k in spaces:
                start = float(self.clock[k])
                spaces[k] = self._space(k, start, start)
            if stays and k in self.decks:
                self.riding[self.riding == k] = -1
        lifts = [
            self._swept(k, float(self.clock[k]), float(self.next_clock[k]))
            for k in self.decks
            if k in spaces
        ]
        own = list(spaces.values())
        bare = [self._bare(k, space) for k, space in spaces.items()]
        if lifts or any(a is not b for a, b in zip(own, bare, strict=True)):
            self._put(self._queries, own)
            self._put(self._flying, bare + lifts)
        else:
            self._put(self._queries + self._flying, own)

    def _put(self, queries: Sequence[ChangingQuery], spaces: Sequence[Float]) -> None:
        """Let queries see spaces (K, 3, 3), and nothing else that moves."""
        every = np.concatenate([np.zeros((0, 3, 3)), *spaces])
        if all(np.array_equal(every, query.others) for query in queries):
            return  # all parts stand
        tree = tree_over(every) if len(every) else None
        for query in queries:
            query.put(every, tree)

    def _waits(
        self, k: int, end: float, flock: Flock, covered: Covered, spaces: dict[int, Float]
    ) -> bool:
        """Return whether a part waits for members; note what it would sweep, if it is near any."""
        part, start = self.parts[k], float(self.clock[k])
        if part.motion.role == "decor" or not self._is_near(part, start):
            return False
        space = spaces[k] = self._space(k, start, end)
        if part.motion.stands and start == end:
            return False
        if part.motion.stands and not part.carries and part.motion.is_there(np.array(start)):
            return False
        if k in self.decks:
            return self._waits_for_riders(k, end, flock, covered)
        blocking = self._blocking(k, space, flock, covered, start, end)
        if blocking.any():
            self._note(k, blocking, space, flock)
        return bool(blocking.any())

    def _waits_for_riders(self, k: int, end: float, flock: Flock, covered: Covered) -> bool:
        """Return whether a part that carries waits: for who steps off, or does not stand on it."""
        part, start = self.parts[k], float(self.clock[k])
        here, there = part.displacement(start), part.displacement(end)
        if part.stop_at(start, end) >= 0:
            self._patience[k], self.hurries[k] = PATIENCE, False
            return False
        on = self.decks[k].on(flock.position, here)
        bodies = flock.bodies
        stands = self.decks[k].inside(flock.position, here, bodies.radius)
        stands &= length(flock.velocity) <= STANDS * bodies.max_brake * self.dt
        riders, others = np.flatnonzero(stands), np.flatnonzero(~on)
        blocking = on & ~stands
        if len(riders) and self._fixed is not None:
            own = covered.select(riders)
            lifted = replace(own, end=own.start + (there - here))
            blocking[riders] = ~clear_of(self._fixed, lifted)
        space = np.concatenate([self._swept(k, start, end), self._walls[k] + here])
        blocking[others] = self._blocking(
            k, space, flock.select(others), covered.select(others), start, end
        )
        if self.held[k]:
            self._patience[k] -= self.dt
            self.hurries[k] = self._patience[k] <= 0.0
        if blocking.any():
            self._note(k, blocking, space, flock)
        elif not self.held[k]:
            self.riding[riders] = k
        return bool(blocking.any() or self.held[k])

    def stays_for(self, k: int) -> float:
        """Return for how long [s] a part that appears and goes is there from now; 0: it is not."""
        motion, clock = self.parts[k].motion, float(self.clock[k])
        assert isinstance(motion, PartPresence)
        due = motion.due(self._time)
        if not motion.stands_at(np.zeros(3), clock, clock) or (due - round(clock)) % 2:
            return 0.0
        return float(np.append(motion.changes, np.inf)[due] - self._time)

    def stop(self, k: int) -> int:
        """Return the stop at which a part stands now; -1: none."""
        clock = float(self.clock[k])
        return self.parts[k].stop_at(clock, clock)

    def displacement(self, k: int) -> Float:
        """Return where a part that carries is now (3,) [m]."""
        return self.parts[k].displacement(float(self.clock[k]))

    def carried(self, before: Flock, after: Flock) -> Flock:
        """Return the flock after a step, in which riders have moved as their parts have."""
        rows = np.flatnonzero(self.riding >= 0)
        if len(rows) == 0:
            return after
        changes = {name: np.array(getattr(after, name)) for name in after.arrays}
        changes["velocity"][rows] = 0.0
        changes["acceleration"][rows] = -before.velocity[rows] / self.dt
        changes["face"][rows] = before.face[rows]
        for k in np.unique(self.riding[rows]).tolist():
            mine = np.flatnonzero(self.riding == k)
            end = float(self.next_clock[k])
            moved = self.parts[k].displacement(end) - self.displacement(k)
            changes["position"][mine] = before.position[mine] + moved
            if self.parts[k].stop_at(end, end) >= 0:
                self._set_down(mine, before, changes)
        return after.moved(**changes)

    def _set_down(self, rows: Index, flock: Flock, changes: dict[str, Float]) -> None:
        """Let members whose part has come to a stop stand on the ground that it is there."""
        for step in np.unique(flock.bodies.max_step[rows]).tolist():
            own = rows[flock.bodies.max_step[rows] == step]
            surface = self.around.of_step(step).surface
            assert surface is not None
            place, face = surface.locate(changes["position"][own], 0.05, 0.05)
            changes["position"][own], changes["face"][own] = place, face

    def ask(self, name: str, there: bool, time: float) -> None:
        """Let a part appear or go as soon as it can from a time [s] on."""
        for part in self.parts:
            if part.part.name == name and isinstance(part.motion, PartPresence):
                part.motion = part.motion.asked(there, time)

    def advance(self) -> None:
        """Let the step that was looked at be over."""
        waits = (self.next_clock <= self.clock) & ~self._rests
        self.waited += np.where(waits, self.dt, 0.0)
        self.clock = self.next_clock.copy()

    def _wanted(self, k: int, time: float) -> float:
        """Return the clock of a part at a time [s], one step from now, if nothing hinders it."""
        motion, clock = self.parts[k].motion, float(self.clock[k])
        if not isinstance(motion, PartPresence):
            return clock + self.dt
        is_as_wanted = (motion.due(time) - round(clock)) % 2 == 0
        self._rests[k] = is_as_wanted
        return clock + float(not is_as_wanted)

    def first_touch(self, flock: Flock, covered: Covered) -> tuple[int, str]:
        """Return a member that a part touches now, and its name; -1 if there is none."""
        for k, part in enumerate(self.parts):
            clock = float(self.clock[k])
            if part.motion.role != "decor":
                space = self._space(k, clock, clock)
                rows = np.flatnonzero(self._blocking(k, space, flock, covered, clock, clock))
                if len(rows):
                    return int(rows[0]), part.part.name
        return -1, ""

    def _note(self, k: int, blocking: Bool, space: Float, flock: Flock) -> None:
        """Note whom a part waits for, and where they would make room: flyers also over it."""
        self.hindering |= blocking
        if self.parts[k].motion.stands:
            self.may_go_on |= blocking
        for triangles, own in self._as_seen(k, space, flock):
            rows = own[blocking[own]]
            if len(rows) == 0 or len(triangles) == 0:
                continue
            places = Covered.at_rest(flock.select(rows)).middle
            offset = places - query_of(triangles).closest_point(places)[1]
            offset[flock.bodies.grounded[rows], 2] = 0.0
            away = unit(offset)
            both = self.away[rows] + away  # between two parts, away from both
            self.away[rows] = np.where(length(both)[:, None] > OPPOSITE, unit(both), away)
            if self.parts[k].motion.stands:
                out = out_of(self.parts[k].part.mesh.bounds, places, self.around.bounds)
                inside = length(out) > 0.0
                self.away[rows[inside]] = out[inside]

    def _as_seen(self, k: int, space: Float, flock: Flock) -> list[tuple[Float, Index]]:
        """Return the triangles (K, 3, 3) of a part's space, and for which members they are there.

        The walls around ground that moves away are there for walkers only: a flyer over the ground
        would be shut in.
        """
        everyone, part = np.arange(len(flock)), self.parts[k]
        if not part.carries or part.lifts or part.motion.stands:
            return [(space, everyone)]
        walks = flock.bodies.grounded
        return [(space, everyone[walks]), (self._bare(k, space), everyone[~walks])]

    def _bare(self, k: int, space: Float) -> Float:
        """Return the space (K, 3, 3) of a part without the walls around it, as flyers see it."""
        part = self.parts[k]
        if not part.carries or part.lifts or part.motion.stands:
            return space
        return space[: max(0, len(space) - len(self._walls[k]))]

    def _is_near(self, part: SweptPart, clock: float) -> bool:
        """Return whether any member is near a part."""
        lower, upper = self._boxes
        hinge = part.motion.hinge + part.displacement(clock)
        far = part.reach + SEEN
        return bool(((lower < hinge + far) & (upper > hinge - far)).all(axis=1).any())

    def _space(self, k: int, start: float, end: float) -> Float:
        """Return the triangles (K, 3, 3) that bound what a part sweeps between two clocks."""
        part = self.parts[k]
        stop = part.stop_at(start, end) if part.carries else -1
        if part.lifts:  # nobody comes to where it is not; who stands there rides
            away = [self._walls[k] + at for row, at in enumerate(part.stops) if row != stop]
            return np.concatenate([np.zeros((0, 3, 3)), *away])
        if stop >= 0:  # the scene has it as ground
            return np.zeros((0, 3, 3))
        if not part.motion.is_there(np.array([start, end])).any():
            return self._walls[k]  # nobody goes to where ground is to appear
        since, stood = self._standing.get(k, (np.inf, np.zeros((0, 3, 3))))
        if since <= start and part.motion.travel(since, end, part.reach) == 0.0:
            return stood
        if part.motion.travel(start, end, part.reach) == 0.0:
            self._standing[k] = start, self._with_walls(k, part.at(np.array([start]))[0])
            return self._standing[k][1]
        return self._with_walls(k, self._swept(k, start, end))

    def _swept(self, k: int, start: float, end: float) -> Float:
        return self.parts[k].swept(start, end, self._thickness, self._boxes)

    def _with_walls(self, k: int, triangles: Float) -> Float:
        return np.concatenate([triangles, self._walls[k]])

    def _blocking(
        self, k: int, space: Float, flock: Flock, covered: Covered, start: float, end: float
    ) -> Bool:
        """Return which members (N,) are in the space that a part is about to sweep."""
        found = np.zeros(len(flock), np.bool_)
        if len(space) == 0:
            return found
        part = self.parts[k]
        for triangles, rows in self._as_seen(k, space, flock):
            if len(triangles) and len(rows):
                found[rows] = self._in_the_way(k, triangles, covered.select(rows), start, end)
        deck = self._decks[k]
        if deck is not None and not part.motion.rests(start, end):
            walks = np.flatnonzero(flock.bodies.grounded)
            feet = flock.position[walks] + [0.0, 0.0, ON_DECK[0]]
            down = np.array([0.0, 0.0, -1.0])
            found[walks] |= deck.cast_ray(feet, down, sum(ON_DECK))[1] >= 0
        return found

    def _in_the_way(self, k: int, space: Float, covered: Covered, start: float, end: float) -> Bool:
        """Return which members (N,) a part would touch in a space, or come too near to."""
        part, found = self.parts[k], np.zeros(len(covered.start), np.bool_)
        lower, upper = covered.boxes
        keeps = CLEAR if part.carries or part.motion.stands or start == end else KEEPS
        low, high = space.min(axis=(0, 1)) - keeps, space.max(axis=(0, 1)) + keeps
        near = np.flatnonzero(((lower < high) & (upper > low)).all(axis=1))
        if len(near) == 0:  # a tree is made only where somebody may be in the way
            return found
        query = query_of(space)
        found[near] = ~clear_of(query, covered.select(near))
        if keeps > CLEAR:
            beside = near[~found[near]]
            beside = beside[~clear_of(query, covered.select(beside), keeps)]
            before, after = part.at(np.array([start, end]))
            found[beside] = comes_nearer(before, after, covered.select(beside).middle)
        if part.motion.stands and part.part.mesh.is_watertight:
            found[near] |= query.contains(covered.select(near).middle)
        return found
