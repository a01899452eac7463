"""The moving parts of a scene in a run: their clocks, and where they are for members.

No part moves onto a member: before each time step, a part looks whether the space that it would
sweep is clear of every member, and of the way on which that member would stop. If not, its clock
stands still for this step, as a door with a light barrier waits. Then the space that the part does
sweep is an obstacle of the step. So the safety constraint keeps its invariant: whoever brakes is
clear of the scene and of all parts. A part that is to appear waits in the same way; it is an
obstacle from the step on at whose end it is there, and until the step at whose end it is not.
"""

from dataclasses import replace

import numpy as np

from rmp3d.behaviors.environment import Environment
from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.moving_parts.sweeping import SweptPart
from rmp3d.behaviors.safety.covered import Covered
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.changing_query import ChangingQuery
from rmp3d.geometry.mesh import TriangleMesh
from rmp3d.geometry.query import MeshQuery
from rmp3d.geometry.vectors import length, unit
from rmp3d.scenes import Scene
from rmp3d.scenes.presence import PartPresence

CLEAR = 4e-4
"""Clearance [m] that a part leaves to members, more than an arc's `SAGITTA`, less than members keep
from the scene."""
SEEN = 10.0
"""Parts farther than this [m] from every member are no obstacle for now."""
AWAY_FROM_BOUNDS = 1.0
"""Members that are in the way of what is to appear go to no side so near to the bounds [m]."""
ON_DECK = (0.5, 0.6)
"""A walker is on a part that carries it if the part is so far [m] under or over its feet."""


class MovingParts:
    """The moving parts of a scene in a run.

    Args:
        scene: With at least one moving part.
        around: What the scene is for characters.
        dt: Time step [s].

    Attributes:
        around: The same, with the moving parts where they are now.
        parts: The K parts.
        clock: (K,) their clocks now [s].
        next_clock: (K,) after the present step [s].
        waited: (K,) for how long each has waited for members so far [s].
        hindering: (N,) which members a part waits for now.
        away: (N, 3) unit vectors in plan that lead those away from it; zero for all others.
        may_go_on: (N,) which of them leave the place by themselves if they go anywhere.
    """

    def __init__(self, scene: Scene, around: Environment, dt: float) -> None:
        self.parts = [SweptPart(row, scene.parts[row]) for row in scene.moving.tolist()]
        self._dt, self._slope = dt, scene.max_slope
        self.clock = np.array([each.motion.phase for each in self.parts])
        self.next_clock, self.waited = self.clock.copy(), np.zeros(len(self.parts))
        self.hindering: Bool = np.zeros(0, np.bool_)
        self.away: Float = np.zeros((0, 3))
        self.may_go_on: Bool = np.zeros(0, np.bool_)
        self._walls = [each.walls(self._slope) for each in self.parts]
        decks = [each.deck(self._slope) for each in self.parts]
        self._decks = [None if deck is None else MeshQuery(deck) for deck in decks]
        self._rests = np.zeros(len(self.parts), np.bool_)
        self._queries: list[ChangingQuery] = []
        self.around = self._changing(around)
        self._standing: dict[int, tuple[float, Float]] = {}  # triangles of parts that stand still

    def _changing(self, around: Environment) -> Environment:
        """Return an environment whose obstacles are those of another one and the moving parts."""
        walking, flying = ChangingQuery(around.walking), ChangingQuery(around.flying)
        self._queries += [walking, flying]
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
        lower, upper = covered.boxes
        thickness = float(flock.bodies.half_width.min()) if len(flock) else 1.0
        self.hindering, self.away = np.zeros(len(flock), np.bool_), np.zeros((len(flock), 3))
        self.may_go_on = np.zeros(len(flock), np.bool_)
        found = []
        for k, part in enumerate(self.parts):
            start, end = float(self.clock[k]), self._wanted(k, time + self._dt)
            self.next_clock[k] = end
            if part.motion.role == "decor" or not self._is_near(part, start, lower, upper):
                continue
            space = self._space(k, start, end, thickness)
            if part.motion.stands and (start == end or bool(part.motion.is_there(np.array(start)))):
                found.append(space)
                continue
            blocking = self._blocking(k, space, flock, covered, start, end)
            if blocking.any():
                self._note(k, blocking, space, flock)
                self.next_clock[k] = start
                space = self._space(k, start, start, thickness)
            found.append(space)
        every = np.concatenate(found) if found else np.zeros((0, 3, 3))
        for query in self._queries:
            query.put(every)

    def ask(self, name: str, there: bool, time: float) -> None:
        """Let a part appear or go as soon as it can from a time [s] on."""
        for part in self.parts:
            if part.part.name == name and isinstance(part.motion, PartPresence):
                part.motion = part.motion.asked(there, time)

    def advance(self) -> None:
        """Let the step that was looked at be over."""
        waits = (self.next_clock <= self.clock) & ~self._rests
        self.waited += np.where(waits, self._dt, 0.0)
        self.clock = self.next_clock.copy()

    def _wanted(self, k: int, time: float) -> float:
        """Return the clock of a part at a time [s], one step from now, if nothing hinders it."""
        motion, clock = self.parts[k].motion, float(self.clock[k])
        if not isinstance(motion, PartPresence):
            return clock + self._dt
        is_as_wanted = (motion.due(time) - round(clock)) % 2 == 0
        self._rests[k] = is_as_wanted
        return clock + float(not is_as_wanted)

    def first_touch(self, flock: Flock, covered: Covered) -> tuple[int, str]:
        """Return a member that a part touches now, and its name; -1 if there is none."""
        for k, part in enumerate(self.parts):
            clock = float(self.clock[k])
            if part.motion.role != "decor":
                space = self._space(k, clock, clock, 1.0)
                rows = np.flatnonzero(self._blocking(k, space, flock, covered, clock, clock))
                if len(rows):
                    return int(rows[0]), part.part.name
        return -1, ""

    def _note(self, k: int, blocking: Bool, space: Float, flock: Flock) -> None:
        """Note whom a part waits for, and where they would make room."""
        rows = np.flatnonzero(blocking)
        self.hindering |= blocking
        if len(space):
            places = Covered.at_rest(flock.select(rows)).middle
            _, nearest, _ = _query(space).closest_point(places)
            away = (places - nearest) * [1.0, 1.0, 0.0]
            self.away[rows] = unit(away)
            if self.parts[k].motion.stands:
                self.may_go_on |= blocking
                bounds = self.around.bounds
                out = _out_of(self.parts[k].part.mesh.bounds, places, bounds)
                inside = length(out) > 0.0
                self.away[rows[inside]] = out[inside]

    def _is_near(self, part: SweptPart, clock: float, lower: Float, upper: Float) -> bool:
        """Return whether any member, in a box (N, 3), is near a part."""
        rotation, translation = part.motion.poses(np.array([clock]))
        hinge = rotation[0] @ part.motion.hinge + translation[0]
        far = part.reach + SEEN
        return bool(((lower < hinge + far) & (upper > hinge - far)).all(axis=1).any())

    def _space(self, k: int, start: float, end: float, thickness: float) -> Float:
        """Return the triangles (K, 3, 3) that bound what a part sweeps between two clocks."""
        part = self.parts[k]
        rests = part.carries and part.motion.rests(start, end)
        if rests:  # the scene has it as ground
            return np.zeros((0, 3, 3))
        if not part.motion.is_there(np.array([start, end])).any():
            return np.zeros((0, 3, 3))
        if part.motion.travel(start, end, part.reach) == 0.0:
            key = float(part.motion.key_time(np.array([start]))[0])
            if k not in self._standing or self._standing[k][0] != key:
                self._standing[k] = key, self._with_walls(k, part.at(np.array([start]))[0])
            return self._standing[k][1]
        return self._with_walls(k, part.swept(start, end, thickness))

    def _with_walls(self, k: int, triangles: Float) -> Float:
        return np.concatenate([triangles, self._walls[k]])

    def _blocking(
        self, k: int, space: Float, flock: Flock, covered: Covered, start: float, end: float
    ) -> Bool:
        """Return which members (N,) are in the space that a part is about to sweep."""
        found = np.zeros(len(flock), np.bool_)
        if len(space) == 0:
            return found
        query = _query(space)
        lower, upper = covered.boxes
        low, high = space.min(axis=(0, 1)) - CLEAR, space.max(axis=(0, 1)) + CLEAR
        near = np.flatnonzero(((lower < high) & (upper > low)).all(axis=1))
        found[near] = ~clear_of(query, covered.select(near))
        if self.parts[k].motion.stands and self.parts[k].part.mesh.is_watertight:
            found[near] |= query.contains(covered.select(near).middle)
        deck = self._decks[k]
        if deck is not None and not self.parts[k].motion.rests(start, end):
            walks = np.flatnonzero(flock.bodies.grounded)
            feet = flock.position[walks] + [0.0, 0.0, ON_DECK[0]]
            down = np.array([0.0, 0.0, -1.0])
            found[walks] |= deck.cast_ray(feet, down, sum(ON_DECK))[1] >= 0
        return found


