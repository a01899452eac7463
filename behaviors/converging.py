"""Who would meet many others in one place, from all sides, goes round that place in time.

Traffic rules see who meets whom within three seconds. Where a crowd comes together from all sides
that is too late: all close in to one ring, shoulder to shoulder, and stand. So those on foot look
farther: where will all be in one to six seconds, if each goes on as it wants? Places are counted
into cells of a grid, with the courses of those who come; Golas, Narain and Lin, "Hybrid long-range
collision avoidance for crowd simulation" (2013), look at such a density, too. Where many will be
at once, from all sides, each keeps the middle on its left, so far away that all have room: thus all
go round it the same way. Streams that meet are none of its business: they part into lanes. Nor is
a place beside walls, where nobody could go round.
"""

from itertools import product

import numpy as np

from rmp3d.behaviors.traffic.progress import hashed
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float
from rmp3d.geometry.compiled import compiled

# All lengths that follow are those for people, this wide [m]; for others they grow with the widest.
PERSON = 0.56
# Looks so far ahead [s], for crowds of each size: sides of cells [m]. One of them in each step.
LOOKS = tuple(product((1.2, 1.5, 3.0, 6.0), (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)))
STOREY = 2.5  # A storey is no lower [m].
# So many in a square of nine cells, at least, and so many on a square meter of it, go round.
FEWEST, DENSE = 8, 0.6
# They come from all sides: the mean of their courses is shorter than the first, and along any line
# the mean of the squares of their courses is larger than the second.
STREAM, ACROSS = 0.5, 0.25
# Those who go round have lanes so wide, and leave the middle free, where nobody could turn [m].
LANE, MIDDLE = 0.8, 1.5
# If more come than this share of those that fit into the outermost lane, inner lanes are used.
CROWDED = 1.3
# Who has come near the middle keeps it so far on its left: sine of the angle to its course. Less
# than abeam, so that it comes nearer again, and out of the way of those behind.
ABEAM = 0.9
# The turn of a wish is taken up in this time [s].
TAKE_UP = 0.3
# Room beside the way round, of bodies between these heights over the ground [m]; so many points of
# the way are on the ground, which may rise or fall so much [m].
BESIDE, HEIGHTS, CORNERS, RISE = 0.5, (0.5, 1.5), 8, 1.0
# Who wants to go no faster than this stands [m/s].
STANDS = 0.1


