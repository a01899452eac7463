"""Reversing: a vehicle that is wedged backs up and drives on; the memory of its maneuvers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.driving.maneuvers import STEP, Maneuver, find_maneuver, find_retreat
from rmp3d.behaviors.steering_behavior import RESPONSE_TIME
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length
from rmp3d.planner.spaces import Space

# A vehicle that wants to move and is slower than this [m/s] for this time [s] is wedged; or for the
# second time, if another character stands before it, which may be about to go on.
STANDS, WEDGED_AFTER, WAITS = 0.05, 0.8, 3.0
# A character nearer than this [m] to the body, and not behind it, stands before it.
BEFORE = 0.6
# A vehicle that is held up in a maneuver for this time [s], or finds none, searches again after
# the second time [s].
HELD_UP, AGAIN = 1.5, 1.5
# Maneuvers are planned on turns wider than the tightest by this factor, so that the vehicle can
# correct its course, and driven no faster than this [m/s].
WIDER, PACE = 1.1, 1.5
# Deceleration before the end of a motion backward [m/s^2], and the slowest pace [m/s].
EASE, SLOWEST = 0.5, 0.15
# How far ahead a vehicle aims: what it drives in this time [s], and at least [m].
LOOK, LEAST_LOOK = 2.0 * RESPONSE_TIME, 0.3
# Margin to characters that stand [m].
BESIDE = 0.1


@dataclass(eq=False)
class Reversing:
    """What n vehicles of a group remember of their maneuvers.

    Attributes:
        make_space: Makes the space where they drive, when the first one maneuvers.
        dt: Time step [s].
        maneuvers: Of each vehicle that maneuvers.
        began: How many maneuvers there were.
    """

    make_space: Callable[[], Space]
    count: int
    dt: float
    maneuvers: dict[int, Maneuver] = field(default_factory=dict)
    began: int = 0
    _at: dict[int, int] = field(default_factory=dict)
    _waits: dict[int, float] = field(default_factory=dict)
    _still: Float = field(init=False)
    _pause: Float = field(init=False)
    _hold: Float = field(init=False)

    def __post_init__(self) -> None:
        self._still, self._pause = np.zeros(self.count), np.zeros(self.count)
        self._hold = np.zeros(self.count)

    @cached_property
    def space(self) -> Space:
        """Where they drive."""
        return self.make_space()

    def turn_over(self, members: Turnover) -> None:
        """Go on with the vehicles that are there now, and their maneuvers."""
        now = members.rows(np.arange(self.count)).tolist()
        self.count = len(members)
        self.maneuvers = {now[k]: v for k, v in self.maneuvers.items() if now[k] >= 0}
        self._at = {now[k]: v for k, v in self._at.items() if now[k] >= 0}
        self._waits = {now[k]: v for k, v in self._waits.items() if now[k] >= 0}
        self._still = members.of(self._still, 0.0)
        self._pause, self._hold = members.of(self._pause, 0.0), members.of(self._hold, 0.0)

    def step(
        self, flock: Flock, wants: Bool, ends: Callable[[int], Float], remaining: Float,
        crowd: Flock,
    ) -> tuple[Index, Float]:  # fmt: skip
        """Return gears (n,), 0 without a maneuver, and the velocities (n, 3) [m/s] of those in one.

        Args:
            flock: The vehicles.
            wants: (n,) vehicles that want to move on.
            ends: The poses (E, 3) in plan that a vehicle may drive on from.
            remaining: (n,) distance to go [m]: of vehicles that make room, the nearest to its
            goal goes on first.
            crowd: All characters, the vehicles among them.
        """
        self._watch(flock, wants, ends, remaining, crowd)
        gear, velocity = (self._hold > 0.0).astype(np.intp), np.zeros((self.count, 3))
        self._hold = np.maximum(self._hold - self.dt, 0.0)
        for member in sorted(self.maneuvers):
            found = self._followed(member, flock)
            if found is None:
                self._forget(member)
            else:
                gear[member], velocity[member] = found
        return gear, velocity

    def _watch(
        self, flock: Flock, wants: Bool, ends: Callable[[int], Float], remaining: Float,
        crowd: Flock,
    ) -> None:  # fmt: skip
        """Begin and give up maneuvers; at most one begins in a step, as the search costs time."""
        stands = length(flock.velocity) < STANDS
        active = np.isin(np.arange(self.count), list(self.maneuvers))
        self._still = np.where(
            stands & (wants | active) & (self._hold == 0.0), self._still + self.dt, 0.0
        )
        self._pause = np.maximum(self._pause - self.dt, 0.0)
        for member in np.flatnonzero(active & (self._still > HELD_UP)).tolist():
            self._forget(member)
            self._pause[member] = AGAIN
        due = (self._still > WEDGED_AFTER) & (self._pause == 0.0) & ~active
        due &= (flock.bodies.max_reverse_speed > 0.0) & ~flock.bodies.pivots
        for member in np.flatnonzero(due).tolist():
            if self._still[member] < WAITS and _is_before(flock, member, crowd):
                continue
            before = int((wants & (remaining < remaining[member])).sum())
            self._begin(member, flock, ends(member), before, crowd)
            break

    def _begin(self, member: int, flock: Flock, ends: Float, before: int, crowd: Flock) -> None:
        """Find a maneuver to one of the ends; if there is none, make room for those ``before``."""
        self._still[member], self._pause[member] = 0.0, AGAIN
        heading = flock.heading[member]
        here = self.space, flock.position[member], float(np.arctan2(heading[1], heading[0]))
        radius, standing = (
            WIDER * float(flock.bodies.turn_radius[member]),
            _standing(flock, member, crowd),
        )
        retreats = False
        maneuver = find_maneuver(*here, ends, radius, standing)
        if maneuver is None:
            maneuver = find_retreat(*here, radius, standing)
            retreats = maneuver is not None
        if maneuver is not None:
            self.maneuvers[member], self._at[member] = maneuver, 0
            self.began += 1
            if retreats:
                self._waits[member] = AGAIN * (1.0 + before)

    def _forget(self, member: int) -> None:
        del self.maneuvers[member], self._at[member]
        self._hold[member] = self._waits.pop(member, 0.0)
        self._still[member] = 0.0

    def _followed(self, member: int, flock: Flock) -> tuple[int, Float] | None:
        """Return gear and velocity (3,) [m/s] in the maneuver; None at its end (pure pursuit)."""
        maneuver, at = self.maneuvers[member], self._at[member]
        position, speed = flock.position[member], float(length(flock.velocity[member]))
        last = _last_of_piece(maneuver, at)
        near = slice(at, min(at + 8, last + 1))
        at += int(np.argmin(length((maneuver.point[near] - position)[:, :2])))
        if at == last:
            if last == len(maneuver.point) - 1:
                return None
            at += 1
            last = _last_of_piece(maneuver, at)
        self._at[member] = at
        gear = int(maneuver.gear[at])
        ahead = max(LEAST_LOOK, LOOK * speed)
        aim = min(at + round(ahead / STEP), last)
        beyond = ahead - (aim - at) * STEP
        course = np.array([np.cos(maneuver.course[aim]), np.sin(maneuver.course[aim])])
        offset = maneuver.point[aim, :2] + beyond * course - position[:2]
        pace = PACE
        if gear < 0:
            rest = (last - at) * STEP
            pace = min(
                float(flock.bodies.max_reverse_speed[member]),
                max(np.sqrt(2.0 * EASE * rest), SLOWEST),
            )
        size = float(np.hypot(*offset))
        return gear, np.array([*(pace / max(size, 1e-9) * offset), 0.0])


def _last_of_piece(maneuver: Maneuver, at: int) -> int:
    """Return the last sample that is driven in the gear of sample ``at``."""
    other = np.flatnonzero(maneuver.gear[at:] != maneuver.gear[at])
    return at + int(other[0]) - 1 if len(other) else len(maneuver.gear) - 1


def _others(flock: Flock, member: int, crowd: Flock) -> tuple[Float, Float, Index]:
    """Return offsets (P, 3) to others on the member's level, the sums of the radii, and rows."""
    offset = crowd.position - flock.position[member]
    rows = np.flatnonzero((length(offset) > 1e-9) & (np.abs(offset[:, 2]) < 2.0))
    return offset[rows], crowd.bodies.radius[rows] + flock.bodies.radius[member], rows


def _is_before(flock: Flock, member: int, crowd: Flock) -> bool:
    """Return whether a character stands before a member."""
    offset, apart, _ = _others(flock, member, crowd)
    ahead = offset @ flock.heading[member] > 0.0
    return bool((ahead & (length(offset[:, :2]) < apart + BEFORE)).any())


def _standing(flock: Flock, member: int, crowd: Flock) -> Float:
    """Return the characters that stand (P, 3): x, y, and how near the member may come [m]."""
    offset, apart, rows = _others(flock, member, crowd)
    slow = (length(crowd.velocity[rows]) < 4.0 * STANDS) & (length(offset) < 20.0)
    at = crowd.position[rows[slow], :2]
    return np.column_stack([at, apart[slow] + BESIDE])
