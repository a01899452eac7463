"""The right of way of vehicles: how far each may go, for whom it waits, and who makes room.

A vehicle claims the next stretch of its route. Of two, the one with the shorter way to go has the
right of way: the other one does not drive into its claim, but goes on if it is in there already,
or if the first waits for it and it comes no nearer to the first, or if it is out of there in time
before the first comes.
No vehicle drives up to a body that is in its way; it passes one that waits for it as near as what
stands. If some wait for one another in a circle, the one with the longest way makes room: round the
others, back the way it came, or aside.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.driving.curve_search import BESIDE
from rmp3d.behaviors.groups.driving.gaps import gaps_between
from rmp3d.behaviors.groups.driving.route import Route
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.compiled import compiled
from rmp3d.geometry.vectors import length

# The gap kept to bodies and claims [m], and how long claims are [m], with a core each so far [m].
GAP, CLAIM, EACH = 0.15, 15.0, 0.4
# Who crosses a claim is out of it by this time before the other comes [s]. It counts on this share
# of its pace and acceleration; how densely its poses are tested [m].
BEFORE, CAREFUL, DENSE = 0.6, 0.7, 0.2
# A vehicle nearer to another than the gap drives if it comes no nearer by more than this [m].
NEARER = 0.005
NOBODY = -1


class Halt(NamedTuple):
    """How far a vehicle may go on its route [m], and for whom it then waits (a row, or -1)."""

    rest: float
    blocker: int


class Onward(NamedTuple):
    """How a vehicle can go on in its present gear.

    Attributes:
        cores: (K, 6) of its body at the poses ahead, the first one where it is.
        stations: (K,) of these [m].
        speed: [m/s].
        pace: How fast it then goes [m/s].
        acceleration: [m/s^2].
    """

    cores: Float
    stations: Float
    speed: float
    pace: float
    acceleration: float

    @classmethod
    def of(cls, route: Route, cores: Float, at: int, flock: Flock, member: int) -> "Onward":
        """Return how a member goes on from a pose of its route; ``cores`` (R, 6) at its poses."""
        bodies = flock.bodies
        ahead = poses_ahead(route.station, at, CLAIM, DENSE)
        ahead = ahead[ahead <= route.piece_end[at]]
        pace = bodies.cruise_speed if route.gear[at] > 0 else bodies.max_reverse_speed
        return cls(
            cores[ahead], route.station[ahead], float(length(flock.velocity[member])),
            CAREFUL * float(pace[member]), CAREFUL * float(bodies.max_acceleration[member]),
        )  # fmt: skip

    def time_to(self, pose: int) -> float:
        """Return in what time [s] it comes to a pose."""
        way = float(self.stations[pose] - self.stations[0])
        rise = max(self.pace**2 - self.speed**2, 0.0) / (2.0 * self.acceleration)
        if way <= rise:
            reached = np.sqrt(self.speed**2 + 2.0 * self.acceleration * way)
            return float((reached - self.speed) / self.acceleration)
        faster = max(self.pace - self.speed, 0.0) / self.acceleration
        return faster + (way - rise) / self.pace


@dataclass(eq=False)
class RightOfWay:
    """What the vehicles of all groups claim, by their rows among all characters.

    Attributes:
        claims: Cores (C, 6) of each vehicle's next stretch, up to where it has to wait.
        wanted: The same as far as it wants to go.
        order: What is still to go [m], and the row: the smallest has the right of way.
        waits: For whom each waits; `NOBODY`: it is held up by none.
        paces: How fast each comes at most [m/s].
        stuck: Those that stand, and have looked for another route in vain: they do not give way.
    """

    claims: dict[int, Float] = field(default_factory=dict)
    wanted: dict[int, Float] = field(default_factory=dict)
    order: dict[int, tuple[float, int]] = field(default_factory=dict)
    waits: dict[int, int] = field(default_factory=dict)
    paces: dict[int, float] = field(default_factory=dict)
    stuck: set[int] = field(default_factory=set)

    def withdraw(self, row: int) -> None:
        """Claim nothing for a vehicle that drives on no route."""
        for known in (self.claims, self.wanted, self.order, self.waits, self.paces):
            known.pop(row, None)
        self.stuck.discard(row)

    def driving(self) -> list[int]:
        """Return the vehicles that drive on, or will when it is their turn."""
        return [row for row in self.claims if row not in self.stuck]

    def goes_before(self, row: int, other: int) -> bool:
        """Return whether ``row`` has the right of way over another vehicle with a claim."""
        return self.order[row] < self.order[other]

    def stop(
        self, row: int, cores: Float, stations: Float, bodies: Float, rows: Index,
        onward: Onward | None = None,
    ) -> Halt:  # fmt: skip
        """Return how far a vehicle may go.

        Args:
            row: Of the vehicle.
            cores: (K, 6) of its body at poses ahead on its route, the first one where it is.
            stations: (K,) of these [m].
            bodies: (P, 6) cores of others nearby, where they come to rest if they brake.
            rows: (P,) of these.
            onward: How it goes on; None: it crosses no claims.
        """
        best, crossings = Halt(np.inf, NOBODY), list[tuple[float, Halt]]()
        if len(rows):
            waits = np.array([self.waits.get(other, NOBODY) == row for other in rows.tolist()])
            kept = np.where(waits, BESIDE, GAP)
            best = _first(hits(gaps_between(cores, bodies), kept), stations, rows)
        for other in sorted(self.claims):
            if other == row or self.goes_before(row, other):
                continue
            claimed = self.claims[other]
            if abs(claimed[0, :2] - cores[0, :2]).max() > 2.0 * CLAIM + stations[-1]:
                continue
            gaps = gaps_between(cores, claimed).min(axis=1)
            if gaps[0] < GAP:
                continue  # in there already
            held = gaps < GAP
            if self.waits.get(other, NOBODY) == row:  # it cannot use its claim before I am gone
                apart = gaps_between(cores, claimed[:1])[:, 0]
                held &= apart < apart[0] - NEARER
            found = _first(held[:, None], stations, np.array([other]))
            if found.rest < best.rest:
                through = self._through(other, onward) if onward else np.inf
                if np.isfinite(through):
                    crossings.append((through, found))
                else:
                    best = found
        for through, found in sorted(crossings, reverse=True):
            if best.rest < through:  # nobody stops in the claim of another
                best = min(best, found)
        return best

    def _through(self, other: int, onward: Onward) -> float:
        """Return how far [m] a vehicle goes until it is out of the claim of another.

        Infinite, if that is not in time before the other comes.
        """
        gaps = gaps_between(onward.cores, self.claims[other])
        inside = np.flatnonzero((gaps < GAP).any(axis=1))
        if len(inside) == 0 or inside[-1] + 1 >= len(gaps):
            return np.inf
        first = int(np.argmax((gaps[inside] < GAP).any(axis=0)))
        comes = first * EACH / max(self.paces.get(other, np.inf), 1e-9)
        out = int(inside[-1]) + 1
        if onward.time_to(out) + BEFORE > comes:
            return np.inf
        return float(onward.stations[out] - onward.stations[0])

    def circle(self, row: int) -> list[int]:
        """Return the vehicles that wait for one another in a circle with ``row``; [] if none."""
        chain, here = [row], self.waits.get(row, NOBODY)
        while here in self.waits and here not in chain:
            chain.append(here)
            here = self.waits[here]
        return chain if here == row else []

    def last_waited_for(self, row: int) -> int:
        """Return the end of the chain of those that wait for the next; in a circle ``row``."""
        seen, here = {row}, self.waits.get(row, NOBODY)
        while self.waits.get(here, NOBODY) != NOBODY:
            if here in seen:
                return row
            seen.add(here)
            here = self.waits[here]
        return here

    def wait_for_others(self, rows: Index) -> Bool:
        """Return which vehicles (P,) have no route, or are held up by somebody without one.

        So are those whose turn comes after one that is held up so.
        """
        ends = [self.last_waited_for(row) for row in rows.tolist()]
        held = [end != NOBODY and end not in self.order for end in ends]
        return np.array(held, np.bool_) | ~np.isin(rows, list(self.order))


def hits(gaps: Float, kept: Float | float = GAP) -> Bool:
    """Return where (K, P) a vehicle comes too near to bodies, by its gaps (K, P) to them [m].

    It may go on where it comes no nearer than at its first pose. The gap ``kept`` [m] may be one
    for each body (P,).
    """
    near: Bool = (gaps < kept) & (gaps < gaps[:1] - NEARER)
    return near


def _first(held: Bool, stations: Float, rows: Index) -> Halt:
    """Return the first stop at poses held up (K, P) by bodies ``rows`` (P,)."""
    at = np.flatnonzero(held.any(axis=1))
    if len(at) == 0:
        return Halt(np.inf, NOBODY)
    first = int(at[0])
    before = stations[max(first - 1, 0)] - stations[0]
    return Halt(float(before), int(rows[int(np.argmax(held[first]))]))


@compiled
def poses_ahead(station, at, far, each):
    """Return poses (K,) of a route from ``at`` on, about ``each`` [m], up to ``far`` [m] on.

    Args:
        station: (R,) of the route's poses [m].
        at: The first one.
        far: [m].
        each: [m].
    """
    here, last = station[at], len(station) - 1
    end = min(here + far, station[last])
    count = max(1, int(np.ceil((end - here) / each)))
    found = np.empty(count + 1, np.intp)
    found[0] = row = at
    size = 1
    for k in range(1, count + 1):
        wanted = here + (end - here) * k / count - 1e-9
        while row < last and station[row] < wanted:
            row += 1
        if row != found[size - 1]:
            found[size] = row
            size += 1
    return found[:size]
