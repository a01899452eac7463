"""Itineraries: the places that the members of a group go to, one after the other."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.goal_area.places import NoRoomError, anywhere
from rmp3d.behaviors.groups.task import Task, default_spacing
from rmp3d.behaviors.perception import Known
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.registry import unknown_name
from rmp3d.geometry.vectors import length
from rmp3d.planner.errors import PlacementError
from rmp3d.planner.spaces.endpoints import endpoint
from rmp3d.scenes import Region

Order: TypeAlias = Literal["in_turn", "random", "nearest"]
Place: TypeAlias = str | Float

# A region has so many places to stand for each member, where there is room.
PLACES_EACH = 3
# A member as near as this to its own place [m] is there.
THERE = 0.5


class Stop(NamedTuple):
    """One entry of an itinerary: a region or point, or others.

    Attributes:
        name: As stated.
        region: The region, or None.
        places: (K, 3) where members stand [m]; K = 0 for others.
        group: Row of the group, -1 for a region or point.
        member: Number of the member in its group, -1 for the nearest.
    """

    name: str
    region: Region | None
    places: Float
    group: int = -1
    member: int = -1


class Destinations(NamedTuple):
    """Where n members are to go now.

    Attributes:
        point: (n, 3) [m].
        motion: (n, 3) velocity of these points [m/s].
        able: (n,) whether a member knows where that is.
    """

    point: Float
    motion: Float
    able: Bool


# Returns the lengths (K,) [m] of the ways from a point (3,) to places (K, 3).
Distances: TypeAlias = Callable[[Float, Float], Float]


class Itinerary:
    """The stops of a goal, and how far each of n members has come with them.

    Args:
        stated: The stops: names of regions, groups, or members such as ``guards.2``; points (3,).
        task: Of the group.
        order: Whether stops come in turn, each next one at random, or always the nearest one that
            a member has not been to in this round.
        stay: How long a member stays at a stop before it goes on [s].
        near: A member this near to a point, or to another's body, is there [m].
        informed: Whether members know where others are that they do not perceive.

    Attributes:
        there: (n,) whether each member is at its stop.
        since: (n,) since when it is [s]; infinite if it is not.
        visited: (n,) stops that each member has come to since it took up the goal.

    Raises:
        InputError: A stop is nothing that there is, or not free.
    """

    def __init__(
        self,
        stated: Sequence[Place],
        task: Task,
        *,
        order: Order,
        stay: float,
        near: float,
        informed: bool,
        rng: np.random.Generator,
    ) -> None:
        self.stops = [_stop(each, task, rng) for each in stated]
        self._order, self._stay, self._near, self._informed = order, stay, near, informed
        self._rng = rng
        count = task.count
        self._row = np.zeros(count, np.intp)
        if order == "random":
            self._row = rng.integers(len(self.stops), size=count)
        self._undecided = np.full(count, order == "nearest")
        self._done = np.zeros((count, len(self.stops)), np.bool_)  # stops of this round
        self._turn = np.arange(count)  # which of a region's places each member takes
        self._other = np.full(count, -1, np.intp)
        self.there: Bool = np.zeros(count, np.bool_)
        self.since: Float = np.full(count, np.inf)
        self.visited: Float = np.zeros(count)

    def turn_over(self, members: Turnover) -> None:
        """Go on with the members that are there now; newcomers begin as others began."""
        count = len(members)
        first = np.zeros(count, np.intp)
        if self._order == "random":
            first = self._rng.integers(len(self.stops), size=count)
        self._row = members.of(self._row, first)
        self._undecided = members.of(self._undecided, self._order == "nearest")
        self._done = members.of(self._done, False)
        self._turn = members.of(self._turn, np.arange(count))
        self._other = np.full(count, -1, np.intp)
        self.there = members.of(self.there, False)
        self.since = members.of(self.since, np.inf)
        self.visited = members.of(self.visited, 0.0)

    def forget(self, members: Bool) -> None:
        """Count the stops of members (n,) anew, which have taken up or left the goal."""
        self.visited[members], self.there[members], self.since[members] = 0.0, False, np.inf

    def decide(
        self, world: WorldState, rows: Index, flock: Flock, known: Known, going: Bool,
        distances: Distances,
    ) -> None:  # fmt: skip
        """Let the ``going`` members (n,) that look for their next stop choose the nearest one.

        Args:
            world: Everything.
            rows: (n,) rows of the members in its flock.
            flock: The n members.
            known: What they know of others.
            going: (n,) members that pursue the goal.
            distances: How far it is from a member to places.
        """
        choosing = np.flatnonzero(going & self._undecided)
        if len(choosing) == 0:
            return
        places = np.full((len(rows), len(self.stops), 3), np.nan)
        for number, stop in enumerate(self.stops):
            if stop.group < 0:
                places[:, number] = stop.places[self._turn % len(stop.places)]
            else:
                where, _, other = self._found(stop, world, rows, flock, known)
                places[:, number] = np.where((other >= 0)[:, None], where, np.nan)
        for member in choosing.tolist():
            far = np.full(len(self.stops), np.inf)
            able = ~np.isnan(places[member, :, 0])
            if able.any():
                far[able] = distances(flock.position[member], places[member, able])
            far[self._done[member]] = np.inf
            # Of places without a way, the first that is left: a member waits for it.
            left = np.flatnonzero(~self._done[member])
            best = int(np.argmin(far))
            self._row[member] = best if np.isfinite(far[best]) else int(left[0])
            self._undecided[member] = False

    def destinations(
        self, world: WorldState, rows: Index, flock: Flock, known: Known
    ) -> Destinations:
        """Return where the members, which are ``rows`` of the world's flock, are to go now."""
        point, motion = flock.position.copy(), np.zeros_like(flock.position)
        able = np.zeros(len(rows), np.bool_)
        self._other[:] = -1
        for number, stop in enumerate(self.stops):
            here = self._row == number
            if stop.group < 0:
                point[here] = stop.places[self._turn[here] % len(stop.places)]
                able |= here
                continue
            where, velocity, other = self._found(stop, world, rows, flock, known)
            good = here & (other >= 0)
            point[good], motion[good] = where[good], velocity[good]
            self._other[good] = other[good]
            able |= good
        return Destinations(point, motion, able)

    def arrive(self, world: WorldState, rows: Index, flock: Flock, going: Bool) -> None:
        """Note which of the ``going`` (n,) members are at their stops; let those go on that may."""
        time = world.time
        there = np.zeros(len(rows), np.bool_)
        for number, stop in enumerate(self.stops):
            here = going & (self._row == number)
            there |= here & self._is_at(stop, world, rows, flock)
        new = there & ~self.there
        self.visited += new
        self.since = np.where(there, np.where(new, time, self.since), np.inf)
        self.there = there
        done = there & (time - self.since >= self._stay - 1e-9)
        several = len(self.stops) > 1
        if not several and self._order == "in_turn":
            return
        for member in np.flatnonzero(done).tolist():
            self._turn[member] += len(rows)
            self.there[member], self.since[member] = False, np.inf
            if several and self._order == "nearest":
                self._leave(member)
            elif several:
                self._row[member] = self._following(int(self._row[member]))

    def _leave(self, member: int) -> None:
        """Let a member look for its next stop: of all others, where it has been to each."""
        here = int(self._row[member])
        self._done[member, here] = True
        if self._done[member].all():
            self._done[member] = False
            self._done[member, here] = True
        self._undecided[member] = True

    def _following(self, row: int) -> int:
        count = len(self.stops)
        if self._order == "in_turn":
            return (row + 1) % count
        return int((row + 1 + self._rng.integers(count - 1)) % count)

    def _is_at(self, stop: Stop, world: WorldState, rows: Index, flock: Flock) -> Bool:
        if stop.group >= 0:
            other = np.maximum(self._other, 0)
            apart = length(world.middle[rows] - world.middle[other])
            gap = apart - flock.bodies.radius - world.flock.bodies.radius[other]
            return (self._other >= 0) & (gap <= self._near)
        own = stop.places[self._turn % len(stop.places)]
        apart = length(flock.position - own)
        if stop.region is None:
            return apart <= max(self._near, THERE)
        # In a region with others before one's own place, the region is enough.
        at_rest = length(flock.velocity) < 0.2 * flock.bodies.cruise_speed
        inside: Bool = stop.region.contains(flock.position)
        return inside & ((apart <= THERE) | at_rest | self.there)

    def _found(
        self, stop: Stop, world: WorldState, rows: Index, flock: Flock, known: Known
    ) -> tuple[Float, Float, Index]:
        """Return where the one that a stop is about is for each member, as far as that is known.

        Positions (n, 3) [m], velocities (n, 3) [m/s], and rows (n,) of the flock; -1 for nobody.
        """
        among = world.group_of == stop.group
        if stop.member >= 0:
            among &= world.number == stop.member
        others = np.flatnonzero(among)
        if len(others) == 0:
            return flock.position, flock.velocity, np.full(len(rows), -1, np.intp)
        if self._informed:
            apart = length(world.flock.position[others][None] - flock.position[:, None])
            apart[others[None] == rows[:, None]] = np.inf
            best = np.argmin(apart, axis=1)
            found = np.isfinite(apart[np.arange(len(rows)), best])
            other = others[best]
            return (
                world.flock.position[other],
                world.flock.velocity[other],
                np.where(found, other, -1),
            )
        pair = known.nearest(among, flock.position)
        if not (pair >= 0).any():
            return flock.position, flock.velocity, pair
        # What has gone out of sight is looked for where it was seen last.
        motion = np.where((known.age[pair] > 0.0)[:, None], 0.0, known.velocity[pair])
        return known.position[pair], motion, np.where(pair >= 0, known.j[pair], -1)


