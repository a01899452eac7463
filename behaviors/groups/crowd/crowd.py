"""Crowd: members with a start, goals, a pace and a time of their own, over one roadmap."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.groups.crowd.atlas import Atlas, blaming, level_directions
from rmp3d.behaviors.groups.crowd.crowd_run import CrowdRun
from rmp3d.behaviors.groups.crowd.itineraries import NoRouteError
from rmp3d.behaviors.groups.crowd.trips import Trip, drawn_trips, times_of_coming
from rmp3d.behaviors.groups.group_behavior import GROUP_BEHAVIORS, GroupBehavior, GroupRun
from rmp3d.behaviors.groups.party import Party
from rmp3d.behaviors.groups.task import Task, default_spacing
from rmp3d.geometry.arrays import Float
from rmp3d.geometry.errors import InputError
from rmp3d.planner.collision import CollisionWorld

# Members like to go no slower than this share of the mean, and no faster than they can.
SLOWEST = 0.4


@GROUP_BEHAVIORS.register("crowd")
@dataclass(frozen=True)
class Crowd(GroupBehavior):
    """Every member goes on a trip of its own: from its start by its stops to its goal.

    The trips are an origin-destination table. One roadmap serves all members; each takes the
    shortest way over it, and goes on to the next corner when that is in straight sight. Members
    that are there at the start are spread over the trips; those of a `rate` or of `times` come
    later, at the start of their trips, as soon as there is room. At its goal a member stays in a
    place of its own or leaves the scene. A member that a jam has held up for long goes round it if
    that is worth it.

    Attributes:
        trips: Each with ``goal`` and, if wanted, ``start``, ``via``, ``stay``, ``weight``,
            ``count``, ``rate``, ``since``, ``until``, ``times`` and ``at_goal``; see
            `rmp3d.behaviors.groups.crowd.trips.Trip`. In a scenario also the name of a CSV file
            whose columns are called so.
        speed: Mean of the speeds that members like to go at [m/s]; 0: what the character cruises
            at.
        speed_std: Standard deviation of these speeds [m/s].
        departures: Members that are there at the start set out within this time [s], each at a
            time of its own.
        headway: Time gap that members keep to those whom they follow [s], besides 0.36 m; people
            keep about 1.06 s. 0: they come as close as is safe.
        nodes: Of the roadmap; it grows up to four times as large to join the places.
    """

    trips: list[Trip]
    speed: float = 0.0
    speed_std: float = 0.0
    departures: float = 0.0
    headway: float = 0.0
    nodes: int = 400

    needs_goal: ClassVar[bool] = False

    def __post_init__(self) -> None:
        trips = [each if isinstance(each, Trip) else Trip(**each) for each in self.trips]
        object.__setattr__(self, "trips", trips)
        for name in ("speed", "speed_std", "departures", "headway"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise InputError(f"`{name}`: must be 0 or more, got {getattr(self, name)}")
        if not 1 <= self.nodes <= 20_000:
            raise InputError(f"`nodes`: must be from 1 to 20000, got {self.nodes}")
        if not trips:
            raise InputError("`trips`: at least one trip with a `goal`")

    @property
    def comers(self) -> int:
        """Members that come while it runs."""
        return sum(trip.comers for trip in self.trips)

    @classmethod
    def between(cls, start: ArrayLike, goal: ArrayLike, **options: Any) -> "Crowd":
        """Return the crowd of one member for each row of two arrays (n, 3) of points [m]."""
        pairs = np.stack([np.asarray(start, float), np.asarray(goal, float)], axis=1)
        rows = [(tuple(own), tuple(other)) for own, other in pairs.tolist()]
        return cls([Trip(start=own, goal=other, count=1) for own, other in rows], **options)

    def begin(self, task: Task) -> GroupRun:
        """Begin as a crowd of this group alone.

        Where no way leads past parts of the scene that may go, its members wait before them.
        """
        party, world = self.party(task), task.space.world
        try:
            return CrowdRun([party], task.dt).runs[0]
        except NoRouteError:
            if not isinstance(world, CollisionWorld) or not world.shown:
                raise
            shown = world.shown
            world.show(())
            try:
                return CrowdRun([party], task.dt).runs[0]
            finally:
                world.show(shown)

    def party(self, task: Task) -> Party:
        """Return what is known of the members before they move.

        Raises:
            InputError: A place is none, is not free, or has not enough room.
        """
        if task.character.parameters.turn_radius > 0.0:
            raise InputError(
                f"`behavior`: `{task.character.name}` has a turn radius, and members of a `crowd` "
                "turn on the spot; choose `self_guided`"
            )
        atlas = Atlas(task)
        rng, trips = task.rng, self.trips
        at_start = drawn_trips(trips, task.count, rng)
        later, time = times_of_coming(trips, rng)
        trip_of = np.concatenate([at_start, later])
        total, count = len(trip_of), task.count
        width = max(len(trip.places) for trip in trips)
        legs, stays = np.full((len(trips), width), -1), np.zeros((len(trips), width))
        for row, trip in enumerate(trips):
            for leg, place in enumerate(trip.places):
                key = "goal" if leg == len(trip.via) else f"via[{leg}]"
                with blaming(f"trips[{row}].{key}"):
                    legs[row, leg] = atlas.goal(place)
            stays[row, : len(trip.stays)] = trip.stays
        start = atlas.starts([trips[row].start for row in at_start.tolist()], at_start)
        origin, sources = atlas.sources([trip.start if trip.is_source else None for trip in trips])
        waits = np.zeros(total)
        waits[:count] = self.departures * rng.random(count)
        waits[count:] = time
        ends = np.array([atlas.ends[row][0] for row in legs[at_start, 0].tolist()])
        return Party(
            space=task.space, character=task.character, start=start,
            heading=level_directions(ends - start, task.space.grounded), regions=atlas.regions,
            ends=atlas.ends, legs=legs[trip_of], stays=stays[trip_of],
            leaves=np.array([trip.at_goal == "leave" for trip in trips])[trip_of],
            pace=self._paces(task, total), headway=self.headway, departure=waits,
            spacing=default_spacing(task.character),
            rng=rng, time=time, origin=origin[later], sources=sources, nodes=self.nodes,
            trip=trip_of,
        )  # fmt: skip

    def _paces(self, task: Task, count: int) -> Float:
        """Return the speed (count,) at which each member likes to go [m/s], by a normal law."""
        mean = self.speed or task.cruise_speed
        drawn = mean + self.speed_std * task.rng.standard_normal(count)
        return np.clip(drawn, SLOWEST * mean, task.max_speed)
