"""Where the trips of crowds lead, and which members have been to all places of theirs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rmp3d.errors import RecordingError
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.vectors import length
from rmp3d.recording import RecordingReader
from rmp3d.recording.layout import POSITION_STEP
from rmp3d.scenes import Region, Scene
from rmp3d.verification.blocks import Block
from rmp3d.verification.report import Finding

NEAR = 1.0
"""Around a place that is a point, this is the least distance [m] that counts as there."""
BELOW = 2.0
"""A point may be this far [m] above or below the ground that is meant."""
EARLY = 2
"""A stay may end this many frames early, because a region's border is rounded."""
STRAY = 1.0
"""Who stays at a place may be pushed so far out of it [m]."""

HURRIED = "the member has not stayed at a place of its trip for as long as it should"


@dataclass(frozen=True)
class Destination:
    """A place of a trip: a region, or what is near a point.

    Attributes:
        name: For messages.
        region: None for a point.
        point: (3,) [m].
        near: How far from the point [m].
    """

    name: str
    region: Region | None
    point: Float
    near: float

    def contains(self, position: Float) -> Bool:
        """Return whether positions (..., 3) [m] are there, (...)."""
        if self.region is not None:
            flat = self.region.contains(position.reshape(-1, 3))
            inside: Bool = flat.reshape(position.shape[:-1])
            return inside
        offset = position - self.point
        level = length(offset[..., :2]) <= self.near
        found: Bool = level & (np.abs(offset[..., 2]) <= self.near + BELOW)
        return found

    def widened(self, margin: float) -> "Destination":
        """Return it with so much more room on all sides [m]."""
        region = self.region and self.region.widened(margin)
        return replace(self, region=region, near=self.near + margin)


@dataclass(frozen=True)
class TripPlan:
    """One row of a crowd's table.

    Attributes:
        places: To be gone to in this order, the goal last.
        stays: Time [s] at each place before the goal.
        leaves: Whether members leave at the goal.
    """

    places: tuple[Destination, ...]
    stays: tuple[float, ...]
    leaves: bool


