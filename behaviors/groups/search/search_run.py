"""A group at goal search: members walk from place to place until they see the goal."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.guided.self_guided import SelfGuidedRun
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.search.exploration import Exploration
from rmp3d.behaviors.groups.search.learning import TRAIL
from rmp3d.behaviors.groups.search.search_map import GOAL, SearchMap
from rmp3d.behaviors.groups.search.search_options import SearchOptions
from rmp3d.behaviors.groups.search.search_walk import NOWHERE, SearchWalk
from rmp3d.behaviors.groups.search.strengthened_route import StrengthenedRoute
from rmp3d.behaviors.groups.search.turning import early, ease_of_turns
from rmp3d.behaviors.groups.task import GroupTask
from rmp3d.behaviors.turnover import Turnover
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length
from rmp3d.planner.errors import PlanningError
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.paths.polyline import joined
from rmp3d.planner.roadmap.querying import query
from rmp3d.planner.roadmap.roadmap import Roadmap

# A searcher has come to a place when it is this near, as a share of the sensor range, and sees it.
# A vehicle chooses its way on before it has to brake, but not before it would see a goal there.
CAME, DRIVEN_CAME = 0.5, 0.9
# A searcher that has come no nearer for this time [s] turns round.
STUCK_AFTER = 6.0
# Vehicles come no nearer while they maneuver, or wait for others that do: these have so long [s].
DRIVEN_STUCK_AFTER = 15.0
# A newcomer looks for the shortest path to so many of the places around it.
ENTRIES = 4
# What a member tells of what it met at a place.
MET = {
    "dead_end": "at place {}; goes back to its last open choice",
    "cycle": "closed at place {}",
    "false_trail": "ends at place {} without the goal; the trail weakens",
}
# What cannot be changed while members search.
FIXED = (
    "rule", "memory", "weights", "laid", "recall", "place_distance", "detour", "nodes",
)  # fmt: skip


class GoalSearchRun(SelfGuidedRun):
    """A group of members that search; see `GoalSearch`."""

    by_time: ClassVar[bool] = True

    def __init__(self, task: GroupTask, parameters: SearchOptions, known: SearchMap) -> None:
        super().__init__(task, parameters.guided(task.character))
        self._own = parameters
        self._clearance = parameters.clearance_wanted(task.count, task.character)
        self._known, self._made = known, known.roadmap
        self._weights = parameters.link_weights(known)
        self._exploration = Exploration(
            known, task.count, self._weights, task.rng, memory=parameters.remembers
        )
        self._searching = np.full(task.count, parameters.rule != "all_knowing")
        self._found = False
        self._nearest = np.full(task.count, np.inf)
        self._stuck = np.zeros(task.count)
        self._walks: dict[int, SearchWalk] = {}
        self._enters = np.zeros(task.count, np.bool_)
        self._paths_to_goal: dict[int, tuple[Float, float]] = {}
        self.plan = {"nodes": known.places, "edges": known.links}
        self.figures = {
            "rule": parameters.rule,
            "places": len(known.places),
            "runs_before": self._runs_before(),
        }
        if self._searching.any():
            for member in range(task.count):
                self._walk_on(member, self.start[member], self.heading[member], 0.0)

    def _runs_before(self) -> int:
        """Return how many runs have made the weights that this one begins with."""
        learned = self._made.learned
        if learned is None or not self._own.recalls:
            return 0
        runs = learned.provenance.get("runs", 1)
        return runs if isinstance(runs, int) else 1

    def learned_roadmap(self) -> Roadmap:
        """Return the roadmap of the search, with the weights of now."""
        roadmap = self._made
        if not self._own.weighs:
            return roadmap
        provenance = {
            "behavior": "goal_search",
            "rule": self._own.rule,
            "place_distance": self._own.covers(self._task.character),
            "detour": self._own.detour if np.isfinite(self._own.detour) else "inf",
            "nodes": len(roadmap.configurations),
            "runs": self._runs_before() + 1,
        }
        return replace(roadmap, learned=self._weights.learned(provenance))

    @property
    def ways(self) -> Roadmap | None:
        """The roadmap of the search."""
        return self._known.roadmap

    def take_ways(self, roadmap: Roadmap, flock: Flock, time: float) -> None:
        """Search on; who comes to a closed link turns round, as before a way that is taken."""
        changed = self._known.take(roadmap)
        self._paths_to_goal.clear()
        for member in np.flatnonzero(self._searching).tolist():
            start, end, _ = self._walks[member]
            if start != NOWHERE and start != end and self._known.link(start, end) in changed:
                self._give(member, [start, end], flock.position[member])

    def _knows_path(self) -> Bool:
        """Return which members (n,) have seen the goal, or been told."""
        return ~self._searching

    def change(self, behavior: Any, flock: Flock) -> None:
        """See and learn by other parameters from now on; the map and the weights stay.

        Raises:
            InputError: The rule or the map is to be another one.
        """
        for name in FIXED:
            if getattr(behavior, name) != getattr(self._own, name):
                raise InputError(
                    f"`{name}` cannot be changed while members search; begin the run anew"
                )
        super().change(behavior.guided(self._task.character), flock)
        self._own = self._weights.learning = behavior

    def turn_over(self, own: Turnover, everyone: Turnover, rows: Index) -> None:
        """Go on with the members that are there now; newcomers go to a place nearby, and search."""
        super().turn_over(own, everyone, rows)
        self._exploration.turn_over(own)
        self._searching = own.of(self._searching, self._own.rule != "all_knowing")
        self._enters = own.of(self._enters, self._own.rule != "all_knowing")
        self._nearest, self._stuck = own.of(self._nearest, np.inf), own.of(self._stuck, 0.0)
        before = enumerate(own.before.tolist())
        self._walks = {row: self._walks[was] for row, was in before if was in self._walks}

    def _enter(self, member: int, position: Float) -> None:
        """Send a newcomer to the place of the map that is nearest by the roadmap."""
        known = self._known
        near = np.argsort(length(known.places - position), kind="stable")[:ENTRIES]
        near = near[near != GOAL]
        found = []
        for place in near.tolist():
            try:
                path = query(known.roadmap, position, known.places[place], self._task.rng)
            except PlanningError:
                continue
            found.append((path.length, place, path.points))
        if not found:  # it stands where only its own route to the goal is known
            self._searching[member] = False
            return
        _, place, points = min(found, key=lambda each: each[0])
        self._exploration.enter(member, place)
        self._walks[member] = SearchWalk(NOWHERE, place, points)
        self._waypoints.give(member, self._subgoals(points))

    def measures(self) -> Mapping[str, ArrayLike]:
        """Return the weights of each link, the share of links visited, and two counts."""
        return {
            "weights": self._weights.weight,
            "visited": float(self._exploration.visited.mean()),
            "searching": float(self._searching.sum()),
            "trail": float((self._weights.weight > TRAIL).any(axis=1).sum()),
        }

    def step(self, flock: Flock, time: float) -> Intent:
        """Let searchers look for the goal and choose where to go next; give out subgoals."""
        for member in np.flatnonzero(self._enters).tolist():
            self._enter(member, flock.position[member])
        self._enters[:] = False
        if self._searching.any() or not self._found:
            self._look_for_goal(flock, time)
        self._weights.forget(self._task.dt)
        if self._searching.any():
            self._search(flock, time)
        return super().step(flock, time)

    def _may_arrive(self) -> Bool:
        """Return which members (n,) do not walk back from the goal."""
        laying = [self._exploration.is_laying(member) for member in range(self._task.count)]
        return ~np.array(laying)

    def _look_for_goal(self, flock: Flock, time: float) -> None:
        """Let the members that see the goal strengthen their routes, tell others, and go there."""
        seen = self._sees_goal(flock.position)
        # Who has come to it sees it, though a rise may hide it until they stand there.
        came = self._came(flock).tolist()
        seen[[member for member in came if self._exploration.at(member) == GOAL]] = True
        for finder in np.flatnonzero(seen & self._may_arrive()).tolist():
            if not self._found:
                self._note_first(finder, time)
            if not self._searching[finder]:
                continue
            walk_back = self._own.rule == "trails" and self._own.laid == "walked_back"
            route = self._exploration.find(finder, walk_back=walk_back and self._own.weighs)
            if self._exploration.is_laying(finder):
                self._lay_back(finder, flock.position[finder], time)
                continue
            self._searching[finder] = False
            self._go_to_goal(finder, flock.position[finder])
            if self._own.rule == "told":
                self._tell_route(finder, route, flock, time)
                return

    def _note_first(self, finder: int, time: float) -> None:
        exploration, self._found = self._exploration, True
        self.tell(time, "found", "the goal is in sight", finder)
        self.figures |= {
            "finder": int(self.number[finder]),
            "time_found": round(time, 3),
            "links_visited": round(float(exploration.visited.mean()), 4),
            "dead_ends": exploration.dead_ends,
            "cycles": exploration.cycles,
        }

    def _tell_route(self, finder: int, route: list[int], flock: Flock, time: float) -> None:
        """Send all others to the nearest place of the finder's route, and along it."""
        number = self.number[finder]
        self.tell(time, "told", f"member {number} tells its route to the goal")
        strengthened = StrengthenedRoute(self._known, route) if self._own.weighs else None
        for member in np.flatnonzero(self._searching).tolist():
            self._go_to_goal(member, flock.position[member], strengthened)
        self._searching[:] = False

    def _lay_back(self, finder: int, position: Float, time: float) -> None:
        """Let a finder walk back along its route and lay the trail."""
        self.tell(time, "lays_trail", "sees the goal, and walks back to lay a trail", finder)
        self._give(finder, [self._walks[finder].end, self._exploration.at(finder)], position)

    def _sees_goal(self, position: Float) -> Bool:
        """Return which members (n,) see the nearest point of the goal region, or its middle."""
        task = self._task
        seen: Bool = self._area.inside(position)
        offset = position - task.goal.center
        if task.goal.kind == "sphere":
            share = np.minimum(1.0, 0.99 * task.goal.radius / np.maximum(length(offset), 1e-9))
            nearest = task.goal.center + share[:, None] * offset
        else:
            nearest = np.clip(position, task.goal.lower, task.goal.upper)
        middle = np.broadcast_to(task.path.points[-1], position.shape)
        for target in (nearest, middle):
            rows = np.flatnonzero(~seen & (length(target - position) <= self._sensor_range))
            seen[rows] = task.space.world.motions_are_free(position[rows], target[rows])
        return seen

    def _search(self, flock: Flock, time: float) -> None:
        """Let members that have come to their place go on, and stuck members turn round."""
        task, came = self._task, self._came(flock)
        remaining = self._waypoints.remaining(flock.position)
        for member in came.tolist():
            self._walk_on(member, flock.position[member], flock.heading[member], time)
        nearer = remaining < self._nearest - 0.1 * task.radius
        nearer[came] = True
        self._stuck = np.where(nearer, 0.0, self._stuck + task.dt)
        self._nearest = np.where(nearer, remaining, self._nearest)
        self._nearest[came] = np.inf
        patience = DRIVEN_STUCK_AFTER if self._drives else STUCK_AFTER
        for member in np.flatnonzero(self._searching & (self._stuck > patience)):
            self._stuck[member], self._nearest[member] = 0.0, np.inf
            # Of two that meet only one is to turn.
            if task.rng.random() < 0.5:
                self._turn_round(int(member), flock.position[member], time)

    def _came(self, flock: Flock) -> Index:
        """Return the searchers that have come to their places."""
        near = self._waypoints.remaining(flock.position) < self._near(flock)
        rows = np.flatnonzero(self._searching & self._waypoints.at_end & near)
        joined = self._task.space.connects(flock.position[rows], self._waypoints.subgoal[rows])
        return np.asarray(rows[joined])

    def _near(self, flock: Flock) -> Float:
        """Return how near (n,) their places searchers have come to them [m]."""
        near = np.full(len(flock), CAME * self._sensor_range)
        if not self._drives:
            return near
        brake = float(flock.bodies.max_brake.min())
        sooner = early(length(flock.velocity), self._turn_radius, brake)
        return np.clip(sooner, near, DRIVEN_CAME * self._sensor_range)

    @property
    def _sensor_range(self) -> float:
        return self._own.sees(self._task.character)

    @property
    def _turn_radius(self) -> float:
        return self._task.character.parameters.turn_radius

    def _walk_on(self, member: int, position: Float, heading: Float, time: float) -> None:
        """Give a member that has come to its place the path to the next."""

        def ease(here: int, places: list[int]) -> list[float]:
            paths = [self._known.path(here, place) for place in places]
            return ease_of_turns(position, heading, self._turn_radius, paths)

        here = self._exploration.at(member)
        walk = self._exploration.next_walk(member, ease if self._drives else None)
        if walk.met:
            self.tell(time, walk.met, MET[walk.met].format(here), member)
        self._give(member, [here, walk.place], position)

    def _turn_round(self, member: int, position: Float, time: float) -> None:
        here = self._exploration.at(member)
        back = self._exploration.turn_back(member)
        if back is not None:
            self.tell(time, "turned_round", f"the way to {here} is taken", member)
            self._give(member, [here, back], position)

    def _give(self, member: int, places: list[int], position: Float) -> None:
        """Send a member along the paths from place to place, from where it is on them."""
        pieces = [self._known.path(a, b) for a, b in pairwise(places)]
        self._walks[member] = SearchWalk(places[0], places[-1], joined(pieces))
        self._send(member, self._subgoals(self._walks[member].points), position)

    def _send(self, member: int, route: Float, position: Float) -> None:
        """Give a member a route (K, 3), to be joined at the best subgoal in sight."""
        self._waypoints.give(member, route)
        everyone = np.tile(position, (self._task.count, 1))
        self._waypoints.rejoin(np.array([member]), everyone)

    def _subgoals(self, points: Float) -> Float:
        """Return the first point and the subgoals (K, 3) of a certified polyline."""
        path = CertifiedPath(points, np.zeros(len(points)), self._task.space.grounded)
        return np.concatenate([points[:1], path.subgoals(self._sensor_range, self._task.space)])

    def _go_to_goal(
        self, member: int, position: Float, strengthened: StrengthenedRoute | None = None
    ) -> None:
        """Send a member to the goal over that end of its walk from which it is nearer.

        From there it goes along the strengthened route, or by A* over the roadmap without one.
        """
        walk = self._walks[member]
        onward = float(self._waypoints.remaining(np.tile(position, (self._task.count, 1)))[member])
        back = max(0.0, walk.length - onward)
        ends = [
            (onward, walk.points, walk.end),
            (back, walk.points[::-1], walk.start),
        ]
        if walk.start == NOWHERE:
            ends.pop()
        lengths = [far + self._path_to_goal(place, strengthened)[1] for far, _, place in ends]
        best = int(np.argmin(lengths))
        _, points, place = ends[best]
        onto = self._path_to_goal(place, strengthened)[0]
        self._send(member, np.concatenate([self._subgoals(points)[:-1], onto]), position)

    def _path_to_goal(
        self, place: int, strengthened: StrengthenedRoute | None
    ) -> tuple[Float, float]:
        """Return subgoals (K, 3) from a place to the goal, the place first, and how far it is."""
        known = self._known
        if strengthened is not None:
            pieces = [known.path(a, b) for a, b in pairwise(strengthened.places(place))]
            points = joined(pieces) if pieces else known.places[place][None]
            return self._subgoals(points), strengthened.length(place)
        if place not in self._paths_to_goal:
            try:
                path = query(
                    known.roadmap, known.places[place], self._task.path.points[-1],
                    np.random.default_rng(place), clearance_wanted=self._clearance,
                )  # fmt: skip
            except PlanningError:  # a part of the scene has closed it for now
                return known.places[place][None], np.inf
            self._paths_to_goal[place] = self._subgoals(path.points), path.length
        return self._paths_to_goal[place]

    def _bring_back(self, lost: Index, flock: Flock, time: float) -> None:
        """Lead lost searchers back to their path, by the roadmap if need be."""
        searching = self._searching[lost]
        super()._bring_back(lost[~searching], flock, time)
        lost = lost[searching]
        lost = lost[~self._waypoints.rejoin(lost, flock.position)]
        for member in lost.tolist():
            self._waypoints.unseen[member] = 0.0
            place = self._known.places[self._walks[member].end]
            try:
                path = query(self._known.roadmap, flock.position[member], place, self._task.rng)
            except PlanningError:
                continue
            self._waypoints.give(member, self._subgoals(path.points))
            self.tell(time, "reroute", "no longer sees the next point of its way", member)