def _query(space: Float) -> MeshQuery:
    return MeshQuery(TriangleMesh(space.reshape(-1, 3), np.arange(3 * len(space)).reshape(-1, 3)))


def _out_of(box: Float, points: Float, bounds: Float | None) -> Float:
    """Return the directions (M, 3) by which points leave a box (2, 3) in plan; zero outside it.

    They lead to the nearest side that is `AWAY_FROM_BOUNDS` from those of the scene (2, 3) [m].
    """
    room = np.concatenate([points[:, :2] - box[0, :2], box[1, :2] - points[:, :2]], axis=1)
    sides = np.array([[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    inside = room.min(axis=1) > 0.0
    if bounds is not None:
        beyond = np.concatenate([box[0, :2] - bounds[0, :2], bounds[1, :2] - box[1, :2]])
        room = np.where(beyond < AWAY_FROM_BOUNDS, np.inf, room)
    return np.where(inside[:, None], sides[room.argmin(axis=1)], 0.0)


def clear_of(query: MeshQuery, covered: Covered) -> Bool:
    """Return which members (N,) keep clear of a mesh, and on their way to a stop."""
    clear = np.ones(len(covered.start), np.bool_)
    sizes = np.column_stack([covered.low, covered.high, covered.radius])
    kinds, kind = np.unique(sizes, axis=0, return_inverse=True)
    for row, (low, high, radius) in enumerate(kinds.tolist()):
        own = np.flatnonzero(kind.reshape(-1) == row)
        clear[own] = query.sweep_capsule(
            covered.start[own], covered.end[own], (low, high), radius, CLEAR
        )[0]
    return clear
