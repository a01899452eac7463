"""Conservative advancement along the frames and the motions between them.

One measured gap d at a frame proves all frames and motions until the bodies have moved d towards
each other; so most frames need no measurement. If d is less than one motion, the motion is halved
until each piece is shorter than the gap in its middle, or a contact is found.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from rmp3d.geometry.arrays import Bool, Float

TOLERANCE = 1e-6
"""A contact up to this depth [m] does not count: a piece of a motion is free if its middle is free
and no point moves further than this. Positions are recorded in steps of this size."""
ROUNDING = 1e-9
"""Taken off every distance [m] for rounding in python-fcl."""

Gap = Callable[[int, float], tuple[float, int]]
"""Distance [m] (0 on contact) and a face, at a frame and a share of the motion after it."""


@dataclass
class AdvancementResult:
    """The contacts and the smallest gap that were found.

    Attributes:
        contacts: Frame, share of the motion after it, and face of each contact.
        nearest: Smallest gap [m] at a frame, or the given one if that is smaller.
    """

    nearest: float
    contacts: list[tuple[int, float, int]] = field(default_factory=list)


def check_motions(
    travel: Float, gap: Gap, nearest: float, clear: Bool | None = None
) -> AdvancementResult:
    """Check B + 1 frames and the B motions between them.

    Args:
        travel: (B,) largest change [m] of the gap in each motion.
        gap: Measures the gap.
        nearest: Smallest gap [m] known so far, from other bodies too; a frame is not measured if
            its gap cannot be smaller.
        clear: (B,) whether a motion, with the frames at both ends, is known to keep a gap of at
            least ``nearest``.
    """
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
        distance, face = gap(frame, 0.0)
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
            _halve(frame, float(travel[frame]), gap, track)
            proved = nearer = frame + 1
        if proved >= count and nearer > count:
            return track
        frame = max(frame + 1, min(proved, nearer))


def _halve(frame: int, travel: float, gap: Gap, track: AdvancementResult) -> None:
    """Prove one motion piece by piece, or note one contact in it."""
    pieces = [(0.0, 1.0)]
    while pieces:
        start, end = pieces.pop()
        middle = 0.5 * (start + end)
        half = 0.5 * (end - start) * travel
        distance, face = gap(frame, middle)
        if distance <= 0.0:
            track.contacts.append((frame, middle, face))
            return
        if distance <= half + ROUNDING and half >= TOLERANCE:
            pieces += [(middle, end), (start, middle)]
