"""A crowd at work: members of any number of groups, each on a trip of its own, all in arrays."""

from collections.abc import Sequence

import numpy as np

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.crowd.arrivals import note_arrivals
from rmp3d.behaviors.groups.crowd.carrots import write_carrots
from rmp3d.behaviors.groups.crowd.easing import eased
from rmp3d.behaviors.groups.crowd.itineraries import Itineraries, TripStage
from rmp3d.behaviors.groups.crowd.party_run import PartyRun
from rmp3d.behaviors.groups.crowd.routes import route_lengths, shorter_of
from rmp3d.behaviors.groups.crowd.shorter_ways import ShorterWays
from rmp3d.behaviors.groups.crowd.steering import CrowdSteering
from rmp3d.behaviors.groups.goal_area.held_up import NEARER, NEW_TASK
from rmp3d.behaviors.groups.guided.self_guided import (
    BEFORE,
    HELD_UP,
    STUCK_AFTER,
    THERE,
    TOGETHER,
    WORTH_IT,
)
from rmp3d.behaviors.groups.guided.shortest_paths import prices
from rmp3d.behaviors.groups.guided.waypoints import WaypointFollower
from rmp3d.behaviors.groups.intent import SOON, Intent, RouteAhead
from rmp3d.behaviors.groups.party import Party
from rmp3d.behaviors.groups.task import default_spacing
from rmp3d.behaviors.steering_behavior import SteeringOutput
from rmp3d.behaviors.turnover import Turnover
from rmp3d.behaviors.world_state import WorldState
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import as_read_only, unit
from rmp3d.planner.roadmap.roadmap import Roadmap

# How far members see the points of their routes [m].
SENSOR_RANGE = 4.0
# So many stuck members look for a way round a jam at a time.
LOOKING = 24


