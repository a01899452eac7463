"""Goal search: members that know the roadmap look for a goal that they do not know."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from rmp3d.behaviors.groups.group_behavior import GROUP_BEHAVIORS, GroupBehavior
from rmp3d.behaviors.groups.guided.self_guided import SelfGuided
from rmp3d.behaviors.groups.search.learning import Learning, LinkWeights
from rmp3d.behaviors.groups.search.search_map import SearchMap, map_of
from rmp3d.behaviors.groups.search.search_run import GoalSearchRun
from rmp3d.behaviors.groups.task import GroupTask
from rmp3d.geometry.errors import InputError
from rmp3d.planner.roadmap.building import extend_roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings

Rule: TypeAlias = Literal["told", "trails", "random_walk", "all_knowing"]
Laid: TypeAlias = Literal["at_once", "walked_back"]
# Searchers do not wait for members behind: none is so far ahead [m].
ALONE = 1e6


@GROUP_BEHAVIORS.register("goal_search")
@dataclass(frozen=True, kw_only=True)
class GoalSearch(Learning, GroupBehavior):
    """Look for the goal on a known roadmap, each on its own, by weights of the links.

    Every member walks a map of places thinned out from the roadmap. At each place it chooses the
    next link at random by the links' weights, of which each direction has its own. Where a link
    has more than its first weight there is a trail: a member may follow it wherever it is met, even
    back over what its own memory has closed. At a dead end a member goes back to its last open
    choice; the directions that lead there weaken. A member within sensor range of the goal that
    sees it strengthens the links of its route, towards the goal (thesis, 4.2; Bayazit, Lien, Amato
    2002, "Roadmap-based flocking for complex environments", section 4.2).

    With the rule ``told`` the finder tells its route. The others go to the nearest place of that
    route, and along it to the goal. With ``trails`` nobody is told anything: members read the
    weights where they stand, as ants do, and each finds the goal on its own.

    Departures: the map is thinned, else most of the search would be spent within one sensor
    range; members rather choose links that few have chosen, so that they spread; a member that
    cannot get on for a while, as others come towards it in a narrow place, turns round. The
    thesis takes the neighbor of least weight, and says that weights fall at dead ends: we take a
    neighbor at random, the heavier the likelier.

    Attributes:
        rule: ``told``; ``trails``; ``random_walk``: as ``trails`` without memory and weights;
            ``all_knowing``: all know the goal from the start. The last two are for comparison.
        memory: Whether each member remembers what it has closed: dead ends and cycles.
        weights: Whether the links' weights count; if not, all are 1.
        laid: With ``trails``: ``at_once``, the whole route when the goal is seen; or
            ``walked_back``, place by place by a finder that no trail has led to the goal.
        recall: Whether to begin with the weights that the roadmap's file holds, if it holds any.
        sensor_range: How far a member sees the goal and its subgoals [m].
        place_distance: The search map has a place within this distance of every node of the
            roadmap [m].
        detour: A link is left out of the search map where another route is at most this many times
            as long; ``inf`` leaves a map without cycles.
        nodes: The roadmap has at least so many nodes, so that it covers the scene.
        spacing: Distance between members at the start, and between places at the goal [m]; 0 takes
            one that suits body and speed.
    """

    rule: Rule = "told"
    memory: bool = True
    weights: bool = True
    laid: Laid = "at_once"
    recall: bool = True
    sensor_range: float = 4.0
    place_distance: float = 4.0
    detour: float = 3.0
    nodes: int = 400
    spacing: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rule not in get_args(Rule):
            hint = "; `adaptive` is called `told` now" if self.rule == "adaptive" else ""
            raise InputError(
                f"`rule` must be one of {', '.join(get_args(Rule))}, got {self.rule!r}{hint}"
            )
        if self.laid not in get_args(Laid):
            raise InputError(f"`laid` must be at_once or walked_back, got {self.laid!r}")
        for name in ("sensor_range", "place_distance"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be positive, got {getattr(self, name)}")
        if not self.detour >= 1.0:
            raise InputError(f"`detour` must be 1 or more, got {self.detour}")
        if not 1 <= self.nodes <= 20_000:
            raise InputError(f"`nodes` must be from 1 to 20000, got {self.nodes}")
        if not 0.0 <= self.spacing < np.inf:
            raise InputError(f"`spacing` must be 0 or more, got {self.spacing}")

    @property
    def remembers(self) -> bool:
        """Whether members remember what they have closed."""
        return self.memory and self.rule != "random_walk"

    @property
    def weighs(self) -> bool:
        """Whether the links' weights count."""
        return self.weights and self.rule in ("told", "trails")

    def guided(self) -> SelfGuided:
        """Return the rule by which members follow their paths."""
        return SelfGuided(sensor_range=self.sensor_range, neighborhood=ALONE, spacing=self.spacing)

    def search_map(self, task: GroupTask) -> SearchMap:
        """Return the map to search on; the roadmap grows if it is too small."""
        roadmap = task.roadmap
        if len(roadmap.configurations) < self.nodes and not roadmap.interrupted:
            settings = RoadmapSettings(local_planner=roadmap.local_planner, nodes=self.nodes)
            roadmap = extend_roadmap(roadmap, settings, task.rng)
        ends = task.path.points[0], task.path.points[-1]
        clearance = self.clearance_wanted(task.count, task.character)
        return map_of(roadmap, *ends, self.place_distance, self.detour, clearance)

    def link_weights(self, known: SearchMap) -> LinkWeights:
        """Return the weights to begin with: those of the roadmap's file, or all 1.

        Raises:
            InputError: Those of the file are of another search map.
        """
        weights = LinkWeights(known, self, self.weighs)
        if self.recall and self.weighs and known.roadmap.learned is not None:
            weights.begin_with(known.roadmap.learned)
        return weights

    def begin(self, task: GroupTask) -> GoalSearchRun:
        """Make the map, and place the members."""
        return GoalSearchRun(task, self, self.search_map(task))
