"""Itineraries: where all members of a crowd go one after another, and how they get there."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rmp3d.behaviors.groups.crowd.goal_regions import GoalRegions, HeldPlaces
from rmp3d.behaviors.groups.crowd.routes import SharedRoutes, Ways
from rmp3d.behaviors.groups.goal_area.places import NoRoomError, places_in
from rmp3d.behaviors.groups.guided.roadmap_routes import Entries, covering_roadmap, grown_around
from rmp3d.behaviors.groups.party import Party
from rmp3d.behaviors.groups.task import default_spacing
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.planner.roadmap.gaps import with_gaps
from rmp3d.planner.roadmap.roadmap import Roadmap
from rmp3d.scenes import Region

# A region where members only stop has room for so many at a time, if they fit.
AT_A_STOP = 40
# Points of a path that was planned are so far apart at most [m].
SIGHT = 4.0
# So many places are made sure to be joined by the roadmap.
JOINED = 64
# Around places without a way it gets nodes within these distances [m], one after the other.
GROWS = (2.0, 4.0, 8.0)


class NoRouteError(InputError):
    """No way leads from where a member is to where it is to go."""


class TripStage(NamedTuple):
    """What n members are at on their trips.

    Attributes:
        region: (n,) row of the region that each is going to.
        is_last: (n,) whether it is the last one.
        stay: (n,) how long each stays there [s].
        leaves: (n,) whether each leaves the scene there.
        pace: (n,) speed at which each goes [m/s].
    """

    region: Index
    is_last: Bool
    stay: Float
    leaves: Bool
    pace: Float


class Itineraries:
    """The trips of all members that are there or come, in tables by number.

    Args:
        parties: Of the groups.

    Attributes:
        plan: The roadmap, for recordings.
        pace: (T,) speed at which each goes [m/s].
        departure: (T,) when each sets out [s].
        leaves: (T,) whether each leaves the scene at the end.
    """

    def __init__(self, parties: Sequence[Party]) -> None:
        self._parties = parties
        self._first = np.cumsum([0, *(len(party.legs) for party in parties)])
        self.pace = np.concatenate([party.pace for party in parties])
        self.departure = np.concatenate([party.departure for party in parties])
        self.leaves = np.concatenate([party.leaves for party in parties])
        self._regions, renamed = _joined_regions(parties)
        width = max(party.legs.shape[1] for party in parties)
        self._legs = np.concatenate([
            _widened(np.where(party.legs >= 0, new[party.legs], -1), width, -1)
            for party, new in zip(parties, renamed, strict=True)
        ])  # fmt: skip
        self._stays = np.concatenate([_widened(party.stays, width, 0.0) for party in parties])
        self._length = (self._legs >= 0).sum(axis=1)
        self._came = np.zeros(len(parties), np.intp)
        self._stayers = self._expected()
        self._lay_out_shared()
        self._ends: dict[int, Entries] = {}
        self.roadmap = self._made_roadmap()

    @property
    def roadmap(self) -> Roadmap:
        """Over which the members find their ways."""
        return self._roadmap

    @roadmap.setter
    def roadmap(self, roadmap: Roadmap) -> None:
        self._roadmap, self._routes, self._ends = roadmap, SharedRoutes(roadmap), {}

    @property
    def plan(self) -> Mapping[str, Float | Index]:
        """Nodes (V, 3) [m], edges (E, 2) and attempts of the roadmap."""
        return {
            "nodes": self._routes.nodes.astype(np.float32),
            "edges": self._routes.edges.astype(np.int32),
            "attempts": np.array([len(self._routes.nodes)]),
        }

    def row(self, party: Index, number: Index) -> Index:
        """Return the rows (n,) of members by party and number in it.

        Members that nobody expected go as earlier ones of their party did, in turn.
        """
        size = np.diff(self._first)
        rows: Index = self._first[party] + number % size[party]
        return rows

    def destination(self, who: Index, leg: Index) -> Index:
        """Return the region (n,) that members are going to."""
        found: Index = self._legs[who, leg]
        return found

    def stage(self, who: Index, leg: Index) -> TripStage:
        """Return what members (n,) are at on a part (n,) of their trips."""
        last, stay = leg == self._length[who] - 1, self._stays[who, leg]
        return TripStage(self._legs[who, leg], last, stay, self.leaves[who] & last, self.pace[who])

    def inside(self, destination: Index, position: Float) -> Bool:
        """Return which positions (n, 3) [m] are in the regions (n,)."""
        return self._regions.inside(destination, position)

    def places(self, region: int) -> HeldPlaces:
        """Return the places in a region."""
        if region not in self._regions.places:
            self._lay_out(region, must=False)
        return self._regions.places[region]

    def release(self, region: Index, place: Index) -> None:
        """Free the places (m,) that members held in regions (m,)."""
        for row, held in zip(region.tolist(), place.tolist(), strict=True):
            self._regions.places[row].release(np.array([held]))

    def let_go(self, own: Turnover, region: Index, place: Index) -> None:
        """Free the places (n,) of members that leave; the others hold theirs by new rows."""
        stays = np.zeros(own.count_before, np.bool_)
        stays[own.before[~own.new]] = True
        gone = np.flatnonzero(~stays & (place >= 0))
        self.release(region[gone], place[gone])
        for held in self._regions.places.values():
            held.holder = own.rows(held.holder)

    def check_room(self, who: Index) -> None:
        """Refuse members (n,) that there are to be if their goals have no room for all.

        Raises:
            NoRoomError: Names the first region that is too small.
        """
        stay = who[~self.leaves[who]]
        last = self._legs[stay, self._length[stay] - 1]
        for region, count in zip(*np.unique(last, return_counts=True), strict=True):
            room = len(self.places(int(region)).points)
            if count > room:
                radius = self._parties[0].space.world.body.radius
                raise NoRoomError(self._regions.regions[int(region)], room, int(count), radius)

    def all_came(self, party: int) -> bool:
        """Return whether no member of a party is still to come."""
        return bool(self._came[party] == len(self._parties[party].time))

    def due(self, time: float) -> list[tuple[int, Float]]:
        """Return parties of which the next member is due, and where it may begin (K, 3) [m]."""
        found = []
        for row, party in enumerate(self._parties):
            after = int(self._came[row])
            if after < len(party.time) and party.time[after] <= time + 1e-9:
                found.append((row, party.sources[int(party.origin[after])]))
        return found

    def came(self, party: int, time: float) -> None:
        """Note that the next member of a party has come, and sets out now."""
        row = self._first[party] + len(self._parties[party].start) + self._came[party]
        self.departure[row] = time
        self._came[party] += 1

    @property
    def has_sources(self) -> bool:
        """Whether members come while it runs."""
        return any(len(party.time) for party in self._parties)

    def first_routes(self, start: Float, who: Index) -> list[Float]:
        """Return the first route (K, 3) [m] of each member at the start (n, 3).

        Raises:
            NoRouteError: One has none.
        """
        given: list[Float | None] = []
        for party in self._parties:
            given += party.routes or [None] * len(party.start)
        open_ = np.array([row for row, route in enumerate(given) if route is None], np.intp)
        found = self._joined_routes(start[open_], self._legs[who[open_], 0])
        # All at once, not a few whenever somebody looks for a way.
        self._enter(self._routes, self._ends, np.unique(self._legs[self._legs >= 0]).tolist())
        for member, route in zip(open_.tolist(), found, strict=True):
            given[member] = self._own_path(int(who[member])) if route is None else route
        for member, route in enumerate(given):
            if route is None:
                name = self._regions.regions[int(self._legs[who[member], 0])].name
                where = np.round(start[member], 2).tolist()
                raise NoRouteError(f"no way leads from {where} to `{name}`{self._why()}")
        self._check_later_legs()
        return [route for route in given if route is not None]

    def _joined_routes(self, start: Float, region: Index) -> list[Float | None]:
        """Return routes (K, 3) [m] as `routes` does; the roadmap grows where there is none."""
        found = self.routes(start, region)
        for reach in GROWS:
            lost = [row for row, route in enumerate(found) if route is None]
            if not lost:
                break
            ends = [self._regions.ends[row][:1] for row in np.unique(region[lost]).tolist()]
            places = np.unique(np.concatenate([start[lost], *ends]), axis=0)
            rng = self._parties[0].rng
            self.roadmap = grown_around(self.roadmap, places, reach, rng)
            for row, route in zip(lost, self.routes(start[lost], region[lost]), strict=True):
                found[row] = route
        return found

    def _own_path(self, who: int) -> Float | None:
        """Return the path (K, 3) [m] that was planned for the party of a member, or None."""
        party = self._parties[int(np.searchsorted(self._first, who, side="right")) - 1]
        return None if party.path is None else party.path.subgoals(SIGHT, party.space)

    def routes(self, position: Float, region: Index) -> list[Float | None]:
        """Return routes (K, 3) [m] from positions (m, 3) to regions (m,); None where there is none.

        Where a route may end at several points of a region, it is the nearest.
        """
        return self._routes_over(self._routes, self._ends, position, region)

    def some_ways(self, count: int) -> list[Float]:
        """Return the ways (K, 3) [m] of up to so many members to where they go first."""
        every = len(self._legs)
        chosen = np.unique(np.linspace(0, every - 1, min(count, every)).astype(np.intp))
        start = np.array([self._beginning(row) for row in chosen.tolist()])
        routes = self.routes(start, self._legs[chosen, 0])
        ways = zip(start, routes, strict=True)
        return [np.concatenate([own[None], way]) for own, way in ways if way is not None]

    def _beginning(self, who: int) -> Float:
        """Return where a member begins (3,) [m], or one of the places where it may."""
        number = int(np.searchsorted(self._first, who, side="right")) - 1
        party, row = self._parties[number], who - int(self._first[number])
        comes = row - len(party.start)
        start: Float = party.start[row] if comes < 0 else party.sources[party.origin[comes]][0]
        return start

    def way_to_place(self, region: int, place: int, position: Float) -> Float:
        """Return subgoals (K, 3) from (3,) to a place in a region [m].

        Who was pushed to where no place is in sight goes by the roadmap.
        """
        held = self.places(region)
        route = held.route(place, position)
        if self._parties[0].space.connects(position[None], route[:1])[0]:
            return route
        around = self.routes(position[None], np.array([region]))[0]
        if around is None:
            return route
        return np.concatenate([around, held.route(place, around[-1])])

    def routes_past(self, crowd: Float, position: Float, region: Index) -> list[Float | None]:
        """Return such routes that avoid members of a crowd (c, 3) [m] where that is worth it."""
        return self._routes_over(self._routes.past(crowd), {}, position, region)

    def _routes_over(
        self, over: SharedRoutes, known: dict[int, Entries], position: Float, region: Index
    ) -> list[Float | None]:
        if len(position) == 0:
            return []
        self._enter(over, known, np.unique(region).tolist())
        start = over.entries(position)
        most = max(len(self._regions.ends[row]) for row in np.unique(region).tolist())
        best: Ways | None = None
        end = np.zeros_like(position)
        for choice in range(most):
            rows = [(row, min(choice, len(self._regions.ends[row]) - 1)) for row in region.tolist()]
            into = Entries(
                np.stack([known[row].node[own] for row, own in rows]),
                np.stack([known[row].distance[own] for row, own in rows]),
            )
            points = np.stack([self._regions.ends[row][own] for row, own in rows])
            ways = over.ways(start, into)
            better = np.ones(len(position), np.bool_) if best is None else ways.length < best.length
            end[better] = points[better]
            best = ways if best is None else Ways(
                *(np.where(better, new, old) for new, old in zip(ways, best, strict=True))
            )  # fmt: skip
        return over.routes(position, end, best)

    def _enter(self, over: SharedRoutes, known: dict[int, Entries], regions: list[int]) -> None:
        """Find out from which nodes regions can be entered, all at once."""
        new = [row for row in regions if row not in known]
        if not new:
            return
        ends = [self._regions.ends[row] for row in new]
        found = over.entries(np.concatenate(ends))
        edges = np.cumsum([0, *map(len, ends)])
        for row, low, high in zip(new, edges[:-1], edges[1:], strict=True):
            known[row] = Entries(found.node[low:high], found.distance[low:high])

    def _check_later_legs(self) -> None:
        """Refuse trips on which a later region cannot be reached from the one before."""
        pairs = [self._legs[:, leg : leg + 2] for leg in range(self._legs.shape[1] - 1)]
        steps = np.unique(np.concatenate([np.zeros((0, 2), np.intp), *pairs]), axis=0)
        steps = steps[(steps >= 0).all(axis=1)]
        start = np.array([self._regions.ends[row][0] for row in steps[:, 0].tolist()])
        found = self.routes(start.reshape(-1, 3), steps[:, 1])
        for (before, after), route in zip(steps.tolist(), found, strict=True):
            if route is None:
                names = [self._regions.regions[row].name for row in (before, after)]
                raise NoRouteError(f"no way leads from `{names[0]}` to `{names[1]}`{self._why()}")

    def _why(self) -> str:
        """Return what else may be wrong, in words: members of a crowd do not ride on lifts."""
        parts = self._parties[0].space.world.scene.parts
        lifts = [f"`{part.name}`" for part in parts if part.carries]
        if not lifts:
            return ""
        return (
            f" on foot, and members of a crowd do not ride on {', '.join(lifts)}; take the "
            "behavior `self_guided`, `leader_following` or `narrow_passages`"
        )

    def _expected(self) -> Index:
        """Return how many members stay in each region for good."""
        ends = self._legs[np.arange(len(self._legs)), self._length - 1]
        return np.bincount(ends[~self.leaves], minlength=len(self._regions.regions))

    def _lay_out_shared(self) -> None:
        """Lay out the places in the regions where several members stay, as far as they matter.

        Raises:
            NoRoomError: A region is too small.
        """
        for region in np.flatnonzero(self._stayers > 1).tolist():
            self._lay_out(region, must=True)

    def _lay_out(self, region: int, *, must: bool) -> None:
        first, center = self._parties[0], self._regions.ends[region][0]
        stayers = int(self._stayers[region])
        points = center[None]
        if stayers > 1 or (not must and self._is_stop(region)):
            spacing = max(party.spacing for party in self._parties)
            try:
                place, count = self._regions.regions[region], max(stayers, 1 if must else AT_A_STOP)
                points = places_in(first.space, place, count, spacing, center)
            except NoRoomError:
                if must:
                    raise
                tightest = default_spacing(first.character)
                points = places_in(first.space, place, 1, tightest, center)
        self._regions.places[region] = HeldPlaces(first.space, points, center)

    def _is_stop(self, region: int) -> bool:
        passed = self._legs[np.arange(self._legs.shape[1]) < self._length[:, None] - 1]
        return bool((passed == region).any())

    def _made_roadmap(self) -> Roadmap:
        """Return the roadmap of a party, or a new one that joins the places."""
        known = [party.roadmap for party in self._parties if party.roadmap is not None]
        if known:
            return known[0]
        first = self._parties[0]
        ends = np.concatenate([each[:1] for each in self._regions.ends])
        starts = np.concatenate([party.start for party in self._parties])
        some = np.linspace(0, len(starts) - 1, min(len(starts), JOINED // 2)).astype(int)
        others = np.linspace(0, len(ends) - 1, min(len(ends), JOINED // 2)).astype(int)
        places = [*starts[some], *ends[others]]
        nodes = max(party.nodes for party in self._parties)
        return with_gaps(covering_roadmap(first.space, nodes, places, first.rng))


def _joined_regions(parties: Sequence[Party]) -> tuple[GoalRegions, list[Index]]:
    """Return the regions of all parties, each once, and their rows in it for each party."""
    rows: dict[int, int] = {}
    regions: list[Region] = []
    ends: list[Float] = []
    renamed = []
    for party in parties:
        for region, points in zip(party.regions, party.ends, strict=True):
            if id(region) not in rows:
                rows[id(region)] = len(regions)
                regions.append(region)
                ends.append(points)
        renamed.append(np.array([rows[id(region)] for region in party.regions], np.intp))
    return GoalRegions(regions, ends), renamed


def _widened(table: NDArray[Any], width: int, fill: float) -> NDArray[Any]:
    """Return a table (n, L) with columns of one value up to a width."""
    return np.pad(table, [(0, 0), (0, width - table.shape[1])], constant_values=fill)
