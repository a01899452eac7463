"""Conservative advancement along the frames and the motions between them.

One measured gap d at a frame proves all frames and motions until the bodies have moved d towards
each other; so most frames need no measurement. If d is less than one motion, the motion is halved
until each piece is shorter than the gap in its middle, or a contact is found. What is left are
pieces of less than `TOLERANCE`; in these, crossings of triangles are looked for.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from rmp3d.geometry.arrays import Bool, Float

TOLERANCE = 1e-6
"""Pieces of a motion in which no point moves further than this [m] are not halved. Positions are
recorded in steps of this size."""
ROUNDING = 1e-9
"""Taken off every distance [m] for rounding in python-fcl."""
MEASURES = 4096
"""Measurements in one motion at most; without a proof by then, it is not proved."""
SPARE_MEASURES = 200_000
"""Measurements in halved motions of one recording, besides `EACH` for each motion; when they are
used up, `FEW` are left for each motion."""
EACH = 4
FEW = 64

Gap = Callable[[int, float], tuple[float, int]]
"""Distance [m] (0 on contact) and a face, at a frame and a share of the motion after it."""
Crossing = Callable[[int, float, float], int]
"""A face that is crossed between two shares of the motion after a frame, or -1."""


@dataclass
class Allowance:
    """Measurements that are left for halved motions, so that no recording takes for ever."""

    left: int = SPARE_MEASURES

    def of_motion(self) -> int:
        """Return how many measurements the next motion may take."""
        self.left += EACH
        return MEASURES if self.left > 0 else FEW


@dataclass
class AdvancementResult:
    """The contacts and the smallest gap that were found.

    Attributes:
        contacts: Frame, share of the motion after it, and face of each contact.
        nearest: Smallest gap [m] at a frame, or the given one if that is smaller.
        unproved: Frame, share, and smallest gap [m] of motions that are neither proved nor refuted.
    """

    nearest: float
    contacts: list[tuple[int, float, int]] = field(default_factory=list)
    unproved: list[tuple[int, float, float]] = field(default_factory=list)


@dataclass(frozen=True)
class MovingPair:
    """B + 1 frames of two bodies, and the B motions between them.

    Attributes:
        travel: (B,) largest change [m] of the gap in each motion.
        gap: Measures the gap.
        crossing: Looks for crossings in very small pieces of a motion.
        allowance: How many measurements are left.
        free: (B,) whether a motion is known to be free.
    """

    travel: Float
    gap: Gap
    crossing: Crossing
    allowance: Allowance
    free: Bool


def check_motions(
    motions: MovingPair, nearest: float, clear: Bool | None = None
) -> AdvancementResult:
    """Check frames and motions.

    Args:
        motions: What moves.
        nearest: Smallest gap [m] known so far, from other bodies too; a frame is not measured if
            its gap cannot be smaller.
        clear: (B,) whether a motion, with the frames at both ends, is known to keep a gap of at
            least ``nearest``.
    """
    travel = motions.travel
    count = len(travel)
    reached = np.concatenate([[0.0], np.cumsum(travel)])  # (B + 1,)
    open_motions = np.arange(count) if clear is None else np.flatnonzero(~clear)
    track = AdvancementResult(nearest)
    frame = 0
    while True:
        if frame < count and clear is not None:
            following = np.searchsorted(open_motions, frame)
            if following == len(open_motions):
                return track
            frame = int(open_motions[following])
        distance, face = motions.gap(frame, 0.0)
        track.nearest = min(track.nearest, distance)
        if distance <= 0.0:
            track.contacts.append((frame, 0.0, face))
        if frame == count:
            return track
        if distance <= 0.0:
            frame += 1
            continue
        spare = reached[frame] + distance
        proved = int(np.searchsorted(reached, spare - ROUNDING)) - 1
        nearer = int(np.searchsorted(reached, spare - track.nearest, side="right"))
        if proved <= frame:
            if not motions.free[frame]:
                _halve(motions, frame, track)
            proved = nearer = frame + 1
        if proved >= count and nearer > count:
            return track
        frame = max(frame + 1, min(proved, nearer))


def _halve(motions: MovingPair, frame: int, track: AdvancementResult) -> None:
    """Prove one motion piece by piece, or note one contact in it."""
    pieces = [(0.0, 1.0)]
    travel, least = float(motions.travel[frame]), np.inf
    left = motions.allowance.of_motion()
    while pieces:
        start, end = pieces.pop()
        middle = 0.5 * (start + end)
        half = 0.5 * (end - start) * travel
        distance, face = motions.gap(frame, middle)
        left, least = left - 1, min(least, distance)
        motions.allowance.left -= 1
        if distance <= 0.0:
            track.contacts.append((frame, middle, face))
            return
        if distance > half + ROUNDING:
            continue
        if left <= 0:
            track.unproved.append((frame, middle, least))
            return
        if half >= TOLERANCE:
            pieces += [(middle, end), (start, middle)]
            continue
        face = motions.crossing(frame, start, end)
        if face >= 0:
            track.contacts.append((frame, middle, face))
            return
