"""The options of a goal search, and the map and the weights that they lead to."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from rmp3d.behaviors.groups.group_behavior import GroupBehavior
from rmp3d.behaviors.groups.guided.self_guided import SelfGuided
from rmp3d.behaviors.groups.search.learning import Learning, LinkWeights
from rmp3d.behaviors.groups.search.search_map import SearchMap, map_of
from rmp3d.behaviors.groups.task import GroupTask
from rmp3d.geometry.errors import InputError
from rmp3d.models import Character
from rmp3d.planner.roadmap.building import extend_roadmap
from rmp3d.planner.roadmap.settings import RoadmapSettings

Rule: TypeAlias = Literal["told", "trails", "random_walk", "all_knowing"]
Laid: TypeAlias = Literal["at_once", "walked_back"]
Recall: TypeAlias = Literal["faded", "full", "none"]
# Searchers do not wait for members behind: none is so far ahead [m].
ALONE = 1e6
# Within this distance of every node of the roadmap is a place, and so far members see [m]; vehicles
# so many turn radii.
NEAR, NEAR_IN_TURNS = 4.0, 2.5


@dataclass(frozen=True, kw_only=True)
class SearchOptions(Learning, GroupBehavior):
    """How a group searches; see `GoalSearch`.

    Attributes:
        rule: ``told``; ``trails``; ``random_walk``: as ``trails`` without memory and weights;
            ``all_knowing``: all know the goal from the start. The last two are for comparison.
        memory: Whether each member remembers what it has closed: dead ends and cycles.
        weights: Whether the links' weights count; if not, all are 1.
        laid: With ``trails``: ``at_once``, the whole route when the goal is seen; or
            ``walked_back``, place by place by a finder that no trail has led to the goal.
        recall: What the weights that the roadmap's file holds, if it holds any, still count:
            ``faded``, near 1, so that a part of the members looks elsewhere in case the goal has
            moved; ``full``; or ``none``.
        sensor_range: How far a member sees the goal and its subgoals [m]; 0 takes 4 m, and for
            vehicles two and a half turn radii where these are more: so they need not drive into
            each corner, and turn back there.
        place_distance: The search map has a place within this distance of every node of the
            roadmap [m]; 0 takes as much as for the sensor range: to nearer places vehicles would
            rather maneuver than drive.
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
    recall: Recall = "faded"
    sensor_range: float = 0.0
    place_distance: float = 0.0
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
        if self.recall not in get_args(Recall):
            raise InputError(f"`recall` must be faded, full or none, got {self.recall!r}")
        if not self.detour >= 1.0:
            raise InputError(f"`detour` must be 1 or more, got {self.detour}")
        if not 1 <= self.nodes <= 20_000:
            raise InputError(f"`nodes` must be from 1 to 20000, got {self.nodes}")
        for name in ("sensor_range", "place_distance", "spacing"):
            if not 0.0 <= getattr(self, name) < np.inf:
                raise InputError(f"`{name}` must be 0 or more, got {getattr(self, name)}")

    @property
    def remembers(self) -> bool:
        """Whether members remember what they have closed."""
        return self.memory and self.rule != "random_walk"

    @property
    def weighs(self) -> bool:
        """Whether the links' weights count."""
        return self.weights and self.rule in ("told", "trails")

    @property
    def recalls(self) -> bool:
        """Whether a run begins with the weights of earlier runs, if there are any."""
        return self.weighs and self.recall != "none"

    def guided(self, character: Character) -> SelfGuided:
        """Return the rule by which members follow their paths."""
        return SelfGuided(
            sensor_range=self.sees(character), neighborhood=ALONE, spacing=self.spacing
        )

    def sees(self, character: Character) -> float:
        """Return how far a member sees [m]."""
        return self.sensor_range or near(character)

    def covers(self, character: Character) -> float:
        """Return within which distance of every node the search map has a place [m]."""
        return self.place_distance or near(character)

    def search_map(self, task: GroupTask) -> SearchMap:
        """Return the map to search on; the roadmap grows if it is too small."""
        roadmap = task.roadmap
        if len(roadmap.configurations) < self.nodes and not roadmap.interrupted:
            settings = RoadmapSettings(local_planner=roadmap.local_planner, nodes=self.nodes)
            roadmap = extend_roadmap(roadmap, settings, task.rng)
        ends = task.path.points[0], task.path.points[-1]
        clearance = self.clearance_wanted(task.count, task.character)
        spacing, points = self.covers(task.character), task.path.points
        return map_of(roadmap, *ends, spacing, self.detour, clearance, points)

    def link_weights(self, known: SearchMap) -> LinkWeights:
        """Return the weights to begin with: those of the roadmap's file, or all 1.

        Raises:
            InputError: Those of the file are of another search map.
        """
        weights = LinkWeights(known, self, self.weighs)
        if self.recalls and known.roadmap.learned is not None:
            weights.begin_with(known.roadmap.learned, faded=self.recall == "faded")
        return weights


def near(character: Character) -> float:
    """Return what is near for a searcher [m]."""
    return max(NEAR, NEAR_IN_TURNS * character.parameters.turn_radius)
