"""Progress: who makes way for whom, and how jams dissolve.

Safety alone lets a crowd stand for ever. These rules only change wishes, never the constraint:

- A member is *blocked* when it wants to move and has come no nearer for `BLOCKED_AFTER`.
- It *queues* when someone close ahead with the right of way moves on, or queues in turn: whoever
  waits in a line whose head moves is not jammed and keeps its place.
- Right of way: movers before parked ones, then the shorter way to go, then the lower row. The
  order has no cycles, so somebody may always go.
- A blocked member asks the one ahead of it, if lower in order, to step aside; members near a
  blocked one of higher order back off. Parked ones pass the request on to those behind them.
- After `JAM_AFTER` without progress or queueing a member is *jammed* and tries other headings: to
  the right, to the left, then by a hash of its row and the number of its attempts. Repeatable,
  yet never in lockstep.
- Predicted encounters are passed on the right; but members of one group that keep to lanes of a
  formation do not pass one another: when they start, those behind would swerve all at once.

The rules and their numbers were found by experiment with crowds at doors, in corridors and
head-on; leaving out the hashed headings stops a crowd at a door.
"""

from dataclasses import dataclass, field

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.proximity.cells import near_pairs
from rmp3d.behaviors.safety.pairs import rows_of_pairs
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.vectors import length

BLOCKED_AFTER = 0.3
JAM_AFTER = 2.5
# A member whose last progress is no older moves on.
MOVES_ON = 1.0
# Coming nearer by this share of the radius counts as progress.
PROGRESS_UNIT = 0.1
# A way that has grown by more than this is a new one [m]; progress is counted afresh.
NEW_TASK = 1.0
# A member moving slower than this share of its cruise speed by its own wish is not blocked.
WANTS_TO_MOVE = 0.15
HORIZON = 3.0
# Who is asked to step aside does so for this time [s].
ASIDE = 0.4
SIDESTEP_GAIN = 1.2
# Columns of the state.
BEST, SINCE, WAITED, LEVEL, DETOUR_END, PUSH_X, PUSH_Y, PUSH_Z, PUSH_END = range(9)


@dataclass(eq=False)
class Traffic:
    """The memory of the traffic rules for N members.

    Attributes:
        jams: How often a member was declared jammed.
    """

    count: int
    dt: float
    jams: int = 0
    _state: Float = field(init=False)
    _step: int = 0

    def __post_init__(self) -> None:
        self._state = np.zeros((self.count, 9))
        self._state[:, BEST] = np.inf

    @property
    def level(self) -> Float:
        """(N,) attempts that each jammed member has made since its last progress; else zero."""
        return self._state[:, LEVEL].copy()

    def resolve(
        self, flock: Flock, desire: Float, remaining: Float, parked: Bool,
        convoy: Index | None = None,
    ) -> tuple[Float, Float]:  # fmt: skip
        """Return changed desired velocities (N, 3) [m/s] and yielding weights (N,).

        Args:
            flock: Present state.
            desire: (N, 3) velocity that steering asks for [m/s].
            remaining: (N,) way still to go [m].
            parked: (N,) members at their places.
            convoy: (N,) number of the formation in whose lanes members keep, -1 for none; members
                of one do not pass one another. None: nobody keeps to a lane.
        """
        result = np.ascontiguousarray(desire)
        if self.count == 0:
            return result, np.ones(0)
        pairs = near_pairs(flock.position, _reach(flock, desire))
        weight = np.ones(self.count)
        result = result.copy()
        convoy = np.full(self.count, -1) if convoy is None else convoy
        first = np.lexsort((remaining, parked))
        self.jams += _resolve(
            pairs, flock.position, flock.velocity, flock.bodies.radius, flock.bodies.capsule_axis,
            flock.bodies.cruise_speed,
            flock.bodies.grounded, np.ascontiguousarray(remaining), parked, convoy, first,
            self._state,
            result, weight, self._step, self.dt,
        )  # fmt: skip
        self._step += 1
        return result, weight


def _reach(flock: Flock, desire: Float) -> Float:
    """Return how far (N,) [m] members look: whoever both wants to move and does the farthest."""
    speed = 0.5 * (length(desire) + length(flock.velocity))
    ahead = 0.5 * HORIZON * np.minimum(speed, flock.bodies.cruise_speed)
    return flock.bodies.radius + np.maximum(ahead, flock.bodies.radius)


