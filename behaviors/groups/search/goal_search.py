"""Goal search: members that know the roadmap look for a goal that they do not know."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rmp3d.behaviors.flock import Flock
from rmp3d.behaviors.groups.group_behavior import GROUP_BEHAVIORS, GroupBehavior
from rmp3d.behaviors.groups.guided.self_guided import SelfGuided, SelfGuidedRun
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.search.exploration import Exploration, Learning, Rule
from rmp3d.behaviors.groups.search.search_map import SearchMap, map_of
from rmp3d.behaviors.groups.task import GroupTask
from rmp3d.geometry.arrays import Bool, Float, Index
from rmp3d.geometry.errors import InputError
from rmp3d.geometry.vectors import length
from rmp3d.planner.errors import PlanningError
from rmp3d.planner.paths.path import CertifiedPath
from rmp3d.planner.paths.polyline import joined
from rmp3d.planner.roadmap.building import extend_roadmap
from rmp3d.planner.roadmap.querying import query
from rmp3d.planner.roadmap.settings import RoadmapSettings

# A searcher has come to a place when it is this near, as a share of the sensor range, and sees it.
CAME = 0.5
# A searcher that has come no nearer for this time [s] turns round.
STUCK_AFTER = 6.0
# Searchers do not wait for members behind: none is so far ahead [m].
ALONE = 1e6


@GROUP_BEHAVIORS.register("goal_search")
@dataclass(frozen=True, kw_only=True)
class GoalSearch(Learning, GroupBehavior):
    """Look for the goal on a known roadmap, each on its own; the finder tells the others.

    Every member walks a map of places thinned out from the roadmap. At each place it chooses the
    next link with a probability in proportion to the links' weights, which all share, and it
    remembers its route. At a dead end it goes back to its last open choice; the places on that
    route are removed from its map, and their links weaken. A cycle that it closes is cut out of
    its route and weakens too. A member within sensor range of the goal that sees it reinforces
    the links of its route and tells all; from then on everyone goes there by the roadmap, A*
    finding the path (thesis, 4.2; Bayazit, Lien, Amato 2002, "Roadmap-based flocking for complex
    environments", section 4.2).

    Departures: the map is thinned, else most of the search would be spent within one sensor
    range; a link also weakens when it is walked along, so that members spread; a member that
    cannot get on for a while, as others come towards it in a narrow place, turns round.

    Attributes:
        rule: ``adaptive``: members learn; ``random_walk``: every link alike, without memory;
            ``all_knowing``: all know the goal from the start. The last two are for comparison.
        sensor_range: How far a member sees the goal and its subgoals [m].
        place_distance: The search map has a place within this distance of every node of the
            roadmap [m].
        detour: A link is left out of the search map where another route is at most this many times
            as long; ``inf`` leaves a map without cycles.
        nodes: The roadmap has at least so many nodes, so that it covers the scene.
        spacing: Distance between members at the start, and between places at the goal [m]; 0 takes
            one that suits body and speed.
    """

    rule: Rule = "adaptive"
    sensor_range: float = 4.0
    place_distance: float = 4.0
    detour: float = 3.0
    nodes: int = 400
    spacing: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("sensor_range", "place_distance"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")
        if not self.detour >= 1.0:
            raise InputError(f"`detour` must be 1 or more, got {self.detour}")
        if not 1 <= self.nodes <= 20_000:
            raise InputError(f"`nodes` must be from 1 to 20000, got {self.nodes}")
        if not 0.0 <= self.spacing < np.inf:
            raise InputError(f"`spacing` must be 0 or more, got {self.spacing}")

    def guided(self) -> SelfGuided:
        """Return the rule by which members follow their paths."""
        return SelfGuided(sensor_range=self.sensor_range, neighborhood=ALONE, spacing=self.spacing)

    def begin(self, task: GroupTask) -> "GoalSearchRun":
        """Make the map, and place the members."""
        roadmap = task.roadmap
        if len(roadmap.configurations) < self.nodes and not roadmap.interrupted:
            settings = RoadmapSettings(local_planner=roadmap.local_planner, nodes=self.nodes)
            roadmap = extend_roadmap(roadmap, settings, task.rng)
        ends = task.path.points[0], task.path.points[-1]
        clearance = self.clearance_wanted(task.count, task.character)
        known = map_of(roadmap, *ends, self.place_distance, self.detour, clearance)
        return GoalSearchRun(task, self, known)


class GoalSearchRun(SelfGuidedRun):
    """A group of members that search; see `GoalSearch`."""

    def __init__(self, task: GroupTask, parameters: GoalSearch, known: SearchMap) -> None:
        super().__init__(task, parameters.guided())
        self._own = parameters
        self._clearance = parameters.clearance_wanted(task.count, task.character)
        self._known = known
        self._exploration = Exploration(known, task.count, parameters.rule, parameters, task.rng)
        self._searching = np.full(task.count, parameters.rule != "all_knowing")
        self._found = False
        self._nearest = np.full(task.count, np.inf)
        self._stuck = np.zeros(task.count)
        self._walks: dict[int, _Walk] = {}
        self._paths_to_goal: dict[int, tuple[Float, float]] = {}
        self.plan = {"nodes": known.places, "edges": known.links}
        self.figures = {"rule": parameters.rule, "places": len(known.places)}
        if self._searching.any():
            for member in range(task.count):
                self._walk_on(member, self.start[member], 0.0)

    def change(self, behavior: Any, flock: Flock) -> None:
        """See and learn by other parameters from now on; the map and the weights stay.

        Raises:
            InputError: The rule or the map is to be another one.
        """
        for name in ("rule", "place_distance", "detour", "nodes"):
            if getattr(behavior, name) != getattr(self._own, name):
                raise InputError(
                    f"`{name}` cannot be changed while members search; begin the run anew"
                )
        super().change(behavior.guided(), flock)
        self._own = self._exploration.learning = behavior

    def measures(self) -> Mapping[str, ArrayLike]:
        """Return the weight of each link, the share of links visited, and how many search."""
        return {
            "weights": self._exploration.weight,
            "visited": float(self._exploration.visited.mean()),
            "searching": float(self._searching.sum()),
        }

    def step(self, flock: Flock, time: float) -> Intent:
        """Let searchers look for the goal and choose where to go next; give out subgoals."""
        if not self._found:
            self._look_for_goal(flock, time)
        self._exploration.forget(self._task.dt)
        if self._searching.any():
            self._search(flock, time)
        return super().step(flock, time)

    def _look_for_goal(self, flock: Flock, time: float) -> None:
        seen = np.flatnonzero(self._sees_goal(flock.position))
        if len(seen) == 0:
            return
        finder = int(seen[0])
        self._found = True
        exploration = self._exploration
        self.tell(time, "found", "the goal is in sight", finder)
        self.figures |= {
            "finder": finder,
            "time_found": round(time, 3),
            "links_visited": round(float(exploration.visited.mean()), 4),
            "dead_ends": exploration.dead_ends,
            "cycles": exploration.cycles,
        }
        if not self._searching.any():
            return
        if self._own.rule == "adaptive":
            exploration.reward(finder)
        self.tell(time, "told", f"member {finder} tells where the goal is")
        for member in range(self._task.count):
            self._go_to_goal(member, flock.position[member])
        self._searching[:] = False

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
            rows = np.flatnonzero(~seen & (length(target - position) <= self._own.sensor_range))
            seen[rows] = task.space.world.motions_are_free(position[rows], target[rows])
        return seen

    def _search(self, flock: Flock, time: float) -> None:
        """Let members that have come to their place go on, and stuck members turn round."""
        task, waypoints = self._task, self._waypoints
        remaining = waypoints.remaining(flock.position)
        at_end = self._searching & waypoints.at_end & (remaining < CAME * self._own.sensor_range)
        rows = np.flatnonzero(at_end)
        came = rows[task.space.connects(flock.position[rows], waypoints.subgoal[rows])]
        for member in came:
            self._walk_on(int(member), flock.position[member], time)
        nearer = remaining < self._nearest - 0.1 * task.radius
        nearer[came] = True
        self._stuck = np.where(nearer, 0.0, self._stuck + task.dt)
        self._nearest = np.where(nearer, remaining, self._nearest)
        self._nearest[came] = np.inf
        for member in np.flatnonzero(self._searching & (self._stuck > STUCK_AFTER)):
            self._stuck[member], self._nearest[member] = 0.0, np.inf
            # Of two that meet only one is to turn.
            if task.rng.random() < 0.5:
                self._turn_round(int(member), flock.position[member], time)

    def _walk_on(self, member: int, position: Float, time: float) -> None:
        """Give a member that has come to its place the path to the next."""
        here = self._exploration.at(member)
        walk = self._exploration.next_walk(member)
        if walk.kind != "choice":
            text = f"at place {here}, back to {walk.places[-1]}; {walk.links} links weaken"
            if walk.kind == "cycle":
                text = f"closed at place {here}; {walk.links} links weaken"
            self.tell(time, walk.kind, text, member)
        self._give(member, [here, *walk.places], position)

    def _turn_round(self, member: int, position: Float, time: float) -> None:
        here = self._exploration.at(member)
        back = self._exploration.turn_back(member)
        if back is not None:
            self.tell(time, "turned_round", f"the way to {here} is taken", member)
            self._give(member, [here, back], position)

    def _give(self, member: int, places: list[int], position: Float) -> None:
        """Send a member along the paths from place to place, from where it is on them."""
        pieces = [self._known.path(a, b) for a, b in pairwise(places)]
        self._walks[member] = _Walk(places[0], places[-1], joined(pieces))
        self._send(member, self._subgoals(self._walks[member].points), position)

    def _send(self, member: int, route: Float, position: Float) -> None:
        """Give a member a route (K, 3), to be joined at the best subgoal in sight."""
        self._waypoints.give(member, route)
        everyone = np.tile(position, (self._task.count, 1))
        self._waypoints.rejoin(np.array([member]), everyone)

    def _subgoals(self, points: Float) -> Float:
        """Return the first point and the subgoals (K, 3) of a certified polyline."""
        path = CertifiedPath(points, np.zeros(len(points)), self._task.space.grounded)
        return np.concatenate([points[:1], path.subgoals(self._own.sensor_range, self._task.space)])

    def _go_to_goal(self, member: int, position: Float) -> None:
        """Send a member to the goal by the roadmap, over that end of its walk that is nearer."""
        walk = self._walks[member]
        onward = float(self._waypoints.remaining(np.tile(position, (self._task.count, 1)))[member])
        back = max(0.0, walk.length - onward)
        if onward + self._path_to_goal(walk.end)[1] <= back + self._path_to_goal(walk.start)[1]:
            points, place = walk.points, walk.end
        else:
            points, place = walk.points[::-1], walk.start
        route = np.concatenate([self._subgoals(points)[:-1], self._path_to_goal(place)[0]])
        self._send(member, route, position)

    def _path_to_goal(self, place: int) -> tuple[Float, float]:
        """Return subgoals (K, 3) from a place to the goal, the place first, and how far it is."""
        if place not in self._paths_to_goal:
            rng = np.random.default_rng(place)
            goal = self._task.path.points[-1]
            path = query(
                self._known.roadmap, self._known.places[place], goal, rng,
                clearance_wanted=self._clearance,
            )  # fmt: skip
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
            self.tell(time, "reroute", "lost sight of its subgoal", member)


class _Walk(NamedTuple):
    """Where a searcher is going: from a place to another, along points (K, 3)."""

    start: int
    end: int
    points: Float

    @property
    def length(self) -> float:
        return float(length(np.diff(self.points, axis=0)).sum())
