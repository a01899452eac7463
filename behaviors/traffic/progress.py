"""Progress: which members come on, which queue, and which are jammed."""

import numpy as np

from rmp3d.behaviors.traffic.rows import (
    BEST,
    DETOUR_END,
    LEVEL,
    SINCE,
    WAITED,
    extents,
    goes_first,
    offset_between,
)
from rmp3d.geometry.compiled import compiled

BLOCKED_AFTER = 0.3
JAM_AFTER = 2.5
# Who is jammed tries another heading for so long [s].
SHORTEST_DETOUR, LONGEST_DETOUR = 0.5, 1.5
# A member whose last progress is no older moves on.
MOVES_ON = 1.0
# Coming nearer by this share of the radius counts as progress.
PROGRESS_UNIT = 0.1
# A path that has grown by more than this is a new one [m]; progress is counted afresh.
NEW_TASK = 1.0
# A member moving slower than this share of its cruise speed by its own wish is not blocked.
WANTS_TO_MOVE = 0.15


@compiled
def hashed(a, b):
    """Return a repeatable number in [0, 1) from two whole numbers."""
    x = (a * 2654435761 + b * 40503 + 12345) & 0xFFFFFFFF
    x ^= x >> 16
    x = (x * 2246822519) & 0xFFFFFFFF
    x ^= x >> 13
    x = (x * 3266489917) & 0xFFFFFFFF
    x ^= x >> 16
    return x / 4294967296.0


@compiled
def watch_progress(i, crowd, pace, memory, now, dt):
    """Update how long a member has come no nearer; return whether it is blocked, and moves on."""
    _, _, radius, _, _, _, cruise, _, remaining, parked, _ = crowd
    s = memory[i]
    near, far = s[BEST] - PROGRESS_UNIT * radius[i], s[BEST] + NEW_TASK
    if parked[i] or pace < WANTS_TO_MOVE * cruise[i]:
        s[BEST], s[SINCE], s[WAITED] = remaining[i], 0.0, 0.0
        if parked[i]:
            s[LEVEL] = 0.0
    elif remaining[i] < near or remaining[i] > far:
        s[BEST], s[SINCE], s[WAITED] = remaining[i], 0.0, 0.0
        if now > s[DETOUR_END]:
            s[LEVEL] = 0.0
    else:
        s[SINCE] += dt
        s[WAITED] += dt
    return not parked[i] and s[WAITED] >= BLOCKED_AFTER, not parked[i] and s[WAITED] < MOVES_ON


@compiled
def queue(near, first, moves, crowd, course, memory):
    """Stop the clock of members that wait behind one that moves on, or waits so itself.

    ``near`` is what `others_near` tells; ``first`` (B,) has the rows of blocked members in the
    order of the right of way: whoever goes before one has been looked at when it is its turn. Who
    of those queues ``moves`` (N,), too.
    """
    position, _, _, width, core, capsule_axis, _, _, remaining, parked, _ = crowd
    start, others = near
    for i in first:
        for e in range(start[i], start[i + 1]):
            j = others[e]
            if not (goes_first(j, i, remaining, parked) and moves[j]):
                continue
            x, y, z = offset_between(i, j, position, capsule_axis)
            apart = np.sqrt(x * x + y * y + z * z)
            ahead = x * course[i, 0] + y * course[i, 1] + z * course[i, 2]
            own, other = extents(i, j, (x, y, z), width, core)
            if apart < 2.0 * (own + other) and ahead > 0.3 * apart:
                moves[i] = True
                memory[i, SINCE] = 0.0
                break


@compiled
def declare_jammed(memory, now, step):
    """Send members that are jammed on a detour; return how many are declared jammed now."""
    jams = 0
    for i in range(memory.shape[0]):
        s = memory[i]
        if s[SINCE] > JAM_AFTER and now > s[DETOUR_END]:
            s[LEVEL] += 1.0
            s[SINCE] = 0.0
            share = hashed(i, int(s[LEVEL]) + 7 * step)
            s[DETOUR_END] = now + SHORTEST_DETOUR + share * (LONGEST_DETOUR - SHORTEST_DETOUR)
            jams += 1
    return jams