@compiled
def _hash(a, b):
    """Return a repeatable number in [0, 1) from two whole numbers."""
    x = (a * 2654435761 + b * 40503 + 12345) & 0xFFFFFFFF
    x ^= x >> 16
    x = (x * 2246822519) & 0xFFFFFFFF
    x ^= x >> 13
    x = (x * 3266489917) & 0xFFFFFFFF
    x ^= x >> 16
    return x / 4294967296.0


@compiled
def _unit(x, y, z):
    size = np.sqrt(x * x + y * y + z * z)
    if size < 1e-9:
        return 0.0, 0.0, 0.0
    return x / size, y / size, z / size


@compiled
def _goes_first(i, j, remaining, parked):
    """Whether i has the right of way over j."""
    if parked[i] != parked[j]:
        return not parked[i]
    if remaining[i] != remaining[j]:
        return remaining[i] < remaining[j]
    return i < j


@compiled
def _right_of(x, y):
    """Return the horizontal unit vector to the right of a course."""
    size = np.sqrt(x * x + y * y)
    if size < 1e-6:
        return 1.0, 0.0
    return y / size, -x / size


@compiled
def _resolve(
    pairs, position, velocity, radius, capsule_axis, cruise, grounded, remaining, parked, convoy,
    first,
    state, desire, weight, step, dt,
):  # fmt: skip
    count = position.shape[0]
    now = step * dt
    jams = 0
    course, pace = np.zeros((count, 3)), np.empty(count)
    blocked = np.empty(count, np.bool_)
    for i in range(count):
        x, y, z = _unit(desire[i, 0], desire[i, 1], desire[i, 2])
        course[i, 0], course[i, 1], course[i, 2] = x, y, z
        pace[i] = np.sqrt(desire[i, 0] ** 2 + desire[i, 1] ** 2 + desire[i, 2] ** 2)
        _watch_progress(i, pace, cruise, remaining, parked, radius, state, now, dt)
        blocked[i] = not parked[i] and state[i, WAITED] >= BLOCKED_AFTER
    _queue(pairs, first, blocked, position, radius, capsule_axis, course, remaining, parked, state)
    for i in range(count):
        jams += _declare_jammed(i, state, now, step)
    aside = np.zeros((count, 3))
    for k in range(pairs.shape[0]):
        for side in range(2):
            i, j = pairs[k, side], pairs[k, 1 - side]
            if blocked[i] and _goes_first(i, j, remaining, parked):
                _ask_to_step_aside(
                    i,
                    j,
                    course[i, 0],
                    course[i, 1],
                    course[i, 2],
                    now + ASIDE,
                    position,
                    radius,
                    capsule_axis,
                    state,
                )
            elif parked[i] and parked[j] and state[j, PUSH_END] <= now < state[i, PUSH_END]:
                _ask_to_step_aside(
                    i,
                    j,
                    state[i, PUSH_X],
                    state[i, PUSH_Y],
                    state[i, PUSH_Z],
                    state[i, PUSH_END],
                    position,
                    radius,
                    capsule_axis,
                    state,
                )
            together = convoy[i] >= 0 and convoy[i] == convoy[j]
            if pace[i] >= 1e-9 and not together:
                _anticipate(
                    i, j, position, velocity, radius, capsule_axis, desire, course, remaining, aside
                )
    for i in range(count):
        _own_wish(i, course, aside, cruise, grounded, parked, state, desire, weight, now)
    for k in range(pairs.shape[0]):
        for side in range(2):
            i, j = pairs[k, side], pairs[k, 1 - side]
            if blocked[j] and _goes_first(j, i, remaining, parked):
                _back_off(i, j, position, radius, capsule_axis, cruise, desire)
    return jams


@compiled
def _watch_progress(i, pace, cruise, remaining, parked, radius, state, now, dt):
    """Update how long a member has come no nearer."""
    s = state[i]
    if parked[i] or pace[i] < WANTS_TO_MOVE * cruise[i]:
        s[BEST], s[SINCE], s[WAITED] = remaining[i], 0.0, 0.0
        if parked[i]:
            s[LEVEL] = 0.0
        return
    if remaining[i] < s[BEST] - PROGRESS_UNIT * radius[i] or remaining[i] > s[BEST] + NEW_TASK:
        s[BEST], s[SINCE], s[WAITED] = remaining[i], 0.0, 0.0
        if now > s[DETOUR_END]:
            s[LEVEL] = 0.0
        return
    s[SINCE] += dt
    s[WAITED] += dt