class CrowdRun:
    """Members of several groups, that go their ways as those of `SelfGuided` do.

    The groups are told apart where it matters only: members of one that are far ahead of the others
    slow down, and each has its own events. Everything else is an array over all members.

    Args:
        parties: One for each group, in the same space.
        dt: Time step [s].

    Attributes:
        runs: What the simulation knows of each group.
        formations: None.
        party: (n,) row of the party of each member that is there, in ascending order.
    """

    formations: tuple[str, ...] = ()

    def __init__(self, parties: Sequence[Party], dt: float) -> None:
        self._space, self._spacing = parties[0].space, default_spacing(parties[0].character)
        self.runs = [PartyRun(self, row, party) for row, party in enumerate(parties)]
        self._trips = Itineraries(parties)
        self.runs[0].plan = {**self._trips.plan, **self.runs[0].plan}
        sizes = [len(party.start) for party in parties]
        self._span = np.array([party.span for party in parties])
        self._headway = np.array([party.headway for party in parties])
        self._eased = any(
            size > 1 and np.isfinite(party.span) for size, party in zip(sizes, parties, strict=True)
        )
        self.party: Index = np.repeat(np.arange(len(parties)), sizes)
        self._who = self._trips.row(self.party, np.concatenate([np.arange(size) for size in sizes]))
        self._steering = CrowdSteering()
        count = len(self.party)
        start = np.concatenate([party.start for party in parties])
        self._waypoints = WaypointFollower(self._space, start[:1], count, SENSOR_RANGE, dt)
        self._leg = np.zeros(count, np.intp)
        self._known_stage: TripStage | None = None
        self._place = np.full(count, -1)
        self._left, self._until = np.full(count, np.inf), np.full(count, np.nan)
        self._since, self._pressed = np.zeros(count), np.zeros(count)
        self._there, self._settled = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        self._arrived, self._gone = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
        self._looked, self._turn, self._shorter = 0.0, 0, ShorterWays(count)
        self._new = np.zeros(0, np.intp)  # that have come since the last step
        for member, route in enumerate(self._trips.first_routes(start, self._who)):
            self._waypoints.give(member, route)
        self._shorter.know(np.arange(count), start, self._waypoints.remaining(start))

    def __len__(self) -> int:
        return len(self.party)

    def ease(self, party: int, span: float) -> None:
        """Let members of a party slow down that are so far ahead of its middle [m]."""
        self._span[party] = span
        self._eased = True

    @property
    def gone(self) -> Bool:
        """(n,) members that have come to where they leave the scene."""
        return self._gone

    def is_complete(self, party: int) -> bool:
        """Return whether all members of a group that there were and will be have arrived."""
        own = self.party == party
        return bool(self._arrived[own].all()) and self._trips.all_came(party)

    @property
    def flows(self) -> bool:
        """Whether members come or leave while it runs."""
        return bool(self._trips.has_sources or self._trips.leaves.any())

    def came(self, party: int, time: float) -> None:
        """Note that the next member of a party comes at a time [s]."""
        self._trips.came(party, time)

    def check(self, party: int, count: int, places: Float) -> None:
        """Refuse a party of so many members, of which the last begin at places (m, 3) [m].

        Raises:
            InputError: There is no room for them, or no way for one.
        """
        others = self._who[self.party != party]
        numbers = np.arange(count)
        own = self._trips.row(np.full(count, party), numbers)
        self._trips.check_room(np.concatenate([others, own]))
        new = own[count - len(places) :]
        first = self._trips.destination(new, np.zeros(len(new), np.intp))
        for place, route in zip(places, self._trips.routes(places, first), strict=True):
            if route is None:
                raise InputError(f"no way to the goal was found from {place.round(2).tolist()}")

    def due(self, time: float) -> list[tuple[int, Float]]:
        """Return parties of which the next member is due, and where it may begin (K, 3) [m]."""
        return self._trips.due(time)

    def turn_over(self, own: Turnover, party: Index, number: Index, time: float) -> None:
        """Go on with the members that are there now.

        Args:
            own: What becomes of the rows.
            party: (n,) of each member.
            number: (n,) of each in its party, in the order of coming.
            time: Now [s].
        """
        self._trips.let_go(own, self._stage.region, self._place)
        self.party, self._who = party, self._trips.row(party, number)
        self._known_stage = None
        self._waypoints.turn_over(own)
        self._shorter.turn_over(own)
        self._leg, self._place = own.of(self._leg, 0), own.of(self._place, -1)
        self._left, self._until = own.of(self._left, np.inf), own.of(self._until, np.nan)
        self._since, self._pressed = own.of(self._since, time), own.of(self._pressed, time)
        self._there, self._settled = own.of(self._there, False), own.of(self._settled, False)
        self._arrived, self._gone = own.of(self._arrived, False), own.of(self._gone, False)
        earlier = own.rows(self._new)  # several may come between two steps
        self._new = np.concatenate([earlier[earlier >= 0], np.flatnonzero(own.new)])

    @property
    def _stage(self) -> TripStage:
        """What the members are at now; it changes when some go on to another region."""
        if self._known_stage is None:
            self._known_stage = self._trips.stage(self._who, self._leg)
        return self._known_stage

    @property
    def ways(self) -> Roadmap:
        """The roadmap over which the members find their ways."""
        return self._trips.roadmap

    def take_ways(self, roadmap: Roadmap, flock: Flock, time: float) -> None:
        """Let all members that go somewhere find their ways anew; who has none keeps its own."""
        self._trips.roadmap = roadmap
        goes = (self._place < 0) & ~self._arrived & np.isnan(self._until)
        self._since[goes] = time
        self._send(np.flatnonzero(goes), flock.position)

    def look(self, world: WorldState, rows: Index) -> None:
        """See nothing, as members that follow routes need not; begin with what steers them."""
        self._steering.begin(world, rows)

    def calm(self, time: float) -> Bool:
        """Return which members (n,) stay where they are at a time [s], as far as they know yet."""
        waiting: Bool = time < self._trips.departure[self._who]
        return (self._there & self._settled) | waiting

    def step(self, flock: Flock, time: float) -> Intent:
        """Let the members look, go on and arrive; return what they want."""
        trips, waypoints = self._trips, self._waypoints
        if len(self._new):
            self._send(self._new, flock.position)
            self._new = self._new[:0]
        waiting = time < trips.departure[self._who]
        # What was seen from where they were a step ago: other threads have looked since.
        lost, back = waypoints.end_looks()
        if len(lost) + len(back):
            self._find_ways(lost, back, flock, time)
        dest, inside = self._stage.region, trips.inside(self._stage.region, flock.position)
        self._arrive(flock, time, inside)
        self._go_on(flock, time)
        in_place = self._place >= 0
        left, before = waypoints.remaining(flock.position), waypoints.subgoal
        self._watch(left, waiting, time)
        self._press_in(flock, time)
        self._leave_jam(flock, in_place | waiting, time)
        if waypoints.subgoal is not before:
            left = waypoints.remaining(flock.position)
        in_place = self._place >= 0
        last = in_place & waypoints.at_end
        subgoal, pace = waypoints.subgoal, self._stage.pace
        if self._eased:
            pace = np.where(in_place, 1.0, eased(left, self.party, self._span)) * pace
        goal, velocity = np.empty_like(subgoal), np.empty_like(subgoal)
        position = as_read_only(np.ascontiguousarray(flock.position))
        write_carrots(position, subgoal, pace, last, waiting, goal, velocity)
        self._there = last & (left < THERE * flock.bodies.radius)
        if self._stage.region is not dest:  # some have gone on to another one
            inside = trips.inside(self._stage.region, flock.position)
        self._settled = (self._settled & inside) | self._there
        route = RouteAhead(waypoints.coming(SOON), self._stage.pace)
        waypoints.begin_look(flock.position, self._there | waiting)
        return Intent(goal, velocity, left, self._settled | waiting, waypoint=subgoal, route=route)

    def some_ways(self, count: int) -> list[Float]:
        """Return ways (K, 3) [m] of up to so many members to where they go first."""
        return self._trips.some_ways(count)

    def steer(self, world: WorldState, rows: Index, intent: Intent) -> SteeringOutput:
        """Return the steering that leads to what the members want; see `SelfGuidedRun.steer`."""
        return self._steering.steer(world, rows, intent, self._headway[self.party])

    def _send(self, members: Index, position: Float) -> None:
        """Lead members (m,) to the regions that they are to go to now."""
        routes = self._trips.routes(position[members], self._stage.region[members])
        self._lead(members, routes, position)

    def _lead(self, members: Index, routes: list[Float | None], position: Float) -> None:
        for member, route in zip(members.tolist(), routes, strict=True):
            if route is not None:
                self._waypoints.give(member, route)
            self._left[member] = np.inf
            self._settled[member] = False
        self._shorter.know(members, position, self._waypoints.remaining(position))

    def _find_ways(self, lost: Index, back: Index, flock: Flock, time: float) -> None:
        """Find ways for members, all at once: one question for many costs little more than for one.

        Args:
            lost: (m,) members that are led back to their routes, or over the roadmap, or back to
                where they saw the next subgoal last, if that is shorter.
            back: (m,) members whose routes lead back, as something hides the next subgoal: others
                have pushed them aside. They get a way from where they are, if it is shorter.
            flock: All members.
            time: Now [s].
        """
        waypoints, position = self._waypoints, flock.position
        lost = lost[~waypoints.rejoin(lost, position)]
        waypoints.unseen[lost] = 0.0
        in_place = self._place[lost] >= 0
        self._lead_to_places(lost[in_place], flock)
        lost, left = lost[~in_place], waypoints.remaining(position)
        back = np.setdiff1d(back[self._place[back] < 0], lost)
        back = self._shorter.whose_turn(back, position, left)
        if len(lost) + len(back) == 0:
            return
        members = np.concatenate([lost, back])
        routes = self._trips.routes(position[members], self._stage.region[members])
        found, routes = routes[: len(lost)], routes[len(lost) :]
        shorter_of(position[lost], found, waypoints.ways_back(lost, position))
        self._lead(lost, found, position)
        for member in lost.tolist():
            self._tell(time, "reroute", "no longer sees the next point of its way", member)
        lengths = route_lengths(position[back], routes)
        for row in self._shorter.found(back, position, left, lengths).tolist():
            route, member = routes[row], int(back[row])
            assert route is not None
            waypoints.give(member, route)
            self._tell(time, "reroute", "was pushed past the next point of its way", member)

    def _watch(self, left: Float, waiting: Bool, time: float) -> None:
        """Note which members come nearer, by the distance (n,) that is left [m]."""
        changed = (left < self._left - NEARER) | (left > self._left + NEW_TASK)
        changed |= self._there | waiting
        self._left[changed], self._since[changed] = left[changed], time

    def _arrive(self, flock: Flock, time: float, inside: Bool) -> None:
        """Give places to members that come to where they stay; tell who is at the end.

        Args:
            flock: All members.
            time: Now [s].
            inside: (n,) members in the regions that they go to.
        """
        dest, final, stay, leaves, _ = self._stage
        coming, at_goal = np.zeros((2, len(inside)), np.bool_)
        note_arrivals(
            inside, time >= self._trips.departure[self._who], self._place, final, stay, leaves,
            time, self._until, self._arrived, coming, at_goal,
        )  # fmt: skip
        if coming.any():
            self._admit(np.flatnonzero(coming), dest, flock)
        for member in np.flatnonzero(at_goal).tolist():
            self._tell(time, "arrived", "in the goal region", member)
        self._gone = self._arrived & leaves

    def _admit(self, members: Index, dest: Index, flock: Flock) -> None:
        for region in np.unique(dest[members]).tolist():
            own = members[dest[members] == region]
            entry = flock.position[own].mean(axis=0)
            heading = unit(self._waypoints.subgoal[own] - flock.position[own]).sum(axis=0)
            held = self._trips.places(region)
            self._place[own] = held.admit(own, flock.position[own], entry, unit(heading[None])[0])
        self._lead_to_places(members[self._place[members] >= 0], flock)

    def _go_on(self, flock: Flock, time: float) -> None:
        """Send members on whose time at a stop is over."""
        due = np.flatnonzero(self._until <= time)
        if len(due) == 0:
            return
        held = due[self._place[due] >= 0]
        self._trips.release(self._stage.region[held], self._place[held])
        self._place[due], self._until[due] = -1, np.nan
        self._there[due] = False
        self._leg[due] += 1
        self._known_stage = None
        self._send(due, flock.position)

    def _lead_to_places(self, members: Index, flock: Flock) -> None:
        dest = self._stage.region[members]
        for member, region in zip(members.tolist(), dest.tolist(), strict=True):
            place, here = int(self._place[member]), flock.position[member]
            self._waypoints.give(member, self._trips.way_to_place(region, place, here))
            self._left[member] = np.inf
            self._settled[member] = False

    def _press_in(self, flock: Flock, time: float) -> None:
        """Give the nearest place to members that are held up at their region, or just before it."""
        held_up = time - np.maximum(self._since, self._pressed) > HELD_UP
        held_up &= ~self._stage.leaves
        dest = self._stage.region
        for member in np.flatnonzero(held_up).tolist():
            self._pressed[member] = time
            held = self._trips.places(int(dest[member]))
            here = flock.position[member]
            moved, new = held.press_in(
                member, int(self._place[member]), here, BEFORE * self._spacing
            )
            self._place[moved] = new
            self._lead_to_places(moved, flock)
            # A member that cannot come nearer lets others by.
            self._settled[member] = self._place[member] >= 0 and len(moved) == 0

    def _leave_jam(self, flock: Flock, busy: Bool, time: float) -> None:
        """Lead members that have come no nearer for long round the jam, where that is worth it."""
        stuck = np.flatnonzero(~busy & (time - self._since > STUCK_AFTER))
        if len(stuck) == 0 or time - self._looked < TOGETHER:
            return
        self._looked = time
        stuck = np.roll(stuck, -self._turn)[:LOOKING]
        self._turn += LOOKING
        self._since[stuck] = time - 0.5 * STUCK_AFTER
        crowd = flock.position[time - self._since >= 0.5 * STUCK_AFTER]
        routes = self._trips.routes_past(crowd, flock.position[stuck], self._stage.region[stuck])
        for member, route in zip(stuck.tolist(), routes, strict=True):
            if route is None:
                continue
            here = flock.position[member, None]
            price, others = (
                prices(points[:-1], points[1:], crowd).sum()
                for points in (
                    np.concatenate([here, self._waypoints.ahead(member)]),
                    np.concatenate([here, route]),
                )
            )
            if others < WORTH_IT * price:
                self._waypoints.give(member, route)
                text = f"no progress for {STUCK_AFTER:g} s; goes round the jam"
                self._tell(time, "reroute", text, member)

    def _tell(self, time: float, kind: str, text: str, member: int) -> None:
        party = int(self.party[member])
        first = int(np.searchsorted(self.party, party))
        self.runs[party].tell(time, kind, text, member - first)
