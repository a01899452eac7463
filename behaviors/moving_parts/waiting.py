"""Members wait behind those that wait before a moving part.

Whoever wants to come where one stands that waits is held up by it. To the traffic rules that is a
jam: it would try other headings, slide along the others, and turn about on the spot.
"""

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length

GAP = 0.1
"""Members stop so far [m] behind one that waits."""
REACTION = 0.3
"""Time [s] after which a member slows down as it wants to."""
GENTLE = 0.5
"""Share of the braking that members count on for that."""
SETTLES = 4.0
"""And no faster than so much for each meter that is left [1/s]: who has arrived stands."""
QUEUES = 0.35
"""Who wants to go on and is this near [m] to one that waits, in its way, waits too, if it is slower
than so [m/s]."""
SLOW = 0.4
SLIDES = 0.0
"""Share of its motion past the other that who waits so keeps at least; 1: all of it. It keeps the
less, the nearer it is: who waits in a file stands, and does not shuffle about."""
IN_THE_WAY = 0.5
"""Cosine of the angle to the wanted velocity up to which another is in the way."""


def pace_before_stop(room: Float, pace: Float, brake: Float) -> Float:
    """Return how fast (n,) [m/s] members may come on that stop after so much ``room`` (n,) [m].

    They go at a ``pace`` (n,) [m/s] now, and brake with ``brake`` (n,) [m/s^2] at most.
    """
    left = np.maximum(room - REACTION * np.maximum(pace, 0.0), 0.0)
    return np.minimum(np.sqrt(2.0 * GENTLE * brake * left), SETTLES * left)


def held_behind(flock: Flock, desire: Float, waiting: Bool, may_wait: Bool) -> Float:
    """Return velocities (N, 3) [m/s] of members that stop behind others that wait.

    One that has come up to them waits, too, and others behind it.

    Args:
        flock: All members.
        desire: (N, 3) wanted velocities [m/s].
        waiting: (N,) members that wait before a part.
        may_wait: (N,) members that want to go where the part is.
    """
    front, found = np.flatnonzero(waiting).tolist(), np.array(desire)
    rows = np.flatnonzero(may_wait & ~waiting)
    waits = np.array(waiting)
    width, speed = flock.bodies.half_width, length(flock.velocity[:, :2])
    while front and len(rows):
        other = front.pop(0)
        toward, apart = _to(flock, rows, other)
        closing = np.einsum("ij,ij->i", found[rows, :2], toward)
        room = apart - width[rows] - width[other]
        ahead = closing > IN_THE_WAY * length(desire[rows, :2])
        now = np.einsum("ij,ij->i", flock.velocity[rows, :2], toward)
        allowed = pace_before_stop(room - GAP, now, flock.bodies.max_brake[rows])
        excess = np.where(ahead, np.maximum(closing - allowed, 0.0), 0.0)
        found[rows, :2] -= excess[:, None] * toward
        new = ahead & (room < QUEUES) & (speed[rows] < SLOW) & ~waits[rows]
        slides = np.clip((room[new] - GAP) / (QUEUES - GAP), SLIDES, 1.0)[:, None]
        flat, along = found[rows[new], :2], toward[new]
        straight = np.einsum("ij,ij->i", flat, along)[:, None] * along
        found[rows[new], :2] = straight + slides * (flat - straight)
        waits[rows[new]] = True
        front += rows[new].tolist()
    return found


def _to(flock: Flock, rows: Index, other: int) -> tuple[Float, Float]:
    """Return directions (n, 2) and distances (n,) [m] in plan from members to another one."""
    offset = (flock.position[other] - flock.position[rows])[:, :2]
    apart = length(offset)
    return offset / np.maximum(apart, 1e-9)[:, None], apart