@compiled
def _queue(pairs, first, blocked, position, radius, capsule_axis, course, remaining, parked, state):
    """Stop the clock of those who wait behind someone that moves on, or waits so itself.

    ``first`` (N,) has the rows in the order of the right of way, so that who goes before a
    member has been looked at when it is the member's turn.
    """
    start, entry = rows_of_pairs(pairs, position.shape[0])
    moves = np.empty(position.shape[0], np.bool_)
    for i in first:
        moves[i] = not parked[i] and state[i, WAITED] < MOVES_ON
        if not blocked[i]:
            continue
        for e in range(start[i], start[i + 1]):
            j = pairs[entry[e] // 2, 1 - entry[e] % 2]
            if not (_goes_first(j, i, remaining, parked) and moves[j]):
                continue
            x, y, z = _offset(i, j, position, capsule_axis)
            apart = np.sqrt(x * x + y * y + z * z)
            ahead = x * course[i, 0] + y * course[i, 1] + z * course[i, 2]
            if apart < 2.0 * (radius[i] + radius[j]) and ahead > 0.3 * apart:
                moves[i] = True
                state[i, SINCE] = 0.0
                break


@compiled
def _declare_jammed(i, state, now, step):
    """Send a member that is jammed on a detour; return 1 if it is declared jammed now."""
    s = state[i]
    if s[SINCE] > JAM_AFTER and now > s[DETOUR_END]:
        s[LEVEL] += 1.0
        s[SINCE] = 0.0
        s[DETOUR_END] = now + 0.5 + _hash(i, int(s[LEVEL]) + 7 * step)
        return 1
    return 0


@compiled
def _offset(i, j, position, capsule_axis):
    """Return the offset from i to j; its height is that of the gap between the upright bodies."""
    x, y = position[j, 0] - position[i, 0], position[j, 1] - position[i, 1]
    z = position[j, 2] - position[i, 2]
    below = z + capsule_axis[j, 0] - capsule_axis[i, 1]
    above = z + capsule_axis[j, 1] - capsule_axis[i, 0]
    z = below if below > 0.0 else (above if above < 0.0 else 0.0)
    return x, y, z


@compiled
def _ask_to_step_aside(i, j, dx, dy, dz, until, position, radius, capsule_axis, state):
    """I, on the course (dx, dy, dz), asks j, close ahead of it, to make room."""
    x, y, z = _offset(i, j, position, capsule_axis)
    apart = np.sqrt(x * x + y * y + z * z)
    if apart > radius[i] + 1.5 * radius[j] or apart < 1e-9:
        return
    ahead = x * dx + y * dy + z * dz
    if ahead < 0.5 * apart:
        return
    lx, ly, lz = x - ahead * dx, y - ahead * dy, z - ahead * dz
    if np.sqrt(lx * lx + ly * ly + lz * lz) < 0.05 * apart:
        lx, ly = _right_of(dx, dy)
        lz = 0.0
    lx, ly, lz = _unit(lx, ly, lz)
    gx, gy, gz = _unit(x / apart + lx, y / apart + ly, z / apart + lz)
    state[j, PUSH_X], state[j, PUSH_Y], state[j, PUSH_Z] = gx, gy, gz
    state[j, PUSH_END] = until


@compiled
def _anticipate(i, j, position, velocity, radius, capsule_axis, desire, course, remaining, aside):
    """Add to ``aside`` the side on which i should pass j, if they would come too near."""
    x, y, z = _offset(i, j, position, capsule_axis)
    near = 1.15 * (radius[i] + radius[j])
    vx, vy, vz = (
        desire[i, 0] - velocity[j, 0], desire[i, 1] - velocity[j, 1], desire[i, 2] - velocity[j, 2],
    )  # fmt: skip
    along = x * vx + y * vy + z * vz
    if along <= 0.0:
        return
    closing = vx * vx + vy * vy + vz * vz
    # The square of the miss, times `closing`: most pairs are done with here, without a root.
    wide = (x * x + y * y + z * z) * closing - along * along
    if closing < 1e-9 or wide > near * near * closing * (1.0 + 1e-9):
        return
    time = along / closing
    first = time - near / np.sqrt(closing)
    if first > HORIZON:
        return
    if np.sqrt(x * x + y * y + z * z) - near > remaining[i]:
        return
    mx, my, mz = x - time * vx, y - time * vy, z - time * vz
    miss = np.sqrt(mx * mx + my * my + mz * mz)
    if miss >= near:
        return
    strength = (1.0 - miss / near) * max(0.0, 1.0 - max(0.0, first) / HORIZON)
    along = mx * course[i, 0] + my * course[i, 1] + mz * course[i, 2]
    mx, my, mz = mx - along * course[i, 0], my - along * course[i, 1], mz - along * course[i, 2]
    across = np.sqrt(mx * mx + my * my + mz * mz)
    rx, ry = _right_of(course[i, 0], course[i, 1])
    if across < 0.25 * near and mx * rx + my * ry < 0.25 * near:
        ex, ey, ez = rx, ry, 0.0
    else:
        ex, ey, ez = _unit(-mx, -my, -mz)
    aside[i, 0] += strength * ex
    aside[i, 1] += strength * ey
    aside[i, 2] += strength * ez


@compiled
def _own_wish(i, course, aside, cruise, grounded, parked, state, desire, weight, now):
    """Replace or bend i's wish: stepping aside when asked, a detour when jammed, passing."""
    s = state[i]
    if parked[i]:
        weight[i] = 0.3
    if now < s[PUSH_END] and (parked[i] or s[WAITED] > 0.0):
        pace = 0.7 * cruise[i]
        desire[i, 0], desire[i, 1] = pace * s[PUSH_X], pace * s[PUSH_Y]
        desire[i, 2] = 0.0 if grounded[i] else pace * s[PUSH_Z]
        weight[i] = 0.5
        return
    dx, dy, dz = course[i, 0], course[i, 1], course[i, 2]
    pace = np.sqrt(desire[i, 0] ** 2 + desire[i, 1] ** 2 + desire[i, 2] ** 2)
    if now < s[DETOUR_END] and s[LEVEL] > 0.0 and not parked[i]:
        level = int(s[LEVEL])
        angle = 1.05 if level == 1 else (-1.05 if level == 2 else (_hash(i, level) - 0.5) * 5.2)
        rx, ry = _right_of(dx, dy)
        ux, uy, uz = rx, ry, 0.0
        if not grounded[i]:
            # In space: about a hashed axis, right x course tilts up or down.
            qx, qy, qz = dz * -ry, dz * rx, dx * ry - dy * rx
            turn = 0.0 if level == 1 else 6.2832 * _hash(level, i)
            c, t = np.cos(turn), np.sin(turn)
            ux, uy, uz = c * rx + t * qx, c * ry + t * qy, t * qz
        c, t = np.cos(angle), np.sin(angle)
        pace = 0.8 * cruise[i]
        desire[i, 0] = pace * (c * dx + t * ux)
        desire[i, 1] = pace * (c * dy + t * uy)
        desire[i, 2] = 0.0 if grounded[i] else pace * (c * dz + t * uz)
        return
    size = np.sqrt(aside[i, 0] ** 2 + aside[i, 1] ** 2 + aside[i, 2] ** 2)
    if size > 1e-9 and pace > 1e-9:
        scale = SIDESTEP_GAIN * min(1.0, 1.0 / size)
        dx, dy, dz = _unit(
            dx + scale * aside[i, 0], dy + scale * aside[i, 1], dz + scale * aside[i, 2]
        )
        desire[i, 0], desire[i, 1], desire[i, 2] = pace * dx, pace * dy, pace * dz


@compiled
def _back_off(i, j, position, radius, capsule_axis, cruise, desire):
    """I makes room for a blocked j that has the right of way."""
    x, y, z = _offset(i, j, position, capsule_axis)
    apart = np.sqrt(x * x + y * y + z * z)
    soft = min(radius[i], radius[j])
    gap = apart - radius[i] - radius[j]
    if gap > soft or apart < 1e-9:
        return
    x, y, z = x / apart, y / apart, z / apart
    closing = desire[i, 0] * x + desire[i, 1] * y + desire[i, 2] * z
    limit = -0.5 * cruise[i] * (1.0 - gap / soft)
    if closing > limit:
        desire[i, 0] -= (closing - limit) * x
        desire[i, 1] -= (closing - limit) * y
        desire[i, 2] -= (closing - limit) * z
