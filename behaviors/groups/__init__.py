"""Group behaviors: they own the group's memory and give every member its subgoal."""

from rmp3d.behaviors.action.mind import MentalVariable, Trigger
from rmp3d.behaviors.action.rules import Rule
from rmp3d.behaviors.groups.afterwards.activity import ACTIVITIES, Activity, PlaceChooser
from rmp3d.behaviors.groups.afterwards.roaming import ExploreAll, RoamAbout
from rmp3d.behaviors.groups.afterwards.rounds import GoBack, PatrolPosts
from rmp3d.behaviors.groups.afterwards.run import AfterwardsRun
from rmp3d.behaviors.groups.afterwards.staying import HoldPlaces
from rmp3d.behaviors.groups.afterwards.wandering import WanderAbout
from rmp3d.behaviors.groups.carried.behavior import Carried
from rmp3d.behaviors.groups.crowd.crowd import Crowd
from rmp3d.behaviors.groups.crowd.trips import Trip
from rmp3d.behaviors.groups.group_behavior import (
    GROUP_BEHAVIORS,
    GroupBehavior,
    GroupEvent,
    GroupRun,
)
from rmp3d.behaviors.groups.guided.leader_following import LeaderFollowing
from rmp3d.behaviors.groups.guided.self_guided import SelfGuided
from rmp3d.behaviors.groups.herding import Herding
from rmp3d.behaviors.groups.herding.herded import Herded
from rmp3d.behaviors.groups.intent import Intent
from rmp3d.behaviors.groups.passages.circle_following import CircleFollowing
from rmp3d.behaviors.groups.passages.narrow_passages import NarrowPassages
from rmp3d.behaviors.groups.search.goal_search import GoalSearch
from rmp3d.behaviors.groups.steered.acting import Acting
from rmp3d.behaviors.groups.steered.goal import Goal
from rmp3d.behaviors.groups.steered.spec import WeightedBehavior
from rmp3d.behaviors.groups.steered.steering import Steering
from rmp3d.behaviors.groups.task import GroupTask, Journey, Task
from rmp3d.geometry.registry import load_folder

__all__ = [
    "ACTIVITIES",
    "GROUP_BEHAVIORS",
    "Acting",
    "Activity",
    "AfterwardsRun",
    "Carried",
    "CircleFollowing",
    "Crowd",
    "ExploreAll",
    "GoBack",
    "Goal",
    "GoalSearch",
    "GroupBehavior",
    "GroupEvent",
    "GroupRun",
    "GroupTask",
    "Herded",
    "Herding",
    "HoldPlaces",
    "Intent",
    "Journey",
    "LeaderFollowing",
    "MentalVariable",
    "NarrowPassages",
    "PatrolPosts",
    "PlaceChooser",
    "RoamAbout",
    "Rule",
    "SelfGuided",
    "Steering",
    "Task",
    "Trigger",
    "Trip",
    "WanderAbout",
    "WeightedBehavior",
]

load_folder(__name__, __path__)