class TripCheck:
    """Follows the members of crowds from place to place, as their trips say.

    Which trip a member takes, the recording notes (``groups/<g>/plan/trip``), in the order of
    coming; further members take these in turn. Older recordings do not: then a member may be at the
    goal of any trip.

    Args:
        recording: Open.
        scene: Of the run.
        radii: (G,) of each group's widest body [m].

    Attributes:
        trip_of: (N,) row of each member's trip; -1: of no crowd, or not known.
        altered: (N,) members of groups of which something was changed while the run went on.
        drawn: (N,) members of crowds that come for sure, at the start or later.

    Raises:
        RecordingError: The trips cannot be read.
    """

    def __init__(self, recording: RecordingReader, scene: Scene, radii: Sequence[float]) -> None:
        header = recording.header
        self._dt = recording.dt
        self._trips: dict[int, tuple[TripPlan, ...]] = {}
        count = header.member_count
        self.trip_of = np.full(count, -1)
        self.drawn = np.zeros(count, np.bool_)
        self._leg = np.zeros(count, np.intp)
        self._ready = np.zeros(count, np.intp)
        self._done = np.full(count, -1)
        self._hurried = np.zeros(count, np.bool_)
        self._group_of, self._life, self._last = (
            header.group_of,
            recording.life,
            recording.frames - 1,
        )
        altered = {event.group for event in recording.events() if event.kind == "change"}
        self.altered = np.isin(header.group_of, sorted(altered))
        self._takers: dict[int, list[Index]] = {}
        self._miscounted: list[str] = []
        for group, table in enumerate(recording.scenario.groups):
            options = table.behavior if isinstance(table.behavior, dict) else {}
            if options.get("name") != "crowd":
                continue
            try:
                plans = tuple(_plans(options["trips"], scene, radii[group]))
                self._trips[group] = plans
                rows = header.plans[group].get("trip")
                if rows is not None and len(rows):
                    rows = np.asarray(rows).astype(np.intp)
                    self._assign(group, rows, len(plans))
                    self._miscounted += _miscounted(options["trips"], rows, table.members)
            except (KeyError, TypeError, ValueError, AttributeError):
                raise RecordingError(
                    f"{recording.path}: damaged: the trips of group {group} cannot be read"
                ) from None

    def __contains__(self, member: int) -> bool:
        """Whether a member is of a crowd."""
        return int(self._group_of[member]) in self._trips

    def note(self, block: Block) -> None:
        """Follow the members through a block."""
        stop = block.motions + 1
        position, there = block.position[:stop], block.there[:stop]
        frame = block.first + np.arange(stop)[:, None]
        for group, plans in self._trips.items():
            for own, plan in zip(self._members_by_trip(group), plans, strict=True):
                for leg, place in enumerate(plan.places):
                    if leg:
                        self._see_stay(own, leg, plan.places[leg - 1], block)
                    here = own[(self._leg[own] == leg) & there[:, own].any(axis=0)]
                    if len(here) == 0:
                        continue
                    counts = there[:, here] & (frame >= self._ready[here])
                    inside = place.contains(position[:, here]) & counts
                    came = inside.any(axis=0)
                    at = block.first + inside.argmax(axis=0)[came]
                    self._leg[here[came]] = leg + 1
                    if leg == len(plan.places) - 1:
                        self._done[here[came]] = at
                    else:
                        self._ready[here[came]] = at + self._frames_of(plan.stays[leg])

    def _see_stay(self, own: Index, leg: int, place: Destination, block: Block) -> None:
        """Note which members are not at a place at the end of the time that they have to stay."""
        ready = self._ready[own]
        due = (self._leg[own] == leg) & (block.first <= ready)
        own = own[due & (ready <= block.first + block.motions)]
        at = self._ready[own] - block.first
        there = block.there[at, own]
        self._hurried[own] |= there & ~place.widened(STRAY).contains(block.position[at, own])

    def _members_by_trip(self, group: int) -> list[Index]:
        """Return the members (k,) that take each trip of a group, in ascending order."""
        if group not in self._takers:
            own = np.flatnonzero((self._group_of == group) & (self.trip_of >= 0))
            own = own[np.argsort(self.trip_of[own], kind="stable")]
            count = len(self._trips[group])
            first = np.searchsorted(self.trip_of[own], np.arange(count + 1))
            self._takers[group] = [own[first[row] : first[row + 1]] for row in range(count)]
        return self._takers[group]

    def fault(self, member: int, near: Float, frame: int, *, leaves: bool = False) -> str:
        """Return what contradicts that a member is at its goal, or an empty text.

        Args:
            member: Of a crowd.
            near: (k, 3) its positions about then [m].
            frame: Of the claim.
            leaves: Whether it is said to leave there.
        """
        row, plans = int(self.trip_of[member]), self._trips[int(self._group_of[member])]
        plan = plans[row] if row >= 0 else None
        possible = plans if plan is None else (plan,)
        goals = [each.places[-1] for each in possible]
        if not any(goal.contains(near).any() for goal in goals):
            return f"the member is not in `{goals[0].name}` then, where its trip ends"
        if leaves and not any(each.leaves for each in possible):
            return "its trip says that members stay at the goal"
        if plan is not None and self._hurried[member]:
            return HURRIED
        if plan is not None and not 0 <= self._done[member] <= frame + 1:
            place = plan.places[min(int(self._leg[member]), len(plan.places) - 1)]
            return f"the member has not been to `{place.name}` by then, or not for long enough"
        return ""

    @property
    def arrived(self) -> Bool:
        """(N,) members of crowds that have been to all places of their trips."""
        return self._known & (self._done >= 0) & ~self._hurried

    @property
    def expected(self) -> Bool:
        """(N,) members that have to arrive: those that are there from the start to the end.

        Those that come later may still be on their way, and count once they have arrived.
        """
        whole = (self._life[:, 0] == 0) & (self._life[:, 1] > self._last)
        return self.arrived | (self._known & whole)

    @property
    def _known(self) -> Bool:
        known: Bool = (self.trip_of >= 0) & ~self.altered
        return known

    def rest(self) -> Iterator[Finding]:
        """Yield the members that had to arrive, and have not."""
        end = self._last * self._dt
        for text in self._miscounted:
            yield Finding("claim", 0.0, 0.0, text=text)
        for member in np.flatnonzero(self.expected & ~self.arrived).tolist():
            plan = self._trips[int(self._group_of[member])][int(self.trip_of[member])]
            leg = min(int(self._leg[member]), len(plan.places) - 1)
            what = "where its trip ends" if leg == len(plan.places) - 1 else "a place of its trip"
            text = f"member {member} has not been to `{plan.places[leg].name}`, {what}"
            if self._hurried[member]:
                text = f"member {member}: {HURRIED}"
            yield Finding("not_arrived", end, end, (member,), None, None, text)

    def _assign(self, group: int, rows: Any, count: int) -> None:
        if rows.ndim != 1 or rows.min() < 0 or rows.max() >= count:
            raise ValueError("rows of trips that there are not")
        own = np.flatnonzero(self._group_of == group)
        self.trip_of[own] = rows[np.arange(len(own)) % len(rows)]
        self.drawn[own[: len(rows)]] = True

    def _frames_of(self, stay: float) -> int:
        return max(int(min(stay, 1e9) / self._dt) - EARLY, 0)


