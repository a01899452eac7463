"""What the members of a group want in one step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.own_code import given_array, given_object
from rmp3d.geometry.vectors import length

# So many of the next points of a member's route are known to others.
SOON = 3


class Guides(NamedTuple):
    """Where the members of a group that are vehicles are to drive.

    Attributes:
        points: Returns points (G, 3) ahead of a member [m]; the last one is where it goes.
        pace: (n,) [m/s].
        stops: (n,) members that stop at the last point; the others go on there.
        led: Which members drive along them, all or (n,) each; the others are steered.
        course: (n,) angle of the heading at the last point in plan [rad], or of its opposite; nan
            where it may be any, None where all may.
        by_time: Whether a meter backward costs its time, and not what keeps formations in line.
        about: Whether members go about, and so rather drive round than back; with ``by_time``.
    """

    points: Callable[[int], Float]
    pace: Float
    stops: Bool
    led: Bool | bool = True
    course: Float | None = None
    by_time: bool = False
    about: bool = False


class RouteAhead(NamedTuple):
    """Where the members of a group that have routes of their own come soon.

    Attributes:
        points: (n, SOON, 3) next points of each route [m]; rows are filled up with the last.
        pace: (n,) speed at which each likes to go [m/s].
    """

    points: Float
    pace: Float


@dataclass(frozen=True, eq=False)
class Intent:
    """What the members of a group want in one step.

    Attributes:
        subgoal: (n, 3) [m].
        subgoal_velocity: (n, 3) [m/s].
        remaining: (n,) distance still to go [m]; decides which member gives way, and shows
        progress.
        parked: (n,) members that are where they will stay; they give way to others.
        formation: Row in the run's ``formations``, -1 for none.
        guided: Whether traffic rules may change what the members want, for all or (n,) each.
        gear: (n,) of vehicles in a maneuver: 1 ahead, -1 backward; traffic rules leave these
            alone. Zero for all others; None: no member maneuvers.
        in_lane: (n,) members that keep to lanes of a formation, and so do not pass one another;
            None: no member does.
        waypoint: (n, 3) where members are going, where the subgoal runs ahead of them only a
            little [m]; None: the subgoal.
        guides: Along which members that are vehicles drive; None: they are steered.
        route: Where members come soon that have routes of their own; None: they have none.
        lanes: (L, 9) that vehicles ask walkers to leave, see `rmp3d.behaviors.traffic.lanes`; None:
            nobody asks.
    """

    subgoal: Float
    subgoal_velocity: Float
    remaining: Float
    parked: Bool
    formation: int = -1
    guided: bool | Bool = True
    gear: Index | None = None
    in_lane: Bool | None = None
    waypoint: Float | None = None
    guides: Guides | None = None
    route: RouteAhead | None = None
    lanes: Float | None = None

    @classmethod
    def towards(cls, flock: Flock, subgoal: Float, parked: Bool | None = None) -> "Intent":
        """Return the intent of members that go straight to points and stop there.

        Args:
            flock: The n members.
            subgoal: (n, 3) the points [m].
            parked: (n,) members that stay where they are and give way; None: none.
        """
        none = np.zeros(len(flock), np.bool_)
        return cls(
            subgoal,
            np.zeros_like(subgoal),
            length(subgoal - flock.position),
            none if parked is None else parked,
        )

    @property
    def destination(self) -> Float:
        """(n, 3) where members are going [m]."""
        return self.subgoal if self.waypoint is None else self.waypoint

    def to_waypoints(self, flock: Flock) -> Guides:
        """Return guides straight to the waypoints of members that are steered; nobody is led."""
        waypoint = self.destination
        near = length(waypoint - flock.position) <= flock.bodies.half_width
        pace = np.where(near, 0.0, flock.bodies.cruise_speed)
        stops = np.ones(len(flock), np.bool_)
        return Guides(lambda member: waypoint[member, None], pace, stops, ~stops)


class Deciding(Protocol):
    """What decides on what members want; see `GroupRun`."""

    def step(self, flock: Flock, time: float) -> Intent:
        """Return what the members want at a time [s]."""
        ...


def intended(run: Deciding, flock: Flock, time: float) -> Intent:
    """Return what the members of a run want.

    Raises:
        InputError: Its class, which may be a user's own, gives something else.
    """
    intent = given_object(run.step(flock, time), Intent, run, "step")
    given_array(intent.subgoal, (len(flock), 3), run, "step().subgoal")
    return intent


def gears(intents: Sequence[Intent]) -> Index:
    """Return `Intent.gear` (N,) of the members of all groups, one after the other."""
    known = ((np.zeros(len(each.parked), np.intp), each.gear) for each in intents)
    return np.concatenate([nothing if gear is None else gear for nothing, gear in known])


def convoys(intents: Sequence[Intent]) -> Index:
    """Return the group (N,) of each member of all groups that keeps to a lane, -1 for others."""
    kept = ((np.zeros(len(each.parked), np.bool_), each.in_lane) for each in intents)
    return np.concatenate([
        np.where(no if lane is None else lane, row, -1) for row, (no, lane) in enumerate(kept)
    ])  # fmt: skip


def lanes_of(intents: Sequence[Intent]) -> Float | None:
    """Return `Intent.lanes` (L, 9) of all groups, or None."""
    known = [each.lanes for each in intents if each.lanes is not None]
    return np.concatenate(known) if known else None


def ruled(intents: Sequence[Intent]) -> Bool:
    """Return which members of all groups (N,) traffic rules may lead, one after the other."""
    return np.concatenate([np.broadcast_to(each.guided, len(each.parked)) for each in intents])