class Converging:
    """What each of N members goes round.

    Args:
        count: N.
        dt: Time step [s].
    """

    def __init__(self, count: int, dt: float) -> None:
        self._share = -float(np.expm1(-dt / TAKE_UP))
        # Middles [m], and how far [m] members keep from them: zero if there is nothing to go round.
        self._round, self._seen = np.zeros((2, count, 4))
        self._angle = np.zeros(count)  # by which wishes are turned to the right [rad]
        self._step = 0

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now."""
        nothing = np.zeros(4)
        self._round, self._seen = members.of(self._round, nothing), members.of(self._seen, nothing)
        self._angle = members.of(self._angle, 0.0)

    def bent(self, world: WorldState, desire: Float, waypoint: Float, free: Bool) -> Float:
        """Return desired velocities (N, 3) [m/s] that lead round where many come together.

        Args:
            world: Everything there is.
            desire: (N, 3) what members want [m/s].
            waypoint: (N, 3) up to where they go straight on [m].
            free: (N,) who may be led round; of these, those on foot are.
        """
        bodies = world.flock.bodies
        walks = bodies.grounded & (bodies.turn_radius == 0.0)
        scale = 2.0 * float(bodies.radius.max(where=walks, initial=0.0)) / PERSON
        if np.count_nonzero(walks) >= FEWEST:
            self._look(world, desire, waypoint, walks, scale)
        self._step += 1
        if self._step % len(LOOKS) == 0:
            self._round, self._seen = self._seen, np.zeros_like(self._seen)
            _forget_closed(world, self._round, scale)
        if not (self._round[:, 3].any() or self._angle.any()):
            return desire
        angle = _to_turn(world.flock.position, desire, waypoint, self._round)
        angle[~(free & walks)] = 0.0
        self._angle += self._share * (angle - self._angle)
        self._angle[(angle == 0.0) & (self._angle < 1e-3)] = 0.0
        cosine, sine = np.cos(self._angle), np.sin(self._angle)
        found: Float = desire.copy()
        found[:, 0] = cosine * desire[:, 0] + sine * desire[:, 1]
        found[:, 1] = cosine * desire[:, 1] - sine * desire[:, 0]
        return found

    def _look(
        self, world: WorldState, desire: Float, waypoint: Float, walks: Bool, scale: float
    ) -> None:
        """Look once: so far ahead, for crowds of one size."""
        side, time = LOOKS[self._step % len(LOOKS)]
        flock, count = world.flock, len(desire)
        slots = np.full((2, 1 << (2 * count).bit_length()), -1, np.int64)
        sums, met = np.empty((count, 7)), np.empty((count, 4))
        rows, own, first = np.empty((3, count), np.int64)
        cell = np.empty((count, 3), np.int64)
        found, cells = _gather(
            flock.position, desire, waypoint, flock.bodies.cruise_speed, walks, scale, side,
            time, rows, own, cell, slots, sums, first,
        )  # fmt: skip
        if _meet(cell[first[:cells]], scale, side, slots, sums, met):
            _note(rows[:found], own, met, scale, world.chance, self._seen)


@compiled
def _slot(x, y, z, slots):
    """Return where a cell is in a table of keys and numbers, or where it would be, and its key."""
    key = ((x & 0x1FFFFF) << 42) | ((y & 0x1FFFFF) << 21) | (z & 0x1FFFFF)
    last = slots.shape[1] - 1
    mixed = (key ^ (key >> 29)) * 0x1B873593
    at = (mixed ^ (mixed >> 17)) & last
    while slots[0, at] != -1 and slots[0, at] != key:
        at = (at + 1) & last
    return at, key


@compiled
def _gather(
    position, desire, waypoint, cruise, walks, scale, side, time, rows, own, cell, slots, sums,
    first,
):  # fmt: skip
    """Sum up by cell who will be where, and on which course.

    Filled in are of members that go on (N,): their ``rows``, the numbers of their ``own`` cells,
    and these (N, 3); the table ``slots`` of keys and numbers; by these numbers, ``sums`` and the
    ``first`` member of each cell.

    Returns:
        How many members go on, and how many cells there are.
    """
    k = cells = 0
    wide, high = scale * side, scale * STOREY
    for i in range(position.shape[0]):
        far = cruise[i] * time
        x, y, z = desire[i, 0], desire[i, 1], desire[i, 2]
        pace = np.sqrt(x * x + y * y + z * z)
        if not (walks[i] and pace > scale * STANDS):
            continue
        left = 0.0
        for axis in range(3):
            left += (waypoint[i, axis] - position[i, axis]) ** 2
        if far * far > left:
            continue
        x, y, z = x / pace, y / pace, z / pace
        place_x, place_y = position[i, 0] + far * x, position[i, 1] + far * y
        cell[k, 0], cell[k, 1] = int(np.floor(place_x / wide)), int(np.floor(place_y / wide))
        cell[k, 2] = int(np.floor((position[i, 2] + far * z) / high))
        at, key = _slot(cell[k, 0], cell[k, 1], cell[k, 2], slots)
        if slots[0, at] == -1:
            slots[0, at], slots[1, at], first[cells] = key, cells, k
            for column in range(7):
                sums[cells, column] = 0.0
            cells += 1
        own[k], rows[k] = slots[1, at], i
        s = sums[slots[1, at]]
        s[0] += 1.0
        s[1] += place_x
        s[2] += place_y
        s[3] += x
        s[4] += y
        s[5] += x * x
        s[6] += x * y
        k += 1
    return k, cells


@compiled
def _meet(cell, scale, side, slots, sums, met):
    """Note for each cell (C, 3) where many meet round it, how far to keep, and how many they are.

    Zero in the last column of ``met`` (C, 4): none do. Return whether any do.
    """
    do_any = False
    for k in range(cell.shape[0]):
        met[k, 3] = 0.0
        if sums[k, 0] < 2.0:  # most are alone
            continue
        n, x, y, mean_x, mean_y, xx, xy = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for east in range(-1, 2):
            for north in range(-1, 2):
                at, key = _slot(cell[k, 0] + east, cell[k, 1] + north, cell[k, 2], slots)
                if slots[0, at] == key:
                    s = sums[slots[1, at]]
                    n, x, y = n + s[0], x + s[1], y + s[2]
                    mean_x, mean_y, xx, xy = mean_x + s[3], mean_y + s[4], xx + s[5], xy + s[6]
        if n < FEWEST or n < DENSE * (3.0 * side) ** 2:
            continue
        if np.hypot(mean_x, mean_y) > STREAM * n:
            continue
        if 0.5 - np.hypot(xx / n - 0.5, xy / n) < ACROSS:
            continue
        met[k, 0], met[k, 1], met[k, 3] = x / n, y / n, n
        met[k, 2] = scale * np.sqrt(n * LANE * LANE / np.pi + MIDDLE * MIDDLE)
        do_any = True
    return do_any


@compiled
def _note(rows, own, met, scale, chance, seen):
    """Note for each member what it should go round, if that is larger than what it knows."""
    for k in range(rows.shape[0]):
        x, y, outer, n = met[own[k]]
        if n == 0.0:
            continue
        i, keeps = rows[k], outer
        if n * scale * LANE > CROWDED * 2.0 * np.pi * outer:
            least = (scale * MIDDLE) ** 2
            keeps = np.sqrt(least + hashed(chance[i], 0) * (outer * outer - least))
        if keeps > seen[i, 3]:
            seen[i, 0], seen[i, 1], seen[i, 3] = x, y, keeps


def _forget_closed(world: WorldState, around: Float, scale: float) -> None:
    """Forget those middles (N, 4) that cannot be gone round."""
    rows = np.flatnonzero(around[:, 3])
    if len(rows) == 0:
        return
    around[rows, 2] = world.flock.position[rows, 2]
    middle, keeps = around[rows, :3], around[rows, 3]
    is_open = np.ones(len(rows), np.bool_)
    if world.walking is not None:
        beside, axis = scale * BESIDE, (scale * HEIGHTS[0], scale * HEIGHTS[1])
        distance, _, _ = world.walking.nearest(middle, axis, float(keeps.max()) + beside)
        is_open &= distance >= keeps + beside
    if world.surface is not None:
        angle = 2.0 * np.pi * np.arange(CORNERS) / CORNERS
        ring = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(CORNERS)])
        points = middle[:, None] + keeps[:, None, None] * ring
        _, face = world.surface.locate(points.reshape(-1, 3), scale * RISE, scale * RISE)
        is_open &= (face.reshape(-1, CORNERS) >= 0).all(axis=1)
    around[rows[~is_open]] = 0.0


def _to_turn(position: Float, desire: Float, waypoint: Float, around: Float) -> Float:
    """Return by which angle (N,) each wish is to be turned to the right [rad]."""
    angle = np.zeros(len(position))
    rows = np.flatnonzero(around[:, 3])
    middle, keeps, wish = around[rows, :2], around[rows, 3], desire[rows, :2]
    to, beyond = middle - position[rows, :2], waypoint[rows, :2] - middle
    across = wish[:, 0] * to[:, 1] - wish[:, 1] * to[:, 0]
    left = np.arctan2(across, (wish * to).sum(axis=1))  # where it has the middle now
    apart = np.maximum(np.hypot(to[:, 0], to[:, 1]), 1e-9)
    wide = np.arcsin(np.minimum(ABEAM, keeps / apart))  # where it should have it
    turns = (np.hypot(beyond[:, 0], beyond[:, 1]) > keeps) & (np.abs(left) < 0.5 * np.pi)
    angle[rows] = np.where(turns & (left < wide), wide - np.maximum(left, -wide), 0.0)
    return angle
