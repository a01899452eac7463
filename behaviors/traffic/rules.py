"""The traffic rules: which member makes room for which, and how jams dissolve.

Safety alone lets a crowd stand for ever. These rules only change wishes, never the constraint:

- A member is *blocked* when it wants to move and has come no nearer for `BLOCKED_AFTER`.
- It *queues* when someone close ahead with the right of way moves on, or queues in turn: a
  member in a line whose head moves is not jammed and keeps its place.
- Right of way: movers before parked ones, then the shorter path to go, then the lower row. The
  order has no cycles, so somebody may always go.
- A blocked member asks the one ahead of it, if lower in order, to step aside; members near a
  blocked one of higher order back off, unless they move on in a stream, where all near them go the
  same way: that would stop it. Parked ones pass the request on to those behind them.
- After `JAM_AFTER` without progress or queueing a member is *jammed* and tries other headings: to
  the right, to the left, then by a hash of its row and the number of its attempts. Repeatable,
  yet never in lockstep.
- Two bodies that are longer than wide meet where their widths across the motion would touch, not
  the round bodies that they turn in.
- Predicted encounters are passed on the right: on foot those that come against, at more than 120
  degrees, always, so that crowds that meet part into two lanes. Others are passed on the nearer
  side where they are clearly to one side.
- Who moves on in a stream on foot, but is held up, does not pass those that want to go as fast: all
  would crowd on the right. In a stream all near go the same way. Nor do members of one group that
  keep to lanes of a formation pass one another: when they start, those behind would swerve all at
  once.

The rules and their numbers were found by experiment with crowds at doors, in corridors and
head-on; leaving out the hashed headings stops a crowd at a door.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.traffic.passing import (
    HORIZON,
    backed_off,
    direction_aside,
    passing_side,
    right_of,
    unit_of,
)
from rmp3d.behaviors.traffic.progress import (
    MOVES_ON,
    declare_jammed,
    hashed,
    queue,
    watch_progress,
)
from rmp3d.behaviors.traffic.rows import (
    AGAINST,
    BEST,
    DETOUR_END,
    LEVEL,
    PUSH_END,
    PUSH_X,
    PUSH_Y,
    PUSH_Z,
    SAME_WAY,
    WAITED,
    CrowdRows,
    extent,
    extents,
    goes_first,
    offset_between,
    others_near,
    together,
)
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.borrowing import borrowed
from rmp3d.geometry.compiled import compiled, inlined, released
from rmp3d.geometry.parallel import in_blocks, meanwhile
from rmp3d.geometry.vectors import length, unit

# A member that is asked to step aside does so for this time [s].
ASIDE = 0.4
SIDESTEP_GAIN = 1.2
# Who is slower than this share of its wish is held up in a stream; it does not pass those that want
# to go at this share of its own speed or more.
HELD, AS_FAST = 0.6, 0.9
# Courses in such a stream differ by less than 60 degrees: by its cosine.
STREAM = 0.5
# Time in which a member takes up what the rules make of its wish [s]: who passes whom on which side
# may change from step to step where many are in the way.
TAKE_UP = 0.3


@dataclass(eq=False)
class Traffic:
    """The memory of the traffic rules for N members.

    Attributes:
        jams: How often a member was declared jammed.
    """

    count: int
    dt: float
    jams: int = 0
    _memory: Float = field(init=False)
    _change: Float = field(init=False)
    _step: int = 0

    def __post_init__(self) -> None:
        self._memory = np.zeros((self.count, 9))
        self._memory[:, BEST] = np.inf
        self._change = np.zeros((self.count, 3))

    @property
    def level(self) -> Float:
        """(N,) attempts that each jammed member has made since its last progress; else zero."""
        return self._memory[:, LEVEL].copy()

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now."""
        fresh = np.zeros(9)
        fresh[BEST] = np.inf
        self.count, self._memory = len(members), members.of(self._memory, fresh)
        self._change = members.of(self._change, 0.0)

    def resolve(
        self, flock: Flock, desire: Float, remaining: Float, parked: Bool,
        convoy: Index | None = None, awake: Index | None = None,
    ) -> tuple[Float, Float]:  # fmt: skip
        """Return changed desired velocities (N, 3) [m/s] and yielding weights (N,).

        Args:
            flock: Present state.
            desire: (N, 3) velocity that steering asks for [m/s].
            remaining: (N,) path still to go [m].
            parked: (N,) members at their places.
            convoy: (N,) number of the formation in whose lanes members keep, -1 for none; members
                of one do not pass one another. None: nobody keeps to a lane.
            awake: Rows of the members that are not at rest; None: all. The rules leave those alone
                that are, and the pairs of ``flock.nearby`` are without those of two of them.
        """
        wish = np.ascontiguousarray(desire)
        if self.count == 0:
            return wish, np.ones(0)
        pairs = flock.nearby.within(flock.position, _reach(flock, desire))
        weight = np.ones(self.count)
        result = wish.copy()
        convoy = np.full(self.count, -1) if convoy is None else convoy
        bodies = flock.bodies
        crowd = CrowdRows(
            flock.position, flock.velocity, bodies.radius, *_shapes(flock), bodies.heights,
            bodies.cruise_speed, bodies.grounded, np.ascontiguousarray(remaining), parked, convoy,
        )  # fmt: skip
        others = meanwhile(partial(others_near, pairs, self.count), len(pairs))
        now = self._step * self.dt
        members = np.arange(self.count) if awake is None else awake
        near, course, blocked = self._watch(pairs, others, crowd, result, members, now)

        def some(own: slice) -> None:
            _resolve_rows(
                members[own], near, crowd, wish, course, blocked, self._memory, result, weight, now
            )  # fmt: skip

        in_blocks(some, len(members))
        self._step += 1
        share = -np.expm1(-self.dt / TAKE_UP) if TAKE_UP > 0.0 else 1.0
        _take_up(result, wish, share, self._change)
        return result, weight

    def _watch(
        self, pairs: Index, others: Callable[[], tuple[Index, Index]], crowd: CrowdRows,
        desire: Float, members: Index, now: float,
    ) -> tuple[tuple[Index, Index], Float, Bool]:  # fmt: skip
        """Note who of some members comes on, queues, is jammed, and is asked to step aside.

        Returns:
            What `others_near` tells, unit courses (N, 3), and who is blocked (N,).
        """
        course, blocked = np.zeros((self.count, 3)), np.zeros(self.count, np.bool_)
        moves = np.zeros(self.count, np.bool_)

        def some(own: slice) -> None:
            _watch_rows(
                members[own], crowd, desire, self._memory, now, self.dt, course, blocked, moves
            )

        in_blocks(some, len(members))
        near = others()
        waiting = np.flatnonzero(blocked)
        if len(waiting):
            # In the order of the right of way.
            first = waiting[np.lexsort((crowd.remaining[waiting], crowd.parked[waiting]))]
            queue(near, first, moves, crowd, course, self._memory)
        self.jams += declare_jammed(self._memory, now, self._step)
        _ask_to_step_aside(pairs, crowd, blocked, course, self._memory, now)
        return near, course, blocked