def way_values(
    itineraries: Sequence[Itinerary | None], pursued: Index, left: Float, time: float
) -> dict[str, Float]:
    """Return the state variables (n,) that are about the ways of the goals that are pursued.

    Args:
        itineraries: Of each goal.
        pursued: (n,) goal of each member, -1 for none.
        left: (n,) length of the way to its place [m]; infinite without one.
        time: Now [s].
    """
    there, since, visited = np.zeros_like(left), np.full_like(left, np.inf), np.zeros_like(left)
    for row, itinerary in enumerate(itineraries):
        mine = pursued == row
        if itinerary is not None and mine.any():
            there[mine], since[mine] = itinerary.there[mine], itinerary.since[mine]
            visited[mine] = itinerary.visited[mine]
    return {
        "path_distance": left,
        "at_place": there,
        "place_time": np.maximum(time - since, 0.0),
        "places_visited": visited,
    }


def stated_stops(go_to: object) -> list[Place]:
    """Return the stops that a key ``go_to`` states: one, or a list.

    Raises:
        InputError: It is neither a name, nor a point, nor a list of these.
    """
    several = list(go_to) if isinstance(go_to, list | tuple) else [go_to]
    if _is_point(several):
        several = [several]
    if not several:
        raise InputError("`go_to` must have at least one place")
    stops: list[Place] = []
    for each in several:
        if isinstance(each, str):
            stops.append(each)
        elif isinstance(each, list | tuple | np.ndarray) and _is_point(each):
            stops.append(np.array(each, np.float64))
        else:
            raise InputError(
                "`go_to` must be a region, a group, a member such as `guards.0`, a point "
                f"[x, y, z], or a list of these, got {each!r}"
            )
    return stops


