"""Group behaviors: they own the group's memory and give every member its subgoal."""

from rmp3d.behaviors.groups.carrying.carried import Carried
from rmp3d.behaviors.groups.group_behavior import (
    GROUP_BEHAVIORS,
    GroupBehavior,
    GroupEvent,
    GroupRun,
    GroupTask,
    Intent,
    Journey,
    Task,
)
from rmp3d.behaviors.groups.guided.leader_following import FollowTheLeader
from rmp3d.behaviors.groups.guided.self_guided import SelfGuided
from rmp3d.behaviors.groups.herding import Herding
from rmp3d.behaviors.groups.herding.herded import HerdedGroup
from rmp3d.behaviors.groups.passages.circle_following import CircleFollowing
from rmp3d.behaviors.groups.passages.narrow_passages import NarrowPassages
from rmp3d.behaviors.groups.search.goal_search import GoalSearch
from rmp3d.behaviors.groups.steered.acting import ActingGroup
from rmp3d.behaviors.groups.steered.steering import SteeringGroup
from rmp3d.geometry.registry import load_folder

__all__ = [
    "GROUP_BEHAVIORS",
    "ActingGroup",
    "Carried",
    "CircleFollowing",
    "FollowTheLeader",
    "GoalSearch",
    "GroupBehavior",
    "GroupEvent",
    "GroupRun",
    "GroupTask",
    "HerdedGroup",
    "Herding",
    "Intent",
    "Journey",
    "NarrowPassages",
    "SelfGuided",
    "SteeringGroup",
    "Task",
]

load_folder(__name__, __path__)
