"""Compares the recorded formations with the positions of the members."""

from collections.abc import Iterator

import numpy as np

from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length, unit
from rmp3d.verification.blocks import Block
from rmp3d.verification.report import Finding

LEAST_TIME = 5.0
"""Within this time [s] of motion, the formation must be seen once; a change takes some time."""
LEAST_WAY = 3.0
"""The middle must have gone so far [m], too: vehicles do not move aside, and who waits for others
to maneuver changes no shape."""
LEAST_SPEED = 0.2
"""Least speed [m/s] of the group's middle: a slower group has no direction of motion."""
TURN_TIME, LARGEST_TURN = 1.0, np.radians(20.0)
"""Where half of the members turn by more than this angle in this time [s], no shape is looked for:
a column on a spiral stair is as round as the stair."""
LEAST_MEMBERS = 3
SHAPES = ("line", "column")
"""Formations that their shape alone identifies; other formations are not checked."""


class FormationCheck:
    """A group with the recorded formation line, or column, has that shape at some moment.

    Let s be the spread (standard deviation) of the members' positions along the motion of their
    middle, and w the spread across it: a line has s < w / 2, a column w < s / 2. A formation is
    checked if it is recorded for `LEAST_TIME` and `LEAST_WAY` of motion, that in tight bends left
    out. It is a finding if the group never has the shape in all that time.
    """

    def __init__(self, formations: tuple[str, ...], group_of: Index, dt: float) -> None:
        self._dt = dt
        self._formations = formations
        self._members = [np.flatnonzero(group_of == g) for g in range(group_of.max() + 1)]
        self._claims = [_Claim() for _ in self._members]

    def findings(self, block: Block, formation_of: Index) -> Iterator[Finding]:
        """Yield findings for formations that end in a block; ``formation_of`` is (B + 1, G)."""
        for group, members in enumerate(self._members):
            members = members[block.there[: block.motions + 1, members].all(axis=0)]
            if len(members) < LEAST_MEMBERS or block.motions == 0:
                continue
            speed, moving, along, across = _spread(
                block.position[: block.motions + 1, members], self._dt
            )
            for frame in range(block.motions):
                row = int(formation_of[frame, group])
                name = self._formations[row] if row >= 0 else ""
                claim = self._claims[group]
                if name != claim.name:
                    yield from self._judge(group, block.first + frame)
                    self._claims[group] = claim = _Claim(name, block.first + frame)
                claim.frames += bool(moving[frame])
                claim.way += float(speed[frame] * moving[frame]) * self._dt
                a, b = (along, across) if name == "line" else (across, along)
                claim.seen |= bool(moving[frame] and a[frame] < 0.5 * b[frame])

    def rest(self, frames: int) -> Iterator[Finding]:
        """Yield findings for the formations at the end of the recording."""
        for group in range(len(self._members)):
            yield from self._judge(group, frames - 1)

    def _judge(self, group: int, end: int) -> Iterator[Finding]:
        claim = self._claims[group]
        long = claim.frames * self._dt >= LEAST_TIME and claim.way >= LEAST_WAY
        if claim.name in SHAPES and long and not claim.seen:
            text = f"group {group} is recorded in formation {claim.name}, but never has that shape"
            start, until = claim.first * self._dt, end * self._dt
            yield Finding("formation", start, until, (), None, None, text)


class _Claim:
    """A recorded formation of a group: its first frame, how far it came, if its shape was seen."""

    def __init__(self, name: str = "", first: int = 0) -> None:
        self.name = name
        self.first = first
        self.frames, self.way = 0, 0.0
        self.seen = False


def _spread(position: Float, dt: float) -> tuple[Float, Bool, Float, Float]:
    """Return the speed (F,) of a group, whether it moves on, and its spread along and across."""
    middle = position.mean(axis=1)  # (F, 3)
    velocity = np.gradient(middle, dt, axis=0)
    ahead = unit(velocity)
    offset = position - middle[:, None]
    along = np.einsum("fni,fi->fn", offset, ahead)
    across = length(offset - along[..., None] * ahead[:, None])
    speed = length(velocity)
    moving = (speed > LEAST_SPEED) & ~_turning(position, dt)
    return speed, moving, np.sqrt((along**2).mean(axis=1)), np.sqrt((across**2).mean(axis=1))


def _turning(position: Float, dt: float) -> Bool:
    """Return at which frames (F,) half of the members (F, n, 3) turn by `LARGEST_TURN`."""
    frame, reach = np.arange(len(position)), max(1, round(TURN_TIME / dt))
    last = len(position) - 1
    before = unit(position - position[np.maximum(frame - reach, 0)])
    after = unit(position[np.minimum(frame + reach, last)] - position)
    ends = (length(before) == 0.0) | (length(after) == 0.0)  # of the block: nothing to compare
    turns = ~ends & (np.einsum("fni,fni->fn", before, after) < np.cos(LARGEST_TURN))
    turning: Bool = turns.mean(axis=1) >= 0.5
    return turning