def _shapes(flock: Flock) -> tuple[Float, Float]:
    """Return half the widths (N,) and the cores (N, 2) [m] of the bodies; see `CrowdRows`."""
    bodies = flock.bodies
    half = bodies.far
    if not half.any():
        return bodies.half_width, np.zeros((len(flock), 2))
    return bodies.half_width, half[:, None] * unit(np.ascontiguousarray(flock.heading[:, :2]))


def _reach(flock: Flock, desire: Float) -> Float:
    """Return how far (N,) [m] members look: the faster they want to move and do, the farther."""
    speed = 0.5 * (length(desire) + length(flock.velocity))
    ahead = 0.5 * HORIZON * np.minimum(speed, flock.bodies.cruise_speed)
    return flock.bodies.radius + np.maximum(ahead, flock.bodies.radius)


@released
def _watch_rows(members, crowd, desire, memory, now, dt, course, blocked, moves):
    """Fill in the courses of rows, who is blocked, and who of the others moves on."""
    crowd, desire, memory = borrowed((crowd, desire, memory))
    course, blocked, moves = borrowed((course, blocked, moves))
    for i in members:
        x, y, z = desire[i, 0], desire[i, 1], desire[i, 2]
        course[i, 0], course[i, 1], course[i, 2] = unit_of(x, y, z)
        pace = np.sqrt(x**2 + y**2 + z**2)
        blocked[i], moves[i] = watch_progress(i, crowd, pace, memory, now, dt)


