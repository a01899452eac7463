"""Goal search: members that know the roadmap look for a goal that they do not know."""

from dataclasses import dataclass

from rmp3d.behaviors.groups.group_behavior import GROUP_BEHAVIORS
from rmp3d.behaviors.groups.search.search_options import SearchOptions
from rmp3d.behaviors.groups.search.search_run import GoalSearchRun
from rmp3d.behaviors.groups.task import GroupTask


@GROUP_BEHAVIORS.register("goal_search")
@dataclass(frozen=True, kw_only=True)
class GoalSearch(SearchOptions):
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

    Where there is no trail, a vehicle with a turn radius is the likelier to take a way on the
    shorter the detour of its turn is. It chooses before it has to brake.

    Departures: the map is thinned, else most of the search would be spent within one sensor
    range; members rather choose links that few have chosen, so that they spread; a member that
    cannot get on for a while, as others come towards it in a narrow place, turns round. The
    thesis takes the neighbor of least weight, and says that weights fall at dead ends: we take a
    neighbor at random, the heavier the likelier.
    """

    def begin(self, task: GroupTask) -> GoalSearchRun:
        """Make the map, and place the members."""
        return GoalSearchRun(task, self, self.search_map(task))