def _is_point(value: Sequence[object] | Float) -> bool:
    numbers = [isinstance(x, int | float) and not isinstance(x, bool) for x in value]
    return len(numbers) == 3 and all(numbers) and bool(np.isfinite(np.array(value, float)).all())


def _stop(stated: Place, task: Task, rng: np.random.Generator) -> Stop:
    space, regions = task.space, task.space.world.scene.regions
    if not isinstance(stated, str):
        try:
            return Stop(str(np.round(stated, 2).tolist()), None, space.place(stated)[None, :3])
        except PlacementError as fault:
            raise InputError(
                f"`go_to`: the point {np.round(stated, 3).tolist()} is {fault}"
            ) from None
    if stated in task.groups:
        return Stop(stated, None, np.zeros((0, 3)), list(task.groups).index(stated))
    group, dot, number = stated.rpartition(".")
    if dot and group in task.groups and number.isdigit():
        row = list(task.groups).index(group)
        most = task.counts[row]
        if int(number) >= most:
            raise InputError(
                f"`go_to`: `{stated}`: members of `{group}` are counted from 0 to {most - 1}"
            )
        return Stop(stated, None, np.zeros((0, 3)), row, int(number))
    if stated not in regions:
        problem = unknown_name("region or group", stated, [*regions, *task.groups])
        raise InputError(f"`go_to`: {problem}")
    return Stop(stated, regions[stated], _standing_places(task, regions[stated], rng))


def _standing_places(task: Task, region: Region, rng: np.random.Generator) -> Float:
    """Return places (K, 3) of a region, as many as members and more where there is room."""
    spacing = default_spacing(task.character)
    for count in (PLACES_EACH * task.count, task.count):
        try:
            return anywhere(task.space, region, count, spacing, rng)
        except NoRoomError:
            continue
    try:
        return endpoint(task.space, region, "goal")[None, :3]
    except PlacementError as fault:
        raise InputError(f"`go_to`: {fault}") from None
