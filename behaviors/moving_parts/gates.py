"""Members wait before what a moving part is about to sweep, and make room where one waits for them.

This only changes what members want. That nobody is touched is the affair of the safety constraint
and of the parts, which wait.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.moving_parts.crossings import Crossing
from rmp3d.behaviors.moving_parts.parts import MovingParts
from rmp3d.behaviors.moving_parts.waiting import held_behind, pace_before_stop
from rmp3d.behaviors.step import GateRules
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length, unit
from rmp3d.planner.spaces import Space

GAP = 0.15
"""Members stop so far [m] before the space that a part is about to sweep."""
WAITS = 0.4
"""Who is this near [m] to that space, and wants to go in, waits; others wait behind it."""
LEAVING = 0.6
"""Share of its largest speed at which a member makes room, or goes back to the entry."""
GOES_ON = 0.25
"""A member that wants to go faster than this share of its largest speed leaves the place where a
part is to appear by itself."""
TURNS = tuple(np.radians([0.0, 90.0, -90.0, 135.0, -135.0]))
"""Angles [rad] to the direction away from a part in which a member tries to leave it, in turn."""
PATIENCE = 2.0
"""Time [s] after which it tries the next one, unless it has come as far as its body is wide; and so
long after it has left the part it begins with the first one again."""
ROUNDING = 1e-9
"""Of that time [s]."""
IN_THE_WAY, TOWARD = 0.3, 0.5
"""Who stands at most so far [m] from one who makes room, within the angle of this cosine to the way
of that one, makes room, too."""
COMES_AWAY = 2.0
"""Who has come so far [m] along it is not held up: nearer, it may go to and fro behind a leaf."""
LED = 10.0
"""Until so long [s] after it was held up a member is led round the leaf of a door."""
NEXT_TO = 1.0
"""A member this near [m] to that space, but past its entry, stands beside it."""
AT_ENTRY = 0.5
"""This near [m] to the entry it does not, nor within the angle of the cosine `FACING` before it."""
FACING = 0.9


@dataclass(frozen=True, eq=False)
class Gate:
    """A crossing on the way of a group.

    Attributes:
        crossing: The crossing.
        group: Row of the group.
        needed: Time [s] that a member needs to pass.
        space: Where members walk, if they come from both sides: who is held up beside the gate goes
            back to the end of the crossing that it sees. None: they follow a path, and who was
            pushed beside it goes back to where that enters.
    """

    crossing: Crossing
    group: int
    needed: float
    space: Space | None = None


class Gates:
    """All gates of a run.

    Args:
        gates: On the ways of the groups.
        parts: The moving parts of the run.

    Attributes:
        group_of: (N,) group of each member; kept up to date by the run.
        further: Asked last; None: nobody rides.
    """

    def __init__(self, gates: Sequence[Gate], parts: MovingParts) -> None:
        self._gates, self._parts = gates, parts
        self._seen: tuple[Flock, list[_Sight]] | None = None
        self.further: GateRules | None = None
        self.group_of: Index = np.zeros(0, np.intp)
        self._leaving: dict[int, _Leaving] = {}
        self._held_up: dict[int, _Leaving] = {}

    def resolve(self, flock: Flock, desire: Float) -> Float:
        """Return changed velocities (N, 3) [m/s]: of those who wait, and who make room."""
        desire = np.array(desire)
        if self._seen is None or self._seen[0] is not flock:  # a step asks twice
            self._seen = flock, self._look(flock)
            self._try_turns(flock)
            self._note_held_up(flock, desire)
        for gate, sight in zip(self._gates, self._seen[1], strict=True):
            rows, members, beside, is_open = sight
            who = _wants(desire[rows], beside) if gate.space is None else self._are_held_up(rows)
            desire[rows] = _back(members, desire[rows], gate, beside, who)
            if not is_open:
                wants = _wants(desire[rows], beside) & beside.outside
                desire[rows] = _held(members, desire[rows], beside)
                waits = wants & (beside.apart < members.bodies.half_width + WAITS)
                desire[rows] = held_behind(members, desire[rows], waits, wants)
        hindering = np.flatnonzero(self._parts.hindering)
        away = self._turned(hindering)
        speed = LEAVING * flock.bodies.max_speed[hindering]
        goes = length(away) > 0.0
        walks = length(desire[hindering]) > GOES_ON * flock.bodies.max_speed[hindering]
        goes &= ~(walks & self._parts.may_go_on[hindering])
        desire[hindering[goes]] = (speed[:, None] * away)[goes]
        behind, way = those_ahead(flock, hindering[goes], away[goes])
        desire[behind] = LEAVING * flock.bodies.max_speed[behind, None] * way
        return desire if self.further is None else self.further.resolve(flock, desire)

    def _try_turns(self, flock: Flock) -> None:
        """Let who hinders a part, and does not come away from it, try another direction.

        Between two parts that wait for it, or a part and a wall, straight away leads nowhere. A
        direction in which it comes on is kept until it has left the part for so long.
        """
        found: dict[int, _Leaving] = {}
        for row in np.flatnonzero(self._parts.hindering).tolist():
            leaving = self._leaving.get(row, _Leaving(flock.position[row]))
            apart = float(length(flock.position[row] - leaving.place))
            if apart > 2.0 * flock.bodies.half_width[row]:
                leaving = _Leaving(flock.position[row], PATIENCE * leaving.turn)
            found[row] = leaving
            leaving.time, leaving.idle = leaving.time + self._parts.dt, 0.0
        for row, leaving in self._leaving.items():  # the part may come on, and meet it again
            if row not in found and leaving.idle < PATIENCE:
                leaving.idle += self._parts.dt
                found[row] = leaving
        self._leaving = found

    def _note_held_up(self, flock: Flock, desire: Float) -> None:
        """Note who stands beside a gate and wants to go in, as behind a leaf that has opened."""
        found: dict[int, _Leaving] = {}
        assert self._seen is not None
        for gate, (rows, members, beside, is_open) in zip(self._gates, self._seen[1], strict=True):
            if gate.space is None:
                continue
            near = beside.outside & (beside.apart < members.bodies.half_width + NEXT_TO)
            wants = _wants(desire[rows], beside)
            for row, goes in zip(rows[near].tolist(), wants[near].tolist(), strict=True):
                here = flock.position[row]
                held = self._held_up.get(row, _Leaving(here) if goes else None)
                led = held is not None and held.time >= PATIENCE
                goes_on = held is not None and (held.time < LED if led else held.idle < PATIENCE)
                if held is None or not goes_on or not (led or is_open):
                    continue
                if not led and float(length(here - held.place)) > COMES_AWAY:
                    held = _Leaving(here)
                held.time += self._parts.dt
                held.idle = 0.0 if goes else held.idle + self._parts.dt
                found[row] = held
        self._held_up = found

    def _are_held_up(self, rows: Index) -> Bool:
        """Return which members have been held up beside a gate for long."""
        held = [self._held_up.get(row) for row in rows.tolist()]
        return np.array([each is not None and each.time >= PATIENCE for each in held], np.bool_)

    def _turned(self, rows: Index) -> Float:
        """Return the directions (n, 3) in which members that hinder a part leave it."""
        away = np.array(self._parts.away[rows])
        for k, row in enumerate(rows.tolist()):
            leaving = self._leaving.get(row)
            angle = 0.0 if leaving is None else leaving.angle
            c, s = np.cos(angle), np.sin(angle)
            away[k, :2] = c * away[k, 0] - s * away[k, 1], s * away[k, 0] + c * away[k, 1]
        return away

    def _look(self, flock: Flock) -> "list[_Sight]":
        """Return what there is to know at each gate."""
        found, groups = [], {gate.group for gate in self._gates}
        rows = {group: np.flatnonzero(self.group_of == group) for group in groups}
        members = {group: flock.select(own) for group, own in rows.items()}
        for gate in self._gates:
            clock = float(self._parts.clock[gate.crossing.column])
            own = members[gate.group]
            beside = _toward(own, gate.crossing.box)
            if self._parts.parts[gate.crossing.column].motion.stands:
                is_open = self._parts.stays_for(gate.crossing.column) >= gate.needed
            else:
                is_open = gate.crossing.is_open(clock, gate.needed)
            found.append(_Sight(rows[gate.group], own, beside, is_open))
        return found


@dataclass(eq=False)
class _Leaving:
    """Where a member (3,) began to leave a part, or was held up, and for how long [s] it has tried.

    For the last so long [s] it did not want to.
    """

    place: Float
    time: float = 0.0
    idle: float = 0.0

    @property
    def turn(self) -> int:
        """Number of the direction that it tries now."""
        return int((self.time + ROUNDING) / PATIENCE)

    @property
    def angle(self) -> float:
        """In which it leaves now, to the direction away from the part [rad]."""
        return float(TURNS[self.turn % len(TURNS)])


class _Beside(NamedTuple):
    """Directions (n, 2) in plan to a box, distances (n,) [m], and who is beside it (n,)."""

    toward: Float
    apart: Float
    outside: Bool


class _Sight(NamedTuple):
    """What there is to know at a gate: whom it concerns, where it is for them; is it open."""

    rows: Index
    members: Flock
    beside: _Beside
    is_open: bool


def those_ahead(flock: Flock, leaving: Index, away: Float) -> tuple[Index, Float]:
    """Return who stands in the way of members that leave a part, and where to they make room.

    And who stands in the way of those, and so on: all go the way (3,) of the first.

    Args:
        flock: All members.
        leaving: (n,) members that leave a part.
        away: (n, 3) unit directions in which they do.
    """
    width, ways = flock.bodies.half_width, dict(zip(leaving.tolist(), away, strict=True))
    front = list(ways)
    while front:
        row = front.pop()
        offset = flock.position - flock.position[row]
        apart = length(offset)
        near = (apart < width + width[row] + IN_THE_WAY) & (apart > 0.0)
        near &= offset @ ways[row] > TOWARD * apart
        for other in np.flatnonzero(near).tolist():
            if other not in ways:
                ways[other] = ways[row]
                front.append(other)
    found = [row for row in ways if row not in set(leaving.tolist())]
    return np.array(found, np.intp), np.array([ways[row] for row in found]).reshape(-1, 3)


def _ends(gate: Gate, flock: Flock, who: Bool) -> tuple[Float, Float]:
    """Return where members enter a gate, and where they leave it again, (n, 3) each [m]."""
    entry, end = (np.tile(each, (len(flock), 1)) for each in gate.crossing.ends)
    if gate.space is not None:
        rows = np.flatnonzero(who)
        rows = rows[~gate.space.connects(flock.position[rows], entry[rows])]
        entry[rows], end[rows] = end[rows], entry[rows]
    return entry, end


def _wants(desire: Float, at: _Beside) -> Bool:
    """Return which members, by their velocities (n, 3) [m/s], want to come nearer to a box."""
    wants: Bool = np.einsum("ij,ij->i", desire[:, :2], at.toward) > 0.0
    return wants


def _back(flock: Flock, desire: Float, gate: Gate, at: _Beside, who: Bool) -> Float:
    """Return velocities (n, 3) [m/s] of those that go back to where they enter a gate, if beside.

    Only from there on is the way free when the gate is open: those who were pushed beside it may
    stand behind the leaf of a door, and would stay there.
    """
    if not who.any():
        return desire
    (entry, end), box = _ends(gate, flock, who), gate.crossing.box
    toward, apart, outside = at
    inward = (np.clip(entry, box[0], box[1]) - entry)[:, :2]
    offset = entry - flock.position
    beside = who & outside & (apart < flock.bodies.half_width + NEXT_TO)
    beside &= np.einsum("ij,ij->i", offset[:, :2], inward) < 0.0
    beside &= length(offset[:, :2]) > AT_ENTRY
    beside &= np.einsum("ij,ij->i", toward, unit(inward)) < FACING
    passed = np.einsum("ij,ij->i", (flock.position - end)[:, :2], (end - entry)[:, :2])
    beside &= passed < 0.0
    speed = LEAVING * flock.bodies.max_speed
    return np.where(beside[:, None], speed[:, None] * unit(offset * [1.0, 1.0, 0.0]), desire)


def held_before(flock: Flock, desire: Float, box: Float) -> Float:
    """Return velocities (n, 3) [m/s] of members that stop before a box (2, 3), unless in it."""
    return _held(flock, desire, _toward(flock, box))


def _held(flock: Flock, desire: Float, beside: _Beside) -> Float:
    """Return velocities (n, 3) [m/s] of members that stop before a box; see `held_before`."""
    toward, apart, outside = beside
    radius = flock.bodies.half_width
    speed = np.einsum("ij,ij->i", flock.velocity[:, :2], toward)
    allowed = pace_before_stop(apart - radius - GAP, speed, flock.bodies.max_brake)
    closing = np.einsum("ij,ij->i", desire[:, :2], toward)
    excess = np.where(outside, np.maximum(closing - allowed, 0.0), 0.0)
    found = np.array(desire)
    found[:, :2] -= excess[:, None] * toward
    return found


def _toward(flock: Flock, box: Float) -> _Beside:
    """Return where a box (2, 3) is for members.

    Who is over or under it, or in it, is not beside it.
    """
    axis, radius = flock.bodies.heights, flock.bodies.half_width
    low, high = flock.position[:, 2] + axis[:, 0], flock.position[:, 2] + axis[:, 1]
    level = (low - radius < box[1, 2]) & (high + radius > box[0, 2])
    nearest = np.clip(flock.position[:, :2], box[0, :2], box[1, :2])
    offset = nearest - flock.position[:, :2]
    apart = length(offset)
    toward = offset / np.maximum(apart, 1e-9)[:, None]
    return _Beside(toward, apart, level & (apart > 0.0))
