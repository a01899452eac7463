"""Parts that should have appeared, gone or moved on, and did not, though nobody was in their way.

A part that is to appear waits while somebody is where it will be, or could not stop before it.
Ground that is to go waits while somebody is on it; any other part that is to go never waits. A part
that moves waits while somebody is in the space that it would sweep in the next step or within 10 cm
of it, or could not stop before that; ground, also while somebody is on it, or at its border. Parts
of one `together` wait if one of them does. Decor waits for nobody.
"""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.models import Character
from rmp3d.recording import Header
from rmp3d.scenes import Part, Scene
from rmp3d.scenes.presence import PartPresence
from rmp3d.verification.blocks import Block
from rmp3d.verification.part_motion import PartTrack, said_last
from rmp3d.verification.report import Finding

GRACE = 0.5
"""So long [s] after it was asked a part may be as before."""
STOPPING = 2.0
"""Times the shortest way to a stop: nobody farther away hinders a part."""
BESIDE = 1.0
"""And so far [m] more."""
CLOSE = 0.15
"""Who stays farther than this [m] from what a part sweeps in a step does not hinder it: parts stop
0.1 m before members."""
OVER_GROUND = 2.6
"""Who is at the border of ground is up to so high [m] over it."""
MOST_BRAKING = 1000.0
"""Braking [m/s^2] that is counted on at most."""
SAME_TIME = 1e-9
"""Rounding of a clock [s]."""


