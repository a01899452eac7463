"""Parts that should have appeared, or gone, and did not, though nobody was in their way.

A part that is to appear waits while somebody is where it will be, or could not stop before it.
Ground that is to go waits while somebody is on it; any other part that is to go never waits.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from rmp3d.geometry.arrays import Bool, Float
from rmp3d.models import Character
from rmp3d.recording import Header
from rmp3d.scenes import Scene
from rmp3d.scenes.presence import PartPresence
from rmp3d.verification.blocks import Block
from rmp3d.verification.part_motion import said_last
from rmp3d.verification.report import Finding

GRACE = 0.5
"""So long [s] after it was asked a part may be as before."""
STOPPING = 2.0
"""Times the shortest way to a stop: nobody farther away hinders a part."""
BESIDE = 1.0
"""And so far [m] more."""


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
        reach = [_reach(each) for each in characters]
        self._reach = np.array(reach)[np.asarray(header.character_of, np.intp)]

    def check(self, block: Block, clock: Float) -> Iterator[Finding]:
        """Yield what is wrong in a block, whose clocks are (B + 1, K)."""
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