def _plans(trips: Sequence[Mapping[str, Any]], scene: Scene, radius: float) -> Iterator[TripPlan]:
    """Yield the trips of a crowd's table.

    Raises:
        KeyError, TypeError, ValueError: It is none.
    """
    near = max(NEAR, 2.0 * radius)
    for trip in trips:
        via = list(trip.get("via", ()))
        stay = trip.get("stay", 0.0)
        stays = [float(each) for each in (stay if isinstance(stay, list) else [stay] * len(via))]
        if len(stays) != len(via):
            raise ValueError("as many times as places")
        places = [destination(each, scene, near) for each in (*via, trip["goal"])]
        yield TripPlan(tuple(places), tuple(stays), trip.get("at_goal") == "leave")


def _miscounted(trips: Sequence[Mapping[str, Any]], rows: Index, at_start: int) -> Iterator[str]:
    """Yield for which trips the recording draws another number of members than they say.

    Args:
        trips: Of a crowd's table.
        rows: (n,) the trip that each member takes, in the order of coming.
        at_start: How many are there from the beginning.
    """
    begin, come = (np.bincount(part, minlength=len(trips)) for part in np.split(rows, [at_start]))
    for row, trip in enumerate(trips):
        span = float(trip.get("until", 0.0)) - float(trip.get("since", 0.0))
        comers = len(trip.get("times") or ()) + round(float(trip.get("rate", 0.0)) * span)
        count = int(trip.get("count", 0))
        if count and begin[row] != count:
            yield f"{begin[row]} members take trip {row} from the start, and its `count` is {count}"
        if come[row] != comers:
            yield f"{come[row]} members come later by trip {row}, which says {comers}"


def destination(place: Any, scene: Scene, near: float) -> Destination:
    """Return a place of a scenario; a point is as wide as ``near`` [m].

    Raises:
        KeyError, TypeError, ValueError: It is none.
    """
    if isinstance(place, str):
        return Destination(place, scene.region(place).widened(POSITION_STEP), np.zeros(3), 0.0)
    point = np.array(place, np.float64)
    if point.shape != (3,):
        raise ValueError("a point is [x, y, z]")
    shown = ", ".join(f"{x:g}" for x in point)
    return Destination(f"[{shown}]", None, point, near)