class OverdueCheck:
    """Finds parts that wait for nobody.

    Args:
        header: Has the kinds of the members.
        characters: All kinds.
        scene: Has the parts.
        asks: What each moving part was asked: times [s], and whether to be there.
        dt: Time between frames [s].
    """

    def __init__(
        self, header: Header, characters: Sequence[Character], scene: Scene,
        asks: Sequence[Sequence[tuple[float, bool]]], dt: float,
    ) -> None:  # fmt: skip
        self._names, self._asks, self._dt = header.moving, asks, dt
        self._parts = [scene.parts[row] for row in scene.moving.tolist()]
        kind_of = np.asarray(header.character_of, np.intp)
        self._reach = np.array([_reach(each) for each in characters])[kind_of]
        bodies = np.array([_around(each) for each in characters])
        self._radius, self._low, self._high, self._brake = bodies[kind_of].T
        self._tracks = [_track(part) for part in self._parts]

    def check(self, block: Block, clock: Float) -> Iterator[Finding]:
        """Yield what is wrong in a block, whose clocks are (B + 1, K)."""
        yield from self._late(block, clock)
        yield from self._idle(block, clock)

    def _late(self, block: Block, clock: Float) -> Iterator[Finding]:
        """Yield the parts that are not there, or still there, though nobody hinders them."""
        time = np.asarray(np.arange(block.first, block.first + len(clock)) * self._dt, np.float64)
        for column, part in enumerate(self._parts):
            motion, own = part.motion, clock[:, column]
            if not isinstance(motion, PartPresence):
                continue
            now, since = said_last(motion, self._asks[column], time)
            is_there = (np.round(own) % 2 == 0) == motion.there
            late = (time - since >= GRACE) & (is_there != now)
            late &= ~(
                (now | (part.role == "ground"))
                & self._hindered(block, part.mesh.bounds, len(clock))
            )
            for frame in np.flatnonzero(late).tolist():
                word = "appears" if now[frame] else "goes"
                name = self._names[column]
                text = f"`{name}` waits, though nobody is in its way: it {word} by what was said"
                at = float(time[frame])
                yield Finding("clock", at, at, (), name, None, text)

    def _idle(self, block: Block, clock: Float) -> Iterator[Finding]:
        """Yield the parts that do not move on, though nobody hinders them."""
        names = [part.motion.together if part.motion else "" for part in self._parts]
        moves = np.array([track is not None for track in self._tracks], np.bool_)
        stands = (np.diff(clock, axis=0) < self._dt - SAME_TIME) & moves
        for column in np.flatnonzero(stands.any(axis=0)).tolist():
            own = np.array([name == names[column] != "" for name in names], np.bool_)
            own[column] = True
            rows = np.flatnonzero(stands[:, column])
            for other in np.flatnonzero(own & moves).tolist():
                rows = rows[~self._in_the_way(block, other, clock[:, other], rows)]
            name = self._names[column]
            for frame in rows.tolist():
                at = (block.first + frame) * self._dt
                text = f"`{name}` waits, though nobody is in its way"
                yield Finding("clock", at, at + self._dt, (), name, None, text)

    def _in_the_way(self, block: Block, column: int, clock: Float, rows: Index) -> Bool:
        """Return in which steps (R,) anybody is where a part would go, or could not stop before."""
        part, track = self._parts[column], self._tracks[column]
        found = np.zeros(len(rows), np.bool_)
        assert track is not None
        assert part.motion is not None
        if part.motion.role == "decor":
            return found
        up = [0.0, 0.0, OVER_GROUND if part.role == "ground" else 0.0]
        corners = np.array(list(product(*track.body.mesh.bounds.T.tolist())))
        before = np.nan
        for at, row in enumerate(rows.tolist()):
            start = float(clock[row])
            if start != before:  # else it stands where it stood
                turn, place = track.pose(start)
                far = track.travel(start, start + self._dt) + CLOSE
                swept, before = corners @ turn.T + place, start
            hindered = self._meets(block, row, swept.min(axis=0), swept.max(axis=0) + up, far)
            if part.role == "ground":  # nobody is on it where the scene has it
                low, high = part.mesh.bounds
                hindered |= self._meets(block, row, low, high + up, CLOSE)
            elif hindered.any():  # a part that turns is in a corner of the box around it at most
                hindered &= self._near_turned(block, row, track, (turn, place), far)
            found[at] = hindered.any()
        return found

    def _meets(self, block: Block, row: int, low: Float, high: Float, far: float) -> Bool:
        """Return who (N,) may come within so far [m] of a box before they have stopped."""
        position, way = block.position[row], self._way(block, row) + far
        wide = self._radius + way
        outside = np.maximum(low - position, position - high)[:, :2].max(axis=1) <= wide
        foot, head = position[:, 2] + self._low, position[:, 2] + self._high
        found: Bool = outside & (foot - wide <= high[2]) & (head + wide >= low[2])
        return found & block.there[row : row + 2].any(axis=0)

    def _near_turned(
        self, block: Block, row: int, track: PartTrack, pose: tuple[Float, Float], far: float
    ) -> Bool:
        """Return who (N,) may come so near [m] to the box of a part that is turned with it."""
        turn, place = pose
        middle = block.position[row] + np.outer(0.5 * (self._low + self._high), [0.0, 0.0, 1.0])
        size = self._radius + 0.5 * (self._high - self._low) + self._way(block, row) + far
        low, high = track.body.mesh.bounds
        local = (middle - place) @ turn
        outside = np.maximum(np.maximum(low - local, local - high), 0.0)
        found: Bool = (outside * outside).sum(axis=1) <= size * size
        return found

    def _way(self, block: Block, row: int) -> Float:
        """Return how far [m] members (N,) come at most until they have stopped: a large bound."""
        steps = np.diff(block.position[max(row - 1, 0) : row + 2], axis=0)
        speed = np.sqrt((steps * steps).sum(axis=2)).max(axis=0) / self._dt
        speed = speed + self._brake * self._dt
        found: Float = speed * speed / self._brake + 2.0 * speed * self._dt
        return found

    def _hindered(self, block: Block, bounds: Float, frames: int) -> Bool:
        """Return in which frames (T,) anybody is near the box (2, 3) [m] of a part."""
        place = block.position[:frames]
        outside = np.maximum(np.maximum(bounds[0] - place, place - bounds[1]), 0.0)
        near = (outside * outside).sum(axis=2) <= self._reach**2
        found: Bool = (near & block.there[:frames]).any(axis=1)
        return found


def _reach(character: Character) -> float:
    """Return how far [m] from a part nobody of a kind hinders it: a generous bound."""
    own = character.parameters
    force = min(own.max_force, own.max_braking)
    body = float(np.linalg.norm(character.body.mesh.vertices, axis=1).max())
    return body + BESIDE + STOPPING * 0.5 * own.max_speed**2 * own.mass / force


def _around(character: Character) -> tuple[float, float, float, float]:
    """Return radius, lowest and highest point [m] of what holds a body, and its braking [m/s^2]."""
    own, body = character.parameters, character.body
    radius = max(body.radius, float((np.abs(body.capsules[:, 0]) + body.capsules[:, 1]).max()))
    low, high = body.capsule_axis
    brake = min(own.max_force, own.max_braking) / own.mass
    return radius, low, high, min(brake, MOST_BRAKING)


def _track(part: Part) -> PartTrack | None:
    """Return where a part goes; None if it appears and goes."""
    if part.motion is None or isinstance(part.motion, PartPresence):
        return None
    return PartTrack(part.mesh, part.motion)
