"""Trips: where members come from, where they go, when, and what becomes of them there."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from rmp3d.geometry.arrays import Float, Index
from rmp3d.geometry.errors import InputError

MOST = 100_000  # members of a trip

if TYPE_CHECKING:
    Place: TypeAlias = str | Sequence[float]
else:  # what a file can say
    Place = str | tuple[float, float, float]


class TripError(InputError, ValueError):
    """A trip that cannot be; also a ValueError, to which readers of files add which trip it is."""


@dataclass(frozen=True, kw_only=True)
class Trip:
    """One row of an origin-destination table.

    Attributes:
        start: A region, or a point [m]; empty: that of the group.
        goal: Where it ends: a region, or a point [m].
        via: Regions and points [m] that members go to first, one after another.
        stay: How long members stay at each place of ``via`` [s]; one number counts for all.
        weight: Members at the start that no ``count`` claims are drawn by this share.
        count: So many members at the start take this trip; 0: by ``weight``.
        rate: Members that come later, per second, from ``since`` to ``until``.
        since: Of ``rate`` [s].
        until: Of ``rate`` [s].
        times: When further members come [s], one each.
        at_goal: Whether members ``stay`` at the goal, or ``leave`` the scene there.
    """

    goal: Place
    start: Place = ""
    via: list[Place] = field(default_factory=list)
    stay: float | list[float] = 0.0
    weight: float = 1.0
    count: int = 0
    rate: float = 0.0
    since: float = 0.0
    until: float = 0.0
    times: list[float] = field(default_factory=list)
    at_goal: Literal["stay", "leave"] = "stay"

    def __post_init__(self) -> None:
        for name in ("weight", "count", "rate", "since", "until"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise TripError(f"`{name}`: must be 0 or more, got {getattr(self, name)}")
        if self.rate > 0.0 and self.until <= self.since:
            raise TripError(
                f"`until`: {self.until:g} s; members come from `since` ({self.since:g} s) until a "
                "later time"
            )
        if self.count > MOST:
            raise TripError(f"`count`: {self.count:g} members; at most {MOST:,} begin")
        if self.rate * (self.until - self.since) + len(self.times) + self.count > MOST:
            coming = self.rate * (self.until - self.since) + len(self.times)
            shown = f"{coming:,.0f}" if coming < 1e15 else f"{coming:g}"
            raise TripError(f"`rate`: {shown} members; at most {MOST:,} come")
        if self.at_goal not in ("stay", "leave"):
            raise TripError(f"`at_goal`: must be `stay` or `leave`, got {self.at_goal!r}")
        if isinstance(self.stay, list | tuple) and len(self.stay) != len(self.via):
            raise TripError(
                f"`stay`: {len(self.stay)} times for {len(self.via)} places of `via`; give one "
                "number for all, or one for each"
            )
        if not all(0.0 <= each < np.inf for each in (*self.stays, *self.times)):
            raise TripError("`stay` and `times`: times are 0 s or more")

    @property
    def stays(self) -> tuple[float, ...]:
        """Time [s] at each place of ``via``."""
        if isinstance(self.stay, list | tuple):
            return tuple(self.stay)
        return (self.stay,) * len(self.via)

    @property
    def places(self) -> tuple[Place, ...]:
        """Where it leads, the goal last."""
        return (*self.via, self.goal)

    @property
    def comers(self) -> int:
        """Members that come while it runs."""
        return len(self.times) + round(self.rate * (self.until - self.since))

    @property
    def is_source(self) -> bool:
        """Whether members come later, and so none at the start unless ``count`` says so."""
        return self.comers > 0


@dataclass(frozen=True, eq=False)
class TripSchedule:
    """Who takes which trip, when; members in the order of coming.

    Attributes:
        trip: (n,) row of the trip of each member.
        time: (n,) when each comes [s]; those at the start at 0.
        pace: (n,) speed [m/s] at which each likes to go.
        departure: (n,) when each sets out [s].
    """

    trip: Index
    time: Float
    pace: Float
    departure: Float


def drawn_trips(trips: Sequence[Trip], members: int, rng: np.random.Generator) -> Index:
    """Return the trips (members,) of those at the start, in random order.

    Raises:
        InputError: More are counted than there are members, or fewer and nobody says by what share.
    """
    claimed = np.repeat(np.arange(len(trips)), [trip.count for trip in trips])
    rest = members - len(claimed)
    if rest < 0:
        raise InputError(
            f"`trips`: the `count` of all is {len(claimed)}, and the group has `members = "
            f"{members}`; say `members = {len(claimed)}`"
        )
    weight = np.array([0.0 if trip.count else trip.weight for trip in trips])
    plain = np.array([not trip.is_source for trip in trips])
    if (weight * plain).any():  # sources make members later, if there are other trips
        weight = weight * plain
    if rest and not weight.any():
        raise InputError(
            f"`trips`: the `count` of all is {len(claimed)}, and the group has `members = "
            f"{members}`; say how the others go, by a trip with a `weight`"
        )
    drawn = rng.choice(len(trips), rest, p=weight / weight.sum()) if rest else np.zeros(0, np.intp)
    found: Index = rng.permutation(np.concatenate([claimed, drawn]).astype(np.intp))
    return found


def times_of_coming(trips: Sequence[Trip], rng: np.random.Generator) -> tuple[Index, Float]:
    """Return the trips (n,) and times (n,) [s] of the members that come later, in order of time.

    Those of a rate come as a Poisson process does, given how many come: each at a time of its own,
    uniformly distributed.
    """
    rows, times = [np.zeros(0, np.intp)], [np.zeros(0)]
    for row, trip in enumerate(trips):
        by_rate = trip.comers - len(trip.times)
        drawn = trip.since + (trip.until - trip.since) * rng.random(by_rate)
        rows.append(np.full(trip.comers, row))
        times.append(np.concatenate([np.array(trip.times, float), drawn]))
    trip_of, time = np.concatenate(rows), np.concatenate(times)
    order = np.argsort(time, kind="stable")
    return trip_of[order], time[order]