@released
def _resolve_rows(
    members, near, crowd, wish, course, blocked, memory, desire, weight, now
):  # fmt: skip
    """Change ``desire`` (N, 3) and ``weight`` (N,) of rows by the rules; nothing else is written.

    ``near`` is what `others_near` tells of all pairs; ``wish`` is what ``desire`` was at first, of
    others too.
    """
    near, crowd, course, blocked = borrowed((near, crowd, course, blocked))
    memory, desire, weight, wish = borrowed((memory, desire, weight, wish))
    position, _, _, width, core, capsule_axis, cruise, _, remaining, parked, _ = crowd
    start, other = near
    for i in members:
        aside = _passing(i, start, other, crowd, wish, course, memory)
        _own_wish(i, course, aside, crowd, memory, desire, weight, now)
        flows, is_known = memory[i, WAITED] < MOVES_ON and not parked[i], False
        for e in range(start[i], start[i + 1]):
            j = other[e]
            if not (blocked[j] and goes_first(j, i, remaining, parked)):
                continue
            if flows and not is_known:
                flows, is_known = _flows(i, start, other, course, parked, AGAINST), True
            if not (flows and together(i, j, course) > SAME_WAY):
                offset = offset_between(i, j, position, capsule_axis)
                changed = (desire[i, 0], desire[i, 1], desire[i, 2])
                own, its = extents(i, j, offset, width, core)
                desire[i, 0], desire[i, 1], desire[i, 2] = backed_off(
                    offset, own, its, cruise[i], changed
                )


@compiled
def _flows(i, start, other, course, parked, along):
    """Return whether all near a member go as it does: cosines of their courses are > ``along``."""
    for e in range(start[i], start[i + 1]):
        j = other[e]
        if not (parked[j] or together(i, j, course) > along):
            return False
    return True


@compiled
def _take_up(ruled, desire, share, change):
    """Bring what the rules change (N, 3) nearer to what they ask for now, and add it to wishes."""
    for i in range(desire.shape[0]):
        for axis in range(3):
            asked = ruled[i, axis] - desire[i, axis]
            change[i, axis] += share * (asked - change[i, axis])
            ruled[i, axis] = desire[i, axis] + change[i, axis]


@compiled
def _ask_to_step_aside(pairs, crowd, blocked, course, memory, now):
    """Let blocked members ask those ahead, and parked ones pass the request on."""
    position, _, _, width, core, capsule_axis, _, _, remaining, parked, _ = crowd
    for k in range(pairs.shape[0]):
        for side in range(2):
            i, j = pairs[k, side], pairs[k, 1 - side]
            if blocked[i] and goes_first(i, j, remaining, parked):
                ahead = (course[i, 0], course[i, 1], course[i, 2])
                until = now + ASIDE
            elif parked[i] and parked[j] and memory[j, PUSH_END] <= now < memory[i, PUSH_END]:
                ahead = (memory[i, PUSH_X], memory[i, PUSH_Y], memory[i, PUSH_Z])
                until = memory[i, PUSH_END]
            else:
                continue
            offset = offset_between(i, j, position, capsule_axis)
            own, other = extents(i, j, offset, width, core)
            x, y, z = direction_aside(offset, own + 1.5 * other, ahead)
            if x != 0.0 or y != 0.0 or z != 0.0:
                memory[j, PUSH_X], memory[j, PUSH_Y], memory[j, PUSH_Z] = x, y, z
                memory[j, PUSH_END] = until


@compiled
def _passing(i, start, other, crowd, wish, course, memory):
    """Return to which side (3) a member should pass the others that it would meet."""
    position, velocity, _, width, core, capsule_axis, _, grounded, remaining, parked, convoy = crowd
    ax, ay, az = 0.0, 0.0, 0.0
    wx, wy, wz = wish[i, 0], wish[i, 1], wish[i, 2]
    pace = np.sqrt(wx**2 + wy**2 + wz**2)
    if pace < 1e-9:
        return ax, ay, az
    held = grounded[i] and memory[i, WAITED] < MOVES_ON and _size(velocity[i]) < HELD * pace
    held = held and _flows(i, start, other, course, parked, STREAM)
    for e in range(start[i], start[i + 1]):
        j = other[e]
        if convoy[i] >= 0 and convoy[i] == convoy[j]:
            continue
        if held and together(i, j, course) > SAME_WAY and _size(wish[j]) >= AS_FAST * pace:
            continue
        motion = (wx - velocity[j, 0], wy - velocity[j, 1], wz - velocity[j, 2])
        offset = offset_between(i, j, position, capsule_axis)
        if offset[0] * motion[0] + offset[1] * motion[1] + offset[2] * motion[2] <= 0.0:
            continue  # they part, as half of the pairs do
        # They touch if they miss by less than they reach across the motion.
        nx, ny = right_of(motion[0], motion[1])
        strength, x, y, z = passing_side(
            offset,
            extent(i, nx, ny, width, core) + extent(j, nx, ny, width, core),
            motion,
            (course[i, 0], course[i, 1], course[i, 2]),
            remaining[i],
            grounded[i] and together(i, j, course) < AGAINST,
        )
        if strength > 0.0:
            ax, ay, az = ax + strength * x, ay + strength * y, az + strength * z
    return ax, ay, az


@inlined
def _size(vector):
    """Return the length of a vector."""
    return np.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2)


@compiled
def _own_wish(i, course, aside, crowd, memory, desire, weight, now):
    """Replace or bend i's wish: stepping aside when asked, a detour when jammed, passing."""
    _, _, _, _, _, _, cruise, grounded, _, parked, _ = crowd
    s = memory[i]
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
        angle = 1.05 if level == 1 else (-1.05 if level == 2 else (hashed(i, level) - 0.5) * 5.2)
        rx, ry = right_of(dx, dy)
        ux, uy, uz = rx, ry, 0.0
        if not grounded[i]:
            # In space: about a hashed axis, right x course tilts up or down.
            qx, qy, qz = dz * -ry, dz * rx, dx * ry - dy * rx
            turn = 0.0 if level == 1 else 6.2832 * hashed(level, i)
            c, t = np.cos(turn), np.sin(turn)
            ux, uy, uz = c * rx + t * qx, c * ry + t * qy, t * qz
        c, t = np.cos(angle), np.sin(angle)
        pace = 0.8 * cruise[i]
        desire[i, 0] = pace * (c * dx + t * ux)
        desire[i, 1] = pace * (c * dy + t * uy)
        desire[i, 2] = 0.0 if grounded[i] else pace * (c * dz + t * uz)
        return
    size = np.sqrt(aside[0] ** 2 + aside[1] ** 2 + aside[2] ** 2)
    if size > 1e-9 and pace > 1e-9:
        scale = SIDESTEP_GAIN * min(1.0, 1.0 / size)
        dx, dy, dz = unit_of(dx + scale * aside[0], dy + scale * aside[1], dz + scale * aside[2])
        desire[i, 0], desire[i, 1], desire[i, 2] = pace * dx, pace * dy, pace * dz
